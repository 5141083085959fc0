//! Calls every operation once, against a mock whose values are arbitrary.
//!
//! A mock made from the document responds with anything that the document allows. All of it must decode.

use anyhow::ensure;
use lms_ext::prelude::*;

use crate::session::{Session, Tenant};

/// Calls every operation once, and checks only that each response decodes.
///
/// # Errors
///
/// The operations whose responses do not decode, or that were not called.
pub async fn all(tenant: &Tenant) -> anyhow::Result<String> {
    let session = tenant.session_without_credentials()?;
    let mut failures = Vec::new();
    macro_rules! each {
        ($($operation:expr),* $(,)?) => {$(
            if let Err(error) = session.try_call($operation).await {
                failures.push(format!("{error:#}"));
            }
        )*};
    }
    let Session { lms, .. } = &session;
    let token = types::TokenRequest::builder()
        .grant_type("client_credentials".to_owned())
        .client_id(Some(tenant.client_id.parse::<Int64>()?))
        .client_secret(tenant.client_secret.clone());
    each!(lms.test(), lms.me(), lms.get_token(token));

    let course = types::Course::builder().name("Lifting".to_owned());
    each!(
        lms.add_course("Lifting"),
        lms.list_courses().limit(5).archived(false),
        lms.get_course("c1"),
        lms.edit_course("c1", course),
        lms.delete_course("c1"),
        lms.add_duplicate_course("c1"),
        lms.view_duplicate_course("d1"),
        lms.list_topics().course("c1"),
        lms.get_topic("t1"),
    );

    let email = "jo@acme.example";
    let edit = types::EditLearner::builder("Jo", "Bell", email);
    each!(
        lms.add_learner("Jo", "Bell", email),
        lms.list_learners().tags(vec!["a".to_owned()]),
        lms.get_learner_by_email(email),
        lms.get_learner_by_id("l1"),
        lms.edit_learner("l1", edit),
        lms.delete_learner("l1"),
    );

    each!(
        lms.add_enrolment("c1", "l1"),
        lms.list_enrolments().user("l1"),
        lms.delete_enrolment().course("c1").user("l1"),
        lms.get_topic_progress("l1", "t1"),
        lms.list_topic_progress().completed(true),
        lms.get_course_progress("c1", "l1"),
        lms.list_course_completions().course("c1"),
        lms.get_user_field("f1"),
        lms.list_user_fields(),
        lms.list_user_field_permissions("l1"),
        lms.get_active_record("l1", "f1"),
        lms.list_signup_pages(),
        lms.list_profiles(),
        lms.list_tags(),
    );

    let count = session.all_called(file!())?;
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(format!("{count} operations decode"))
}
