//! The tables with which a destination keeps its own state. Their names start with `_lms_`.

use super::{
    Dialect,
    database::{Database, Failure, query_value, text, text_value},
};

/// The version of all tables. A destination with another version is refused.
pub(crate) const FORMAT_VERSION: u32 = 3;

/// The statements that create them, where they are missing.
pub(crate) fn internal_tables(dialect: &Dialect) -> Vec<String> {
    let Dialect {
        text,
        integer,
        utc,
        json,
        counter,
        table_options: options,
        ..
    } = dialect;
    let tables = [
        // Facts about the destination: the version of its format, its id, the tenant.
        format!("_lms_meta (name {text} PRIMARY KEY, value {text} NOT NULL)"),
        // Each run. One without an end is unfinished; one that stopped has tried every collection, and some failed.
        format!(
            "_lms_runs (run {counter}, plan {text} NOT NULL, began {utc} NOT NULL, stopped {utc}, ended {utc})"
        ),
        // The state of each collection: in the current run, and at its last commit. `row_count` is without the rows
        // that are marked as deleted, and with those that are missing.
        format!(
            "_lms_collections (name {text} PRIMARY KEY, filters {text}, row_count {integer} NOT NULL, \
             missing_count {integer} NOT NULL, marked_count {integer} NOT NULL, last_row {integer} NOT NULL, \
             committed_run {integer}, checkpoint {json}, record {json})"
        ),
        // The completeness record of each collection of each run, and how many rows the run changed.
        format!(
            "_lms_records (run {integer} NOT NULL, collection {text} NOT NULL, record {json} NOT NULL, \
             inserted {integer}, updated {integer}, deleted {integer}, unchanged {integer}, missing {integer}, \
             PRIMARY KEY (run, collection))"
        ),
        // The collections that the current run has read and not published yet, as JSON.
        format!("_lms_sealed (collection {text} PRIMARY KEY, state {json} NOT NULL)"),
        // The numbers of the rows that the current run has found, as JSON ranges.
        format!("_lms_seen (collection {text} NOT NULL, ranges {text} NOT NULL)"),
        // Times at which items of derived collections were read, for runs with a budget. The item is a JSON array of its values.
        format!(
            "_lms_reads (collection {text} NOT NULL, item {text} NOT NULL, read_at {integer} NOT NULL, \
             PRIMARY KEY (collection, item))"
        ),
        // The changes that the runs found. The token is that of the run that wrote the change.
        format!(
            "_lms_changes (sequence {counter}, token {text} NOT NULL, run {integer} NOT NULL, seen_at {utc} NOT NULL, event {text} NOT NULL, \
             collection {text} NOT NULL, key {json} NOT NULL, data {json}, fields {json})"
        ),
        // The last change that was delivered to each endpoint, and those that it did not accept.
        format!("_lms_deliveries (endpoint {text} PRIMARY KEY, sequence {integer} NOT NULL)"),
        format!(
            "_lms_dead_letters (endpoint {text} NOT NULL, sequence {integer} NOT NULL, failed_at {utc} NOT NULL, \
             attempts {integer} NOT NULL, reason {text} NOT NULL, PRIMARY KEY (endpoint, sequence))"
        ),
    ];
    tables
        .iter()
        .map(|table| format!("CREATE TABLE IF NOT EXISTS {table}{options}"))
        .collect()
}

/// A fact about the destination, by its name.
pub(crate) fn meta(database: &mut dyn Database, name: &str) -> Result<Option<String>, Failure> {
    let sql = "SELECT value FROM _lms_meta WHERE name = $1";
    Ok(text(&query_value(database, sql, &[text_value(name)])?))
}

/// Stores a fact about the destination.
pub(crate) fn set_meta(
    database: &mut dyn Database,
    name: &str,
    value: &str,
) -> Result<(), Failure> {
    let sql = "INSERT INTO _lms_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    database.execute(sql, &[text_value(name), text_value(value)])
}
