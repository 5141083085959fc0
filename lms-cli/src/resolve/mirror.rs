//! Objects of a mirror by id or name.

use lms_sync::{
    Collection, ColumnKind, Value, collection, collections,
    mirror::{MirrorReader, Query},
};
use serde_json::Map;

use super::{
    kind::ObjectKind,
    object::{self, Object, Objects},
};
use crate::failure::Failure;

/// The columns that are read, if the collection has them.
const COLUMNS: &str = "id name email username sso_id firstname surname archived deleted";

/// The objects of a kind that a mirror has. One that the mirror keeps after its deletion may have rows. `None` if nothing in the
/// mirror says which objects there are.
pub(crate) fn objects(
    mirror: &mut MirrorReader<'_>,
    kind: ObjectKind,
) -> Result<Option<Objects>, Failure> {
    let (name, mut objects) = (kind.collection(), Vec::new());
    let known = mirrored(mirror, &name)?;
    if let Some(known) = known {
        let columns = COLUMNS.split(' ').filter_map(|name| known.column(name));
        let columns = columns.map(|column| (column.name, column.kind));
        let columns = columns.chain([("_gone", ColumnKind::Boolean)]);
        let sql = format!("SELECT t.*, _deleted_at IS NOT NULL AS _gone FROM {name} t");
        objects = read(mirror, &sql, columns)?;
    }
    // Learners may have tags whose collection is not mirrored.
    let learners = mirrored(mirror, collections::LEARNERS)?;
    let used = learners.and_then(|learners| learners.column(&name));
    let used = used.filter(|column| column.kind == ColumnKind::Json);
    if used.is_some() {
        let texts = of_learners(&name);
        let sql = format!("SELECT DISTINCT value AS name FROM (\n{texts}\n) t");
        let names = read(mirror, &sql, [("name", ColumnKind::Text)].into_iter())?;
        let listed: Objects = objects.iter().cloned().collect();
        let others = names
            .into_iter()
            .filter(|object| !listed.has_name_of(object));
        objects.extend(others);
    }
    Ok((known.is_some() || used.is_some()).then(|| objects.into_iter().collect()))
}

/// The collection with this name, if the mirror has it.
pub(crate) fn mirrored(
    mirror: &mut MirrorReader<'_>,
    name: &str,
) -> Result<Option<&'static Collection>, Failure> {
    let records = mirror.records()?;
    let has = |name: &str| records.iter().any(|record| record.collection == name);
    Ok(collection(name).filter(|known| has(known.name)))
}

/// The query for the texts of a list that learners have: `value`, each with its `learner`.
pub(crate) fn of_learners(column: &str) -> String {
    let json = format!("CAST(l.{column} AS JSONB)");
    format!(
        "SELECT l.id AS learner, t.value FROM learners l, json_each(l.{column}) t WHERE t.type = 'text' -- sqlite
SELECT l.id AS learner, t.value FROM learners l, LATERAL jsonb_array_elements_text(CASE jsonb_typeof({json}) WHEN 'array' THEN {json} ELSE CAST('[]' AS JSONB) END) AS t(value) -- postgres"
    )
}

fn read<'a>(
    mirror: &mut MirrorReader<'_>,
    sql: &str,
    columns: impl Iterator<Item = (&'a str, ColumnKind)>,
) -> Result<Vec<Object>, Failure> {
    let columns: Vec<_> = columns
        .map(|(name, kind)| (name.to_owned(), kind))
        .collect();
    let query = Query {
        sql,
        parameters: &[],
        columns: &columns,
        order: &[],
    };
    let mut objects = Vec::new();
    mirror.query(&query, &mut |row| {
        let fields = columns.iter().zip(row).filter_map(|((name, _), value)| {
            let value = match value {
                Value::Text(text) => text.into(),
                Value::Boolean(flag) => flag.into(),
                _ => return None,
            };
            Some((name.clone(), value))
        });
        let mut fields: Map<_, _> = fields.collect();
        if fields.get("_gone") == Some(&true.into()) {
            fields.insert("deleted".to_owned(), true.into());
        }
        let object = object::of(&fields).map(|mut object| {
            // A tenant has no filter by it.
            if let Some(text) = fields.get("sso_id").and_then(|text| text.as_str()) {
                object.names.push(("sso_id", text.to_owned()));
            }
            object
        });
        objects.extend(object);
    })?;
    Ok(objects)
}
