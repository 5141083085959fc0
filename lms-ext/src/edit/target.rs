//! The objects that can be edited, and how the body of their `PUT` is built.
//!
//! A learner is written as `EditLearner`, a type with fewer fields and a password; a course is written as the JSON
//! object that was read, including unknown fields.
//!
//! Functions in this module are `#[inline]`, so that only programs that edit something compile the serializers.

use lms_client::types;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    change::{FieldChange, fields},
    raw_object::RawObject,
};
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
