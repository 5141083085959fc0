//! Making sure of a learner or an enrolment, any number of times, leaves one.

use std::sync::atomic::{AtomicUsize, Ordering};

use lms_ext::{Ensured, prelude::*};
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::json as value;

use crate::sandbox::client;
use crate::script::{Act, Script, json, lost, status};

fn ann() -> types::builder::AddLearner {
    types::AddLearner::builder()
        .firstname("Ann")
        .surname("Smith")
        .email("ann@acme.example")
        .password("s3cr3t".to_owned())
        .tags(vec!["emea".to_owned()])
}

fn held() -> Act {
    json(
        value!({"id": "l1", "firstname": "Ann", "surname": "Smith", "email": "Ann@Acme.example",
        "tags": ["emea", "of-the-profile"], "password": "hunter2", "notes": "likes tea"}),
    )
}

fn posts(tenant: &Script) -> usize {
    let seen = tenant.seen();
    seen.iter()
        .filter(|seen| seen.method == Method::POST)
        .count()
}

#[tokio::test]
async fn who_is_there_is_not_added_and_not_changed() {
    let tenant = Script::of([held()]);
    let learner = tenant.lms().ensure_learner(ann()).await.unwrap();
    assert!(!learner.is_new());
    assert_eq!(
        learner.differs(),
        [],
        "case, other tags, notes and passwords do not count"
    );
    assert_eq!(learner.value().id.as_deref(), Some("l1"));
    assert_eq!(tenant.seen()[0].path(), "/learners/email/ann@acme.example");
}

#[tokio::test]
async fn what_differs_is_named_with_both_values_and_no_password() {
    let tenant = Script::of([json(
        value!({"id": "l1", "firstname": "Ann", "surname": "Jones",
        "email": "ann@acme.example", "tags": null, "archived": true}),
    )]);
    let wanted = ann().phone_number("123".to_owned());
    let learner = tenant.lms().ensure_learner(wanted).await.unwrap();
    let differs: Vec<_> = learner.differs().iter().map(ToString::to_string).collect();
    assert_eq!(
        differs,
        [
            r#"phone_number: nothing → "123""#,
            r#"surname: "Jones" → "Smith""#,
            r#"tags: nothing → ["emea"]"#,
            "archived: true → false",
        ]
    );
    assert!(!format!("{learner:?}").contains("s3cr3t"));
}

#[tokio::test]
async fn who_is_not_there_is_added() {
    let tenant = Script::of([status(404), held()]);
    let learner = tenant.lms().ensure_learner(ann()).await.unwrap();
    assert!(matches!(learner, Ensured::Created(_)));
    let seen = tenant.seen();
    assert_eq!(seen[1].json()["password"], "s3cr3t");
    assert_eq!(seen.len(), 2);
}

#[tokio::test]
async fn an_addition_whose_answer_is_lost_is_looked_for_and_not_repeated() {
    for act in [lost(), status(502), status(200).body("<html>")] {
        let tenant = Script::of([status(404), act, held()]);
        let learner = tenant.lms().ensure_learner(ann()).await.unwrap();
        assert!(matches!(&learner, Ensured::Found { differs, .. } if differs.is_empty()));
        assert!(learner.is_new());
        assert_eq!(posts(&tenant), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_seen_yet_stays_ambiguous_and_may_be_ensured_again() {
    let looked_in_vain = [status(404), lost(), status(404)];
    let tenant = Script::of(looked_in_vain.into_iter().chain([held()]));
    let lms = tenant.lms();
    let error = lms.ensure_learner(ann()).await.unwrap_err();
    assert!(error.is_ambiguous(), "{error:?}");
    assert_eq!(error.operation(), Some("add_learner"));
    assert!(error.to_string().contains("call again"), "{error}");
    assert!(!lms.ensure_learner(ann()).await.unwrap().is_new());
    assert_eq!(posts(&tenant), 1);

    let tenant = Script::of([status(404), lost(), status(403)]);
    let error = tenant.lms().ensure_learner(ann()).await.unwrap_err();
    assert!(error.is_ambiguous(), "{error:?}");
}

#[tokio::test]
async fn who_was_added_by_somebody_else_meanwhile_was_there_already() {
    let tenant = Script::of([status(404), status(409), held()]);
    let learner = tenant.lms().ensure_learner(ann()).await.unwrap();
    assert!(matches!(learner, Ensured::AlreadyThere { .. }));

    // The username is taken, not the address.
    let tenant = Script::of([status(404), status(409), status(404)]);
    let error = tenant.lms().ensure_learner(ann()).await.unwrap_err();
    assert!(error.is_conflict(), "{error:?}");
}

#[tokio::test]
async fn somebody_else_is_not_taken_for_the_one_who_was_asked_for() {
    for other in [
        value!({"id": "l9", "email": "bob@acme.example"}),
        value!({"id": "l9"}),
    ] {
        let tenant = Script::of([json(other)]);
        let error = tenant.lms().ensure_learner(ann()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert_eq!(error.fields(), ["email"]);
        assert!(!format!("{error} {error:?}").contains("acme"));
    }
}

#[tokio::test]
async fn what_is_not_whole_is_refused_before_anything_is_sent() {
    let tenant = Script::of([]);
    let lms = tenant.lms();
    let nameless = types::AddLearner::builder().email("ann@acme.example");
    let error = lms.ensure_learner(nameless).await.unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("firstname"),
        "{error}"
    );
    assert!(
        lms.ensure_learner(ann().email(" "))
            .await
            .unwrap_err()
            .is_usage()
    );
    let body = types::AddEnrolment::builder().course("c1");
    assert!(
        lms.ensure_enrolment(body.clone())
            .await
            .unwrap_err()
            .is_usage()
    );
    assert!(
        lms.ensure_enrolment(body.user(""))
            .await
            .unwrap_err()
            .is_usage()
    );
}

fn enrolment() -> types::builder::AddEnrolment {
    types::AddEnrolment::builder().course("c1").user("u1")
}

fn row(course: &str, user: &str) -> serde_json::Value {
    value!({"id": format!("{course}-{user}"), "course": course, "user": user})
}

#[tokio::test]
async fn an_enrolment_is_found_even_if_the_tenant_ignores_filters() {
    let tenant = Script::of([
        json(
            value!({"items": [row("c1", "u2"), row("c2", "u1")], "more": true, "next_cursor": "2"}),
        ),
        json(value!({"items": [row("c1", "u1")], "more": false})),
    ]);
    let found = tenant.lms().ensure_enrolment(enrolment()).await.unwrap();
    assert!(!found.is_new());
    assert_eq!(found.value().id.as_deref(), Some("c1-u1"));
    let first = &tenant.seen()[0];
    assert_eq!(first.query("course").as_deref(), Some("c1"));
    assert_eq!(first.query("user").as_deref(), Some("u1"));
}

#[tokio::test]
async fn rows_of_others_are_no_enrolment() {
    let tenant = Script::of([
        json(value!({"items": [row("c1", "u2"), row("c2", "u1"), {"id": "c1-u1"}]})),
        json(row("c1", "u1")),
    ]);
    let added = tenant.lms().ensure_enrolment(enrolment()).await.unwrap();
    assert!(matches!(added, Ensured::Created(_)));
    let sent = tenant.seen()[1].json();
    assert_eq!(
        sent,
        value!({"course": "c1", "user": "u1"}),
        "nobody is written to unasked"
    );
}

#[tokio::test]
async fn an_enrolment_whose_answer_is_lost_is_made_once() {
    let made = AtomicUsize::new(0);
    let tenant = Script::new(move |seen| {
        if seen.method == Method::POST {
            made.fetch_add(1, Ordering::Relaxed);
            return lost();
        }
        let items = vec![row("c1", "u1"); made.load(Ordering::Relaxed)];
        json(value!({"items": items}))
    });
    let lms = tenant.lms();
    let first = lms.ensure_enrolment(enrolment()).await.unwrap();
    assert!(matches!(first, Ensured::Found { .. }));
    let second = lms.ensure_enrolment(enrolment()).await.unwrap();
    assert!(matches!(second, Ensured::AlreadyThere { .. }));
    assert_eq!(posts(&tenant), 1);
}

#[tokio::test]
async fn on_a_tenant_many_at_once_leave_one() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = client(&sandbox);
    let spawn = || {
        let lms = lms.clone();
        tokio::spawn(async move { lms.ensure_learner(ann()).await })
    };
    let tasks: Vec<_> = (0..8).map(|_| spawn()).collect();
    let mut new = 0;
    let mut ids = Vec::new();
    for task in tasks {
        let learner = task.await.unwrap().unwrap();
        new += usize::from(learner.is_new());
        ids.push(learner.value().id.clone().unwrap());
    }
    ids.dedup();
    assert_eq!((new, ids.len()), (1, 1));

    let course = sandbox.seed().add_course("Safety").unwrap();
    let wanted = || types::AddEnrolment::builder().course(&course).user(&ids[0]);
    assert!(lms.ensure_enrolment(wanted()).await.unwrap().is_new());
    assert!(!lms.ensure_enrolment(wanted()).await.unwrap().is_new());
    let enrolments = lms.list_enrolments().items().collect_all().await.unwrap();
    assert_eq!(enrolments.len(), 1);
    let learners = lms.list_learners().items().collect_all().await.unwrap();
    assert_eq!(learners.len(), 1);
}
