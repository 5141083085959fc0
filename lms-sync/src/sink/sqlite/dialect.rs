//! SQLite's dialect.

use crate::{collection::ColumnKind, sql::Dialect};

/// Tables are `STRICT`, so a column has values of its type only. True and false are 1 and 0.
pub(super) static SQLITE: Dialect = Dialect {
    text: "TEXT",
    integer: "INTEGER",
    float: "REAL",
    boolean: "INTEGER",
    utc: "TEXT",
    json: "TEXT",
    counter: "INTEGER PRIMARY KEY AUTOINCREMENT",
    table_options: " STRICT",
    clustered_options: " STRICT, WITHOUT ROWID",
    numbered_rows: true,
    json_object: "json_object",
    json_object_aggregate: "json_group_object",
    json_value,
};

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
