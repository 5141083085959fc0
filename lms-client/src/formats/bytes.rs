//! Text with the format `byte`.

use std::{fmt, ops::Deref, str::FromStr};

use base64::{Engine as _, display::Base64Display, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::types::error::ConversionError;

/// Bytes, which JSON holds as Base64.
///
/// Only the standard alphabet with padding is accepted, in which bytes have one text. They are therefore sent as they were
/// received.
///
/// ```
/// use lms_client::formats::Bytes;
///
/// let bytes: Bytes = serde_json::from_str("\"aGVsbG8=\"")?;
/// assert_eq!(&*bytes, b"hello");
/// assert_eq!(serde_json::to_string(&bytes)?, "\"aGVsbG8=\"");
/// for other in ["aGVsbG8", "aGVsbG9=", "aGVs bG8=", "_-8="] {
///     assert!(other.parse::<Bytes>().is_err());
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Bytes(Vec<u8>);

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        bytes.0
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Base64Display::new(self, &STANDARD).fmt(f)
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({self})")
    }
}

impl FromStr for Bytes {
    type Err = ConversionError;

    fn from_str(text: &str) -> Result<Self, ConversionError> {
        let bytes = STANDARD.decode(text);
        let bytes = bytes.map_err(|error| format!("expected Base64 with padding: {error}"))?;
        Ok(Self(bytes))
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
