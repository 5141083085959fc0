//! The fields of a request body.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::invalid::empty;
use crate::{
    failure::Failure,
    operations::{
        lookup::body_fields,
        table::{Command, Kind},
    },
    output::json::Members,
};

/// The fields of a request body, as JSON.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body(Vec<(String, Box<RawValue>)>);

impl Body {
    /// A JSON object as a body.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let members: Members<'_> = serde_json::from_str(text)
            .map_err(|error| Failure::usage(format!("--body: it is not a JSON object: {error}")))?;
        let mut body = Self::default();
        for (name, value) in members.iter() {
            body.set(name, value.to_owned());
        }
        Ok(body)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), &**value))
    }

    pub(crate) fn set(&mut self, name: &str, value: Box<RawValue>) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&RawValue> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Returns `true` if a field is a text without a visible character.
    pub(crate) fn is_blank(&self, name: &str) -> bool {
        let text = self
            .get(name)
            .map(|value| serde_json::from_str::<String>(value.get()));
        text.is_some_and(|text| text.is_ok_and(|text| text.trim().is_empty()))
    }

    /// The body of a command as JSON.
    ///
    /// # Errors
    ///
    /// Usage, if an id is empty: the service may take it for none, or for any.
    pub(crate) fn json(&self, command: Option<&'static Command>) -> Result<String, Failure> {
        let mut ids = command
            .into_iter()
            .flat_map(body_fields)
            .filter(|field| matches!(field.kind, Kind::Id(_)));
        if let Some(field) = ids.find(|field| self.is_blank(field.name)) {
            return Err(empty(field.name));
        }
        serde_json::to_string(self)
            .map_err(|error| Failure::fault(format!("could not write the body: {error}")))
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
