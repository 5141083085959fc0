//! Views over the mirrors of several tenants in one database: each has the rows of all, with the name of the tenant in `_tenant`.

use super::{
    PostgresSchema,
    shared_schema::{alone, create_shared_schema, grant},
};
use crate::{
    collection::collections,
    error::{Error, ErrorKind},
    sql::{
        VIEWS,
        database::{Database, Failure, failed, query_all, query_value, text, text_value},
        literal, quoted,
        shared_tables::TENANT,
    },
};

/// The comment of a view that this module has made.
const OURS: &str = "the rows of all tenants, by lms mirror --union-views";

/// The columns of the table or view `$2` in the schema `$1`, with their types.
const COLUMNS: &str = "SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a \
    JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

/// `table`, or the comment of the view `$2` in the schema `$1`; null if there is neither.
const FOUND: &str = "SELECT CASE WHEN c.relkind = 'v' THEN coalesce(obj_description(c.oid), '') ELSE 'table' END \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2";

/// A column and its type.
type Column = (String, String);

/// Creates or updates a view in a schema for each table and view of the mirrors of tenants, unless the schema has a [shared
/// table](super::share) of this name. Blocks.
///
/// # Errors
///
/// [`Foreign`](ErrorKind::Foreign) if the schema has a view of this name that another program has made;
/// [`Destination`](ErrorKind::Destination) when the database refuses it.
pub fn union_views(
    shared: &PostgresSchema,
    tenants: &[(String, PostgresSchema)],
) -> Result<(), Error> {
    let names = collections().iter().map(|of| of.name);
    let names: Vec<&str> = names.chain(VIEWS.iter().map(|view| view.name)).collect();
    alone(shared, |database| {
        create_shared_schema(database, shared).map_err(failed(&format!("create the {shared}")))?;
        for name in &names {
            let doing = format!("create the view {name} of all tenants in the {shared}");
            let place = [&*shared.schema, *name].map(text_value);
            let found = query_value(database, FOUND, &place)?;
            match text(&found).as_deref() {
                Some("table") => {}
                None | Some(OURS) => {
                    unite(database, shared, tenants, name).map_err(failed(&doing))?;
                }
                Some(_) => {
                    let message = format!(
                        "the {shared} has a view {name:?} that is not from `union_views`; rename it, or choose another schema"
                    );
                    return Err(ErrorKind::Foreign.error(message).into());
                }
            }
        }
        Ok(())
    })
}

fn unite(
    database: &mut dyn Database,
    shared: &PostgresSchema,
    tenants: &[(String, PostgresSchema)],
    name: &str,
) -> Result<(), Failure> {
    // A view that exists can only get columns at its end.
    let mut all = columns(database, &shared.schema, name)?;
    all.retain(|(column, _)| column != TENANT);
    let mut parts = Vec::new();
    for (tenant, own) in tenants {
        let mut of_tenant = columns(database, &own.schema, name)?;
        of_tenant.retain(|(column, _)| column != TENANT);
        if !of_tenant.is_empty() {
            let is_new = |column: &&Column| !all.iter().any(|(known, _)| *known == column.0);
            let new: Vec<Column> = of_tenant.iter().filter(is_new).cloned().collect();
            all.extend(new);
            parts.push((tenant, &own.schema, of_tenant));
        }
    }
    if parts.is_empty() {
        return Ok(());
    }
    let selects = parts.iter().map(|(tenant, schema, of_tenant)| {
        let mut selected = vec![format!("CAST({} AS TEXT) AS \"{TENANT}\"", literal(tenant))];
        selected.extend(all.iter().map(|(column, kind)| {
            let column = quoted(column);
            match of_tenant.iter().any(|(known, _)| quoted(known) == column) {
                true => column,
                false => format!("CAST(NULL AS {kind}) AS {column}"),
            }
        }));
        let [schema, table] = [schema.as_str(), name].map(quoted);
        format!("SELECT {} FROM {schema}.{table}", selected.join(", "))
    });
    let selects: Vec<String> = selects.collect();
    let [schema, view] = [shared.schema.as_str(), name].map(quoted);
    let sql = format!(
        "CREATE OR REPLACE VIEW {schema}.{view} AS {}; COMMENT ON VIEW {schema}.{view} IS {}",
        selects.join(" UNION ALL "),
        literal(OURS)
    );
    database.execute(&sql, &[])?;
    grant(database, shared, "SELECT ON", &format!("{schema}.{view}"))
}

fn columns(database: &mut dyn Database, schema: &str, name: &str) -> Result<Vec<Column>, Failure> {
    let place = [schema, name].map(text_value);
    query_all(database, COLUMNS, &place, |mut row| {
        Ok((row.text(), row.text()))
    })
}
