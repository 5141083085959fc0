//! Every operation once, at a tenant whose values mean nothing.
//!
//! A mock made from the document answers with whatever the document allows. What matters is that all of it decodes.

use anyhow::ensure;
use lms_ext::{Operation, prelude::*};

use crate::session::{Talk, Tenant};

pub(crate) async fn all(tenant: &Tenant) -> anyhow::Result<()> {
    let talk = tenant.session_without_credentials()?;
    let mut seen = Seen::default();
    let lms = &talk.lms;
    seen.take(&talk, lms.test()).await;
    seen.take(&talk, lms.me()).await;
    seen.take(&talk, lms.get_token().body(token(tenant)?)).await;
    seen.courses(&talk).await;
    seen.learners(&talk).await;
    seen.enrolments(&talk).await;
    seen.custom_fields(&talk).await;
    seen.take(&talk, lms.list_signup_pages()).await;
    seen.take(&talk, lms.list_profiles()).await;
    seen.take(&talk, lms.list_tags()).await;

    let count = talk.was_complete()?;
    ensure!(seen.failures.is_empty(), "{}", seen.failures.join("\n"));
    println!("{count} operations decode");
    Ok(())
}

fn token(tenant: &Tenant) -> anyhow::Result<types::builder::TokenRequest> {
    Ok(types::TokenRequest::builder()
        .grant_type("client_credentials".to_owned())
        .client_id(Some(tenant.client_id.parse::<Int64>()?))
        .client_secret(tenant.client_secret.clone()))
}

/// What did not decode.
#[derive(Default)]
struct Seen {
    failures: Vec<String>,
}

impl Seen {
    async fn take<O: Operation>(&mut self, talk: &Talk, operation: O) {
        if let Err(error) = talk.answered(operation).await {
            self.failures.push(format!("{error:#}"));
        }
    }

    async fn courses(&mut self, talk: &Talk) {
        let lms = &talk.lms;
        let name = types::AddCourse::builder().name("Lifting");
        self.take(talk, lms.add_course().body(name)).await;
        self.take(talk, lms.list_courses().limit(5).archived(false))
            .await;
        self.take(talk, lms.get_course().id("c1")).await;
        let course = types::Course::builder().name("Lifting".to_owned());
        self.take(talk, lms.edit_course().id("c1").body(course))
            .await;
        self.take(talk, lms.delete_course().id("c1")).await;
        let copy = types::AddDuplicateCourse::builder().course("c1");
        self.take(talk, lms.add_duplicate_course().body(copy)).await;
        self.take(talk, lms.view_duplicate_course().id("d1")).await;
        self.take(talk, lms.list_topics().course("c1")).await;
        self.take(talk, lms.get_topic().id("t1")).await;
    }

    async fn learners(&mut self, talk: &Talk) {
        let lms = &talk.lms;
        let learner = types::AddLearner::builder()
            .firstname("Jo")
            .surname("Bell")
            .email("jo@acme.example");
        self.take(talk, lms.add_learner().body(learner)).await;
        self.take(talk, lms.list_learners().tags(vec!["a".to_owned()]))
            .await;
        self.take(talk, lms.get_learner_by_email().email("jo@acme.example"))
            .await;
        self.take(talk, lms.get_learner_by_id().id("l1")).await;
        let learner = types::EditLearner::builder()
            .firstname("Jo")
            .surname("Bell")
            .email("jo@acme.example");
        self.take(talk, lms.edit_learner().id("l1").body(learner))
            .await;
        self.take(talk, lms.delete_learner().id("l1")).await;
    }

    async fn enrolments(&mut self, talk: &Talk) {
        let lms = &talk.lms;
        let enrolment = types::AddEnrolment::builder().course("c1").user("l1");
        self.take(talk, lms.add_enrolment().body(enrolment)).await;
        self.take(talk, lms.list_enrolments().user("l1")).await;
        self.take(talk, lms.delete_enrolment().course("c1").user("l1"))
            .await;
        self.take(talk, lms.get_topic_progress().user("l1").topic("t1"))
            .await;
        self.take(talk, lms.list_topic_progress().completed(true))
            .await;
        self.take(talk, lms.get_course_progress().course("c1").user("l1"))
            .await;
        self.take(talk, lms.list_course_completions().course("c1"))
            .await;
    }

    async fn custom_fields(&mut self, talk: &Talk) {
        let lms = &talk.lms;
        self.take(talk, lms.get_user_field().id("f1")).await;
        self.take(talk, lms.list_user_fields()).await;
        self.take(talk, lms.list_user_field_permissions().user("l1"))
            .await;
        self.take(talk, lms.get_active_record().user("l1").user_field("f1"))
            .await;
    }
}
