//! A value of a document, with its location for errors.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{error::Error, openapi::resolve};

/// A value of the document and where it is.
#[derive(Clone)]
pub(super) struct Node<'a> {
    pub(super) root: &'a Value,
    pub(super) value: &'a Value,
    pub(super) location: String,
}

impl<'a> Node<'a> {
    pub(super) fn error(&self, reason: impl Into<String>) -> Error {
        Error::at(&self.location, reason)
    }

    fn location_of(&self, key: &str) -> String {
        if self.location.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.location)
        }
    }

    pub(super) fn error_at(&self, key: &str, reason: impl Into<String>) -> Error {
        Error::at(self.location_of(key), reason)
    }

    fn child(&self, value: &'a Value, location: String) -> Self {
        Self {
            root: self.root,
            value,
            location,
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key)?;
        Some(self.child(value, self.location_of(key)))
    }

    pub(super) fn require(&self, key: &str, reason: impl Into<String>) -> Result<Self, Error> {
        self.get(key).ok_or_else(|| self.error_at(key, reason))
    }

    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    /// The entries of a mapping.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Self)>, Error> {
        let map = self
            .value
            .as_object()
            .ok_or_else(|| self.unexpected("mapping"))?;
        Ok(map
            .iter()
            .map(|(key, value)| (key.as_str(), self.child(value, self.location_of(key))))
            .collect())
    }

    /// The elements of a list.
    pub(super) fn elements(&self) -> Result<Vec<Self>, Error> {
        let list = self
            .value
            .as_array()
            .ok_or_else(|| self.unexpected("list"))?;
        Ok(list
            .iter()
            .enumerate()
            .map(|(index, value)| self.child(value, format!("{}[{index}]", self.location)))
            .collect())
    }

    /// The value behind a `$ref`, at the location of the reference.
    pub(super) fn resolved(mut self) -> Self {
        self.value = resolve(self.root, self.value).unwrap_or(self.value);
        self
    }

    fn unexpected(&self, expected: &str) -> Error {
        let found = match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "text",
            Value::Array(_) => "a list",
            Value::Object(_) => "a mapping",
        };
        self.error(format!("expected a {expected}, found {found}"))
    }
}

/// Different names in the document must be different names in Rust.
pub(super) fn names(
    entries: &[(&str, Node<'_>)],
    what: &str,
    rust: impl Fn(&str) -> String,
) -> Result<(), Error> {
    let mut known = BTreeMap::new();
    for (name, node) in entries {
        if let Some(other) = known.insert(rust(name), name) {
            return Err(node.error(format!(
                "the {what} `{}` would have the same name as that of `{other}`; rename one of them",
                rust(name)
            )));
        }
    }
    Ok(())
}
