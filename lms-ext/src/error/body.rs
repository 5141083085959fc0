use std::{borrow::Cow, fmt};

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap};

use super::{message, redact::RequestSecrets};

/// Bytes of the body of an error response that are kept.
pub(crate) const MAX_ERROR_BODY_BYTES: usize = 64 * 1024;

/// The body of an error response.
///
/// It may echo the request, so `Debug` shows only its size.
#[derive(Clone)]
pub struct ErrorBody {
    bytes: Bytes,
    content_type: Option<String>,
    message: Option<String>,
}

impl ErrorBody {
    pub(super) fn new(mut bytes: Bytes, headers: &HeaderMap, secrets: &RequestSecrets) -> Self {
        bytes.truncate(MAX_ERROR_BODY_BYTES);
        let content_type = headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        Self {
            message: message::find(&bytes, secrets),
            bytes,
            content_type,
        }
    }

    /// The bytes as received, at most 64 KiB.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes as text. Invalid UTF-8 is replaced by U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// The bytes as JSON; `None` if they are not JSON.
    #[must_use]
    pub fn json(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&self.bytes).ok()
    }

    /// The `Content-Type` header.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    pub(super) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl fmt::Debug for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} bytes, hidden>", self.bytes.len())
    }
}
