//! The fields of bodies and responses; [`generated`](super::generated) has those of the document.
//!
//! They are used to check bodies and data of [`Seed`](crate::Seed), to store and to write rows of the database, and for
//! composed objects and responses changed by faults. Tests check all responses against them.

use serde_json::Value;

use super::id::Kind;
use super::timestamp;

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A string that is an id of this kind.
    Id(Kind),
    /// A string.
    Text,
    /// A string that is a timestamp, in a format that is not documented.
    Time,
    /// A string that is a timestamp as of RFC 3339.
    DateTime,
    /// A boolean.
    Flag,
    /// An integer that is written as a string.
    Int64,
    /// A number.
    Number,
    /// An array of strings.
    Texts,
    /// An object.
    One(&'static Schema),
    /// An array of objects.
    Many(&'static Schema),
}

impl Shape {
    /// Returns `true` if a request may have this value. An integer may also be a number, as the `client_id` of a token
    /// request is in the service's tutorial.
    pub(crate) fn accepts(self, value: &Value) -> bool {
        let all = |accepts: fn(&Value) -> bool| {
            value
                .as_array()
                .is_some_and(|items| items.iter().all(accepts))
        };
        match self {
            Self::Id(_) | Self::Text | Self::Time => value.is_string(),
            Self::DateTime => value.as_str().and_then(timestamp::parse).is_some(),
            Self::Flag => value.is_boolean(),
            Self::Int64 => value.is_string() || value.is_number(),
            Self::Number => value.is_number(),
            Self::Texts => all(Value::is_string),
            Self::One(_) => value.is_object(),
            Self::Many(_) => all(Value::is_object),
        }
    }

    /// What a request can send, for messages.
    pub(crate) fn wanted(self) -> &'static str {
        match self {
            Self::Id(_) | Self::Text => "a string",
            Self::Time | Self::DateTime => "a timestamp such as \"2026-03-01T09:30:00Z\"",
            Self::Flag => "true or false",
            Self::Int64 => "an integer as a string, such as \"80\"",
            Self::Number => "a number",
            Self::Texts => "an array of strings",
            Self::One(_) => "an object",
            Self::Many(_) => "an array of objects",
        }
    }
}

/// The fields of one kind of object.
#[derive(Debug)]
pub(crate) struct Schema {
    /// The fields, in the order in which they are written.
    pub(crate) fields: &'static [(&'static str, Shape)],
    /// The fields that a request must have.
    pub(crate) required: &'static [&'static str],
}

impl Schema {
    /// The type of a field; `None` if there is no such field.
    pub(crate) fn field(&self, name: &str) -> Option<Shape> {
        self.fields
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, shape)| *shape)
    }
}

/// The properties of an operation.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) query: &'static [&'static str],
    pub(super) needs_token: bool,
    pub(super) body: Option<&'static Schema>,
    pub(super) response: Option<&'static Schema>,
}
