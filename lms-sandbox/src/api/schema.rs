//! The fields of responses; [`generated`](super::generated) has those of the document.
//!
//! They are used to write rows of the database, composed objects and responses changed by faults, and to check the body
//! of a course. Tests check all responses against them.

use super::id::Kind;

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A string that is an id of this kind.
    Id(Kind),
    /// A string.
    Text,
    /// A string that is a timestamp.
    Time,
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

/// The fields of one kind of object.
#[derive(Debug)]
pub(crate) struct Schema {
    /// The fields, in the order in which they are written.
    pub(crate) fields: &'static [(&'static str, Shape)],
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
    pub(super) has_body: bool,
    pub(super) response: Option<&'static Schema>,
}
