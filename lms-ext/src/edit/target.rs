//! The objects that can be edited, and how the body of their `PUT` is built.
//!
//! A learner is written as `EditLearner`, a type with fewer fields and a password; a course is written as the JSON
//! object that was read, including unknown fields.
//!
//! Functions in this module are `#[inline]`, so that only programs that edit something compile the serializers.

use std::{collections::BTreeMap, fmt};

use bytes::Bytes;
use lms_client::types;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

use super::change::{FieldChange, fields, serialize_error};
use crate::{client::Lms, error::Error, request::PreparedCall, values::Secret};

/// Reads, changes and writes one kind of object.
pub(crate) trait Editable: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The type that the closure changes.
    type Draft: Serialize;

    /// The name in messages.
    const NAME: &'static str;

    /// Fields that an object cannot be without, so that writing it without them would lose them.
    const REQUIRED: &'static [&'static str];

    /// Fields that the service may change at any time.
    const MAINTAINED: &'static [&'static str];

    /// Fields that the service may change when others change, but that must not become empty.
    const DERIVED: &'static [&'static str];

    /// Times, which the service may format in its own way.
    const TIMES: &'static [&'static str];

    /// `true` if unknown fields are sent back. The response must then also have them.
    const SENDS_ALL: bool;

    fn read(lms: &Lms, id: &str) -> Result<PreparedCall, Error>;

    /// The request of a write; its body is replaced.
    fn write(&self, lms: &Lms, id: &str) -> Result<PreparedCall, Error>;

    /// The value that is passed to the closure.
    fn draft(&self) -> Result<Self::Draft, Error>;

    /// Removes the password, which is sent, but never compared.
    fn take_password(draft: &mut Self::Draft) -> Option<Secret>;

    /// The object that a write sends, before the changes. `raw` is the object that was read.
    fn whole(&self, raw: RawObject) -> Result<RawObject, Error>;

    /// The value that clears a field; `None` to leave the field out.
    fn cleared(change: &FieldChange) -> Option<Value>;
}

impl Editable for types::Learner {
    type Draft = types::EditLearner;

    const NAME: &'static str = "learner";
    const REQUIRED: &'static [&'static str] = &["email", "firstname", "surname"];
    const MAINTAINED: &'static [&'static str] = &["password", "updated", "last_logged_in"];
    const DERIVED: &'static [&'static str] = &["image"];
    const TIMES: &'static [&'static str] = &[];
    const SENDS_ALL: bool = false;

    #[inline]
    fn read(lms: &Lms, id: &str) -> Result<PreparedCall, Error> {
        PreparedCall::new(lms.get_learner_by_id(id))
    }

    #[inline]
    fn write(&self, lms: &Lms, id: &str) -> Result<PreparedCall, Error> {
        PreparedCall::new(lms.edit_learner(id, self.draft()?))
    }

    /// Every field that both schemas have, so that an edit does not clear a field of a tenant's own document.
    #[inline]
    fn draft(&self) -> Result<types::EditLearner, Error> {
        let mut fields = fields(self)?;
        fields.remove("password");
        for required in ["email", "firstname", "surname"] {
            fields.entry(required).or_insert_with(|| "".into());
        }
        serde_json::from_value(Value::Object(fields)).map_err(|_| {
            let detail = "the learner has no value, or one of another type, for a field that an edit requires; use edit_learner()";
            Error::usage(detail)
        })
    }

    #[inline]
    fn take_password(draft: &mut types::EditLearner) -> Option<Secret> {
        draft.password.take()
    }

    #[inline]
    fn whole(&self, _: RawObject) -> Result<RawObject, Error> {
        let mut whole = RawObject::default();
        for (name, value) in fields(&self.draft()?)? {
            whole.set(&name, &value)?;
        }
        Ok(whole)
    }

    // The service may clear or keep a field that is left out; an empty string or list means the same in both cases.
    #[inline]
    fn cleared(change: &FieldChange) -> Option<Value> {
        Some(match change.from() {
            Some(Value::Array(_)) => Value::Array(Vec::new()),
            _ => Value::String(String::new()),
        })
    }
}

impl Editable for types::Course {
    type Draft = Self;

    const NAME: &'static str = "course";
    const REQUIRED: &'static [&'static str] = &["name"];
    const MAINTAINED: &'static [&'static str] = &["modified", "user_version"];
    const DERIVED: &'static [&'static str] = &["permalink", "cover_art_url", "thumbnail_url"];
    const TIMES: &'static [&'static str] = &["auto_due_date", "renewal_date"];
    const SENDS_ALL: bool = true;

    #[inline]
    fn read(lms: &Lms, id: &str) -> Result<PreparedCall, Error> {
        PreparedCall::new(lms.get_course(id))
    }

    #[inline]
    fn write(&self, lms: &Lms, id: &str) -> Result<PreparedCall, Error> {
        PreparedCall::new(lms.edit_course(id, self.clone()))
    }

    #[inline]
    fn draft(&self) -> Result<Self, Error> {
        Ok(self.clone())
    }

    #[inline]
    fn take_password(_: &mut Self) -> Option<Secret> {
        None
    }

    #[inline]
    fn whole(&self, mut raw: RawObject) -> Result<RawObject, Error> {
        // An integer is documented as a string. A service that returns numbers may still accept only strings.
        for (name, value) in fields(self)? {
            if value.is_string() && raw.is_number(&name) {
                raw.set(&name, &value)?;
            }
        }
        Ok(raw)
    }

    // Numbers, flags and dates have no empty value, so they are left out. If the service keeps such a field, the
    // comparison finds it, and the caller can send an empty string instead, except for dates and derived fields.
    #[inline]
    fn cleared(change: &FieldChange) -> Option<Value> {
        let field = change.field();
        if Self::TIMES.contains(&field) || Self::DERIVED.contains(&field) {
            return None;
        }
        change.to().filter(|to| to.is_string()).cloned()
    }
}

/// The members of a JSON object as text, by name, known or not.
///
/// A generated type drops unknown members, and a parsed number loses its notation: `1.50` becomes `1.5`, and an
/// integer above 2^64 loses digits. To write back the exact object, members stay text until they are replaced.
#[derive(Clone, Default, Deserialize, Serialize)]
pub(crate) struct RawObject(BTreeMap<String, Box<RawValue>>);

impl RawObject {
    /// The object as JSON.
    #[inline]
    pub(crate) fn bytes(&self) -> Result<Bytes, Error> {
        let bytes = serde_json::to_vec(self).map_err(serialize_error)?;
        Ok(bytes.into())
    }

    /// Sets a member.
    #[inline]
    pub(crate) fn set(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let value = serde_json::value::to_raw_value(value).map_err(serialize_error)?;
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    #[inline]
    pub(crate) fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Returns `true` if a member is a number.
    #[inline]
    pub(crate) fn is_number(&self, name: &str) -> bool {
        let number = |c: char| c == '-' || c.is_ascii_digit();
        self.0
            .get(name)
            .is_some_and(|value| value.get().starts_with(number))
    }

    /// The names of the members that are not empty.
    pub(crate) fn non_empty(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .filter(|(_, value)| !matches!(value.get(), "null" | "false" | "\"\"" | "[]" | "{}"))
            .map(|(name, _)| name.as_str())
    }
}

impl fmt::Debug for RawObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} members, hidden>", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> RawObject {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn null_false_and_empty_members_are_empty() {
        let object =
            object(r#"{"a": null, "b": "", "c": [], "d": false, "e": {}, "f": 0, "g": "x"}"#);
        assert_eq!(object.non_empty().collect::<Vec<_>>(), ["f", "g"]);
    }
}
