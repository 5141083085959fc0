//! What differs between the databases.

use crate::collection::ColumnKind;

/// The words and functions of a database for what the generated SQL needs.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The type of text.
    pub(crate) text: &'static str,
    /// The type of signed 64-bit integers.
    pub(crate) integer: &'static str,
    /// The type of 64-bit floating-point numbers.
    pub(crate) float: &'static str,
    /// The type of true and false.
    pub(crate) boolean: &'static str,
    /// The type of points in time.
    pub(crate) utc: &'static str,
    /// The type of JSON whose text is kept.
    pub(crate) json: &'static str,
    /// The type of an integer primary key that counts up and never uses a number twice.
    pub(crate) counter: &'static str,
    /// What follows the columns of a table.
    pub(crate) table_options: &'static str,
    /// What follows the columns of a table that is clustered by its primary key.
    pub(crate) clustered_options: &'static str,
    /// Whether the rows of a mirrored table are numbered, in the column `_row`.
    pub(crate) numbered_rows: bool,
    /// The function that makes a JSON object of names and values.
    pub(crate) json_object: &'static str,
    /// The aggregate that makes a JSON object of names and values.
    pub(crate) json_object_aggregate: &'static str,
    /// The value of a column of this kind, as it is passed to [`json_object`](Self::json_object).
    pub(crate) json_value: fn(&str, ColumnKind) -> String,
}

impl Dialect {
    /// The type of a column.
    pub(crate) fn column_type(&self, kind: ColumnKind) -> &'static str {
        match kind {
            ColumnKind::Text | ColumnKind::Timestamp => self.text,
            ColumnKind::Integer => self.integer,
            ColumnKind::Float => self.float,
            ColumnKind::Boolean => self.boolean,
            ColumnKind::Utc => self.utc,
            ColumnKind::Json => self.json,
        }
    }
}
