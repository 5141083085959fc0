//! Drops items that a list returns twice.

use std::{borrow::Cow, collections::HashSet};

use lms_client::types;

use super::fingerprint::fingerprint;
use crate::request::RequireId;

/// An item with an id that is unique within its list.
///
/// Implemented for every item type of the service and for `serde_json::Value` (its `id`). Implement it for your
/// own type to use [`Items::dedup`](crate::Items::dedup).
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
    /// The id; `None` if it is not known. An item without an id, or with a blank one, is never dropped.
    fn id(&self) -> Option<Cow<'_, str>>;
}

impl<T: RequireId> Identified for T {
    fn id(&self) -> Option<Cow<'_, str>> {
        self.raw_id().map(Cow::Borrowed)
    }
}

impl Identified for types::UserFieldPermission {
    /// A permission has no id of its own; the learner and the custom field identify it.
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

/// The fingerprints of the ids of the items that were returned.
pub(super) struct Dedup<T> {
    // A pointer, so that only `Items::dedup` asks for `T: Identified`, and not the whole of `Items`.
    fingerprint: fn(&T) -> Option<u128>,
    seen: HashSet<u128>,
}

impl<T: Identified> Dedup<T> {
    pub(super) fn new() -> Self {
        Self {
            fingerprint: |item| {
                let id = item.id().filter(|id| !id.trim().is_empty())?;
                Some(fingerprint(id.as_bytes()))
            },
            seen: HashSet::new(),
        }
    }
}

impl<T> Dedup<T> {
    /// Records an item; returns false if its id is known.
    pub(super) fn is_new(&mut self, item: &T) -> bool {
        (self.fingerprint)(item).is_none_or(|id| self.seen.insert(id))
    }
}
