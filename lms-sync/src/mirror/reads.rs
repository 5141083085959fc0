//! Stores when each item of a derived collection was read, and finds those that have changed, for runs with a budget.
//!
//! An item is, for example, a learner of `records`. The rows of an item that a run did not read are not missing.

use std::collections::HashMap;

use serde::Serialize;

use super::staging_table::{StagingOutcome, StagingTable};
use crate::{
    collection::{Collection, Value, collection},
    extract::{ItemReads, item_name},
    record::CompletenessRecord,
    sql::{
        database::{Database, Failure, query_all, query_texts, text, text_value},
        quoted,
    },
    verify::Recount,
};

/// The times at which the items of a collection were read, and those that the lists of the run show to have changed.
pub(super) fn load(
    database: &mut dyn Database,
    collection: &Collection,
    staging_tables: &HashMap<&'static str, StagingTable>,
) -> Result<ItemReads, Failure> {
    let sql = "SELECT item, read_at FROM _lms_reads WHERE collection = $1";
    let name = text_value(collection.name);
    let stored = query_all(database, sql, &[name], |mut row| {
        Ok((row.text(), row.integer()))
    })?;
    let mut reads = ItemReads::stored(stored);
    let sealed = staging_tables.values();
    for staging in sealed.filter(|staging| staging.outcome == StagingOutcome::Sealed) {
        let changed = changed(database, collection, staging)?;
        changed.iter().for_each(|values| reads.outdate(values));
    }
    Ok(reads)
}

/// The items of a derived collection that a list of the run shows to be new or different, or for which another collection has new
/// or different rows: the completions of a learner in a course.
fn changed(
    database: &mut dyn Database,
    of: &Collection,
    staging: &StagingTable,
) -> Result<Vec<Vec<String>>, Failure> {
    let values = of.for_each.first().map_or(&[][..], |each| each.values);
    let (of_rows, of_items): (Vec<&str>, Vec<&str>) = values.iter().copied().unzip();
    let is_list = of.for_each.first().map(|each| each.collection) == Some(staging.collection.name);
    let columns = if is_list { of_items } else { of_rows };
    let mut known = columns.iter();
    // Everything of a learner is about more than the learner.
    if staging.collection.name == of.name
        || (!is_list && columns.len() < 2)
        || !known.all(|column| staging.collection.column(column).is_some())
    {
        return Ok(Vec::new());
    }
    let columns: Vec<String> = columns.into_iter().map(quoted).collect();
    let columns = columns.join(", ");
    let sql = format!("SELECT DISTINCT {columns} FROM {{staging}}");
    let sql = staging.statements.fill(&sql);
    let items = query_all(database, &sql, &[], |row| {
        Ok(row.rest().iter().map(text).collect::<Option<Vec<_>>>())
    })?;
    Ok(items.into_iter().flatten().collect())
}

/// Stores for all derived collections which items a list shows to have changed, also if the run does not read them: later runs do
/// not find the difference again. The note stays until an item is read.
pub(super) fn remember(database: &mut dyn Database, staging: &StagingTable) -> Result<(), Failure> {
    let sql = "SELECT DISTINCT collection FROM _lms_reads";
    for name in query_texts(database, sql, &[])? {
        let Some(of) = collection(&name) else {
            continue;
        };
        let changed = changed(database, of, staging)?;
        let items: Vec<_> = changed.iter().map(|values| (item_name(values),)).collect();
        let sql = "UPDATE _lms_reads SET read_at = -read_at WHERE read_at > 0 \
                   AND collection = $1 AND item IN (SELECT k.value ->> 0 FROM {items})";
        execute_for(database, sql, of, &items)?;
    }
    Ok(())
}

/// Executes a statement for these items: its parameters are the collection, and their JSON, of which `{items}` is the table.
fn execute_for(
    database: &mut dyn Database,
    sql: &str,
    collection: &Collection,
    items: &[impl Serialize],
) -> Result<(), Failure> {
    if items.is_empty() {
        return Ok(());
    }
    let sql = sql.replace("{items}", &database.dialect().json_items("$2"));
    let items = serde_json::to_string(items).map_err(Failure::damaged)?;
    database.execute(&sql, &[text_value(collection.name), text_value(items)])
}

/// Notes that a run without a budget has read all items since it began.
pub(super) fn read_all(
    database: &mut dyn Database,
    record: &CompletenessRecord,
) -> Result<(), Failure> {
    let began: jiff::Timestamp = record.began.parse().map_err(Failure::damaged)?;
    let sql = "UPDATE _lms_reads SET read_at = $1 WHERE collection = $2 AND read_at < $1";
    let values = [
        Value::Integer(began.as_microsecond()),
        text_value(&record.collection),
    ];
    database.execute(sql, &values)
}

/// Stores the items that the run has read, and removes those that the list lacks.
pub(super) fn store(
    database: &mut dyn Database,
    collection: &Collection,
    reads: &ItemReads,
) -> Result<(), Failure> {
    let unlisted: Vec<_> = reads.unlisted().map(|item| (item,)).collect();
    let sql = "DELETE FROM _lms_reads WHERE collection = $1 AND item IN (SELECT k.value ->> 0 FROM {items})";
    execute_for(database, sql, collection, &unlisted)?;
    let read: Vec<(&str, i64)> = reads.read_now().collect();
    let sql = "INSERT INTO _lms_reads (collection, item, read_at) \
               SELECT $1, k.value ->> 0, CAST(k.value ->> 1 AS BIGINT) FROM {items} WHERE TRUE \
               ON CONFLICT (collection, item) DO UPDATE SET read_at = excluded.read_at";
    execute_for(database, sql, collection, &read)
}

/// The columns of a table with the values of its item.
fn columns(collection: &Collection) -> impl Iterator<Item = &'static str> {
    let each = collection.for_each.first().into_iter();
    each.flat_map(|each| each.values).map(|(column, _)| *column)
}

/// The columns for [`is_waiting`], each after a comma.
pub(super) fn selected(staging: &StagingTable) -> String {
    match staging.findings.reads {
        Some(_) => columns(staging.collection)
            .map(|column| format!(", {}", quoted(column)))
            .collect(),
        None => String::new(),
    }
}

/// Returns `true` if the run did not read the item of a row, which ends with [`selected`] columns.
pub(super) fn is_waiting(staging: &StagingTable, row: &[Value]) -> bool {
    let Some(reads) = &staging.findings.reads else {
        return false;
    };
    let number = columns(staging.collection).count();
    let (_, values) = row.split_at(row.len().saturating_sub(number));
    let values: Option<Vec<String>> = values.iter().map(text).collect();
    values.is_some_and(|values| reads.is_waiting(&values))
}

/// The record with the numbers and the hash of all rows of the table instead of those that the run has read.
pub(super) fn of_table(
    database: &mut dyn Database,
    collection: &'static Collection,
    record: &CompletenessRecord,
) -> Result<CompletenessRecord, Failure> {
    let mut recount = Recount::new();
    super::verify_tables::visit_rows(database, collection, &mut |row, _| {
        recount.add(&row);
    })?;
    Ok(recount.into_record(record)?)
}
