//! The token of a header, which is a secret.

use reqwest::header::HeaderValue;

/// The token in an `Authorization: Bearer …` header.
pub(crate) fn bearer_token(header: &HeaderValue) -> &str {
    let text = header.to_str().unwrap_or_default();
    text.strip_prefix("Bearer ").unwrap_or_default()
}
