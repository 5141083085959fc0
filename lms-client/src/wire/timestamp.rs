//! Points in time whose text has no fixed format.
//!
//! The service types some fields as ISO 8601 and leaves the format of the others open (§2). A typed
//! reader fails a whole page over one value without a zone, so [`Timestamp`] keeps the text as it came
//! and reads a time out of it only when asked.

use std::{convert::Infallible, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A timestamp as the service wrote it.
///
/// ```
/// use lms_client::wire::Timestamp;
///
/// let due: Timestamp = serde_json::from_str("\"2024-05-01T09:30:00\"")?;
/// assert_eq!(due.as_str(), "2024-05-01T09:30:00");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Timestamp(String);

impl Timestamp {
    /// Keeps a text as a timestamp; it is not checked.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text as it came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as it came.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Timestamp {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::new(text))
    }
}

impl From<&str> for Timestamp {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Timestamp {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Timestamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a timestamp, as a string or a number")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
                Ok(Timestamp::new(text))
            }

            fn visit_string<E: de::Error>(self, text: String) -> Result<Timestamp, E> {
                Ok(Timestamp(text))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Timestamp, E> {
                Ok(Timestamp(value.to_string()))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Timestamp, E> {
                Ok(Timestamp(value.to_string()))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Timestamp, E> {
                Ok(Timestamp(value.to_string()))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}
