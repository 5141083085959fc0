//! The enrolments of a learner become those of a list, also when it runs again after a failure.

use lms_ext::{SyncedEnrolments, WriteMode, prelude::*};
use lms_sandbox::{NewLearner, Sandbox};
use serde_json::json as value;

use crate::sandbox::{at_once, builder, disturb};
use crate::script::{Script, json};

async fn tenant() -> (Sandbox, Lms, String, Vec<String>) {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let seed = sandbox.seed();
    let ids: Vec<_> = (0..4)
        .map(|n| seed.add_course(&format!("Course {n}")).unwrap())
        .collect();
    let learners = ["ann", "ben"].map(|name| {
        let learner = NewLearner {
            firstname: name.into(),
            surname: "Bell".into(),
            email: format!("{name}@acme.example"),
            ..Default::default()
        };
        seed.add_learner(&learner).unwrap()
    });
    let lms = builder(&sandbox).retry(at_once()).build().unwrap();
    for learner in &learners {
        for course in &ids[..2] {
            lms.add_enrolment(course, learner).await.unwrap();
        }
    }
    let [ann, _] = learners;
    (sandbox, lms, ann, ids)
}

async fn enrolled(lms: &Lms, learner: &str) -> Vec<String> {
    let enrolments = lms
        .list_enrolments()
        .user(learner)
        .collect_all()
        .await
        .unwrap();
    let mut courses: Vec<_> = enrolments
        .into_iter()
        .map(|of| of.course.unwrap().into())
        .collect();
    courses.sort();
    courses
}

fn texts(synced: SyncedEnrolments) -> [Vec<String>; 3] {
    let SyncedEnrolments {
        added,
        unchanged,
        removed,
        ..
    } = synced;
    [added, unchanged, removed].map(|ids| ids.into_iter().map(String::from).collect())
}

#[tokio::test]
async fn missing_enrolments_are_added_and_others_removed_only_on_request() {
    let (sandbox, lms, ann, ids) = tenant().await;
    let wanted = || [&ids[1], &ids[2], &ids[2]];
    let sync = || lms.sync_enrolments(&ann, wanted());
    let one = |index: usize| vec![ids[index].clone()];

    sandbox.clear_requests();
    for plan in [sync(), sync().remove_others()] {
        let [added, unchanged, _] = texts(plan.run(WriteMode::DryRun).await.unwrap());
        assert_eq!((added, unchanged), (one(2), one(1)));
    }
    let requests = sandbox.requests().unwrap();
    assert!(requests.iter().all(|request| request.method == "GET"));

    assert_eq!(texts(sync().await.unwrap()), [one(2), one(1), vec![]]);
    assert_eq!(enrolled(&lms, &ann).await, ids[..3]);
    disturb(&sandbox, ["deleteEnrolment: every 2: drop after"]);
    let synced = sync().remove_others().await.unwrap();
    assert_eq!(texts(synced), [vec![], ids[1..3].to_vec(), one(0)]);
    assert_eq!(enrolled(&lms, &ann).await, ids[1..3]);
    let others = lms
        .list_enrolments()
        .course(&ids[0])
        .collect_all()
        .await
        .unwrap();
    assert_eq!(others.len(), 1, "those of other learners stay");
}

/// A server that ignores the filter returns the enrolments of others.
#[tokio::test]
async fn enrolments_of_others_and_without_a_course_remove_nothing() {
    for (item, expected) in [
        (
            value!({"id": "e1", "course": "c1", "user": "u2"}),
            ErrorKind::Mismatch,
        ),
        (value!({"id": "e1", "user": "u1"}), ErrorKind::Decode),
        (value!({"id": "e1", "course": "c1"}), ErrorKind::Decode),
    ] {
        let tenant = Script::of([json(value!({"items": [item]}))]);
        let none: [&str; 0] = [];
        let synced = tenant
            .lms()
            .sync_enrolments("u1", none)
            .remove_others()
            .await;
        assert_eq!(synced.unwrap_err().kind(), expected);
        assert_eq!(tenant.count(), 1);
    }
}
