//! Finds the JSON path of a value that could not be decoded: `items[1].archived`.
//!
//! serde_json's error has only a line and a column. The path to that position is found by reading the text once more,
//! without knowing the type: a deserializer that tracks the path is compiled for each type, into every program.
//!
//! The path is exact for the service's types. For a caller's type that converts a value after reading it (`try_from`),
//! it may be the path of the enclosing object.

use std::fmt::Write as _;

use crate::send::end_of_string;

/// The path of the value that serde_json was reading, or had just read, when it stopped at this line and column; empty for
/// the whole text.
///
/// The text must be valid JSON up to that position.
pub(crate) fn path(text: &[u8], line: usize, column: usize) -> String {
    let mut path = String::new();
    for step in steps(text, line, column) {
        // Writing to a string cannot fail.
        let _ = match step {
            Step::Member(name) if path.is_empty() => write!(path, "{name}"),
            Step::Member(name) => write!(path, ".{name}"),
            Step::Item(index) => write!(path, "[{index}]"),
        };
    }
    path
}

/// The members and the items that lead to that value.
pub(super) fn steps(text: &[u8], line: usize, column: usize) -> Vec<Step> {
    let mut scan = Scan {
        steps: Vec::new(),
        below: 0,
        expects: Expects::Value,
    };
    let end = offset(text, line, column);
    let mut at = 0;
    while at < end {
        at = scan.token(text, at);
    }
    // No member is being read, so the object itself does not match.
    if scan.expects == Expects::Name {
        scan.steps.pop();
    }
    scan.steps
}

/// The number of bytes before a position. Lines and columns start at 1, and columns count bytes.
pub(super) fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive(|byte| *byte == b'\n')
        .take(line.saturating_sub(1))
        .map(<[u8]>::len)
        .sum();
    start.saturating_add(column).min(text.len())
}

/// Depth after which serde_json decodes no values. Deeper values are skipped, and cannot fail.
const MAX_DEPTH: usize = 128;

struct Scan {
    /// From the outermost container to the innermost, up to [`MAX_DEPTH`].
    steps: Vec<Step>,
    /// Number of containers that are open below these.
    below: usize,
    expects: Expects,
}

pub(super) enum Step {
    Member(String),
    Item(usize),
}

#[derive(PartialEq)]
enum Expects {
    Name,
    /// A value, or what follows it.
    Value,
}

impl Scan {
    /// Reads the token at `at`, and returns where the next one may start.
    fn token(&mut self, text: &[u8], at: usize) -> usize {
        match text[at] {
            b'{' | b'[' if self.steps.len() == MAX_DEPTH => self.below += 1,
            b'}' | b']' if self.below > 0 => self.below -= 1,
            b',' | b':' if self.below > 0 => {}
            b'{' => {
                self.steps.push(Step::Member(String::new()));
                self.expects = Expects::Name;
            }
            b'[' => self.steps.push(Step::Item(0)),
            b'}' | b']' => {
                self.steps.pop();
                self.expects = Expects::Value;
            }
            b',' => match self.steps.last_mut() {
                Some(Step::Item(index)) => *index += 1,
                Some(Step::Member(_)) => self.expects = Expects::Name,
                None => {}
            },
            b':' => self.expects = Expects::Value,
            b'"' => {
                let end = end_of_string(text, at);
                if self.expects == Expects::Name && self.below == 0 {
                    let name = serde_json::from_slice(&text[at..end]).unwrap_or_default();
                    if let Some(Step::Member(member)) = self.steps.last_mut() {
                        *member = name;
                    }
                }
                return end;
            }
            // White space, or a byte of a number or a literal.
            _ => {}
        }
        at + 1
    }
}

#[cfg(test)]
mod tests {
    use lms_client::types::{LearnerList, ProfileList, Record, UserFieldList};
    use serde::{Deserialize, de::DeserializeOwned};

    use super::path;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "it is only read into")]
    struct Nested {
        rows: Vec<Vec<u8>>,
        name: String,
        inner: Option<Box<Nested>>,
    }

    fn found<T: DeserializeOwned>(text: &str) -> String {
        let Err(error) = serde_json::from_str::<T>(text) else {
            panic!("{text} was read")
        };
        path(text.as_bytes(), error.line(), error.column())
    }

    fn by_tracking<T: DeserializeOwned>(text: &str) -> String {
        let reader = &mut serde_json::Deserializer::from_str(text);
        let result = serde_path_to_error::deserialize::<_, T>(reader);
        let path = result.err().map(|error| error.path().to_string());
        path.filter(|path| path != ".").unwrap_or_default()
    }

    fn agree<T: DeserializeOwned>(text: &str) {
        assert_eq!(found::<T>(text), by_tracking::<T>(text), "{text}");
    }

    #[test]
    fn the_path_is_that_of_a_deserializer_that_tracks_it() {
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
    fn what_is_nested_too_deeply_is_skipped_and_not_remembered() {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}"), (r#"[{"b":7,"a":"#, "}]")] {
            for depth in [1, 60, 126, 127, 128, 129, 130, 5000] {
                let deep = open.repeat(depth) + "0" + &close.repeat(depth);
                let text = format!(r#"{{"items":[{{}},{{"unknown":{deep},"archived":7}}]}}"#);
                assert_eq!(found::<LearnerList>(&text), "items[1].archived");
            }
        }
    }

    #[test]
    fn any_position_in_any_text_has_a_path() {
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
                    path(text.as_bytes(), line, column);
                }
            }
        }
    }
}
