//! The operations of the document, as traits and as a table.
//!
//! Code that handles any operation (a retry policy, pagination, a log) needs its method, its path, the type of its
//! response and whether it is a list. Generated code implements the traits for every operation of the document,
//! including a tenant's own document.
//!
//! ```
//! use lms_client::operation::{OPERATIONS, Operation};
//!
//! /// The name of a request in a log.
//! fn label<O: Operation>(_: &O) -> String {
//!     format!("{} {}", O::INFO.method, O::INFO.path)
//! }
//!
//! # fn example(lms: &lms_client::Operations) {
//! assert_eq!(label(&lms.get_course("c1")), "GET /courses/{id}");
//! # }
//! assert!(OPERATIONS.iter().any(|operation| operation.id == "get_course"));
//! ```

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::Error;
pub use crate::{
    facade::{OBJECT_SECRETS, OPERATIONS, SECRET_PROPERTIES},
    info::{OperationInfo, UNDOCUMENTED},
    request::{PreparedRequest, encode_path},
};

/// A builder of one operation.
///
/// Implemented for every builder of [`requests`](crate::requests).
pub trait Operation: Sized {
    /// The transport of the builder's [`Operations`](crate::Operations).
    type Transport;

    /// The content of a successful response; `()` when it has no body.
    type Output: DeserializeOwned + Send + 'static;

    /// The operation in [`OPERATIONS`].
    const INFO: &'static OperationInfo;

    /// Returns the request without sending it.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidRequest`] when a parameter is missing or invalid, or the base URL is invalid.
    #[expect(clippy::result_large_err, reason = "the error type of the raw client")]
    fn prepare(self) -> Result<PreparedRequest<Self::Transport>, Error>;
}

/// A builder of an operation that returns a list: an object with an array `items`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    note = "only an operation whose response has `items` is a list; await this one"
)]
pub trait List: Operation {
    /// An item of the list.
    type Item: DeserializeOwned + Send + 'static;

    /// `true` if the list has pages, requested with `cursor` and `next_cursor`
    /// ([Pagination](crate::service#pagination)). If not, one response holds the complete list.
    const CURSOR: bool;
}

/// A type whose `id` may be missing in a response ([Identifiers](crate::service#identifiers)).
///
/// Implemented for every type that an operation returns, as a response or as an item of a list, and that has an optional
/// `id`.
pub trait HasId {
    /// The type of the id, for example [`CourseId`](crate::ids::CourseId).
    type Id: AsRef<str>;

    /// The name of the type in messages, for example `course completion`.
    const KIND: &'static str;

    /// The id as it was received; it may be empty.
    fn raw_id(&self) -> Option<&Self::Id>;
}

/// An item with an id that is unique within its list.
///
/// Implemented for every item type of the service that can be identified, and for `serde_json::Value` (its `id`).
/// Implement it for your own type to drop duplicates of its items.
///
/// ```
/// use std::borrow::Cow;
/// use lms_client::operation::Identified;
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no id by which duplicates are recognised",
    note = "implement `Identified` for it, or read the generated type with `.items()`"
)]
pub trait Identified {
    /// The id; `None` if it is not known. An item with no id or a blank id is never a duplicate.
    fn id(&self) -> Option<Cow<'_, str>>;
}

impl<T: HasId> Identified for T {
    fn id(&self) -> Option<Cow<'_, str>> {
        self.raw_id().map(|id| Cow::Borrowed(id.as_ref()))
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

/// The id of an item that several properties identify together.
///
/// The first of them must not be blank; the others may be missing.
#[cfg_attr(
    feature = "tenant-document",
    allow(dead_code, reason = "a document may have no such item")
)]
pub(crate) fn joined_id<'a>(properties: &[Option<&'a str>]) -> Option<Cow<'a, str>> {
    let (first, others) = properties.split_first()?;
    let first = first.filter(|id| !id.trim().is_empty())?;
    if others.is_empty() {
        return Some(Cow::Borrowed(first));
    }
    let others = others.iter().map(|id| id.unwrap_or_default());
    let parts: Vec<_> = std::iter::once(first).chain(others).collect();
    Some(Cow::Owned(parts.join("\0")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_several_properties_needs_the_first() {
        let id = |properties: &[Option<&str>]| joined_id(properties).map(Cow::into_owned);
        assert_eq!(id(&[Some("f1")]).unwrap(), "f1");
        assert_eq!(id(&[Some("f1"), Some("u1")]).unwrap(), "f1\0u1");
        assert_eq!(id(&[Some("f1"), None]).unwrap(), "f1\0");
        for nothing in [None, Some(""), Some(" ")] {
            assert_eq!(id(&[nothing, Some("u1")]), None);
        }
    }

    /// A permission has no id. The custom field and the learner identify it.
    #[test]
    #[cfg(not(feature = "tenant-document"))]
    fn a_permission_is_identified_by_field_and_learner() {
        let permission = |field: &str, user: &str| {
            let text = format!(r#"{{"user_field": "{field}", "user": "{user}"}}"#);
            serde_json::from_str::<crate::types::UserFieldPermission>(&text).unwrap()
        };
        let one = permission("f1", "u1");
        assert_eq!(one.id(), permission("f1", "u1").id());
        assert_ne!(one.id(), permission("f1", "u2").id());
        assert_ne!(one.id(), permission("f2", "u1").id());
        assert_eq!(permission("", "u1").id(), None);
    }
}
