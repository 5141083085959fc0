//! Sessions with a tenant through `lms-ext`, for the outside checkers of `cargo xtask conform`.
//!
//! `LMS_BASE_URL`, `LMS_CLIENT_ID` and `LMS_CLIENT_SECRET` name the tenant, and the argument the session.
#![expect(
    clippy::print_stdout,
    reason = "a command-line program writes to standard output"
)]

use anyhow::{Context as _, bail, ensure};
use lms_ext::{LmsBuilder, OPERATIONS, prelude::*};
use lms_sandbox::Operation;
use serde_json::{Map, Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let lms = LmsBuilder::from_env()?.build()?;
    match std::env::args().nth(1).as_deref() {
        Some("paths") => println!("{}", paths(&lms).await?),
        Some("story") => println!("{}", story(&lms).await?),
        _ => bail!("the session is `paths` or `story`"),
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

/// The values of path parameters for which objects exist, for checkers that get only 404s for those that they invent: by method
/// and path of an operation, an array for each parameter.
async fn paths(lms: &Lms) -> anyhow::Result<Value> {
    // The task that an example views.
    lms.add_duplicate_course("c1").await?;
    let mut paths = Map::new();
    for operation in Operation::ALL {
        let values = match operation {
            // Each can be deleted once.
            Operation::DeleteLearner => vec![(101..=140).map(|n| json!(format!("l{n}"))).collect()],
            _ => operation
                .example()
                .path
                .iter()
                .map(|id| json!([id]))
                .collect(),
        };
        let name = format!("{} {}", operation.method(), operation.path());
        paths.insert(name, Value::Array(values));
    }
    Ok(paths.into())
}
