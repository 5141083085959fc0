//! A selected collection, and its rows as JSON objects.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::schema::{self, TENANT};
use crate::collection::{Collection, Column, ColumnKind, Row, Value};

/// The first microsecond of the year 1. Earlier times have no form that loaders read.
const YEAR_1: i64 = -62_135_596_800_000_000;

/// A collection that a tap reads, with the columns that were selected.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) collection: &'static Collection,
    /// Positions of the columns.
    columns: Vec<usize>,
    many: bool,
}

impl Stream {
    /// A stream with the columns of the key and the columns that `selected` chooses.
    pub(super) fn new(
        collection: &'static Collection,
        many: bool,
        selected: impl Fn(&str) -> bool,
    ) -> Self {
        let columns = collection.columns.iter().enumerate();
        let columns = columns
            .filter(|(_, column)| collection.key.contains(&column.name) || selected(column.name));
        Self {
            collection,
            columns: columns.map(|(index, _)| index).collect(),
            many,
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.collection.name
    }

    pub(super) fn key(&self) -> Vec<&'static str> {
        schema::key(self.collection, self.many)
    }

    pub(super) fn schema(&self) -> serde_json::Value {
        let columns = self.columns.iter().copied();
        schema::schema(
            columns.map(|index| &self.collection.columns[index]),
            self.many,
        )
    }

    /// The row of a tenant as a JSON object.
    pub(super) fn object<'a>(&'a self, tenant: &'a str, row: &'a Row) -> Object<'a> {
        Object {
            stream: self,
            tenant,
            row,
        }
    }
}

/// See [`Stream::object`].
#[derive(Debug)]
pub(super) struct Object<'a> {
    stream: &'a Stream,
    tenant: &'a str,
    row: &'a Row,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.stream.many {
            map.serialize_entry(TENANT, self.tenant)?;
        }
        for &index in &self.stream.columns {
            let column: &Column = &self.stream.collection.columns[index];
            match &self.row.values()[index] {
                Value::Utc(micros) if *micros < YEAR_1 => {
                    debug_assert_eq!(column.kind, ColumnKind::Utc);
                    map.serialize_entry(column.name, &())?;
                }
                value => map.serialize_entry(column.name, value)?,
            }
        }
        map.end()
    }
}
