//! What can be edited, and how the body of its `PUT` is made.
//!
//! Learners and courses differ in one thing that matters. A learner is written with a shape of its own,
//! `EditLearner`, which has nine fields, a password among them; a course is written with the document
//! that was read, members that nobody described included.
//!
//! The implementations are `inline`, here and in the files beside this one, so that programs that edit nothing have no
//! readers and writers for it.

use bytes::Bytes;
use lms_client::types;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    change::{Change, Fields, fields},
    raw_object::{RawObject, unwritable},
};
use crate::{client::Lms, error::Error, request::PreparedCall, values::Secret};

/// How one kind of object is read, changed and written.
pub(super) trait Editable: Serialize + DeserializeOwned + Send + 'static {
    /// What the caller changes.
    type Draft: Serialize;

    /// What it is called in messages.
    const NAME: &'static str;

    /// Fields that the service writes by itself, at any time.
    const MAINTAINED: &'static [&'static str];

    /// Fields that the service may write anew when others change; that they vanish is a loss.
    const DERIVED: &'static [&'static str];

    /// Fields that hold times, which the service may write in its own way.
    const TIMES: &'static [&'static str];

    /// Whether members that nobody described are sent back, and so are to be there afterwards.
    const SENDS_ALL: bool;

    fn read(lms: &Lms, id: &str) -> Result<PreparedCall, Error>;

    fn write(lms: &Lms, id: &str) -> Result<PreparedCall, Error>;

    /// What the caller starts from.
    fn draft(&self) -> Self::Draft;

    /// Takes out what is sent and never compared.
    fn take_password(draft: &mut Self::Draft) -> Option<Secret>;

    /// The body that makes `changes` and nothing else.
    fn body(
        &self,
        document: &RawObject,
        changes: &[Change],
        password: Option<&Secret>,
    ) -> Result<Bytes, Error>;

    /// How `change` is written, which is to clear its field; `None` to leave the field out.
    fn cleared(change: &Change) -> Option<Value>;
}

impl Editable for types::Learner {
    type Draft = types::EditLearner;

    const NAME: &'static str = "learner";
    const MAINTAINED: &'static [&'static str] = &["password", "updated", "last_logged_in"];
    const DERIVED: &'static [&'static str] = &["image"];
    const TIMES: &'static [&'static str] = &[];
    const SENDS_ALL: bool = false;

    #[inline]
    fn read(lms: &Lms, id: &str) -> Result<PreparedCall, Error> {
        PreparedCall::new(lms.get_learner_by_id().id(id))
    }

    #[inline]
    fn write(lms: &Lms, id: &str) -> Result<PreparedCall, Error> {
        PreparedCall::new(lms.edit_learner().id(id).body(Self::default().draft()))
    }

    #[inline]
    fn draft(&self) -> types::EditLearner {
        let text = |cached: &Option<String>| cached.clone().unwrap_or_default();
        types::EditLearner {
            email: text(&self.email),
            firstname: text(&self.firstname),
            id: self.id.clone(),
            notes: self.notes.clone(),
            password: None,
            phone_number: self.phone_number.clone(),
            surname: text(&self.surname),
            tags: self.tags.clone(),
            username: self.username.clone(),
        }
    }

    #[inline]
    fn take_password(draft: &mut types::EditLearner) -> Option<Secret> {
        draft.password.take().map(Secret::from)
    }

    #[inline]
    fn body(
        &self,
        _: &RawObject,
        changes: &[Change],
        password: Option<&Secret>,
    ) -> Result<Bytes, Error> {
        let mut body = fields(&self.draft())?;
        apply(&mut body, changes);
        if let Some(password) = password {
            body.insert("password".to_owned(), password.expose().into());
        }
        let bytes = serde_json::to_vec(&body).map_err(unwritable)?;
        Ok(bytes.into())
    }

    /// By its empty value. "All fields are updated" (§2) can mean that a field left out is wiped, or that
    /// each field sent is written; an empty text and an empty list say the same in both.
    #[inline]
    fn cleared(change: &Change) -> Option<Value> {
        Some(match change.from() {
            Some(Value::Array(_)) => Value::Array(Vec::new()),
            _ => Value::String(String::new()),
        })
    }
}

impl Editable for types::Course {
    type Draft = Self;

    const NAME: &'static str = "course";
    const MAINTAINED: &'static [&'static str] = &["modified", "user_version"];
    const DERIVED: &'static [&'static str] = &["permalink", "cover_art_url", "thumbnail_url"];
    const TIMES: &'static [&'static str] = &["auto_due_date", "renewal_date"];
    const SENDS_ALL: bool = true;

    #[inline]
    fn read(lms: &Lms, id: &str) -> Result<PreparedCall, Error> {
        PreparedCall::new(lms.get_course().id(id))
    }

    #[inline]
    fn write(lms: &Lms, id: &str) -> Result<PreparedCall, Error> {
        PreparedCall::new(lms.edit_course().id(id).body(Self::default()))
    }

    #[inline]
    fn draft(&self) -> Self {
        self.clone()
    }

    #[inline]
    fn take_password(_: &mut Self) -> Option<Secret> {
        None
    }

    #[inline]
    fn body(
        &self,
        document: &RawObject,
        changes: &[Change],
        _: Option<&Secret>,
    ) -> Result<Bytes, Error> {
        let mut document = document.clone();
        for change in changes {
            match &change.to {
                Some(value) => document.set(&change.field, value)?,
                None => document.remove(&change.field),
            }
        }
        document.bytes()
    }

    /// By leaving it out: a course has numbers, flags and dates, for which no empty value is right under
    /// every reading of the schema. A service that keeps what is left out is found by the comparison. A text that was
    /// emptied is sent so: that is what to do about such a service. But what is a date, and what the service makes anew,
    /// is left out all the same.
    #[inline]
    fn cleared(change: &Change) -> Option<Value> {
        let field = change.field();
        if Self::TIMES.contains(&field) || Self::DERIVED.contains(&field) {
            return None;
        }
        change.to().filter(|to| to.is_string()).cloned()
    }
}

/// Makes changes to fields.
#[inline]
pub(super) fn apply(fields: &mut Fields, changes: &[Change]) {
    for change in changes {
        match &change.to {
            Some(value) => fields.insert(change.field.clone(), value.clone()),
            None => fields.remove(&change.field),
        };
    }
}
