//! Every list operation, on the sandbox.

use lms_ext::{Items, prelude::*};
use lms_sandbox::Sandbox;

use crate::sandbox::client;

/// Reads a list to its end, compares the number of items with `number_found`, and returns it.
async fn counted<T>(mut listing: Items<T>) -> u64
where
    T: serde::de::DeserializeOwned + Send + 'static,
{
    while listing.try_next().await.unwrap().is_some() {}
    let summary = listing.summary();
    assert!(
        summary.is_finished() && !summary.has_changed(),
        "{summary:?}"
    );
    if let Some(found) = summary.number_found_at_end() {
        assert_eq!(u64::try_from(found), Ok(summary.items()));
    }
    assert!(summary.items() > 0);
    summary.items()
}

#[tokio::test]
async fn every_list_operation_is_listed_to_its_end() {
    let sandbox = Sandbox::builder().demo().max_page(50).start();
    let sandbox = sandbox.await.unwrap();
    let lms = client(&sandbox);

    assert_eq!(counted(lms.list_learners().items()).await, 650);
    counted(lms.list_courses().limit(5).items()).await;
    counted(lms.list_topics().limit(10).items()).await;
    counted(lms.list_enrolments().items()).await;
    counted(lms.list_topic_progress().items()).await;
    counted(lms.list_course_completions().items()).await;
    counted(lms.list_user_fields().limit(2).items()).await;
    let learner = lms.list_learners().items().try_next().await.unwrap();
    let permissions = lms.list_user_field_permissions(learner.unwrap().id);
    counted(permissions.limit(1).items()).await;
    counted(lms.list_tags().items()).await;
    counted(lms.list_profiles().items()).await;
    counted(lms.list_signup_pages().items()).await;
}
