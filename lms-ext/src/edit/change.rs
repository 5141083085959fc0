//! The changes of an edit, found by comparing the fields before and after the closure.

use std::{cmp::Ordering, collections::BTreeSet, fmt};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{error::Error, values::expose_secrets};

/// Fields by name, as JSON.
pub(crate) type Fields = Map<String, Value>;

/// A changed field, with its old and new value. A password appears as `<hidden>`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    pub(super) field: String,
    pub(super) from: Option<Value>,
    pub(super) to: Option<Value>,
}

impl FieldChange {
    #[inline]
    pub(crate) fn new(field: &str, from: Option<&Value>, to: Option<&Value>) -> Self {
        Self {
            field: field.to_owned(),
            from: from.cloned(),
            to: to.cloned(),
        }
    }

    /// The name of the field in the API.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// The old value; `None` if the field was absent.
    #[must_use]
    pub fn from(&self) -> Option<&Value> {
        self.from.as_ref()
    }

    /// The new value. For a field that is cleared, an empty string or list if it is sent, `None` if it is left out.
    #[must_use]
    pub fn to(&self) -> Option<&Value> {
        self.to.as_ref()
    }
}

/// `surname: "Smith" → "Jones"`.
impl fmt::Display for FieldChange {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field == "password" {
            return f.write_str("password: a new one (hidden)");
        }
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

/// The result of an edit: the object, and the changes.
#[derive(Clone, Debug)]
pub struct Edited<T> {
    pub(super) value: T,
    pub(super) changes: Vec<FieldChange>,
    pub(super) written: bool,
}

impl<T> Edited<T> {
    /// Returns `true` if the object was written, and `false` after a dry run or if every field already had its new
    /// value.
    #[must_use]
    pub fn was_written(&self) -> bool {
        self.written
    }

    /// The changed fields, or in a dry run the fields that would change, sorted by name. A new password, hidden, is the
    /// last one.
    #[must_use]
    pub fn changes(&self) -> &[FieldChange] {
        &self.changes
    }

    /// The learner or course after the edit; after a dry run, the current one.
    #[must_use]
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns the learner or course after the edit by value.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}

#[inline]
pub(super) fn serialize_error(error: serde_json::Error) -> Error {
    Error::usage("the change could not be serialized as JSON").with_source(error)
}

/// The fields of a typed value.
pub(crate) fn fields(value: &impl Serialize) -> Result<Fields, Error> {
    match expose_secrets(|| serde_json::to_value(value)).map_err(serialize_error)? {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Fields::new()),
    }
}

/// The differences between two states of the same fields, sorted by name.
#[inline]
pub(crate) fn changes(before: &Fields, after: &Fields) -> Vec<FieldChange> {
    names(before, after)
        .into_iter()
        .filter(|name| !equivalent(before.get(*name), after.get(*name)))
        .map(|name| FieldChange::new(name, before.get(name), after.get(name)))
        .collect()
}

/// The names of both, sorted.
#[inline]
pub(crate) fn names<'a>(one: &'a Fields, other: &'a Fields) -> BTreeSet<&'a str> {
    one.keys().chain(other.keys()).map(String::as_str).collect()
}

/// Returns `true` if two values mean the same: absent, `null` and empty are equal, and a list is compared as a set.
#[inline]
pub(crate) fn equivalent(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (non_empty(one), non_empty(other)) {
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

/// The value, unless it is `null` or empty.
pub(crate) fn non_empty(value: Option<&Value>) -> Option<&Value> {
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
    fn absent_null_and_empty_values_are_equivalent() {
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
            for (one, other) in [(&one, &other), (&other, &one)] {
                let found = equivalent(one.as_ref(), other.as_ref());
                assert_eq!(found, expected, "{one:?} {other:?}");
            }
        }
    }
}
