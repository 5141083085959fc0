//! One page of a list, and how it is read.
//!
//! Rows are read straight into their type, and what is not needed is passed over: no value in between.
//! Every field around the rows is optional (§2), so `null` and absence are the same, and a count that
//! cannot be read is no count. What decides whether the walk goes on is not guessed at: `more` and
//! `next_cursor` of another type are an error.

use std::{fmt, marker::PhantomData};

use lms_client::wire::Int64;
use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny, MapAccess, SeqAccess},
};

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<T> {
    /// The rows; none does not mean that the list has ended.
    pub items: Vec<T>,
    /// The cursor that this page was asked for with; `None` for the beginning of the list.
    pub cursor: Option<String>,
    /// The cursor of the page behind it. The tenant may give one on the last page too.
    pub next_cursor: Option<String>,
    /// How many rows the tenant says there are; a hint, since the description does not say what is
    /// counted. Course completions come without (§2).
    pub number_found: Option<Int64>,
    /// The largest number of rows on a page, as the tenant sees it.
    pub limit: Option<Int64>,
    /// Whether the tenant says that there is a page behind this one.
    pub more: bool,
}

impl<T> Page<T> {
    /// Takes off the rows from `room` on, as a page of their own.
    pub(super) fn cut_off(&mut self, room: usize) -> Self {
        Self {
            items: self.items.split_off(room),
            cursor: self.cursor.clone(),
            next_cursor: self.next_cursor.clone(),
            ..*self
        }
    }
}

/// The answer of a list operation.
#[derive(Debug)]
pub(super) struct Envelope<T> {
    pub(super) items: Vec<T>,
    pub(super) next_cursor: Option<String>,
    pub(super) number_found: Option<Int64>,
    pub(super) limit: Option<Int64>,
    pub(super) more: bool,
}

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
        let mut page = Envelope {
            items: Vec::new(),
            next_cursor: None,
            number_found: None,
            limit: None,
            more: false,
        };
        while let Some(field) = map.next_key()? {
            match field {
                Field::Items => {
                    page.items = map.next_value::<Option<Vec<T>>>()?.unwrap_or_default();
                }
                Field::NextCursor => {
                    page.next_cursor = map
                        .next_value::<Option<String>>()?
                        .filter(|cursor| !cursor.is_empty());
                }
                Field::NumberFound => page.number_found = map.next_value::<Count>()?.0,
                Field::Limit => page.limit = map.next_value::<Count>()?.0,
                Field::More => page.more = map.next_value::<Option<bool>>()?.unwrap_or_default(),
                Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(page)
    }
}

/// A number for display: nothing fails on it.
struct Count(Option<Int64>);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CountVisitor)
    }
}

struct CountVisitor;

impl<'de> de::Visitor<'de> for CountVisitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_i64<E>(self, count: i64) -> Result<Count, E> {
        Ok(Count(Some(Int64::new(count))))
    }

    fn visit_u64<E>(self, count: u64) -> Result<Count, E> {
        Ok(Count(Int64::try_from(count).ok()))
    }

    fn visit_str<E>(self, count: &str) -> Result<Count, E> {
        Ok(Count(count.parse().ok()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Count, E> {
        Ok(Count(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Count, E> {
        Ok(Count(None))
    }

    fn visit_unit<E>(self) -> Result<Count, E> {
        Ok(Count(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Count, A::Error> {
        IgnoredAny.visit_seq(seq).map(|_| Count(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Count, A::Error> {
        IgnoredAny.visit_map(map).map(|_| Count(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Envelope<u8>, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn nulls_and_absence_are_the_same() {
        let nulls = r#"{"items": null, "number_found": null, "cursor": null, "next_cursor": null,
            "limit": null, "more": null}"#;
        for text in ["{}", nulls, r#"{"next_cursor": ""}"#] {
            let page = read(text).unwrap();
            assert!(page.items.is_empty() && !page.more, "{text}");
            assert_eq!(
                (page.next_cursor, page.number_found, page.limit),
                (None, None, None)
            );
        }
    }

    #[test]
    fn a_count_is_read_from_text_and_number_and_fails_nothing() {
        for (text, expected) in [
            ("\"12\"", Some(12)),
            ("12", Some(12)),
            ("-1", Some(-1)),
            ("9223372036854775808", None),
            ("1.5", None),
            ("\"many\"", None),
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
    fn what_decides_whether_to_go_on_is_not_guessed_at() {
        for text in [
            r#"{"more": "yes"}"#,
            r#"{"more": 1}"#,
            r#"{"next_cursor": {}}"#,
            r#"{"items": {}}"#,
            "[]",
            "null",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn unknown_fields_are_passed_over_whatever_they_hold() {
        let page = read(r#"{"tags": [{"a": []}], "items": [3], "more": true, "x": "y"}"#).unwrap();
        assert_eq!(page.items, [3]);
        assert!(page.more);
    }
}
