//! Sessions with a tenant through `lms-ext`, for the outside checkers of `cargo xtask conform`.
//!
//! `LMS_BASE_URL`, `LMS_CLIENT_ID` and `LMS_CLIENT_SECRET` name the tenant, and the argument the session.
#![expect(
    clippy::print_stdout,
    reason = "a command-line program writes to standard output"
)]

use anyhow::{Context as _, bail, ensure};
use lms_ext::{LmsBuilder, OPERATIONS, id::Id, prelude::*};
use lms_sandbox::Operation;
use serde_json::{Value, json};

/// Number of learners to delete and to enrol in one run.
const SPARE: usize = 30;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let lms = LmsBuilder::from_env()?.build()?;
    match std::env::args().nth(1).as_deref() {
        Some("ids") => println!("{}", ids(&lms).await?),
        Some("story") => println!("{}", story(&lms).await?),
        _ => bail!("the session is `ids` or `story`"),
    }
    Ok(())
}

/// Sends requests of all operations to a demo tenant: pages, filters, the sandbox's examples, and documented errors, which a
/// proxy must forward.
async fn story(lms: &Lms) -> anyhow::Result<String> {
    pages(lms).await?;
    filters(lms).await?;
    // The client has already sent the one of the token, with the credentials of this tenant.
    let others = Operation::ALL.iter();
    for known in others.filter(|known| **known != Operation::GetToken) {
        let mut operations = OPERATIONS.iter();
        let operation =
            operations.find(|one| one.path == known.path() && one.method == known.method());
        let operation = operation.context("the sandbox has another operation")?;
        let example = known.example();
        let request = lms.raw_operation(operation, &example.path)?;
        let query = example.query.iter();
        let request = query.fold(request, |request, (name, value)| request.query(name, value));
        let request = match example.body {
            Some(body) => request.body(body.to_string()),
            None => request,
        };
        let failed = || format!("{} failed", operation.id);
        request.call().await.with_context(failed)?;
    }
    let gone = lms.delete_course("c12").call().await;
    ensure!(gone.is_err_and(|error| error.is_not_found()));
    let twice = lms.add_enrolment("c8", "l1").call().await;
    ensure!(twice.is_err_and(|error| error.is_conflict()));
    Ok(format!(
        "{} operations responded as documented",
        OPERATIONS.len()
    ))
}

/// Reads all items, because some have fields that others lack.
async fn pages(lms: &Lms) -> anyhow::Result<()> {
    macro_rules! read {
        ($($list:ident)*) => {$(
            ensure!(!lms.$list().items().collect_all().await?.is_empty());
        )*};
    }
    read!(list_learners list_courses list_enrolments list_topics list_topic_progress list_course_completions);
    Ok(())
}

async fn filters(lms: &Lms) -> anyhow::Result<()> {
    lms.list_learners()
        .tags(vec!["emea".to_owned(), "contractor".to_owned()])
        .order_by("surname")
        .order_direction(types::ListLearnersOrderDirection::Desc)
        .call()
        .await?;
    lms.list_courses().published(true).archived(false).await?;
    lms.list_topics().course("c5").published(true).await?;
    lms.list_enrolments().user("l1").course("c5").await?;
    lms.list_topic_progress()
        .user("l1")
        .course("c5")
        .completed(true)
        .await?;
    Ok(())
}

/// Ids of existing objects, for checkers that get only 404s for those that they invent. Among them are an enrolled learner and
/// a topic of the same course, for the paths with two ids.
async fn ids(lms: &Lms) -> anyhow::Result<Value> {
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
    let others = learners.into_iter().rev().filter_map(|other| other.id);
    let mut others = others.filter(|other| *other != learner);
    let spare_learners: Vec<_> = others.by_ref().take(SPARE).collect();
    let pupils: Vec<_> = others.take(SPARE).collect();
    let courses = courses.into_iter().filter_map(|other| other.id);
    let spare_courses: Vec<_> = courses.filter(|other| *other != course).take(3).collect();
    Ok(json!({
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
    }))
}

fn id<K>(id: Option<Id<K>>) -> anyhow::Result<Id<K>> {
    id.context("an object has no id")
}

fn first<T>(items: Vec<T>) -> anyhow::Result<T> {
    items.into_iter().next().context("a list has no items")
}
