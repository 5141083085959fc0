//! The position of a reader in the feed.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::Error;

/// The position of a reader: the sequence number of the last change that it has handled, and the token of the run that wrote
/// this change, for example `7-90ab12cd34ef5678`. [`START`](Self::START) is written `0`.
///
/// After a mirror was restored from a backup, its sequence numbers start again at that of the backup. The tokens differ then, so
/// a position of before is not taken for one of the restored feed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) sequence: u64,
    pub(super) token: String,
}

impl Position {
    /// The position before the first change.
    pub const START: Self = Self {
        sequence: 0,
        token: String::new(),
    };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sequence)?;
        if *self != Self::START {
            write!(f, "-{}", self.token)?;
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "0" {
            return Ok(Self::START);
        }
        let parts = text.split_once('-').and_then(|(sequence, token)| {
            let is_token =
                !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let sequence = sequence.parse().ok().filter(|sequence| *sequence > 0)?;
            is_token.then(|| Self {
                sequence,
                token: token.to_owned(),
            })
        });
        parts.ok_or_else(|| {
            Error::usage(
                "a position in the feed is the `position` of a change, such as 7-90ab12cd34ef5678, or 0 for the start",
            )
        })
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Position {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Position".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*-[0-9A-Za-z]+)$" })
    }
}
