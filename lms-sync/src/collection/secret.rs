//! Keeps fields that hold secrets out of `_extra`.
//!
//! The generator leaves secrets of the document out of the columns. An undocumented field would end up in `_extra`, so
//! its name decides whether it is a secret.

/// Parts of the names of fields that hold secrets, in lower case.
const PARTS: [&str; 5] = ["password", "secret", "token", "credential", "private_key"];

/// Returns `true` if a field with this name is never extracted.
pub(super) fn is_secret(field: &str) -> bool {
    let field = field.to_ascii_lowercase();
    PARTS.iter().any(|part| field.contains(part))
}
