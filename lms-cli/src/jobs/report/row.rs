//! A row of a report, whose columns are chosen when it runs.

use lms_sync::{
    ColumnKind, Value,
    mirror::{MirrorReader, Query},
};
use serde::{Serialize, Serializer};

use crate::failure::Failure;

/// A row of a report.
pub(super) type Row = Vec<Value>;

/// Passes the rows of a query to `take`, in any order.
pub(super) fn each_row(
    mirror: &mut MirrorReader<'_>,
    sql: &str,
    parameters: &[(String, ColumnKind, Value)],
    columns: &[(String, ColumnKind)],
    take: &mut dyn FnMut(Row),
) -> Result<(), Failure> {
    let query = Query {
        sql,
        parameters,
        columns,
        order: &[],
    };
    Ok(mirror.query(&query, take)?)
}

/// A row with its columns.
pub(super) struct NamedRow<'a>(
    pub(super) &'a [(String, ColumnKind)],
    pub(super) &'a [Value],
);

impl<'a> NamedRow<'a> {
    /// The value of a column; null if there is none.
    pub(super) fn value(&self, name: &str) -> &'a Value {
        let at = self.0.iter().position(|(known, _)| known == name);
        at.and_then(|at| self.1.get(at)).unwrap_or(&Value::Null)
    }

    /// The text of a column, or its time; empty for another value.
    pub(super) fn text(&self, name: &str) -> String {
        match self.value(name) {
            Value::Text(text) => text.clone(),
            value => value.utc_text().unwrap_or_default(),
        }
    }

    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The values of these columns.
    pub(super) fn select(&self, columns: &[(String, ColumnKind)]) -> Row {
        let values = columns.iter().map(|(name, _)| self.value(name).clone());
        values.collect()
    }
}

impl Serialize for NamedRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, _)| name).zip(self.1))
    }
}
