//! Leaves out fields without a value, where their types do not accept what the service sends for none.
//!
//! A service may write `null` or a blank text where it has no value, in all objects of a list alike. The types of the service
//! are strict, and so are a caller's own. When a body cannot be decoded, the field at which decoding stopped is left out of
//! all objects of the list, if it is blank there, and the body is decoded again. A valid body costs nothing.
//!
//! Decoding stops at the first object of a list in most cases. Until it gets beyond that object, the rest of the body is copied
//! unread. A body with blanks everywhere is therefore decoded once, and read once more as text.

use serde::de::{DeserializeOwned, IgnoredAny};

use super::json_path::{self, Step};

/// Number of fields that may be blank: a map may have any number of keys.
const MOST_FIELDS: usize = 64;

/// The fields that are left out, if they are blank.
#[derive(Debug, Default)]
pub(super) struct Blanks {
    fields: Fields,
    /// The field that was found last.
    last: String,
    /// The end of the part of the body that was searched for blanks.
    searched: usize,
    found: usize,
}

/// The fields below a value.
#[derive(Debug, Default)]
struct Fields {
    members: Vec<(String, Fields)>,
    items: Option<Box<Fields>>,
    left_out: bool,
}

impl Blanks {
    /// `body` without the field at which decoding `text` stopped; `text` is `body` or the result of an earlier call.
    ///
    /// `None` if decoding stopped for another reason.
    pub(super) fn leave_out(
        &mut self,
        body: &[u8],
        text: &[u8],
        error: &serde_json::Error,
    ) -> Option<Vec<u8>> {
        let (line, column) = (error.line(), error.column());
        let steps = json_path::steps(text, line, column);
        let Some(Step::Member(name)) = steps.last() else {
            return None;
        };
        if !error.is_data() || self.found == MOST_FIELDS {
            return None;
        }
        if self.fields.add(&steps) {
            self.found += 1;
            self.last.clone_from(name);
            // In `body`, at least: what was left out is behind it or before it.
            let end = json_path::offset(text, line, column) + body.len() - text.len();
            self.searched = self.searched.max(end);
        } else if self.searched == body.len() {
            return None;
        } else {
            // A later object has the same blank fields.
            self.searched = body.len();
        }
        let mut search = Search {
            text: body,
            end: self.searched,
            kept: Vec::with_capacity(text.len()),
            copied: 0,
        };
        search.value(0, &self.fields);
        let mut kept = search.kept;
        kept.extend_from_slice(&body[search.copied..]);
        (kept.len() < text.len()).then_some(kept)
    }

    /// The field that was left out last.
    pub(super) fn last(&self) -> &str {
        &self.last
    }
}

impl Fields {
    /// Adds a field. Returns `false` if it is known.
    fn add(&mut self, steps: &[Step]) -> bool {
        let mut fields = self;
        for step in steps {
            fields = match step {
                Step::Member(name) => fields.member(name),
                Step::Item(_) => fields.items.get_or_insert_default(),
            };
        }
        !std::mem::replace(&mut fields.left_out, true)
    }

    fn member(&mut self, name: &str) -> &mut Self {
        let known = self.members.iter().position(|(known, _)| known == name);
        let index = known.unwrap_or_else(|| {
            self.members.push((name.to_owned(), Self::default()));
            self.members.len() - 1
        });
        &mut self.members[index].1
    }

    fn known_member(&self, name: &str) -> Option<&Self> {
        let mut members = self.members.iter();
        members.find(|(known, _)| known == name).map(|(_, of)| of)
    }
}

/// A pass over a text, which may be invalid JSON anywhere.
struct Search<'a> {
    text: &'a [u8],
    /// Nothing is left out that begins here or later.
    end: usize,
    kept: Vec<u8>,
    /// The end of what was copied to `kept`, or left out.
    copied: usize,
}

impl Search<'_> {
    /// The end of the value at a position. `None` at the end of the search.
    fn value(&mut self, at: usize, fields: &Fields) -> Option<usize> {
        let at = self.token(at);
        match (*self.text.get(at)?, &fields.items) {
            (b'{', _) if !fields.members.is_empty() => self.object(at + 1, fields),
            (b'[', Some(items)) => self.array(at + 1, items),
            _ => Some(self.read::<IgnoredAny>(at)?.1),
        }
    }

    fn array(&mut self, mut at: usize, items: &Fields) -> Option<usize> {
        loop {
            at = self.token(at);
            match self.text.get(at)? {
                b']' => return Some(at + 1),
                b',' => at += 1,
                _ => at = self.value(at, items)?,
            }
        }
    }

    fn object(&mut self, mut at: usize, fields: &Fields) -> Option<usize> {
        loop {
            let start = at;
            at = self.token(at);
            if at >= self.end {
                return None;
            }
            if self.text[at] == b'}' {
                return Some(at + 1);
            }
            let (name, name_end) = self.read::<String>(at)?;
            let value = self.token(self.token(name_end) + 1);
            let member = fields.known_member(&name);
            let blank_end = member
                .filter(|of| of.left_out)
                .and_then(|_| self.end_of_blank(value));
            let end = match (blank_end, member) {
                (Some(end), _) => end,
                (None, Some(fields)) => self.value(value, fields)?,
                (None, None) => self.read::<IgnoredAny>(value)?.1,
            };
            at = self.token(end);
            let more = *self.text.get(at)? == b',';
            at += usize::from(more);
            if blank_end.is_some() {
                self.kept.extend_from_slice(&self.text[self.copied..start]);
                self.copied = at;
                if !more && self.kept.last() == Some(&b',') {
                    self.kept.pop();
                }
            }
            if !more {
                return (self.text.get(at) == Some(&b'}')).then_some(at + 1);
            }
        }
    }

    /// The end of a value that is `null` or blank.
    fn end_of_blank(&self, at: usize) -> Option<usize> {
        let (text, end) = self.read::<Option<String>>(at)?;
        text.is_none_or(|text| text.trim().is_empty())
            .then_some(end)
    }

    /// The value at a position, and its end.
    fn read<T: DeserializeOwned>(&self, at: usize) -> Option<(T, usize)> {
        let rest = self.text.get(at..)?;
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter();
        let value = values.next()?.ok()?;
        Some((value, at + values.byte_offset()))
    }

    /// The position of the next byte that is not white space.
    fn token(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.len() - rest.trim_ascii_start().len()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde::{Deserialize, Deserializer};
    use serde_json::json;

    use crate::request::decode;

    thread_local! {
        static READ: Cell<usize> = const { Cell::new(0) };
    }

    /// An item that counts how often one is read.
    #[derive(Debug, Deserialize, PartialEq)]
    struct Item {
        #[serde(deserialize_with = "counted")]
        number: u32,
        #[serde(default)]
        a: bool,
        #[serde(default)]
        b: Vec<u8>,
        c: Option<f64>,
        text: String,
        inner: Option<Box<Item>>,
    }

    fn counted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        READ.set(READ.get() + 1);
        u32::deserialize(deserializer)
    }

    fn read(body: &str) -> Vec<Item> {
        decode(body.as_bytes()).unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    #[test]
    fn blank_fields_are_absent_in_a_callers_own_type() {
        let items = read(
            r#"[ {"a" : "" , "number": 1,"text":"", "b":null, "c":" \n", "inner": {"number":2,"b":"","text":" ","a":null}},
                {"number":3, "text":"x", "\u0061": null, "c": 1.5, "inner": ""} ]"#,
        );
        let inner = items[0].inner.as_deref().unwrap();
        assert_eq!((items[0].a, items[0].c, &*items[0].text), (false, None, ""));
        assert_eq!((inner.number, &*inner.text), (2, " "));
        assert_eq!((items[1].number, items[1].c), (3, Some(1.5)));
        assert!(items[1].inner.is_none());
    }

    #[test]
    fn blanks_everywhere_are_decoded_once() {
        let item = r#"{"number":7,"a":"","b":null,"c":"","text":""}"#;
        let body = format!("[{}]", vec![item; 200].join(","));
        READ.set(0);
        assert_eq!(read(&body).len(), 200);
        // Each of the three fields is found in the first item, and again in the second.
        assert!(READ.get() <= 200 + 2 * 3, "{}", READ.get());
    }

    #[test]
    fn what_is_not_blank_fails_at_its_own_place() {
        for (body, path, reason) in [
            (
                json!([{"number": 1, "a": "", "text": "", "b": ""}, {"number": 2, "a": "no", "text": ""}]),
                "[1].a",
                "boolean",
            ),
            (
                json!([{"number": 1, "a": "", "text": null}]),
                "[0].text",
                "found null, expected a string",
            ),
            (
                json!([{"number": 1, "a": ""}]),
                "[0]",
                "missing field `text`",
            ),
            (
                json!([{"number": 1, "b": [null], "text": ""}]),
                "[0].b[0]",
                "found null",
            ),
        ] {
            let error = decode::<Vec<Item>>(body.to_string().as_bytes()).unwrap_err();
            assert_eq!(error.json_path(), Some(path), "{body}");
            assert!(error.to_string().contains(reason), "{body}: {error}");
        }
    }

    #[test]
    fn a_body_that_breaks_off_after_a_blank_is_an_error() {
        let whole = r#"[{"number":1,"a":"","text":"x","inner":{"number":2,"a":"","text":""}}]"#;
        for end in 1..whole.len() {
            assert!(
                decode::<Vec<Item>>(&whole.as_bytes()[..end]).is_err(),
                "{end}"
            );
        }
        assert_eq!(read(whole).len(), 1);
    }

    #[test]
    fn more_fields_than_any_type_has_are_not_searched() {
        let keys = (0..200).map(|key| format!(r#""k{key}":"""#));
        let body = format!("{{{}}}", keys.collect::<Vec<_>>().join(","));
        type Map = std::collections::BTreeMap<String, bool>;
        assert!(decode::<Map>(body.as_bytes()).is_err());
    }
}
