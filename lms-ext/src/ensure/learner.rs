//! Looks up a learner by email address, and compares it with the requested one.
//!
//! Functions are `#[inline]`, like those of edits, so that only programs that use them compile the serializers.

use lms_client::types;
use serde_json::Value;

use crate::{
    client::Lms,
    edit::{Change, equivalent, fields},
    error::{Error, ErrorKind},
    request::{Call, Operation},
};
use lms_client::builder as builders;

/// The learner with this email address, if there is one.
#[inline]
pub(super) async fn find(lms: Lms, email: String) -> Result<Option<types::Learner>, Error> {
    let found = match lms
        .get_learner_by_email()
        .email(email.as_str())
        .call()
        .await
    {
        Ok(learner) => learner,
        Err(error) if error.is_not_found() => return Ok(None),
        Err(error) => return Err(error),
    };
    let same = |found: &String| found.trim().to_lowercase() == email.trim().to_lowercase();
    // Otherwise the caller would enrol or edit another person.
    if found.email.as_ref().is_some_and(same) {
        return Ok(Some(found));
    }
    Err(Error::new(
        ErrorKind::Mismatch,
        "the response contains a learner with another email address, so nothing was added; check the address",
    )
    .with_fields(vec!["email".to_owned()])
    .in_operation(builders::GetLearnerByEmail::INFO))
}

/// The requested fields that have another value. Fields that were not requested are ignored.
#[inline]
pub(super) fn differs(
    wanted: &types::AddLearner,
    found: &types::Learner,
) -> Result<Vec<Change>, Error> {
    let found = fields(found)?;
    let mut differs: Vec<Change> = fields(&visible(wanted))?
        .iter()
        .filter(|(name, wanted)| match (wanted, found.get(*name)) {
            (Value::Array(wanted), Some(Value::Array(found))) => {
                !wanted.iter().all(|tag| found.contains(tag))
            }
            (wanted, found) => !equivalent(Some(wanted), found),
        })
        .map(|(name, wanted)| Change::new(name, found.get(name), Some(wanted)))
        .collect();
    for flag in ["archived", "deleted"] {
        if found.get(flag) == Some(&true.into()) {
            differs.push(Change::new(flag, found.get(flag), Some(&false.into())));
        }
    }
    Ok(differs)
}

/// The requested fields that a learner has, too.
#[inline]
fn visible(wanted: &types::AddLearner) -> types::Learner {
    let types::AddLearner {
        firstname,
        surname,
        username,
        phone_number,
        sso_id,
        signup_page,
        tags,
        // Compared by the lookup, ignoring case.
        email: _,
        // Not fields of a learner.
        courses: _,
        profiles: _,
        password: _,
        generate_password: _,
        send_email: _,
        send_sms: _,
    } = wanted;
    types::Learner {
        firstname: Some(firstname.clone()),
        surname: Some(surname.clone()),
        username: username.clone(),
        phone_number: phone_number.clone(),
        sso_id: sso_id.clone(),
        signup_page: signup_page.clone(),
        tags: tags.clone(),
        ..types::Learner::default()
    }
}
