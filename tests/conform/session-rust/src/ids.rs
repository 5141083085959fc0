//! Ids of existing objects.
//!
//! A checker that invents ids gets only 404s. Among these are an enrolled learner and a topic of the same course, for the
//! paths with two ids.

use anyhow::Context as _;
use lms_ext::prelude::*;
use serde_json::json;

use crate::{Tenant, first, id};

/// Numbers of learners to delete and to enrol in one run.
const SPARE: usize = 30;

/// Ids of existing objects as JSON, for checkers that cannot know any.
///
/// # Errors
///
/// The tenant lacks an object.
pub async fn json(tenant: &Tenant) -> anyhow::Result<String> {
    let lms = tenant.session()?.lms;
    let enrolled = first(lms.list_course_completions().limit(1).call().await?.items)?;
    let (course, learner) = (id(enrolled.course)?, id(enrolled.user)?);
    let topics = lms.list_topics().course(&course).call().await?;
    let fields = lms.list_user_fields().call().await?;
    let learners = lms.list_learners().limit(200).call().await?.items;
    let courses = lms.list_courses().limit(200).call().await?.items;
    let task = lms.add_duplicate_course(&course).call().await?;
    let email = lms.get_learner_by_id(&learner).call().await?.email;
    let page = first(lms.list_signup_pages().call().await?.items)?;
    let profile = first(lms.list_profiles().call().await?.items)?;
    // From the end of the list, so that the enrolled learner is not among them.
    let mut others = learners
        .into_iter()
        .rev()
        .filter_map(|learner| learner.id)
        .filter(|other| *other != learner);
    let spare_learners: Vec<_> = others.by_ref().take(SPARE).collect();
    let pupils: Vec<_> = others.take(SPARE).collect();
    let spare_courses: Vec<_> = courses
        .into_iter()
        .filter_map(|other| other.id)
        .filter(|other| *other != course)
        .take(3)
        .collect();
    let ids = json!({
        "course": course,
        "learner": learner,
        "email": email.context("a learner has no email")?,
        "topic": id(first(topics.items)?.id)?,
        "user_field": id(first(fields.items)?.id)?,
        "task": id(task.id)?,
        "signup_page": id(page.id)?,
        "profile": id(profile.id)?,
        // To edit and delete.
        "spare_learners": spare_learners,
        "spare_courses": spare_courses,
        // To enrol.
        "pupils": pupils,
    });
    Ok(ids.to_string())
}
