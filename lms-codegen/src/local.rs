//! The document as the sandbox serves it: the same, at the address where it is read.

use serde_json::{Value, json};

use crate::Document;

/// The document as JSON with one server, which is wherever it was read from.
///
/// A reader such as Swagger UI sends what it is asked to try to the document's server. In the document
/// itself that is a tenant whose address it has to be told.
pub fn local_json(document: &Document) -> String {
    let mut value = document.value().clone();
    let path = document.server_path().to_owned();
    if let Value::Object(fields) = &mut value {
        // Replaced in place: a key that is there keeps its place.
        fields.insert(
            "servers".to_owned(),
            json!([{ "url": path, "description": "This sandbox." }]),
        );
    }
    // A `Value` with string keys always serializes; `to_string` on it cannot fail.
    format!("{value:#}\n")
}
