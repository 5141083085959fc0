//! SQLite's dialect.

use crate::{
    collection::{ColumnKind, Value},
    sql::Dialect,
};

/// Tables are `STRICT`, so a column has values of its type only. True and false are 1 and 0.
pub(super) static SQLITE: Dialect = Dialect {
    name: "sqlite",
    text: "TEXT",
    integer: "INTEGER",
    float: "REAL",
    boolean: "INTEGER",
    utc: "TEXT",
    json: "TEXT",
    counter: "INTEGER PRIMARY KEY AUTOINCREMENT",
    staging_counter: "INTEGER PRIMARY KEY AUTOINCREMENT",
    // The staging table is not clustered by the key of the collection.
    adopt_staging: &[],
    table_options: " STRICT",
    clustered_options: " STRICT, WITHOUT ROWID",
    // The log is synced with the commit. Closing the file also syncs it, but not while another program has the file open.
    begin_write: &["PRAGMA synchronous = FULL", "BEGIN IMMEDIATE"],
    begin_checkpoint: &["PRAGMA synchronous = NORMAL", "BEGIN IMMEDIATE"],
    begin_read: &["BEGIN"],
    // A transaction that writes is alone.
    lock_row: "",
    place: "file",
    exists: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = $1)",
    column_names: "SELECT name FROM pragma_table_info($1)",
    json_items: "json_each($1)",
    create_view: &["DROP VIEW IF EXISTS {name}", "CREATE VIEW {name} AS{query}"],
    now: "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')",
    add_seconds: |time, seconds| {
        format!("strftime('%Y-%m-%dT%H:%M:%SZ', {time}, ({seconds}) || ' seconds')")
    },
    json_object,
    json_object_aggregate: "json_group_object",
    json_value,
    comparable: |column, _| column.to_owned(),
    cast,
    parameter,
    comment: None,
    analyze: None,
};

fn json_object(pairs: &[(&str, String)]) -> String {
    let pairs = pairs
        .iter()
        .map(|(name, value)| format!("'{name}', {value}"));
    format!("json_object({})", pairs.collect::<Vec<_>>().join(", "))
}

fn json_value(column: &str, kind: ColumnKind) -> String {
    match kind {
        ColumnKind::Json => format!("json({column})"),
        ColumnKind::Boolean => {
            format!("json(CASE {column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)")
        }
        ColumnKind::Text
        | ColumnKind::Integer
        | ColumnKind::Float
        | ColumnKind::Timestamp
        | ColumnKind::Utc => column.to_owned(),
    }
}

fn cast(column: &str, of: &str, kind: ColumnKind) -> String {
    let cast = format!("CAST({column} AS {of})");
    match kind {
        // A text that is not a number would become 0.
        ColumnKind::Integer | ColumnKind::Float | ColumnKind::Boolean => format!(
            "CASE WHEN typeof({column}) = 'text' AND {cast} <> {column} THEN {column} ELSE {cast} END"
        ),
        ColumnKind::Text | ColumnKind::Timestamp | ColumnKind::Utc | ColumnKind::Json => cast,
    }
}

/// Points in time are compared as text. Those of the tables may have a fraction of a second, and parameters have none and no
/// `Z`: with `<` and `>=`, all comparisons are then right.
fn parameter(value: &Value) -> Value {
    match value.utc_text() {
        Some(text) => Value::Text(text.trim_end_matches('Z').chars().take(19).collect()),
        None => value.clone(),
    }
}
