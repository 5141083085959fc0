//! Reads an object, applies an edit, writes the object and compares the response.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    change::{Edited, FieldChange, changes, equivalent, fields, names, non_empty},
    target::{Editable, RawObject},
};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    request::decode,
    values::{OperationInfo, Secret},
};
use lms_client::wire::Timestamp;

/// An object as it was read: as JSON, and as its type.
#[derive(Debug)]
pub(super) struct Snapshot<T> {
    raw: RawObject,
    value: T,
    operation: &'static OperationInfo,
}

/// The changes that a closure made.
#[derive(Clone, Debug, Default)]
pub(super) struct Edit {
    pub(super) changes: Vec<FieldChange>,
    pub(super) password: Option<Secret>,
}

impl Edit {
    #[inline]
    fn change(&self, field: &str) -> Option<&FieldChange> {
        self.changes.iter().find(|change| change.field == field)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.password.is_none()
    }

    /// The changes, with a hidden password.
    #[inline]
    fn into_visible(self) -> Vec<FieldChange> {
        let mut changes = self.changes;
        if self.password.is_some() {
            changes.push(FieldChange::new("password", None, Some(&"<hidden>".into())));
        }
        changes
    }
}

impl<T: Editable> Snapshot<T> {
    pub(super) async fn read(lms: &Lms, id: &str) -> Result<Self, Error> {
        let call = T::read(lms, id)?;
        let operation = call.operation();
        let snapshot = Self::from_raw(call.value().await?, operation)?;
        // Writing it back would overwrite the requested object with the content of none.
        if non_empty(fields(&snapshot.value)?.get("id")).is_some() {
            return Ok(snapshot);
        }
        let detail = format!(
            "the response to reading the {} contains no `id`, so nothing was written; check the id, and what the server returns for it",
            T::NAME
        );
        Err(Error::new(ErrorKind::Decode, detail)
            .with_fields(vec!["id".to_owned()])
            .in_operation(operation))
    }

    #[inline]
    fn from_raw(raw: RawObject, operation: &'static OperationInfo) -> Result<Self, Error> {
        let value = decode(&raw.bytes()?).map_err(|error| error.in_operation(operation))?;
        Ok(Self {
            raw,
            value,
            operation,
        })
    }

    /// Applies the closure, and returns its result.
    pub(super) fn edit<R>(
        &self,
        edit: impl FnOnce(&mut T::Draft) -> R,
    ) -> Result<(Edit, R), Error> {
        let mut draft = self.value.draft()?;
        let before = fields(&draft)?;
        let returned = edit(&mut draft);
        let password = T::take_password(&mut draft);
        if password.as_ref().is_some_and(Secret::is_empty) {
            return Err(Error::usage(
                "the new password is empty; leave it `None` to keep the current one",
            ));
        }
        let mut changes = changes(&before, &fields(&draft)?);
        for change in &mut changes {
            if change.from.is_some() && non_empty(change.to.as_ref()).is_none() {
                change.to = T::cleared(change);
            }
        }
        let edit = Edit { changes, password };
        if edit.change("id").is_some() {
            return Err(Error::usage(format!(
                "an edit cannot change the id of a {}; do not set `id`",
                T::NAME
            )));
        }
        self.check_required(&edit)?;
        Ok((edit, returned))
    }

    /// Fails if a required field was neither read nor is set by the edit: it would be written as empty.
    fn check_required(&self, edit: &Edit) -> Result<(), Error> {
        if edit.is_empty() {
            return Ok(());
        }
        let read = fields(&self.value)?;
        let missing: Vec<String> = T::REQUIRED
            .iter()
            .filter(|field| read.get(**field).is_none_or(Value::is_null))
            .filter(|field| {
                let change = edit.change(field);
                non_empty(change.and_then(FieldChange::to)).is_none()
            })
            .map(|field| (*field).to_owned())
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let detail = format!(
            "the {} was read without {}, which every edit writes, so nothing was written; set the missing fields in the edit",
            T::NAME,
            missing.join(", ")
        );
        Err(Error::new(ErrorKind::Decode, detail)
            .with_fields(missing)
            .in_operation(self.operation))
    }

    /// The result of an edit that is not made.
    pub(super) fn plan(self, edit: Edit) -> Edited<T> {
        Edited {
            value: self.value,
            changes: edit.into_visible(),
            written: false,
        }
    }

    /// Writes the object and compares the response.
    pub(super) async fn write(self, lms: Lms, id: String, edit: Edit) -> Result<Edited<T>, Error> {
        let mut call = self.value.write(&lms, &id)?;
        let operation = call.operation();
        let mut body = self.value.whole(self.raw.clone())?;
        for change in &edit.changes {
            match &change.to {
                Some(value) => body.set(&change.field, value)?,
                None => body.remove(&change.field),
            }
        }
        if let Some(password) = &edit.password {
            body.set("password", &password.expose().into())?;
        }
        *call.request.body_mut() = Some(body.bytes()?.into());
        let response = Self::from_raw(call.value().await?, operation)?;
        let mismatched = self.mismatched(&edit, &response)?;
        if mismatched.is_empty() {
            return Ok(Edited {
                value: response.value,
                changes: edit.into_visible(),
                written: true,
            });
        }
        let detail = format!(
            "the {} was written, but the response differs from the intended result in {}; read it to see its current state",
            T::NAME,
            mismatched.join(", ")
        );
        Err(Error::new(ErrorKind::Mismatch, detail)
            .with_fields(mismatched)
            .in_operation(operation))
    }

    /// The fields of the response that differ from the intended result.
    fn mismatched(&self, edit: &Edit, response: &Self) -> Result<Vec<String>, Error> {
        let mut meant = fields(&self.value)?;
        for change in &edit.changes {
            match &change.to {
                Some(value) => meant.insert(change.field.clone(), value.clone()),
                None => meant.remove(&change.field),
            };
        }
        let found = fields(&response.value)?;
        let mut mismatched: Vec<String> = names(&meant, &found)
            .into_iter()
            .filter(|name| {
                let (meant, found) = (meant.get(*name), found.get(*name));
                if T::TIMES.contains(name) && same_time(meant, found) {
                    return false;
                }
                match edit.change(name) {
                    // The service may set a default for a field that is left out.
                    Some(FieldChange { from, to: None, .. }) => equivalent(found, from.as_ref()),
                    Some(_) => !written_as(meant, found),
                    None if T::MAINTAINED.contains(name) => false,
                    None if T::DERIVED.contains(name) => {
                        non_empty(meant).is_some() && non_empty(found).is_none()
                    }
                    None => !written_as(meant, found),
                }
            })
            .map(str::to_owned)
            .collect();
        if T::SENDS_ALL {
            // An unknown field may be a counter or a time, so it may change, but must not be lost.
            let known = |name: &str| meant.contains_key(name) || edit.change(name).is_some();
            let remaining: HashSet<_> = response.raw.non_empty().collect();
            mismatched.extend(
                self.raw
                    .non_empty()
                    .filter(|name| !known(name) && !remaining.contains(name))
                    .map(str::to_owned),
            );
        }
        Ok(mismatched)
    }
}

/// Returns `true` if two strings are the same time, in UTC if they have no zone.
#[inline]
fn same_time(one: Option<&Value>, other: Option<&Value>) -> bool {
    let time = |value: Option<&Value>| {
        let text = value.and_then(Value::as_str)?;
        Timestamp::new(text).assuming_utc().ok()
    };
    time(one).is_some_and(|one| Some(one) == time(other))
}

/// Returns `true` if a field came back as it was sent; a service may leave out `false`.
#[inline]
fn written_as(meant: Option<&Value>, found: Option<&Value>) -> bool {
    let unless_false = |value| non_empty(value).filter(|value| **value != Value::Bool(false));
    equivalent(unless_false(meant), unless_false(found))
}
