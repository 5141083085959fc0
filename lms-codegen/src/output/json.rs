//! The document as JSON.

use crate::document::Document;

/// The document as JSON, for tools that do not read YAML.
///
/// Keys keep their order.
pub fn openapi_json(document: &Document) -> String {
    // A `Value` with string keys always serializes; formatting it cannot fail.
    format!("{:#}\n", document.value())
}
