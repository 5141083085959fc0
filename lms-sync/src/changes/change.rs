//! A change, its position in the feed, and a change that could not be delivered.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error as _},
};
use serde_json::value::RawValue;

use crate::error::Error;

/// A row that was added, changed or removed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Change {
    /// Its number in the feed, from 1: the first part of `position`, which orders changes. Numbers may be left out. After the
    /// mirror was restored from a backup, they start again, and only the positions differ.
    pub sequence: u64,
    /// The position of a reader that has handled this change and all before it.
    pub position: Position,
    /// The run of the mirror that found it.
    pub run: u64,
    /// Time at which that run compared the rows, in UTC.
    pub seen_at: String,
    /// The name of the event: the name of one row and `added`, `changed`, `removed` or `extra_changed`, for example
    /// `learner.changed` or `course_completion.added`.
    pub event: String,
    /// The name of the collection, for example `learners`.
    pub collection: String,
    /// The columns of the key with their values: an object.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "serde_json::Map<String, serde_json::Value>")
    )]
    pub key: JsonText,
    /// All columns of a row that was added, or as they were before the row was removed: an object. Absent for a changed row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    pub row: Option<JsonText>,
    /// The columns of a changed row whose values changed. Absent for other changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<BTreeMap<String, FieldChange>>,
}

impl Change {
    /// The kind of this change of a row of the [collection](Self::collection).
    #[must_use]
    pub fn kind(&self) -> ChangeKind {
        let name = self.event.rsplit('.').next();
        let mut kinds = ChangeKind::ALL.into_iter();
        let kind = kinds.find(|kind| Some(kind.name()) == name);
        kind.unwrap_or(ChangeKind::Changed)
    }
}

/// The kind of a change of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It is new. [`Change::row`] has it.
    Added,
    /// Some of its values changed. [`Change::fields`] has them.
    Changed,
    /// It is gone. [`Change::row`] has it as it was.
    Removed,
    /// In some rows, only fields without a column changed, for example because the service has a new field.
    /// [`Change::fields`] has the number of these rows, and [`Change::key`] is empty. See
    /// [`MirrorPolicy::extra_changes`](crate::mirror::MirrorPolicy::extra_changes).
    ExtraChanged,
}

impl ChangeKind {
    pub(super) const ALL: [Self; 4] = [
        Self::Added,
        Self::Changed,
        Self::Removed,
        Self::ExtraChanged,
    ];

    /// The end of the name of an event.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::ExtraChanged => "extra_changed",
        }
    }
}

/// A value that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FieldChange {
    /// The value before.
    #[cfg_attr(feature = "schemars", schemars(with = "serde_json::Value"))]
    pub old: JsonText,
    /// The value now.
    #[cfg_attr(feature = "schemars", schemars(with = "serde_json::Value"))]
    pub new: JsonText,
}

/// A change that an endpoint did not accept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DeadLetter {
    /// The change.
    pub change: Change,
    /// Time of the last attempt, in UTC.
    pub failed_at: String,
    /// Number of times that it was sent.
    pub attempts: u32,
    /// The reason for which the last attempt failed.
    pub reason: String,
}

/// The text of a JSON value. Numbers and texts are kept as the service sent them, even if `serde_json::Value` would round or
/// refuse them. Two values are equal if their texts are equal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JsonText(Box<RawValue>);

impl JsonText {
    /// The text.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Decodes the value.
    ///
    /// # Errors
    ///
    /// Those of serde_json. For example, its own types cannot hold `1e400`, and a `String` cannot hold half of a surrogate
    /// pair.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }
}

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for JsonText {}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

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
        text.parse().map_err(D::Error::custom)
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
