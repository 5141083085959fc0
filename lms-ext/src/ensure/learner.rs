//! Finding a learner by address, and comparing with what was asked for.
//!
//! It is `inline`, as are edits, with which it compares.

use lms_client::types;
use serde_json::Value;

use crate::{
    client::Lms,
    edit::{Change, equivalent, fields},
    error::{Error, ErrorKind},
    request::{Call, Operation},
};
use lms_client::builder as builders;

/// The learner with this address, if there is one.
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
    let same = |cached: &String| cached.trim().to_lowercase() == email.trim().to_lowercase();
    // Taken for the one who was asked for, somebody else would be given courses and edits.
    if found.email.as_ref().is_some_and(same) {
        return Ok(Some(found));
    }
    Err(Error::new(
        ErrorKind::Mismatch,
        "the tenant answered with a learner who does not have that address; nothing was added",
    )
    .with_fields(vec!["email".to_owned()])
    .in_operation(builders::GetLearnerByEmail::INFO))
}

/// What a learner holds otherwise than it was asked for; what was not asked for does not count.
#[inline]
pub(super) fn differs(
    wanted: &types::AddLearner,
    cached: &types::Learner,
) -> Result<Vec<Change>, Error> {
    let cached = fields(cached)?;
    let mut differs: Vec<Change> = fields(&visible(wanted))?
        .iter()
        .filter(|(name, wanted)| {
            let cached = cached.get(*name);
            match (wanted, cached) {
                (Value::Array(wanted), Some(Value::Array(cached))) => {
                    !wanted.iter().all(|tag| cached.contains(tag))
                }
                (wanted, cached) => !equivalent(Some(wanted), cached),
            }
        })
        .map(|(name, wanted)| Change::new(name, cached.get(name), Some(wanted)))
        .collect();
    for flag in ["archived", "deleted"] {
        if cached.get(flag) == Some(&true.into()) {
            differs.push(Change::new(flag, cached.get(flag), Some(&false.into())));
        }
    }
    Ok(differs)
}

/// What was asked for and can be seen in a learner afterwards.
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
        // Found by it, whatever its case.
        email: _,
        // Not seen in a learner.
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
