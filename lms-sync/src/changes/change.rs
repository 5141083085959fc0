//! A change, and a change that could not be delivered.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::position::Position;

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
