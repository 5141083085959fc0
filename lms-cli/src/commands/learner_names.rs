//! Learners by name: a command takes an email address or a username wherever it takes the id of a learner.

use lms_ext::Lms;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    applied::Problem,
    call::{Call, raw},
};
use crate::failure::Failure;

/// The format of the ids of learners in the document.
pub(super) const FORMAT: &str = "learner-id";

/// The fields that identify a learner.
#[derive(Debug, Deserialize)]
struct Learner {
    id: Option<String>,
    email: Option<String>,
    username: Option<String>,
    deleted: Option<bool>,
}

/// Finds the learners that a call names.
pub(super) async fn find_all(lms: &Lms, call: &mut Call) -> Result<(), Failure> {
    let mut ids = Vec::new();
    for name in names(call) {
        ids.push((find(lms, &name).await?, name));
    }
    replace(call, |name| {
        let found = ids.iter().find(|(_, known)| known == name);
        Ok(found.map_or(name, |(id, _)| id).to_owned())
    })
}

/// The learners that a call names.
pub(super) fn names(call: &Call) -> Vec<String> {
    let mut names = Vec::new();
    let mut call = call.clone();
    let collected = replace(&mut call, |name| {
        names.push(name.to_owned());
        Ok(name.to_owned())
    });
    // Putting the same text back cannot fail.
    debug_assert!(collected.is_ok());
    names
}

/// Replaces the names of learners.
pub(super) fn replace(
    call: &mut Call,
    id: impl FnMut(&str) -> Result<String, Failure>,
) -> Result<(), Failure> {
    call.input.replace_ids(call.command, FORMAT, id)
}

/// The id of the learner with this id, email address or username.
///
/// # Errors
///
/// Not found, or refused if there are several.
pub(super) async fn find(lms: &Lms, name: &str) -> Result<String, Problem> {
    let missing = if name.contains('@') {
        None
    } else {
        let request = raw(lms, "get_learner_by_id", &[name])?;
        match request.call_as::<Box<RawValue>>().await {
            Ok(_) => return Ok(name.to_owned()),
            Err(error) if error.is_not_found() => Some(error),
            Err(error) => return Err(error.into()),
        }
    };
    let mut ids = listed(lms, "username", name, |learner| learner.username.as_deref()).await?;
    if name.contains('@') {
        ids.extend(listed(lms, "email", name, |learner| learner.email.as_deref()).await?);
    }
    ids.sort();
    ids.dedup();
    match (ids.as_slice(), missing) {
        ([id], _) => Ok(id.clone()),
        ([], Some(error)) => Err(error.into()),
        ([], None) => Err(Failure::not_found(format!(
            "there is no learner with the email address or username {name}"
        ))
        .advice("`lms learners list` shows what there is")
        .into()),
        (several, _) => Err(Failure::usage(format!(
            "{name} is the name of several learners: {}",
            several.join(", ")
        ))
        .advice("use the id of one of them")
        .into()),
    }
}

/// The ids of the learners whose field has this value. Whether a filter compares whole values is not documented.
async fn listed(
    lms: &Lms,
    filter: &str,
    value: &str,
    field: impl Fn(&Learner) -> Option<&str>,
) -> Result<Vec<String>, Problem> {
    let mut items = raw(lms, "list_learners", &[])?.query(filter, value).items();
    let mut ids = Vec::new();
    while let Some(item) = items.try_next().await? {
        let Ok(learner) = serde_json::from_str::<Learner>(item.get()) else {
            continue;
        };
        let is_it = field(&learner).is_some_and(|text| text.eq_ignore_ascii_case(value));
        if is_it && learner.deleted != Some(true) {
            ids.extend(learner.id);
        }
    }
    Ok(ids)
}
