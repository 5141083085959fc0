//! Keeps fields that hold secrets out of `_extra`.
//!
//! The generator leaves secrets of the document out of the columns. A field that the document does not describe would end
//! up in `_extra`, so its name decides.

/// Parts of the names of fields that hold secrets, in lower case.
const PARTS: [&str; 5] = ["password", "secret", "token", "credential", "private_key"];

/// Whether a field with this name is never extracted.
pub(super) fn is_secret(field: &str) -> bool {
    let field = field.to_ascii_lowercase();
    PARTS.iter().any(|part| field.contains(part))
}

/// Removes fields that hold secrets, at any depth.
pub(super) fn without_secrets(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(fields) => fields
            .into_iter()
            .filter(|(name, _)| !is_secret(name))
            .map(|(name, value)| (name, without_secrets(value)))
            .collect(),
        serde_json::Value::Array(items) => items.into_iter().map(without_secrets).collect(),
        other => other,
    }
}
