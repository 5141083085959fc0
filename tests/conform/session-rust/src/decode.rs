//! Calls every operation once, against a mock whose values are arbitrary.
//!
//! A mock made from the document responds with anything that the document allows. All of it must decode.

use anyhow::ensure;
use lms_ext::prelude::*;

use crate::session::{Session, Tenant};

pub(crate) async fn all(tenant: &Tenant) -> anyhow::Result<()> {
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
    each!(lms.test(), lms.me(), lms.get_token().body(token));

    let new = types::AddCourse::builder().name("Lifting");
    let course = types::Course::builder().name("Lifting".to_owned());
    let copy = types::AddDuplicateCourse::builder().course("c1");
    each!(
        lms.add_course().body(new),
        lms.list_courses().limit(5).archived(false),
        lms.get_course().id("c1"),
        lms.edit_course().id("c1").body(course),
        lms.delete_course().id("c1"),
        lms.add_duplicate_course().body(copy),
        lms.view_duplicate_course().id("d1"),
        lms.list_topics().course("c1"),
        lms.get_topic().id("t1"),
    );

    let email = "jo@acme.example";
    let new = types::AddLearner::builder();
    let new = new.firstname("Jo").surname("Bell").email(email);
    let edit = types::EditLearner::builder();
    let edit = edit.firstname("Jo").surname("Bell").email(email);
    each!(
        lms.add_learner().body(new),
        lms.list_learners().tags(vec!["a".to_owned()]),
        lms.get_learner_by_email().email(email),
        lms.get_learner_by_id().id("l1"),
        lms.edit_learner().id("l1").body(edit),
        lms.delete_learner().id("l1"),
    );

    let new = types::AddEnrolment::builder().course("c1").user("l1");
    each!(
        lms.add_enrolment().body(new),
        lms.list_enrolments().user("l1"),
        lms.delete_enrolment().course("c1").user("l1"),
        lms.get_topic_progress().user("l1").topic("t1"),
        lms.list_topic_progress().completed(true),
        lms.get_course_progress().course("c1").user("l1"),
        lms.list_course_completions().course("c1"),
        lms.get_user_field().id("f1"),
        lms.list_user_fields(),
        lms.list_user_field_permissions().user("l1"),
        lms.get_active_record().user("l1").user_field("f1"),
        lms.list_signup_pages(),
        lms.list_profiles(),
        lms.list_tags(),
    );

    let count = session.all_called()?;
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{count} operations decode");
    Ok(())
}
