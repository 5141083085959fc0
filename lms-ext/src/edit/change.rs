//! What an edit changes, found by comparing the fields before it with the fields after it.

use std::{cmp::Ordering, collections::BTreeSet, fmt};

use serde::Serialize;
use serde_json::{Map, Value};

use super::raw_object::unwritable;
use crate::error::Error;

/// Fields by name, as they go over the wire.
pub(crate) type Fields = Map<String, Value>;

/// One field, before and after.
///
/// A password is never here: its change shows the text `<hidden>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub(super) field: String,
    pub(super) from: Option<Value>,
    pub(super) to: Option<Value>,
}

impl Change {
    #[inline]
    pub(crate) fn new(field: &str, from: Option<&Value>, to: Option<&Value>) -> Self {
        Self {
            field: field.to_owned(),
            from: from.cloned(),
            to: to.cloned(),
        }
    }

    /// The name of the field, as the service calls it.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// What the tenant holds; `None` when it holds nothing.
    #[must_use]
    pub fn from(&self) -> Option<&Value> {
        self.from.as_ref()
    }

    /// What it is to be. A field that is cleared is to be an empty text or an empty list where it is written so, and
    /// `None` where it is left out.
    #[must_use]
    pub fn to(&self) -> Option<&Value> {
        self.to.as_ref()
    }
}

/// `surname: "Smith" → "Jones"`.
impl fmt::Display for Change {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.field)?;
        match &self.from {
            Some(value) => write!(f, "{value}")?,
            None => f.write_str("nothing")?,
        }
        match &self.to {
            Some(value) => write!(f, " → {value}"),
            None => f.write_str(" → nothing"),
        }
    }
}

/// The fields of a typed value.
pub(crate) fn fields(value: &impl Serialize) -> Result<Fields, Error> {
    match serde_json::to_value(value).map_err(unwritable)? {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Fields::new()),
    }
}

/// What differs between two states of the same fields, by name.
#[inline]
pub(crate) fn changes(before: &Fields, after: &Fields) -> Vec<Change> {
    names(before, after)
        .into_iter()
        .filter(|name| !alike(before.get(*name), after.get(*name)))
        .map(|name| Change::new(name, before.get(name), after.get(name)))
        .collect()
}

/// The names of both, each once, in the order of the alphabet.
#[inline]
pub(crate) fn names<'a>(one: &'a Fields, other: &'a Fields) -> BTreeSet<&'a str> {
    one.keys().chain(other.keys()).map(String::as_str).collect()
}

/// Whether two values mean the same: nothing, however it is written, is nothing, and a list is a set.
#[inline]
pub(crate) fn alike(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (something(one), something(other)) {
        (None, None) => true,
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            one.iter().all(|value| other.contains(value))
                && other.iter().all(|value| one.contains(value))
        }
        (Some(Value::Number(one)), Some(Value::Number(other))) => {
            one == other || one.as_f64().partial_cmp(&other.as_f64()) == Some(Ordering::Equal)
        }
        (one, other) => one == other,
    }
}

/// A value, unless it is one of the ways to write nothing.
pub(crate) fn something(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_is_nothing_however_it_is_written() {
        for (one, other, expected) in [
            (None, Some(json!(null)), true),
            (None, Some(json!("")), true),
            (Some(json!([])), Some(json!(null)), true),
            (None, Some(json!(false)), false),
            (None, Some(json!(0)), false),
            (Some(json!(["a", "b"])), Some(json!(["b", "a", "a"])), true),
            (Some(json!(["a", "b"])), Some(json!(["a"])), false),
            (Some(json!("a")), Some(json!("A")), false),
            (Some(json!(5)), Some(json!(5.0)), true),
            (Some(json!(5.5)), Some(json!(5)), false),
        ] {
            assert_eq!(
                alike(one.as_ref(), other.as_ref()),
                expected,
                "{one:?} {other:?}"
            );
            assert_eq!(
                alike(other.as_ref(), one.as_ref()),
                expected,
                "{other:?} {one:?}"
            );
        }
    }

    #[test]
    fn a_change_reads_as_one() {
        let change = |from: Option<Value>, to: Option<Value>| {
            Change::new("tags", from.as_ref(), to.as_ref()).to_string()
        };
        assert_eq!(
            change(Some(json!(["a"])), Some(json!([]))),
            r#"tags: ["a"] → []"#
        );
        assert_eq!(change(None, Some(json!("x"))), r#"tags: nothing → "x""#);
        assert_eq!(change(Some(json!(true)), None), "tags: true → nothing");
    }
}
