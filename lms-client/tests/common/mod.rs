//! The schemas of the document, and their types.

#[macro_use]
mod types;

use serde_json::{Map, Value};

/// The schemas by name.
pub(crate) fn schemas() -> Map<String, Value> {
    let mut folders = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let text = folders.find_map(|of| std::fs::read_to_string(of.join("spec/openapi.json")).ok());
    let document: Value = serde_json::from_str(&text.unwrap()).unwrap();
    document["components"]["schemas"]
        .as_object()
        .unwrap()
        .clone()
}
