//! One page of a list, and how it is read.
//!
//! Items are deserialized directly into their type. `items` is required: an object without it is not a page, and
//! an empty page in its place would end the stream early. The other fields are optional, so `null` and absence mean
//! the same, and a count that is not an integer is ignored. The fields that decide whether the list continues, `more`
//! and `next_cursor`, are not guessed: a value of another type is an error.

use std::{fmt, marker::PhantomData};

use lms_client::wire::Int64;
use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny, MapAccess},
};
use serde_json::value::RawValue;

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
    /// The content type, hidden if it contains a secret; `None` if the response has none.
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

/// The body of a list response: a page that does not know its own cursor.
#[derive(Debug)]
pub(crate) struct Envelope<T>(pub(super) Page<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Envelope<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EnvelopeVisitor(PhantomData))
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Items,
    NextCursor,
    NumberFound,
    Limit,
    More,
    #[serde(other)]
    Other,
}

struct EnvelopeVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> de::Visitor<'de> for EnvelopeVisitor<T> {
    type Value = Envelope<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a page of a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<T>, A::Error> {
        let mut items = None;
        let (mut cursor, mut more) = (None, None);
        let mut page = Page {
            items: Vec::new(),
            cursor: None,
            next_cursor: None,
            number_found: None,
            limit: None,
            more: false,
            received: PageReceived::default(),
        };
        while let Some(field) = map.next_key()? {
            match field {
                Field::Items if items.is_some() => {
                    return Err(de::Error::duplicate_field("items"));
                }
                Field::Items => items = Some(map.next_value()?),
                Field::NextCursor if cursor.is_some() => {
                    return Err(de::Error::duplicate_field("next_cursor"));
                }
                Field::NextCursor => cursor = Some(map.next_value::<Option<String>>()?),
                Field::NumberFound if page.received.number_found.is_some() => {
                    return Err(de::Error::duplicate_field("number_found"));
                }
                Field::NumberFound => {
                    let text: &RawValue = map.next_value()?;
                    page.number_found = serde_json::from_str(text.get()).ok();
                    page.received.number_found = Some(start_of(text.get()).to_owned());
                }
                Field::Limit => {
                    let text: &RawValue = map.next_value()?;
                    page.limit = serde_json::from_str(text.get()).ok();
                }
                Field::More if more.is_some() => return Err(de::Error::duplicate_field("more")),
                Field::More => more = Some(map.next_value::<Option<bool>>()?),
                Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        page.items = items.ok_or_else(|| de::Error::missing_field("items"))?;
        page.next_cursor = cursor.flatten().filter(|cursor| !cursor.is_empty());
        page.received.more = more.flatten().is_some();
        page.more = more.flatten().unwrap_or_default();
        Ok(Envelope(page))
    }
}

/// The first 64 bytes of a text: a count is shorter.
fn start_of(text: &str) -> &str {
    let mut ends = (0..=64).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Page<u8>, serde_json::Error> {
        serde_json::from_str(text).map(|Envelope(page)| page)
    }

    #[test]
    fn null_and_absent_mean_the_same_except_for_items() {
        let nulls = r#"{"items": [], "number_found": null, "cursor": null, "next_cursor": null,
            "limit": null, "more": null}"#;
        for text in [
            r#"{"items": []}"#,
            nulls,
            r#"{"items": [], "next_cursor": ""}"#,
        ] {
            let page = read(text).unwrap();
            assert!(page.items.is_empty() && !page.more, "{text}");
            let rest = (page.next_cursor, page.number_found, page.limit);
            assert_eq!(rest, (None, None, None));
        }
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
        for (text, more, number_found) in [
            (r#"{"items": []}"#, false, None),
            (
                r#"{"items": [], "more": null, "number_found": null}"#,
                false,
                Some("null"),
            ),
            (
                r#"{"items": [], "more": false, "number_found": "1,000"}"#,
                true,
                Some("\"1,000\""),
            ),
            (
                r#"{"items": [], "more": true, "number_found": 1000.0}"#,
                true,
                Some("1000.0"),
            ),
        ] {
            let received = read(text).unwrap().received;
            assert_eq!(received.more, more, "{text}");
            assert_eq!(received.number_found.as_deref(), number_found, "{text}");
        }
        let long = format!(r#"{{"items": [], "number_found": "{}"}}"#, "é".repeat(99));
        assert_eq!(
            read(&long).unwrap().received.number_found.unwrap().len(),
            63
        );
    }

    #[test]
    fn a_wrong_type_of_more_cursor_or_items_is_an_error() {
        for text in [
            r#"{"items": [], "more": "yes"}"#,
            r#"{"items": [], "more": 1}"#,
            r#"{"items": [], "next_cursor": {}}"#,
            r#"{"items": {}}"#,
            "[]",
            "null",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_page_has_items_and_no_field_twice() {
        for (text, expected) in [
            ("{}", "missing field `items`"),
            (r#"{"error": "busy"}"#, "missing field `items`"),
            (r#"{"items": null}"#, "invalid type: null"),
            (r#"{"items": [], "items": [1]}"#, "duplicate field `items`"),
            (r#"{"more": true, "more": false}"#, "duplicate field `more`"),
            (
                r#"{"next_cursor": "a", "next_cursor": null}"#,
                "duplicate field `next_cursor`",
            ),
            (
                r#"{"number_found": 1, "number_found": 2}"#,
                "duplicate field `number_found`",
            ),
            ("[]", "expected a page of a list"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let page = read(r#"{"tags": [{"a": []}], "items": [3], "more": true, "x": "y"}"#).unwrap();
        assert_eq!(page.items, [3]);
        assert!(page.more);
    }
}
