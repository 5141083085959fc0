//! Rows that come twice.

use std::{borrow::Cow, collections::HashSet};

use lms_client::types;

use super::fingerprint::fingerprint;
use crate::request::RequireId;

/// A row that can be told from the others of its list.
///
/// Implemented for every row type of the service and for `serde_json::Value` (its `id`); implement it for
/// your own row to use [`Items::without_repeats`](crate::Items::without_repeats).
///
/// ```
/// use std::borrow::Cow;
/// use lms_ext::Identified;
///
/// #[derive(serde::Deserialize)]
/// struct Contact { id: String, email: String }
///
/// impl Identified for Contact {
///     fn id(&self) -> Option<Cow<'_, str>> {
///         Some(Cow::Borrowed(&self.id))
///     }
/// }
/// ```
pub trait Identified {
    /// What no other row of the list has. `None` when that is not known; then, and when it is blank, the row is kept.
    fn id(&self) -> Option<Cow<'_, str>>;
}

impl<T: RequireId> Identified for T {
    fn id(&self) -> Option<Cow<'_, str>> {
        self.raw_id().map(Cow::Borrowed)
    }
}

impl Identified for types::UserFieldPermission {
    /// A permission has no id of its own: it is that of a learner for a field.
    fn id(&self) -> Option<Cow<'_, str>> {
        let field = self
            .user_field
            .as_deref()
            .filter(|id| !id.trim().is_empty())?;
        let user = self.user.as_deref();
        Some(Cow::Owned(format!("{}\0{field}", user.unwrap_or_default())))
    }
}

impl Identified for serde_json::Value {
    fn id(&self) -> Option<Cow<'_, str>> {
        match self.get("id")? {
            Self::String(id) => Some(Cow::Borrowed(id)),
            Self::Number(id) => Some(Cow::Owned(id.to_string())),
            _ => None,
        }
    }
}

/// The rows that were seen, by the fingerprint of their id.
pub(super) struct Seen<T> {
    fingerprint: fn(&T) -> Option<u128>,
    seen: HashSet<u128>,
}

impl<T: Identified> Seen<T> {
    pub(super) fn new() -> Self {
        Self {
            // A blank one is nobody's.
            fingerprint: |row| {
                let id = row.id().filter(|id| !id.trim().is_empty())?;
                Some(fingerprint(id.as_bytes()))
            },
            seen: HashSet::new(),
        }
    }
}

impl<T> Seen<T> {
    /// Takes note of a row; false when it was seen before.
    pub(super) fn is_new(&mut self, row: &T) -> bool {
        (self.fingerprint)(row).is_none_or(|id| self.seen.insert(id))
    }
}
