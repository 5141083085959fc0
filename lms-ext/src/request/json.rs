//! JSON as text: the place of a value that could not be decoded, such as `items[1].archived`, and a copy without blank members
//! there.
//!
//! serde_json's error has only a line and a column. The path to that position is found by reading the text once more,
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

/// A part of a path.
pub(super) enum Step {
    Member(String),
    Item(usize),
}

/// The path of the value that serde_json was reading, or had just read, when it stopped at this line and column. Empty for the
/// whole text, and for a text that is not JSON.
pub(super) fn steps(text: &str, line: usize, column: usize) -> Vec<Step> {
    // Lines and columns start at 1, and columns count bytes.
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let end = lines.map(str::len).sum::<usize>().saturating_add(column);
    let is_in = |json: &RawValue| {
        let start = json.get().as_ptr().addr() - text.as_ptr().addr();
        start <= end && end <= start + json.get().len()
    };
    let (mut steps, mut value) = (Vec::new(), text);
    loop {
        let (step, json) = if let Ok(Members(members)) = from_str(value) {
            let mut members = members.into_iter();
            match members.find(|(_, json)| is_in(json)) {
                Some((name, json)) => (Step::Member(name.into_owned()), json),
                None => return steps,
            }
        } else {
            let items: Vec<&RawValue> = from_str(value).unwrap_or_default();
            match items.iter().position(|json| is_in(json)) {
                Some(index) => (Step::Item(index), items[index]),
                None => return steps,
            }
        };
        steps.push(step);
        value = json.get();
    }
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

/// A text without the member at a path, in every item of the lists on the way, where it is `null` or blank.
pub(super) fn without_blanks(text: &str, steps: &[Step]) -> String {
    let mut kept = String::with_capacity(text.len());
    copy(text, steps, &mut kept);
    kept
}

fn copy(text: &str, steps: &[Step], to: &mut String) {
    match steps.split_first() {
        Some((Step::Item(_), rest)) => {
            if let Ok(items) = from_str::<Vec<&RawValue>>(text) {
                to.push('[');
                for (index, item) in items.iter().enumerate() {
                    to.push_str(if index == 0 { "" } else { "," });
                    copy(item.get(), rest, to);
                }
                return to.push(']');
            }
        }
        Some((Step::Member(name), rest)) => {
            if let Ok(Members(mut members)) = from_str(text) {
                let is_left_out = |json| rest.is_empty() && is_blank(json);
                members.retain(|(known, json)| known != name || !is_left_out(json));
                to.push('{');
                for (index, (known, json)) in members.iter().enumerate() {
                    to.push_str(if index == 0 { "" } else { "," });
                    to.push_str(&serde_json::json!(known).to_string());
                    to.push(':');
                    copy(json.get(), if known == name { rest } else { &[] }, to);
                }
                return to.push('}');
            }
        }
        None => {}
    }
    to.push_str(text);
}

fn is_blank(json: &RawValue) -> bool {
    let text = from_str::<Option<String>>(json.get());
    text.is_ok_and(|text| text.is_none_or(|text| text.trim().is_empty()))
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

    use super::{path, steps};

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
        path(&steps(text, error.line(), error.column()))
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
                    steps(text, line, column);
                }
            }
        }
    }
}
