//! Ids with a type for each kind of object.
//!
//! All ids of the service are text ([Identifiers](crate::service#identifiers)). If a learner's id were passed instead
//! of a course's id, the request would fail or change another object. Each [`Id`] type therefore belongs to one kind of
//! object: [`CourseId`](crate::ids::CourseId), [`LearnerId`](crate::ids::LearnerId) and so on, one for each format of
//! the document that ends in `-id`.
//!
//! ```
//! use lms_client::{Operations, types};
//!
//! # fn example(client: &Operations, learner: types::Learner) {
//! client.list_enrolments().user(learner.id).course("c1");
//! # }
//! ```
//!
//! An id of another kind does not compile:
//!
//! ```compile_fail,E0277
//! # use lms_client::{Operations, types};
//! # fn example(client: &Operations, learner: types::Learner) {
//! client.list_enrolments().course(learner.id);
//! # }
//! ```

use std::{
    borrow::{Borrow, Cow},
    cmp::Ordering,
    convert::Infallible,
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
    ops::Deref,
    str::FromStr,
};

use serde::{Deserialize, Serialize};

/// A kind of objects that have ids. Implemented for every type in [`ids::kind`](crate::ids::kind).
pub trait Kind {
    /// The format of the ids in the document, for example `course-id`.
    const FORMAT: &'static str;
}

/// The id of an object of the kind `K`.
///
/// Opaque text in a form that the service decides; it may be empty. An id is read and written as a JSON string, and
/// compares, hashes, sorts and prints like its text.
///
/// ```
/// use lms_client::ids::CourseId;
///
/// let id = CourseId::from("c1");
/// assert_eq!(id, "c1");
/// assert_eq!(format!("/courses/{id}"), "/courses/c1");
/// assert_eq!("c1".parse(), Ok(id));
/// ```
///
/// A map with ids as keys is searched by an id or a text; a map with text as keys by [`as_str`](Self::as_str):
///
/// ```
/// use lms_client::ids::CourseId;
/// use std::collections::HashMap;
///
/// let id = CourseId::from("c1");
/// let by_id = HashMap::from([(id.clone(), 1)]);
/// assert_eq!((by_id.get(&id), by_id.get("c1")), (Some(&1), Some(&1)));
/// let by_text = HashMap::from([("c1".to_owned(), 1)]);
/// assert_eq!(by_text.get(id.as_str()), Some(&1));
/// ```
#[derive(Deserialize, Serialize)]
#[serde(transparent, bound = "")]
pub struct Id<K> {
    text: String,
    kind: PhantomData<fn() -> K>,
}

impl<K> Id<K> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }
}

macro_rules! from {
    ($($text:ty),*) => {$(
        impl<K> From<$text> for Id<K> {
            fn from(text: $text) -> Self {
                Self {
                    text: text.into(),
                    kind: PhantomData,
                }
            }
        }
    )*};
}

from!(String, &str, &String, Cow<'_, str>);

impl<K> From<&Self> for Id<K> {
    fn from(id: &Self) -> Self {
        id.clone()
    }
}

impl<K> From<Id<K>> for String {
    fn from(id: Id<K>) -> Self {
        id.text
    }
}

impl<K> FromStr for Id<K> {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.into())
    }
}

impl<K> Deref for Id<K> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<K> AsRef<str> for Id<K> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl<K> Borrow<str> for Id<K> {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        self.text.clone().into()
    }
}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<K> Eq for Id<K> {}

macro_rules! equals {
    ($($text:ty),*) => {$(
        impl<K> PartialEq<$text> for Id<K> {
            fn eq(&self, other: &$text) -> bool {
                self.text == *other
            }
        }
    )*};
}

equals!(str, &str, String);

impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::Id;

    enum Thing {}

    #[test]
    fn an_id_behaves_like_its_text() {
        let id: Id<Thing> = serde_json::from_str("\"a1\"").unwrap();
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"a1\"");
        assert_eq!(
            (id.to_string(), format!("{id:?}")),
            ("a1".to_owned(), "\"a1\"".to_owned())
        );
        assert_eq!(format!("[{id:>4}]"), "[  a1]");
        assert_eq!(HashMap::from([(id.clone(), 1)]).get("a1"), Some(&1));
        let sorted = BTreeSet::from([Id::<Thing>::from("b"), id.clone()]);
        assert_eq!(sorted.first(), Some(&id));
        assert_eq!("a1".parse::<Id<Thing>>().unwrap(), id);
        assert_eq!(String::from(id), "a1");
    }

    #[test]
    fn an_id_is_sent_to_other_threads_whatever_its_kind() {
        struct NotSend(#[expect(dead_code, reason = "only its type matters")] *const u8);
        fn assert_send<T: Send + Sync + 'static>() {}
        assert_send::<Id<NotSend>>();
    }
}
