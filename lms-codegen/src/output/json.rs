//! The document as JSON.

use serde_json::json;

use crate::document::Document;

/// The document as JSON, for tools that do not read YAML.
///
/// Keys keep their order.
pub fn openapi_json(document: &Document) -> String {
    // A `Value` with string keys always serializes; formatting it cannot fail.
    format!("{:#}\n", document.value())
}

/// The document as the sandbox serves it: as JSON, with the serving host as its only server.
///
/// Swagger UI sends "Try it out" requests to the document's server. In the document itself that is a tenant's URL, which
/// the reader would have to fill in.
pub fn local_json(document: &Document) -> String {
    let mut value = document.value().clone();
    value["servers"] = json!([{ "url": document.server_path(), "description": "This sandbox." }]);
    format!("{value:#}\n")
}
