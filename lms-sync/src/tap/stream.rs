//! A selected collection: its columns as JSON Schema, and its rows as JSON objects.

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value, json};

use crate::collection::{Collection, Column, ColumnKind, Row};

/// The column of a row's tenant, if a tap reads several.
const TENANT: &str = "_tenant";

/// A collection that a tap reads, with the columns that were selected.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) collection: &'static Collection,
    /// Positions of the columns.
    columns: Vec<usize>,
    many: bool,
    /// The version of the rows of this read.
    pub(super) version: i64,
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
            version: 0,
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.collection.name
    }

    /// The columns that identify a row.
    pub(super) fn key(&self) -> Vec<&'static str> {
        let tenant = self.many.then_some(TENANT);
        let key = self.collection.key.iter().copied();
        tenant.into_iter().chain(key).collect()
    }

    /// The schema of the rows.
    pub(super) fn schema(&self) -> Value {
        let mut properties = Map::new();
        if self.many {
            let tenant = json!({"type": "string", "description": "The name of the tenant."});
            properties.insert(TENANT.to_owned(), tenant);
        }
        for &index in &self.columns {
            let column = &self.collection.columns[index];
            properties.insert(column.name.to_owned(), property(column));
        }
        json!({"type": "object", "properties": properties, "additionalProperties": true})
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

fn property(column: &Column) -> Value {
    let kinds: &[&str] = match column.kind {
        // Timestamps stay text: a loader that parses them fails on the first one that it cannot read.
        ColumnKind::Text | ColumnKind::Timestamp | ColumnKind::Utc => &["string"],
        ColumnKind::Integer => &["integer"],
        ColumnKind::Float => &["number"],
        ColumnKind::Boolean => &["boolean"],
        ColumnKind::Json if column.name == Column::EXTRA_NAME => &["object"],
        ColumnKind::Json => &["array", "object"],
    };
    let mut types = kinds.to_vec();
    if column.nullable {
        types.push("null");
    }
    let mut property = match types.as_slice() {
        [only] => json!({ "type": only }),
        types => json!({ "type": types }),
    };
    if column.kind == ColumnKind::Utc {
        property["format"] = "date-time".into();
        property["airbyte_type"] = "timestamp_with_timezone".into();
    }
    if !column.description.is_empty() {
        property["description"] = column.description.into();
    }
    property
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
            let column = &self.stream.collection.columns[index];
            map.serialize_entry(column.name, &self.row.values()[index])?;
        }
        map.end()
    }
}
