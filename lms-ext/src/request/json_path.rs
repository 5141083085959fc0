//! Which value of a JSON text could not be read, where nobody knows any more what it was read into.
//!
//! The raw `send()` of a builder leaves nothing but serde_json's error, with the line and the column where it stopped,
//! which is no help to somebody who looks for a field. The path to that place, `items[1].archived`, is found by walking
//! through the text once more. A reader that keeps track of the path would tell the same, but must be compiled for
//! every type there is, into every program.
//!
//! It is exact for the service's own types. A reader that takes a value first and complains of it later may have come
//! to the end of what is around it by then; so what does not fit a type of the caller's is read
//! [once more](crate::request::decode::path_by_rereading), with such a reader.

use std::fmt::Write as _;

/// The path to the value that serde_json had just read, or was about to read, when it stopped at this line and column.
///
/// For texts that do not fit a type. One that is no JSON before that place has a path that means little. The text as a
/// whole has the empty path.
pub(crate) fn path(text: &[u8], line: usize, column: usize) -> String {
    let mut walk = Walk {
        steps: Vec::new(),
        expects: Expects::Value,
    };
    let end = offset(text, line, column);
    let mut at = 0;
    while at < end {
        at = walk.token(text, at);
    }
    walk.path()
}

/// Columns count bytes, and the first is 1: so many bytes of the line were read.
fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive(|byte| *byte == b'\n')
        .take(line.saturating_sub(1))
        .map(<[u8]>::len)
        .sum();
    start.saturating_add(column).min(text.len())
}

struct Walk {
    /// Where the walk is, from the outside in.
    steps: Vec<Step>,
    expects: Expects,
}

enum Step {
    Member(String),
    Row(usize),
}

#[derive(PartialEq)]
enum Expects {
    Name,
    /// A value, or what follows one.
    Value,
}

impl Walk {
    /// Takes the token at `at` in, and gives back where the next one may begin.
    fn token(&mut self, text: &[u8], at: usize) -> usize {
        match text[at] {
            b'{' => {
                self.steps.push(Step::Member(String::new()));
                self.expects = Expects::Name;
            }
            b'[' => self.steps.push(Step::Row(0)),
            b'}' | b']' => {
                self.steps.pop();
                self.expects = Expects::Value;
            }
            b',' => match self.steps.last_mut() {
                Some(Step::Row(row)) => *row += 1,
                Some(Step::Member(_)) => self.expects = Expects::Name,
                None => {}
            },
            b':' => self.expects = Expects::Value,
            b'"' => {
                let end = end_of_string(text, at);
                if self.expects == Expects::Name {
                    let name = serde_json::from_slice(&text[at..end]).unwrap_or_default();
                    if let Some(Step::Member(member)) = self.steps.last_mut() {
                        *member = name;
                    }
                }
                return end;
            }
            // White space, or a byte of a number or a word.
            _ => {}
        }
        at + 1
    }

    fn path(mut self) -> String {
        // No value of this object is being read: it is the object that does not fit.
        if self.expects == Expects::Name {
            self.steps.pop();
        }
        let mut path = String::new();
        for step in self.steps {
            // Writing to a string does not fail.
            let _ = match step {
                Step::Member(name) if path.is_empty() => write!(path, "{name}"),
                Step::Member(name) => write!(path, ".{name}"),
                Step::Row(row) => write!(path, "[{row}]"),
            };
        }
        path
    }
}

/// Behind the quote that closes the string at `start`.
fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = text.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use lms_client::types::{LearnerList, ProfileList, Record, UserFieldList};
    use serde::{Deserialize, de::DeserializeOwned};

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "it is only read into")]
    struct Nested {
        rows: Vec<Vec<u8>>,
        name: String,
        inner: Option<Box<Nested>>,
    }

    /// The path as a reader tells it that keeps track while it reads.
    fn path_by_rereading<T: DeserializeOwned>(text: &str) -> Option<String> {
        let reader = &mut serde_json::Deserializer::from_str(text);
        let error = serde_path_to_error::deserialize::<_, T>(reader).err()?;
        let path = error.path().to_string();
        Some(if path == "." { String::new() } else { path })
    }

    fn found<T: DeserializeOwned>(text: &str) -> Option<String> {
        let error = serde_json::from_str::<T>(text).err()?;
        Some(super::path(text.as_bytes(), error.line(), error.column()))
    }

    fn agree<T: DeserializeOwned>(text: &str) {
        assert!(found::<T>(text).is_some(), "{text} was read");
        assert_eq!(found::<T>(text), path_by_rereading::<T>(text), "{text}");
    }

    #[test]
    fn the_path_is_the_one_that_a_tracking_reader_tells() {
        for text in [
            r#"{"items":[{"id":"a"},{"id":"b","archived":"no"}]}"#,
            "{\n  \"items\": [\n    {\"id\": 7}\n  ]\n}\n",
            r#"{"items":[{"id":{}}]}"#,
            r#"{"items":[{"id":[]}]}"#,
            r#"{"items":[{"tags":["a",  null]}]}"#,
            r#"{"items":[{"tags":["a", {"b":1}]}]}"#,
            r#"{"items":{"id":"a"}}"#,
            r#"{"items":[[], 1]}"#,
            r#"{"unknown":{"deep":[1,{"x":"\"}]"}]},"more":1}"#,
            r#"{"unknown":{"deep":[]},"items":[],"more":"no"}"#,
            r#"{"more":-1.5e3}"#,
            r#"{"limit":"12 MB"}"#,
            r#"{"limit":true}"#,
            r#"{"m\u006fre":"no"}"#,
            r#"{"next_cursor":["é"],"more":0}"#,
            r#"{"next_cursor":"é","more":0}"#,
            r#""a text""#,
            "7",
        ] {
            agree::<LearnerList>(text);
        }
        agree::<ProfileList>(r#"{"items":[{"permissions":[{"user_visible":1}]}]}"#);
        agree::<UserFieldList>(r#"{"items":[{"resource":{"kind":{}}}]}"#);
        agree::<Record>(r#"{"attachments":[{},{"file_size":1.5}]}"#);
        for text in [
            "{}",
            r#"{"name":"a"}"#,
            r#"{"name":"a","rows":[[1],[2,256]]}"#,
            r#"{"name":"a","rows":[],"inner":{"name":"b"}}"#,
            r#"{"name":"a","rows":[],"inner":{"name":"b","rows":[],"inner":{"rows":[]  } } }"#,
            r#"{"name":"a","inner":{"rows":[[0,1,"2"]]}}"#,
            r#"{"name":"a","rows":[{}]}"#,
        ] {
            agree::<Nested>(text);
        }
    }

    #[test]
    fn any_place_of_any_text_has_a_path() {
        for text in [
            "",
            "]}",
            "{\"a",
            "{\"a\\",
            "[,,",
            "{:",
            "\"\n\n",
            "\u{feff}{}",
        ] {
            for line in 0..4 {
                for column in 0..8 {
                    super::path(text.as_bytes(), line, column);
                }
            }
        }
    }
}
