//! Checks the tables of a mirror against their completeness records.

use super::{overview::committed, staging_table::hash};
use crate::{
    collection::{Collection, ColumnKind, Row, Value, collection},
    record::CompletenessRecord,
    sql::{
        Names,
        database::{Database, Failure, column_names, failed, integer, is_true, missing_columns},
        quoted,
    },
    verify::{Recount, VerifiedCollection, count},
};

/// Maximum number of changed rows that are named.
const NAMED: usize = 20;

/// Compares the rows of each collection of a mirror with its completeness record. One that was never committed has a problem.
pub(crate) fn verify(database: &mut dyn Database) -> Result<Vec<VerifiedCollection>, Failure> {
    let mut verified = Vec::new();
    for (name, record) in committed(database)? {
        let problems = match (collection(&name), &record) {
            (_, None) => vec!["it was never mirrored completely".to_owned()],
            (Some(collection), Some(record)) => {
                let doing = format!("read {name}");
                compare(database, collection, record).map_err(failed(&doing))?
            }
            (None, Some(_)) => vec!["this release does not know the collection".to_owned()],
        };
        verified.push(VerifiedCollection {
            collection: name,
            record,
            problems,
        });
    }
    Ok(verified)
}

/// Passes the rows of the last list to `visit`, each with the hash that was stored with it: without those that are marked as
/// deleted, and those that the list lacks. A column that the table lacks is null.
pub(crate) fn visit_rows(
    database: &mut dyn Database,
    collection: &'static Collection,
    visit: &mut dyn FnMut(Row, i64),
) -> Result<(), Failure> {
    let missing = missing_columns(database, collection)?;
    let columns = collection.columns.iter();
    let columns =
        columns.map(
            |column| match missing.iter().any(|missing| missing.name == column.name) {
                true => "NULL".to_owned(),
                false => quoted(column.name),
            },
        );
    let sql = format!(
        "SELECT \"_hash\", {} FROM {} WHERE \"_deleted_at\" IS NULL AND \"_missing_since\" IS NULL",
        columns.collect::<Vec<_>>().join(", "),
        Names::new(collection).live
    );
    database.query(&sql, &[], &mut |row| {
        let mut row = row.into_iter();
        let hash = row.next().as_ref().and_then(integer).unwrap_or_default();
        let columns = collection.columns.iter().zip(row);
        let values = columns.map(|(column, value)| of_kind(column.kind, value));
        visit(Row::new(collection, values.collect()), hash);
        Ok(())
    })
}

fn compare(
    database: &mut dyn Database,
    collection: &'static Collection,
    record: &CompletenessRecord,
) -> Result<Vec<String>, Failure> {
    let mut recount = Recount::new();
    let (mut changed, mut named) = (0, Vec::new());
    visit_rows(database, collection, &mut |row, stored| {
        recount.add(&row);
        if stored != hash(&row) {
            changed += 1;
            if named.len() < NAMED {
                named.push(row.key().unwrap_or_default().replace('\n', " "));
            }
        }
    })?;
    let mut problems = Vec::new();
    recount.compare(record, &mut problems)?;
    let mut present = column_names(database, collection)?;
    present.retain(|name| !name.starts_with('_') && collection.column(name).is_none());
    if !problems.is_empty() && !present.is_empty() {
        problems.push(format!(
            "this release does not know the columns {}; if a newer one wrote them, verify the mirror with that one",
            present.join(", ")
        ));
    } else if !problems.is_empty() && changed > 0 {
        problems.push(format!(
            "{} {} changed after the mirror was written, among them those with {} {}; delete these rows, and the next run adds \
             them again",
            count(changed, "row"),
            if changed == 1 { "was" } else { "were" },
            collection.key.join(" "),
            named.join(", ")
        ));
    }
    Ok(problems)
}

/// A value as it was written: a database may lack a type, and store its values as text or numbers.
pub(super) fn of_kind(kind: ColumnKind, value: Value) -> Value {
    match (kind, value) {
        (ColumnKind::Boolean, value @ Value::Integer(_)) => Value::Boolean(is_true(&value)),
        (ColumnKind::Json, Value::Text(text)) => Value::Json(text),
        (ColumnKind::Utc, Value::Text(text)) => Value::from_utc_text(&text).unwrap_or(Value::Null),
        (_, value) => value,
    }
}
