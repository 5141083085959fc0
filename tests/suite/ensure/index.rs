//! Jobs for many people that read the learners and enrolments once.

use lms_ext::{EnrolmentIndex, ErrorKind, LearnerIndex, WriteMode, prelude::*};
use serde_json::{Value, from_value, json as value};

use crate::script::{Script, json, lost, status};

fn learner(id: &str, mut fields: Value) -> types::Learner {
    fields["id"] = id.into();
    from_value(fields).unwrap()
}

fn enrolment(course: &str, user: &str) -> types::Enrolment {
    from_value(value!({"id": format!("{course}-{user}"), "course": course, "user": user})).unwrap()
}

/// The id that a lookup found.
fn id(found: Result<Option<&types::Learner>, Error>) -> Result<Option<&str>, ErrorKind> {
    let found = found.map_err(|error| error.kind())?;
    Ok(found.and_then(|found| found.id.as_deref()))
}

#[test]
fn a_learner_is_found_by_each_identity_as_the_service_would_compare_it() {
    let mut index = LearnerIndex::from_iter([
        learner(
            "1",
            value!({"email": "Ann@acme.example", "username": "ann", "sso_id": "E1"}),
        ),
        learner(
            "2",
            value!({"email": "ben@acme.example", "username": "Ann ", "sso_id": " "}),
        ),
        learner(
            "3",
            value!({"email": "cem@acme.example", "sso_id": "E3", "deleted": true}),
        ),
        learner("4", value!({"email": "cem@acme.example", "sso_id": "E4"})),
        learner("5", value!({"email": "old@acme.example", "deleted": true})),
        learner("6", value!({"email": null, "sso_id": "E1"})),
        types::Learner::default(),
    ]);
    assert_eq!(index.iter().count(), 7);
    assert_eq!(index.get("4").unwrap().sso_id.as_deref(), Some("E4"));
    assert!(index.get("7").is_none());
    assert_eq!(id(index.by_email(" ann@ACME.example")), Ok(Some("1")));
    assert_eq!(id(index.by_email("dan@acme.example")), Ok(None));
    assert_eq!(id(index.by_email("")), Ok(None));
    assert_eq!(
        id(index.by_email("cem@acme.example")),
        Ok(Some("4")),
        "3 is deleted"
    );
    assert_eq!(id(index.by_email("old@acme.example")), Ok(Some("5")));
    assert_eq!(id(index.by_sso_id("E4")), Ok(Some("4")));
    assert_eq!(id(index.by_sso_id("e4")), Ok(None));
    assert_eq!(id(index.by_sso_id(" ")), Ok(None));
    assert_eq!(id(index.by_username("ann")), Err(ErrorKind::Mismatch));
    let said: Vec<_> = index
        .duplicates()
        .map(|twins| {
            let ids = twins
                .learners
                .iter()
                .filter_map(|learner| learner.id.as_deref());
            format!(
                "{} {}: {}",
                twins.field,
                twins.value,
                ids.collect::<String>()
            )
        })
        .collect();
    assert_eq!(said, ["username ann: 12", "sso_id E1: 16"]);

    // An edited learner is not a second one.
    index.extend([learner(
        "1",
        value!({"email": "ann.lee@acme.example", "sso_id": "E1"}),
    )]);
    assert_eq!(index.iter().count(), 7);
    assert_eq!(id(index.by_email("ann@acme.example")), Ok(None));
    assert_eq!(id(index.by_email("ann.lee@acme.example")), Ok(Some("1")));
    assert_eq!(id(index.by_username("ann")), Ok(Some("2")));
}

#[tokio::test]
async fn an_index_of_a_list_that_ends_early_is_the_error_of_the_list() {
    let tenant = Script::new(|seen| match seen.query("cursor") {
        None => json(value!({"items": [{"id": "x"}], "more": true, "next_cursor": "2"})),
        Some(_) => status(403),
    });
    let lms = tenant.lms();
    let error = LearnerIndex::read(lms.list_learners().items()).await;
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Forbidden);
    let error = EnrolmentIndex::read(lms.list_enrolments().items()).await;
    let error = error.unwrap_err();
    assert_eq!(
        (error.kind(), error.fields()),
        (ErrorKind::Decode, &["course", "user"].map(String::from)[..])
    );
}

#[tokio::test]
async fn a_known_enrolment_costs_no_request_and_a_known_absence_no_lookup() {
    let wanted = || types::AddEnrolment::builder("c1", "u1");
    let tenant = Script::of([]);
    let lms = tenant.lms();
    for mode in [WriteMode::Apply, WriteMode::DryRun] {
        let known = lms
            .ensure_enrolment(wanted())
            .existing(enrolment("c1", "u1"));
        let known = known.run(mode).await.unwrap();
        assert!(!known.is_new() && known.value().id.is_some());
    }
    let planned = lms.ensure_enrolment(wanted()).existing(None);
    assert!(planned.run(WriteMode::DryRun).await.unwrap().is_new());
    for (other, field) in [
        (enrolment("c2", "u1"), "course"),
        (enrolment("c1", "u2"), "user"),
    ] {
        let error = lms
            .ensure_enrolment(wanted())
            .existing(other)
            .await
            .unwrap_err();
        assert_eq!(
            (error.kind(), error.fields()),
            (ErrorKind::Mismatch, &[field.to_owned()][..])
        );
    }

    let added = json(value!({"id": "e1", "course": "c1", "user": "u1"}));
    let tenant = Script::of([added.clone()]);
    let ensured = tenant
        .lms()
        .ensure_enrolment(wanted())
        .existing(None)
        .call();
    assert!(ensured.await.unwrap().is_new());
    // What became of a lost request is looked up nevertheless.
    let page = json(value!({"items": [enrolment("c1", "u1")]}));
    let tenant = Script::of([lost(), page]);
    let ensured = tenant.lms().ensure_enrolment(wanted()).existing(None).await;
    assert!(ensured.unwrap().is_new());
    assert_eq!(tenant.count(), 2);
}

#[tokio::test]
async fn courses_that_are_known_are_not_read_and_a_missing_one_is_looked_up() {
    let mut index = EnrolmentIndex::default();
    for (course, user) in [("c1", "u1"), ("c2", "u1"), ("c3", "u2")] {
        index.insert(enrolment(course, user)).unwrap();
    }
    let tenant = Script::of([
        json(value!({"items": []})),
        json(value!({"id": "e", "course": "c4", "user": "u1"})),
        status(204),
    ]);
    let lms = tenant.lms();
    let sync = |courses: &[&str]| {
        let sync = lms.sync_enrolments("u1", courses.iter().copied());
        sync.existing(index.courses_of("u1"))
    };
    let synced = sync(&["c1", "c2"]).remove_others().await.unwrap();
    assert_eq!(
        (
            synced.added.len(),
            synced.unchanged.len(),
            synced.removed.len()
        ),
        (0, 2, 0)
    );
    assert_eq!(tenant.count(), 0);
    let synced = sync(&["c1", "c4"]).remove_others().call().await.unwrap();
    assert_eq!(
        (synced.added, synced.removed),
        (vec!["c4".into()], vec!["c2".into()])
    );
    let methods: Vec<_> = tenant.seen().into_iter().map(|seen| seen.method).collect();
    assert_eq!(methods, ["GET", "POST", "DELETE"]);
}
