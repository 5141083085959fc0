//! One page of a list, and how it is read.
//!
//! Items are deserialized directly into their type. `items` is required: an object without it is not a page, and
//! an empty page in its place would end the stream early. The other fields are optional, so `null` and absence mean
//! the same, and a count that is not an integer is ignored. The fields that decide whether the list continues, `more`
//! and `next_cursor`, are not guessed: a value of another type is an error.

use std::{borrow::Cow, fmt, marker::PhantomData};

use lms_client::{operation::Identified, wire::Int64};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    error::Error,
    request::{Requested, decode},
};

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<T> {
    /// The items. An empty page is not necessarily the last one; see [`more`](Self::more).
    pub items: Vec<T>,
    /// The cursor that this page was requested with; `None` for the start of the list.
    pub cursor: Option<String>,
    /// The cursor of the next page. The last page may also have one.
    pub next_cursor: Option<String>,
    /// Number of items that the server found. Only a hint, because its meaning is not documented. `None` for course
    /// completions ([Pagination](lms_client::service#pagination)).
    pub number_found: Option<Int64>,
    /// The maximum number of items on a page, according to the server.
    pub limit: Option<Int64>,
    /// `true` if there is a next page, according to the server.
    pub more: bool,
    /// Facts about the received page.
    pub received: PageReceived,
    /// Number of items at its start that were returned before, and are left out.
    pub(super) skipped: usize,
}

impl<T> Page<T> {
    /// The position before its first item.
    pub(super) fn start(&self) -> Position {
        Position {
            cursor: self.cursor.clone(),
            skip: self.skipped,
        }
    }

    /// Splits off the items that are more than `most`.
    pub(super) fn split_off(&mut self, most: u64) -> Option<Self> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        (self.items.len() > most).then(|| Self {
            items: self.items.split_off(most),
            cursor: self.cursor.clone(),
            next_cursor: self.next_cursor.clone(),
            received: self.received.clone(),
            skipped: self.skipped + most,
            ..*self
        })
    }
}

/// Facts about a received page that its other fields do not show, because they are read leniently.
///
/// A stream accepts a page with missing fields as long as it can continue. To decide whether a list is complete, check
/// these facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageReceived {
    /// The HTTP status.
    pub status: u16,
    /// The content type without parameters, hidden if it contains a secret; `None` if the response has none.
    pub content_type: Option<String>,
    /// `true` if the list is paginated.
    pub paged: bool,
    /// `true` if the page says `more`, as true or false.
    pub more: bool,
    /// The JSON text of `number_found`, up to 64 bytes; `None` if the page does not have the field.
    pub number_found: Option<String>,
}

/// A position in a list: the cursor of a page, and how many of its items were returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) cursor: Option<String>,
    pub(super) skip: usize,
}

/// The body of a list response: a page that does not know its own cursor, and the other fields around its items.
#[derive(Debug)]
pub(crate) struct Envelope<T> {
    pub(super) page: Page<T>,
    pub(super) others: Vec<(String, Box<RawValue>)>,
}

impl<T> Envelope<T> {
    /// Fails if a field around the items contradicts the request.
    pub(super) fn check(&self, requested: &Requested) -> Result<(), Error> {
        let mut others = self.others.iter();
        others.try_for_each(|(name, json)| requested.check_echo(name, json.get()))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Envelope<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PageVisitor(PhantomData))
    }
}

/// Accepts an object only. A field that is there twice is an error.
struct PageVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PageVisitor<T> {
    type Value = Envelope<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page of a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<T>, A::Error> {
        let (mut items, mut next_cursor, mut more) = (None, None, None);
        let (mut number_found, mut limit): (Option<&RawValue>, Option<&RawValue>) = (None, None);
        let mut others = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let is_new = match name.as_str() {
                "items" => items.replace(map.next_value::<Vec<T>>()?).is_none(),
                "next_cursor" => {
                    let cursor = map.next_value::<Option<String>>()?;
                    next_cursor.replace(cursor).is_none()
                }
                "more" => more.replace(map.next_value::<Option<bool>>()?).is_none(),
                "number_found" => number_found.replace(map.next_value()?).is_none(),
                "limit" => limit.replace(map.next_value()?).is_none(),
                _ => {
                    others.push((name, map.next_value()?));
                    continue;
                }
            };
            if !is_new {
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
        }
        let count = |text: Option<&RawValue>| serde_json::from_str(text?.get()).ok();
        let more = more.flatten();
        let next_cursor = next_cursor.flatten();
        let page = Page {
            items: items.ok_or_else(|| A::Error::missing_field("items"))?,
            cursor: None,
            next_cursor: next_cursor.filter(|cursor| !cursor.is_empty()),
            number_found: count(number_found),
            limit: count(limit),
            more: more.unwrap_or_default(),
            received: PageReceived {
                more: more.is_some(),
                number_found: number_found.map(|text| start_of(text.get()).to_owned()),
                ..PageReceived::default()
            },
            skipped: 0,
        };
        Ok(Envelope { page, others })
    }
}

/// The first 64 bytes of a text: a count is shorter.
fn start_of(text: &str) -> &str {
    let mut ends = (0..=64).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or(text)
}

/// An item of a list that may not be readable; returned by [`ListExt::lenient_items`](crate::ListExt::lenient_items).
#[derive(Debug)]
pub enum LenientItem<T> {
    /// The item.
    Decoded(T),
    /// An item that cannot be decoded.
    Undecodable {
        /// Its `id`, if that is text.
        id: Option<String>,
        /// The error. [`json_path`](Error::json_path) is the location within the item.
        error: Error,
    },
}

impl<T: Identified> Identified for LenientItem<T> {
    fn id(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Decoded(item) => item.id(),
            Self::Undecodable { id, .. } => id.as_deref().map(Cow::Borrowed),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for LenientItem<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Listed {
            id: String,
        }
        let text = <&RawValue>::deserialize(deserializer)?.get();
        Ok(match decode(text.as_bytes()) {
            Ok(item) => Self::Decoded(item),
            Err(error) => Self::Undecodable {
                id: serde_json::from_str(text).ok().map(|Listed { id }| id),
                error,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Page<u8>, serde_json::Error> {
        serde_json::from_str(text).map(|body: Envelope<_>| body.page)
    }

    #[test]
    fn a_count_is_read_from_a_string_or_a_number_and_never_fails() {
        for (text, expected) in [
            ("\"12\"", Some(12)),
            ("12", Some(12)),
            ("-1", Some(-1)),
            ("9223372036854775808", None),
            ("1e999", None),
            ("1.5", None),
            ("\"many\"", None),
            ("\"\"", None),
            ("true", None),
            ("[1, [2]]", None),
            (r#"{"exactly": 12}"#, None),
        ] {
            let page = read(&format!(r#"{{"number_found": {text}, "items": [1, 2]}}"#)).unwrap();
            assert_eq!(page.number_found.map(Int64::get), expected, "{text}");
            assert_eq!(page.items, [1, 2]);
        }
    }

    #[test]
    fn a_page_tells_what_it_has() {
        for (more, number_found, has_more) in [
            ("null", "null", false),
            ("false", "\"1,000\"", true),
            ("true", "1000.0", true),
        ] {
            let text =
                format!(r#"{{"items": [], "more": {more}, "number_found": {number_found}}}"#);
            let received = read(&text).unwrap().received;
            assert_eq!(received.more, has_more, "{text}");
            assert_eq!(received.number_found.as_deref(), Some(number_found));
        }
        assert_eq!(
            read(r#"{"items": []}"#).unwrap().received,
            PageReceived::default()
        );
        let long = format!(r#"{{"items": [], "number_found": "{}"}}"#, "é".repeat(99));
        let received = read(&long).unwrap().received;
        assert_eq!(received.number_found.unwrap().len(), 63);
    }

    #[test]
    fn the_fields_that_decide_about_the_end_are_not_guessed() {
        for (text, expected) in [
            (r#"{"items": [], "more": "yes"}"#, "invalid type: string"),
            (r#"{"items": [], "more": 1}"#, "invalid type: integer"),
            (r#"{"items": [], "next_cursor": {}}"#, "invalid type: map"),
            (r#"{"items": {}}"#, "invalid type: map"),
            (r#"{"more": true, "more": false}"#, "duplicate field `more`"),
            (
                r#"{"next_cursor": "a", "next_cursor": null}"#,
                "duplicate field `next_cursor`",
            ),
            (
                r#"{"number_found": 1, "number_found": 2}"#,
                "duplicate field `number_found`",
            ),
            ("[[], null, 1, 1, false]", "expected a page of a list"),
            ("null", "expected a page of a list"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
