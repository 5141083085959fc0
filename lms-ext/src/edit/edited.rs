//! The result of an edit.

use super::change::Change;

/// The result of an edit: the object, and the changes.
#[derive(Clone, Debug)]
pub struct Edited<T> {
    pub(super) value: T,
    pub(super) changes: Vec<Change>,
    pub(super) written: bool,
}

impl<T> Edited<T> {
    /// Returns `true` if the object was written; false after a dry run, and if every field already had its new value.
    #[must_use]
    pub fn was_written(&self) -> bool {
        self.written
    }

    /// The changed fields, or in a dry run those that would change, sorted by name; a new password, hidden, comes last.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The learner or course after the edit; after a dry run as it is.
    #[must_use]
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The same by value.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}
