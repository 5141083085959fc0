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
    let mut differs: Vec<Change> = fields(&visible(wanted)?)?
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
    // A learner does not contain them, and a job that adds them to new learners must not miss the existing ones.
    for (name, wanted) in [("courses", &wanted.courses), ("profiles", &wanted.profiles)] {
        if !wanted.is_empty() {
            let wanted = wanted.as_slice().into();
            differs.push(Change::new(name, None, Some(&wanted)));
        }
    }
    Ok(differs)
}

/// Requested fields that are not compared.
const NOT_COMPARED: [&str; 7] = [
    // Compared by the lookup, ignoring case.
    "email",
    // Not what a learner has under the same name, if it has them.
    "courses",
    "profiles",
    "password",
    "generate_password",
    "send_email",
    "send_sms",
];

/// The requested fields that a learner has, too.
#[inline]
fn visible(wanted: &types::AddLearner) -> Result<types::Learner, Error> {
    let mut fields = fields(wanted)?;
    fields.retain(|name, _| !NOT_COMPARED.contains(&name.as_str()));
    serde_json::from_value(Value::Object(fields)).map_err(|_| {
        let detail =
            "the new learner has a field that a learner has with another type; use add_learner()";
        Error::usage(detail)
    })
}
