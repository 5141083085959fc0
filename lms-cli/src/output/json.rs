//! JSON as it was received, except for values that a reader must not see or would misread.
//!
//! Values keep their text, so numbers keep their digits. Secret fields are left out, an integer beyond 2^53 becomes a
//! string, because most readers would round it, and control characters are escaped, because some terminals obey them.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::operations::lookup::is_secret;

/// Depth of nesting after which values are printed without changes.
const MAX_DEPTH: usize = 64;

/// Largest integer that every reader of JSON keeps exactly; larger ones are printed as strings.
const MAX_EXACT: u64 = 1 << 53;

/// The members of an object, in their order.
#[derive(Debug, Default)]
pub(crate) struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The members without secrets; `None` if the value is not an object.
    pub(crate) fn of(value: &'a RawValue) -> Option<Self> {
        let mut members: Self = serde_json::from_str(value.get()).ok()?;
        members.0.retain(|(name, _)| !is_secret(name));
        Some(members)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), *value))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    /// Only these members, in this order.
    pub(crate) fn select(&self, names: &[String]) -> Self {
        let selected = names.iter().filter_map(|name| {
            let value = self.get(name)?;
            Some((Cow::Owned(name.clone()), value))
        });
        Self(selected.collect())
    }

    /// The object as JSON.
    pub(crate) fn text(&self, style: Style) -> String {
        escaped(self, style)
    }

    fn serialize_at<S: Serializer>(&self, depth: usize, serializer: S) -> Result<S::Ok, S::Error> {
        let members = self.0.iter();
        serializer.collect_map(members.map(|(name, value)| (name, Shown { value, depth })))
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_at(1, serializer)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<Cow<'de, str>>()? {
                    members.push((name, map.next_value()?));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// The text of a value: that of a string, nothing for null, and JSON for all others.
pub(crate) fn unquoted(value: &RawValue) -> String {
    match value.get() {
        "null" => String::new(),
        json => serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Line,
    Indented,
}

/// A value as JSON.
pub(crate) fn text(value: &RawValue, style: Style) -> String {
    escaped(&Shown { value, depth: 0 }, style)
}

/// JSON with escapes for control characters, which it allows above U+007E.
fn escaped(value: &impl Serialize, style: Style) -> String {
    let text = match style {
        Style::Line => serde_json::to_string(value),
        Style::Indented => serde_json::to_string_pretty(value),
    };
    // Parts of JSON that was read always serialize.
    let text = text.unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_control() && !matches!(c, '\n' | '\r' | '\t') {
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

/// A value without secrets, with large integers as strings.
struct Shown<'a> {
    value: &'a RawValue,
    depth: usize,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (text, depth) = (self.value.get(), self.depth + 1);
        match text.as_bytes().first().filter(|_| self.depth <= MAX_DEPTH) {
            Some(b'{') if let Some(members) = Members::of(self.value) => {
                members.serialize_at(depth, serializer)
            }
            Some(b'[') if let Ok(values) = serde_json::from_str::<Vec<&RawValue>>(text) => {
                let values = values.into_iter();
                serializer.collect_seq(values.map(|value| Shown { value, depth }))
            }
            _ if is_inexact(text) => serializer.serialize_str(text),
            _ => self.value.serialize(serializer),
        }
    }
}

/// Returns `true` if a number is an integer that a reader may round.
fn is_inexact(text: &str) -> bool {
    let is_integer = text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && !text.contains(['.', 'e', 'E']);
    is_integer
        && text
            .parse::<i64>()
            .map_or(true, |number| number.unsigned_abs() > MAX_EXACT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(json: &str, style: Style) -> String {
        text(serde_json::from_str(json).unwrap(), style)
    }

    #[test]
    fn values_keep_their_text_except_secrets_and_large_integers() {
        for (text, expected) in [
            (
                r#"{"b": 1.50, "a": [1e2, null]}"#,
                r#"{"b":1.50,"a":[1e2,null]}"#,
            ),
            ("9007199254740992", "9007199254740992"),
            ("9007199254740993", r#""9007199254740993""#),
            ("-9007199254740993", r#""-9007199254740993""#),
            (
                "123456789012345678901234567890123456789012",
                r#""123456789012345678901234567890123456789012""#,
            ),
            (
                r#"{"items":[{"password":"x","id":"1"}]}"#,
                r#"{"items":[{"id":"1"}]}"#,
            ),
            (r#"{"pass\u0077ord":"x"}"#, "{}"),
            ("\"a\u{9b}31m\u{7f}\"", r#""a\u009b31m\u007f""#),
            ("[]", "[]"),
        ] {
            assert_eq!(written(text, Style::Line), expected);
        }
    }

    #[test]
    fn an_object_can_be_indented() {
        let text = r#"{"a":[1,{"b":2}],"c":{}}"#;
        let expected = "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ],\n  \"c\": {}\n}";
        assert_eq!(written(text, Style::Indented), expected);
    }

    #[test]
    fn a_deep_value_is_printed() {
        for depth in [0, 1, MAX_DEPTH] {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            let text = format!(r#"{open}{{"password":"x","id":"1"}}{close}"#);
            let expected = format!(r#"{open}{{"id":"1"}}{close}"#);
            assert_eq!(written(&text, Style::Line), expected);
        }
        let text = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
        assert_eq!(written(&text, Style::Line), text);
    }
}
