//! One read, and the write that may follow it.

use serde_json::Value;

use super::{
    Edited,
    change::{Change, Fields, alike, changes, fields, names, something},
    raw_object::RawObject,
    target::{Editable, apply},
};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    request::{decode, path_at_offset},
    values::{OperationInfo, Secret},
};
use lms_client::wire::Timestamp;

/// An object as it is now: as text, and as its type.
#[derive(Debug)]
pub(super) struct Snapshot<T> {
    document: RawObject,
    value: T,
}

/// What is to be different.
#[derive(Clone, Debug, Default)]
pub(super) struct Edit {
    pub(super) changes: Vec<Change>,
    pub(super) password: Option<Secret>,
}

impl Edit {
    #[inline]
    fn of(&self, field: &str) -> Option<&Change> {
        self.changes.iter().find(|change| change.field == field)
    }
}

impl<T: Editable> Snapshot<T> {
    /// Reads the object with this id.
    pub(super) async fn read(lms: &Lms, id: &str) -> Result<Self, Error> {
        let mut call = T::read(lms, id)?;
        let operation = call.operation;
        let snapshot = Self::of(call.response().await?.value, operation)?;
        // Written back, the content of one object would overwrite another.
        let cached = fields(&snapshot.value)?;
        match something(cached.get("id")) {
            Some(cached) if cached != id => Err(Error::new(
                ErrorKind::Mismatch,
                format!(
                    "the tenant answered with another {} than was asked for, so nothing was written; check the id",
                    T::NAME
                ),
            )
            .with_fields(vec!["id".to_owned()])
            .in_operation(operation)),
            _ => Ok(snapshot),
        }
    }

    #[inline]
    fn of(document: RawObject, operation: &'static OperationInfo) -> Result<Self, Error> {
        let value = decode(&document.bytes()?, path_at_offset)
            .map_err(|error| error.in_operation(operation))?;
        Ok(Self { document, value })
    }

    /// What a closure makes of it.
    pub(super) fn edit(&self, edit: impl FnOnce(&mut T::Draft)) -> Result<Edit, Error> {
        let before = fields(&self.value.draft())?;
        let mut draft = self.value.draft();
        edit(&mut draft);
        let password = T::take_password(&mut draft);
        if password.as_ref().is_some_and(Secret::is_empty) {
            return Err(Error::usage(
                "the new password is empty; leave it `None` to keep the one the learner has",
            ));
        }
        let mut changes = changes(&before, &fields(&draft)?);
        for change in &mut changes {
            if change.from.is_some() && something(change.to.as_ref()).is_none() {
                change.to = T::cleared(change);
            }
        }
        let edit = Edit { changes, password };
        if edit.of("id").is_some() {
            return Err(Error::usage(format!(
                "an edit cannot change the id of a {}; leave `id` as it is",
                T::NAME
            )));
        }
        Ok(edit)
    }

    /// The fields of an edit that hold neither what it started from nor what it leads to.
    pub(super) fn overtaken(&self, edit: &Edit) -> Result<Vec<String>, Error> {
        let cached = fields(&self.value)?;
        Ok(edit
            .changes
            .iter()
            .filter(|change| {
                let cached = cached.get(&change.field);
                !alike(cached, change.from()) && !alike(cached, change.to())
            })
            .map(|change| change.field.clone())
            .collect())
    }

    /// Writes an edit, unless everything is as it should be already, and compares the answer.
    pub(super) async fn write(self, lms: &Lms, id: &str, edit: Edit) -> Result<Edited<T>, Error> {
        let cached = fields(&self.value)?;
        let done = edit
            .changes
            .iter()
            .all(|change| alike(cached.get(&change.field), change.to()));
        if done && edit.password.is_none() {
            return Ok(Edited::unwritten(self.value));
        }
        let mut call = T::write(lms, id)?;
        let operation = call.operation;
        let body = self
            .value
            .body(&self.document, &edit.changes, edit.password.as_ref())?;
        *call.request.body_mut() = Some(body.into());
        let answer = Self::of(call.response().await?.value, operation)?;
        let missed = self.missed(cached, &edit, &answer)?;
        if missed.is_empty() {
            return Ok(Edited::written(answer.value, &edit));
        }
        let detail = format!(
            "the {} was written, and the answer is not what was meant in {}; read it to see what it is now",
            T::NAME,
            missed.join(", ")
        );
        Err(Error::new(ErrorKind::Mismatch, detail)
            .with_fields(missed)
            .in_operation(operation))
    }

    /// The fields of the answer to a write that are not as they were meant to be.
    fn missed(&self, cached: Fields, edit: &Edit, answer: &Self) -> Result<Vec<String>, Error> {
        let mut meant = cached;
        apply(&mut meant, &edit.changes);
        let found = fields(&answer.value)?;
        let mut missed: Vec<String> = names(&meant, &found)
            .into_iter()
            .filter(|name| {
                let (meant, found) = (meant.get(*name), found.get(*name));
                if T::TIMES.contains(name) && same_time(meant, found) {
                    return false;
                }
                match edit.of(name) {
                    // Left out: the service may have a default of its own for it.
                    Some(Change { from, to: None, .. }) => alike(found, from.as_ref()),
                    Some(_) => !written_as(meant, found),
                    None if T::MAINTAINED.contains(name) => false,
                    None if T::DERIVED.contains(name) => {
                        something(meant).is_some() && something(found).is_none()
                    }
                    None => !written_as(meant, found),
                }
            })
            .map(str::to_owned)
            .collect();
        if T::SENDS_ALL {
            // What nobody described may be a counter or a time: it only must not be lost.
            let known = |name: &str| meant.contains_key(name) || edit.of(name).is_some();
            let left: Vec<_> = answer.document.filled().collect();
            missed.extend(
                self.document
                    .filled()
                    .filter(|name| !known(name) && !left.contains(name))
                    .map(str::to_owned),
            );
        }
        Ok(missed)
    }
}

/// Whether two texts say the same time, in UTC where they name no zone.
#[inline]
fn same_time(one: Option<&Value>, other: Option<&Value>) -> bool {
    let time = |value: Option<&Value>| {
        let text = value.and_then(Value::as_str)?;
        Timestamp::new(text).assuming_utc().ok()
    };
    time(one).is_some_and(|one| Some(one) == time(other))
}

/// Whether a field came back as it was sent; a service may leave out what is false.
#[inline]
fn written_as(meant: Option<&Value>, found: Option<&Value>) -> bool {
    let truth = |value| something(value).filter(|value| **value != Value::Bool(false));
    alike(truth(meant), truth(found))
}
