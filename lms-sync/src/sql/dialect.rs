//! The differences between the databases.

use crate::collection::{ColumnKind, Value};

/// The words and functions of a database that the generated SQL needs.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The name of the database in queries that people write.
    pub(crate) name: &'static str,
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
    /// The type of the numbers of staged rows, which count up.
    pub(crate) staging_counter: &'static str,
    /// The statements that turn the staging table of the first run into the table of a collection, which is faster than
    /// to copy the rows. Empty if that is not possible: the table is then created when a run begins.
    pub(crate) adopt_staging: &'static [&'static str],
    /// Clause after the columns of a table.
    pub(crate) table_options: &'static str,
    /// Clause after the columns of a table that is clustered by its primary key.
    pub(crate) clustered_options: &'static str,
    /// The statements that begin each [kind](super::database::Transaction) of transaction.
    pub(crate) begin_write: &'static [&'static str],
    pub(crate) begin_checkpoint: &'static [&'static str],
    pub(crate) begin_read: &'static [&'static str],
    /// Clause after a query whose rows no other transaction may change.
    pub(crate) lock_row: &'static str,
    /// The word for the place of a mirror in messages: "file".
    pub(crate) place: &'static str,
    /// A query that says whether there is something named `$1`.
    pub(crate) exists: &'static str,
    /// A query for the names of the columns of the table `$1`.
    pub(crate) column_names: &'static str,
    /// The table of the items of the JSON array `$1`, for [`json_items`](Self::json_items).
    pub(crate) json_items: &'static str,
    /// Statements that create a view, or replace the view of the same name.
    pub(crate) create_view: &'static [&'static str],
    /// An expression for the current time, of the type of points in time.
    pub(crate) now: &'static str,
    /// An expression for a point in time a number of seconds later.
    pub(crate) add_seconds: fn(&str, &str) -> String,
    /// An expression for a JSON object of names and values.
    pub(crate) json_object: fn(&[(&str, String)]) -> String,
    /// The aggregate that makes a JSON object of names and values.
    pub(crate) json_object_aggregate: &'static str,
    /// The value of a column of this kind, as it is passed to [`json_object`](Self::json_object).
    pub(crate) json_value: fn(&str, ColumnKind) -> String,
    /// The value of a column of this kind, as it is compared.
    pub(crate) comparable: fn(&str, ColumnKind) -> String,
    /// A column of a query as a value of this kind. A value that does not fit is an error, or stays as it is.
    pub(crate) cast: fn(&str, &str, ColumnKind) -> String,
    /// A parameter of a query as values are compared with it.
    pub(crate) parameter: fn(&Value) -> Value,
    /// The statement that describes a column for people, if the database has one.
    pub(crate) comment: Option<&'static str>,
    /// The statement that brings the statistics of a table up to date after many rows have changed, if it needs one.
    pub(crate) analyze: Option<&'static str>,
}

impl Dialect {
    /// The table `k` of the items of a JSON array, which is a parameter: `value`, and the position `key`, from 0.
    pub(crate) fn json_items(&self, parameter: &str) -> String {
        format!("{} AS k", self.json_items.replace("$1", parameter))
    }

    /// A query for the integers of a JSON array, which is a parameter.
    pub(crate) fn json_integers(&self, parameter: &str) -> String {
        let (integer, items) = (self.integer, self.json_items(parameter));
        format!("SELECT CAST(CAST(k.value AS TEXT) AS {integer}) FROM {items}")
    }

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
