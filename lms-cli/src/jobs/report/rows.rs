//! Rows of a query as JSON objects.

use lms_sync::{ColumnKind, Value};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::read::Row;
use crate::failure::Failure;

/// A row as an object.
struct Object<'a>(&'a [(String, ColumnKind)], &'a [Value]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, _)| name).zip(self.1))
    }
}

pub(super) fn objects(
    columns: &[(String, ColumnKind)],
    rows: &[Row],
) -> Result<Vec<Box<RawValue>>, Failure> {
    let objects = rows.iter().map(|row| to_raw_value(&Object(columns, row)));
    let objects: Result<_, _> = objects.collect();
    objects.map_err(|error| Failure::fault(error.to_string()))
}
