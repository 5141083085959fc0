//! Compares a learner with the requested one, and applies the fields that an edit can set.

use lms_client::types;
use serde_json::Value;

use super::identity::Identity;
use crate::{
    edit::{FieldChange, equivalent, fields},
    error::Error,
};

/// The requested fields that have another value. Fields that were not requested are ignored.
#[inline]
pub(super) fn find_differences(
    wanted: &types::AddLearner,
    found: &types::Learner,
) -> Result<Vec<FieldChange>, Error> {
    let found = fields(found)?;
    let mut differs: Vec<FieldChange> = fields(&comparable(wanted)?)?
        .iter()
        // Compared below, ignoring case.
        .filter(|(name, _)| *name != "email")
        .filter(|(name, wanted)| match (wanted, found.get(*name)) {
            (Value::Array(wanted), Some(Value::Array(found))) => {
                !wanted.iter().all(|tag| found.contains(tag))
            }
            (wanted, found) => !equivalent(Some(wanted), found),
        })
        .map(|(name, wanted)| FieldChange::new(name, found.get(name), Some(wanted)))
        .collect();
    let email = found.get("email").and_then(Value::as_str);
    let compared = |email: &str| Identity::Email.normalized(email);
    if email.is_none_or(|email| compared(email) != compared(&wanted.email)) {
        let wanted = wanted.email.as_str().into();
        differs.push(FieldChange::new("email", found.get("email"), Some(&wanted)));
    }
    for flag in ["archived", "deleted"] {
        if found.get(flag) == Some(&true.into()) {
            differs.push(FieldChange::new(flag, found.get(flag), Some(&false.into())));
        }
    }
    // A learner does not contain them, and a job that adds them to new learners must not miss the existing ones.
    for (name, wanted) in [("courses", &wanted.courses), ("profiles", &wanted.profiles)] {
        if !wanted.is_empty() {
            let wanted = wanted.as_slice().into();
            differs.push(FieldChange::new(name, None, Some(&wanted)));
        }
    }
    Ok(differs)
}

/// Requested fields that a learner does not have, or not with the same content.
const INVISIBLE: [&str; 6] = [
    // Not what a learner has under the same name, if it has them.
    "courses",
    "profiles",
    "password",
    "generate_password",
    "send_email",
    "send_sms",
];

/// The requested fields that a learner also has.
#[inline]
pub(super) fn comparable(wanted: &types::AddLearner) -> Result<types::Learner, Error> {
    let mut fields = fields(wanted)?;
    fields.retain(|name, _| !INVISIBLE.contains(&name.as_str()));
    serde_json::from_value(Value::Object(fields)).map_err(|_| {
        let detail =
            "the new learner has a field that a learner has with another type; use add_learner()";
        Error::usage(detail)
    })
}

/// Sets the fields that an edit has, and returns the differences in the others. Tags are only added.
#[inline]
pub(super) fn apply_to_draft(
    draft: &mut types::EditLearner,
    differs: &[FieldChange],
) -> Result<Vec<FieldChange>, Error> {
    let mut edited = fields(draft)?;
    for change in differs {
        let wanted = match (edited.get(change.field()), change.to()) {
            (Some(Value::Array(found)), Some(Value::Array(wanted))) => {
                let new = wanted.iter().filter(|tag| !found.contains(tag));
                found.iter().chain(new).cloned().collect()
            }
            (_, wanted) => wanted.cloned().unwrap_or_default(),
        };
        edited.insert(change.field().to_owned(), wanted);
    }
    *draft = serde_json::from_value(Value::Object(edited)).map_err(|_| {
        let detail = "a requested field has another type in an edit; use update_learner()";
        Error::usage(detail)
    })?;
    let set = fields(draft)?;
    let left = differs
        .iter()
        .filter(|change| !set.contains_key(change.field()) && !equivalent(change.to(), None));
    Ok(left.cloned().collect())
}
