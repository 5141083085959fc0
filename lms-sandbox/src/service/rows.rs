//! Rows as JSON.
//!
//! The columns of a query have the names of the fields that they become, and the schema says how each is written: an
//! id as its prefix and number, a time as a timestamp, and so on. Columns are looked up once per query, and rows are
//! written straight into the body of the response: a page of 200 learners is 100 KB, and a tree of values for it would
//! take several times as long as the query.

use rusqlite::types::{Value as SqlValue, ValueRef};
use rusqlite::{Connection, Params, Row, params_from_iter};
use serde_json::Value;

use super::request::ApiRequest;
use crate::api::fields::Fields;
use crate::api::id::Kind;
use crate::api::json::{self, Parts};
use crate::api::problem::Problem;
use crate::api::schema::{Schema, Shape};
use crate::api::timestamp;
use crate::store::sql;

/// The row of an id in a path; 404 if it does not exist.
pub(crate) fn existing(db: &Connection, kind: Kind, id: &str) -> Result<i64, Problem> {
    find(db, kind, id)?.ok_or_else(|| Problem::no_such(kind, id))
}

/// The row of an id in a field of the body; 422 if it does not exist.
pub(crate) fn referenced(
    db: &Connection,
    kind: Kind,
    field: &str,
    id: &str,
) -> Result<i64, Problem> {
    find(db, kind, id)?.ok_or_else(|| Problem::unknown_reference(field, kind, id))
}

fn find(db: &Connection, kind: Kind, id: &str) -> Result<Option<i64>, Problem> {
    let Some(number) = kind.parse(id) else {
        return Ok(None);
    };
    let sql = format!("SELECT id FROM {} WHERE id = ?1", kind.table());
    Ok(sql::first(db, &sql, [number])?.map(|(number,)| number))
}

/// The first row of a query, as the object that the operation returns; `None` if there is no row.
pub(crate) fn first(
    db: &Connection,
    request: &ApiRequest<'_>,
    sql: &str,
    params: impl Params,
) -> Result<Option<Vec<u8>>, Problem> {
    let schema = request.operation.response().ok_or_else(no_schema)?;
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let mut body = Vec::with_capacity(512);
    Columns::find(row, schema).write(row, &mut body)?;
    Ok(Some(body))
}

/// The object of an id in the path; 404 if it does not exist.
pub(crate) fn by_id(
    db: &Connection,
    request: &ApiRequest<'_>,
    kind: Kind,
    columns: &str,
) -> Result<Vec<u8>, Problem> {
    let id = request.param(0)?;
    let sql = format!("SELECT {columns} FROM {} WHERE id = ?1", kind.table());
    first(db, request, &sql, [kind.parse(id)])?.ok_or_else(|| Problem::no_such(kind, id))
}

/// All rows of a query, as a list without pages.
pub(crate) fn all(
    db: &Connection,
    request: &ApiRequest<'_>,
    sql: &str,
) -> Result<Vec<u8>, Problem> {
    let schema = item_schema(request)?;
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let mut body = Vec::with_capacity(512);
    let mut list = Parts::object(&mut body);
    let mut items = Parts::array(list.key("items"));
    while let Some(row) = rows.next()? {
        Columns::find(row, schema).write(row, items.item())?;
    }
    items.close();
    list.close();
    Ok(body)
}

/// Adds a row with the fields of an object, the opposite of writing one: columns have the names of fields. `into` is the
/// beginning of the statement. Absent fields have the default of their column, and the times are `now`.
pub(crate) fn insert(
    db: &Connection,
    into: &str,
    schemas: &[&Schema],
    object: &Value,
    now: i64,
) -> Result<i64, Problem> {
    let mut fields = Fields::to_add(object, schemas)?;
    let all = || schemas.iter().flat_map(|schema| schema.fields);
    for (name, _) in all().filter(|(name, _)| ["created", "modified", "updated"].contains(name)) {
        fields.set_default(name, timestamp::format(now));
    }
    let (mut columns, mut values) = (Vec::new(), Vec::<SqlValue>::new());
    for (name, shape) in all() {
        if let Some(value) = fields.value(name) {
            columns.push(format!("\"{name}\""));
            values.push(match shape {
                Shape::Id(kind) => referenced(db, *kind, name, fields.required(name))?.into(),
                Shape::Time | Shape::DateTime => fields.time(name)?.into(),
                Shape::Flag => fields.flag(name).into(),
                Shape::Text | Shape::Int64 => fields.text(name).map(str::to_owned).into(),
                Shape::Number => value.as_f64().into(),
                Shape::Texts | Shape::One(_) | Shape::Many(_) => json::to_string(value).into(),
            });
        }
    }
    let places = vec!["?"; values.len()].join(", ");
    let sql = format!("{into} ({}) VALUES ({places})", columns.join(", "));
    sql::insert(db, &sql, params_from_iter(values))
}

/// The schema of the items of the list that the operation returns.
pub(super) fn item_schema(request: &ApiRequest<'_>) -> Result<&'static Schema, Problem> {
    match request
        .operation
        .response()
        .and_then(|list| list.field("items"))
    {
        Some(Shape::Many(schema)) => Ok(schema),
        _ => Err(no_schema()),
    }
}

pub(super) fn no_schema() -> Problem {
    Problem::internal("the operation has no response of this form")
}

/// The columns of a query that hold the fields of an object.
pub(super) enum Columns {
    /// The first column, `document`, has the whole object as JSON.
    Document,
    Fields(Vec<(&'static str, Shape, usize)>),
}

impl Columns {
    pub(super) fn find(row: &Row<'_>, schema: &Schema) -> Self {
        let names = Vec::from_iter(row.as_ref().column_names());
        if names.first() == Some(&"document") {
            return Self::Document;
        }
        let mut fields = Vec::with_capacity(schema.fields.len());
        let mut next = 0;
        for (name, shape) in schema.fields {
            // Most queries have their columns in the order of the schema.
            let in_order = (names.get(next) == Some(name)).then_some(next);
            let column = in_order.or_else(|| names.iter().position(|known| known == name));
            if let Some(column) = column {
                fields.push((*name, *shape, column));
                next = column + 1;
            }
        }
        Self::Fields(fields)
    }

    /// Appends a row as an object. Fields whose column is NULL are omitted.
    pub(super) fn write(&self, row: &Row<'_>, out: &mut Vec<u8>) -> Result<(), Problem> {
        let Self::Fields(fields) = self else {
            out.extend_from_slice(row.get_ref(0)?.as_bytes()?);
            return Ok(());
        };
        let mut object = Parts::object(out);
        for (name, shape, column) in fields {
            match (shape, row.get_ref(*column)?) {
                (_, ValueRef::Null) => {}
                (Shape::Flag, ValueRef::Integer(flag)) => {
                    json::write(object.key(name), &(flag != 0));
                }
                (Shape::Number, ValueRef::Integer(number)) => {
                    json::write(object.key(name), &number);
                }
                (_, ValueRef::Integer(number)) => {
                    let out = object.key(name);
                    out.push(b'"');
                    match shape {
                        Shape::Id(kind) => {
                            out.extend_from_slice(kind.prefix().as_bytes());
                            json::write(out, &number);
                        }
                        Shape::Time | Shape::DateTime => timestamp::write(out, number),
                        _ => json::write(out, &number),
                    }
                    out.push(b'"');
                }
                // Stored as JSON.
                (Shape::Texts | Shape::One(_) | Shape::Many(_), ValueRef::Text(text)) => {
                    object.key(name).extend_from_slice(text);
                }
                (_, value) => json::write(object.key(name), value.as_str()?),
            }
        }
        object.close();
        Ok(())
    }
}
