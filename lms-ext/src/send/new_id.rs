//! Recognizes a response to a POST that does not contain the object that it should have added.
//!
//! `{}` and the JSON error of a proxy with status 200 would otherwise be read as an object all of whose fields are absent,
//! and the caller would believe that it exists.

use serde::Deserialize;
use serde_json::{Value, error::Category};

#[derive(Deserialize)]
struct Added {
    id: Option<Value>,
}

/// Whether a JSON body has no id. `false` for what is not JSON, which fails when it is decoded.
pub(super) fn is_missing(body: &[u8]) -> bool {
    match serde_json::from_slice::<Added>(body) {
        Ok(Added { id: None }) => true,
        Ok(Added {
            id: Some(Value::String(id)),
        }) => id.trim().is_empty(),
        Ok(_) => false,
        Err(error) => error.classify() == Category::Data,
    }
}

#[cfg(test)]
mod tests {
    use super::is_missing;

    #[test]
    fn an_object_needs_an_id_that_is_not_blank() {
        for body in [
            "{}",
            r#"{"error": "busy"}"#,
            r#"{"data": {"id": "c1"}}"#,
            r#"{"id": null}"#,
            r#"{"id": " "}"#,
            "[]",
            "null",
            "\"c1\"",
        ] {
            assert!(is_missing(body.as_bytes()), "{body}");
        }
        for body in [
            r#"{"id": "c1"}"#,
            r#"{"name": "a", "id": 7}"#,
            "<html>",
            "",
            "{\"id\":",
        ] {
            assert!(!is_missing(body.as_bytes()), "{body}");
        }
    }
}
