//! Futures own what they need, so they can be spawned and outlive the client and the arguments.

use lms_ext::{ExpectedCount, WriteMode, prelude::*};
use lms_sandbox::Sandbox;

use crate::sandbox::client;

#[tokio::test]
async fn futures_of_edits_and_other_helpers_can_be_spawned() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let (learner, course) = {
        let lms = client(&sandbox);
        let learner = types::AddLearner::builder("Ann", "Bell", "ann@acme.example");
        let learner = tokio::spawn(lms.ensure_learner(learner).into_future())
            .await
            .unwrap()
            .unwrap();
        let course = lms.add_course("Lifting");
        let course = course.call().await.unwrap();
        (learner.value().id.clone().unwrap(), course.id.unwrap())
    };
    let tasks = {
        // Dropped before the futures are polled.
        let (lms, learner, course) = (client(&sandbox), learner.to_string(), course.to_string());
        let enrolment = types::AddEnrolment::builder(&course, &learner);
        tokio::spawn(lms.ensure_enrolment(enrolment).into_future())
            .await
            .unwrap()
            .unwrap();
        (
            tokio::spawn(
                lms.update_learner(&learner, |l| l.surname = "Jones".into())
                    .into_future(),
            ),
            tokio::spawn(
                lms.update_learner(&*learner, |l| l.tags.clear())
                    .run(WriteMode::DryRun),
            ),
            tokio::spawn(lms.publish_course(&course).into_future()),
            tokio::spawn(
                lms.unenrol(EnrolmentScope::learner_in_course(&learner, &course))
                    .into_future(),
            ),
            tokio::spawn(lms.duplicate_course(&course, |copy| copy.name("Copy"))),
        )
    };
    let (edited, plan, published, unenrolled, copy) = tasks;
    assert!(edited.await.unwrap().unwrap().was_written());
    assert!(plan.await.unwrap().unwrap().changes().is_empty());
    assert_eq!(
        published.await.unwrap().unwrap().value().published,
        Some(true)
    );
    unenrolled.await.unwrap().unwrap();
    let copy = copy.await.unwrap().unwrap();
    let copied = tokio::spawn(copy.wait());
    drop(copy);
    assert_eq!(copied.await.unwrap().unwrap().name.as_deref(), Some("Copy"));
    let none = tokio::spawn(client(&sandbox).delete_all_enrolments(ExpectedCount::exactly(1)));
    assert!(none.await.unwrap().unwrap_err().is_conflict());
}
