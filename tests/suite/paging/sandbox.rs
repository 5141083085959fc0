//! Every list of a whole tenant.

use lms_ext::{Items, prelude::*};
use lms_sandbox::Sandbox;

use crate::sandbox::client;

/// Walks to the end, and holds the number of rows against what the tenant says there is.
async fn counted<T>(mut walk: Items<T>) -> u64
where
    T: serde::de::DeserializeOwned + Send + 'static,
{
    while walk.try_next().await.unwrap().is_some() {}
    let summary = walk.summary();
    assert!(summary.is_finished() && !summary.drifted(), "{summary:?}");
    if let Some(found) = summary.number_found_at_end() {
        assert_eq!(u64::try_from(found), Ok(summary.items()));
    }
    assert!(summary.items() > 0);
    summary.items()
}

#[tokio::test]
async fn every_list_of_the_service_is_walked_whole() {
    let sandbox = Sandbox::builder()
        .demo()
        .max_page(50)
        .start()
        .await
        .unwrap();
    let lms = client(&sandbox);

    assert_eq!(counted(lms.list_learners().items()).await, 650);
    counted(lms.list_courses().limit(5).items()).await;
    counted(lms.list_topics().limit(10).items()).await;
    counted(lms.list_enrolments().items()).await;
    counted(lms.list_topic_progress().items()).await;
    counted(lms.list_course_completions().items()).await;
    counted(lms.list_user_fields().limit(2).items()).await;
    let learner = lms
        .list_learners()
        .items()
        .max_items(1)
        .collect_all()
        .await
        .unwrap();
    let learner = learner[0].id.clone().unwrap();
    counted(
        lms.list_user_field_permissions()
            .user(learner)
            .limit(1)
            .items(),
    )
    .await;

    counted(lms.list_tags().items()).await;
    counted(lms.list_profiles().items()).await;
    counted(lms.list_signup_pages().items()).await;
}
