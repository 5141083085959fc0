//! JSON as text: the place of a value that could not be decoded, such as `items[1].archived`, and a copy without blank members
//! there.
//!
//! serde_json's error has only a line and a column. The path to that position is found by scanning the text up to there,
//! without knowing the type: a deserializer that tracks the path is compiled for each type, into every program.
//!
//! The path is exact for the service's types. For a caller's type that converts a value after reading it (`try_from`),
//! it may be the path of the enclosing object.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{from_str, value::RawValue};

use crate::send::end_of_string;

/// Depth below which serde_json decodes no values. Deeper values are skipped, and cannot fail.
const MAX_DEPTH: usize = 128;

/// A part of a path.
pub(super) enum Step {
    Member(String),
    Item(usize),
}

/// The path of the value that serde_json was reading, or had just read, when it stopped at this position. Empty for the whole
/// text. The text must be JSON.
pub(super) fn steps(text: &str, end: usize) -> Vec<Step> {
    let mut scan = Scan::default();
    while scan.at < end {
        scan.token(text);
    }
    // No member is being read, so the object itself does not match.
    if scan.expects_name {
        scan.steps.pop();
    }
    scan.steps
}

/// Number of bytes before a position. Lines and columns start at 1, and columns count bytes.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = lines.map(str::len).sum();
    start.saturating_add(column).min(text.len())
}

/// The path as text.
pub(super) fn path(steps: &[Step]) -> String {
    let parts = steps.iter().map(|step| match step {
        Step::Member(name) => format!(".{name}"),
        Step::Item(index) => format!("[{index}]"),
    });
    let path: String = parts.collect();
    path.strip_prefix('.').map(str::to_owned).unwrap_or(path)
}

/// Returns `true` if the paths differ only in the indexes of items.
pub(super) fn is_same_field(one: &[Step], other: &[Step]) -> bool {
    let is_same = |steps: (&Step, &Step)| match steps {
        (Step::Member(one), Step::Member(other)) => one == other,
        (Step::Item(_), Step::Item(_)) => true,
        _ => false,
    };
    one.len() == other.len() && one.iter().zip(other).rev().all(is_same)
}

/// A JSON text without the members at these paths, in any item of the lists on the way, that are `null` or blank. What follows
/// `end` is copied unread.
pub(super) fn without_blanks(text: &str, paths: &[Vec<Step>], end: usize) -> String {
    let (mut kept, mut copied) = (String::with_capacity(text.len()), 0);
    let mut scan = Scan::default();
    while scan.at < end {
        let is_member = scan.token(text) == b':' && scan.below == 0;
        if !is_member || !paths.iter().any(|path| is_same_field(path, &scan.steps)) {
            continue;
        }
        let Some(rest) = after_blank(&text[scan.at..]) else {
            continue;
        };
        kept.push_str(&text[copied..scan.name_at]);
        scan.at = text.len() - rest.len();
        copied = scan.at;
        if rest.starts_with(',') {
            copied += 1;
        } else {
            // It was the last member, and may have been the only one.
            let before = kept.trim_end();
            kept.truncate(before.strip_suffix(',').unwrap_or(before).len());
        }
    }
    kept.push_str(&text[copied..]);
    kept
}

/// The text that follows a value which is `null` or blank.
fn after_blank(text: &str) -> Option<&str> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Option<String>>();
    let value = values.next()?.ok()?;
    let is_blank = value.is_none_or(|value| value.trim().is_empty());
    is_blank.then(|| text[values.byte_offset()..].trim_start())
}

/// A pass over a text.
#[derive(Default)]
struct Scan {
    at: usize,
    /// From the outermost container to the innermost, up to [`MAX_DEPTH`].
    steps: Vec<Step>,
    /// Number of containers that are open below these.
    below: usize,
    /// Otherwise a value, or what follows it.
    expects_name: bool,
    /// Where the last name of a member begins.
    name_at: usize,
}

impl Scan {
    /// Passes a token, and returns its first byte.
    fn token(&mut self, text: &str) -> u8 {
        let (at, byte) = (self.at, text.as_bytes()[self.at]);
        self.at += 1;
        match byte {
            b'{' | b'[' if self.steps.len() == MAX_DEPTH => self.below += 1,
            b'}' | b']' if self.below > 0 => self.below -= 1,
            b',' | b':' if self.below > 0 => {}
            b'{' => {
                self.steps.push(Step::Member(String::new()));
                self.expects_name = true;
            }
            b'[' => self.steps.push(Step::Item(0)),
            b'}' | b']' => {
                self.steps.pop();
                self.expects_name = false;
            }
            b',' => match self.steps.last_mut() {
                Some(Step::Item(index)) => *index += 1,
                Some(Step::Member(_)) => self.expects_name = true,
                None => {}
            },
            b':' => self.expects_name = false,
            b'"' => {
                self.at = end_of_string(text.as_bytes(), at);
                if self.expects_name
                    && self.below == 0
                    && let Some(Step::Member(name)) = self.steps.last_mut()
                {
                    *name = from_str(&text[at..self.at]).unwrap_or_default();
                    self.name_at = at;
                }
            }
            // White space, or a byte of a number or a literal.
            _ => {}
        }
        byte
    }
}

/// The members of a JSON object as text.
pub(super) struct Members<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                #[derive(Deserialize)]
                struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

                let mut members = Vec::new();
                while let Some((Name(name), json)) = map.next_entry()? {
                    members.push((name, json));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use lms_client::types::{LearnerList, ProfileList, Record, UserFieldList};
    use serde::{Deserialize, de::DeserializeOwned};

    use super::{Step, offset, path, steps, without_blanks};

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
        path(&steps(text, offset(text, error.line(), error.column())))
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
    fn the_text_behind_a_position_is_copied_unread() {
        let field = |name: &str| vec![Step::Item(7), Step::Member(name.to_owned())];
        let paths = [field("a"), field("c")];
        let text = r#"[ {"a" : "", "b":[{"a":""}] ,"c": null } ,{"a":null, "b":"" },{ "c":" "},{"x":1,"a":"","c":"no"} ]"#;
        let second = text.find("null, ").unwrap();
        for (end, expected) in [
            (0, text),
            (
                text.find("[{").unwrap(),
                r#"[ { "b":[{"a":""}] ,"c": null } ,{"a":null, "b":"" },{ "c":" "},{"x":1,"a":"","c":"no"} ]"#,
            ),
            (
                second - 2,
                r#"[ { "b":[{"a":""}] } ,{"a":null, "b":"" },{ "c":" "},{"x":1,"a":"","c":"no"} ]"#,
            ),
            (
                text.len(),
                r#"[ { "b":[{"a":""}] } ,{ "b":"" },{},{"x":1,"c":"no"} ]"#,
            ),
        ] {
            assert_eq!(without_blanks(text, &paths, end), expected, "{end}");
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
                    steps(text, offset(text, line, column));
                }
            }
        }
    }
}
