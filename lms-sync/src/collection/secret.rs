//! Keeps fields that hold secrets out of `_extra` and out of nested values.
//!
//! The generator leaves secrets of the document out of the columns. The document of the client may declare more, because a
//! program can generate the client alone from a tenant's own document. A field without a column has only its name.

use lms_client::operation::OBJECT_SECRETS;

/// Parts of the names of fields that hold secrets, in lower case.
const PARTS: [&str; 5] = ["password", "secret", "token", "credential", "private_key"];

/// Returns `true` if a field with this name, which has no column, is never extracted.
pub(super) fn is_secret(field: &str) -> bool {
    is_declared(field) || {
        let field = field.to_ascii_lowercase();
        PARTS.iter().any(|part| field.contains(part))
    }
}

/// Returns `true` if the document of the client declares a field with this name as a secret.
pub(super) fn is_declared(field: &str) -> bool {
    let mut declared = OBJECT_SECRETS.iter();
    declared.any(|secret| secret.eq_ignore_ascii_case(field))
}
