//! The columns of a collection as JSON Schema.

use serde_json::{Map, Value, json};

use crate::collection::{Collection, Column, ColumnKind};

/// The column of a row's tenant, if a tap reads several.
pub(super) const TENANT: &str = "_tenant";

/// The columns that identify a row.
pub(super) fn key(collection: &Collection, many: bool) -> Vec<&'static str> {
    let tenant = many.then_some(TENANT);
    tenant
        .into_iter()
        .chain(collection.key.iter().copied())
        .collect()
}

/// The schema of the rows with these columns.
pub(super) fn schema(columns: impl Iterator<Item = &'static Column>, many: bool) -> Value {
    let mut properties = Map::new();
    if many {
        let tenant = json!({"type": "string", "description": "The name of the tenant."});
        properties.insert(TENANT.to_owned(), tenant);
    }
    for column in columns {
        properties.insert(column.name.to_owned(), property(column));
    }
    json!({"type": "object", "properties": properties, "additionalProperties": true})
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
    let mut types: Vec<&str> = kinds.to_vec();
    if column.nullable {
        types.push("null");
    }
    let mut property = match types.as_slice() {
        [only] => json!({ "type": only }),
        _ => json!({ "type": types }),
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
