use std::{borrow::Cow, fmt};

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap};

use super::message;
use crate::{body::LARGEST_ERROR, scrub::Carried};

/// The body of an answer that was no success.
///
/// It may repeat what was sent, so `Debug` shows only its size.
#[derive(Clone)]
pub struct ErrorBody {
    bytes: Bytes,
    content_type: Option<String>,
    message: Option<String>,
}

impl ErrorBody {
    pub(super) fn new(mut bytes: Bytes, headers: &HeaderMap, carried: &Carried) -> Self {
        bytes.truncate(LARGEST_ERROR);
        let content_type = headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        Self {
            message: message::find(&bytes, carried),
            bytes,
            content_type,
        }
    }

    /// The bytes as they came, cut off after 64 KiB.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes as text; what is no UTF-8 is replaced.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// The bytes as JSON, if they are that.
    #[must_use]
    pub fn json(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&self.bytes).ok()
    }

    /// The `Content-Type` of the answer.
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
