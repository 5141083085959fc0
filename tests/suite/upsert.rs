//! Upserts: an existing learner is found by the chosen field and changed, and plans say the same without writing.

use lms_ext::{EnsureLearner, FieldChange, WriteMode, prelude::*};
use reqwest::Method;
use serde_json::{Value, json as value};

use crate::script::{Act, Script, json, status};

fn ann(email: &str) -> types::builder::AddLearner {
    types::AddLearner::builder("Ann", "Jones", email)
        .username("ann")
        .sso_id("emp-17")
        .tags("emea")
}

/// The ways to find a person whose address may have changed.
const BY: [fn(EnsureLearner) -> EnsureLearner; 2] =
    [EnsureLearner::by_username, EnsureLearner::by_sso_id];

fn fields(changes: &[FieldChange]) -> Vec<&str> {
    changes.iter().map(FieldChange::field).collect()
}

/// The id of the learner who was found.
async fn found(call: EnsureLearner) -> Result<String, ErrorKind> {
    let found = call.await.map_err(|error| error.kind())?;
    Ok(found.value().id.clone().unwrap().to_string())
}

#[tokio::test]
async fn what_an_edit_cannot_set_stays_a_difference() {
    let found = value!({"id": "l1", "firstname": "Ann", "surname": "Smith", "email": "ann@acme.example",
        "username": "ann", "tags": ["emea"], "archived": true});
    let mut after = found.clone();
    after["surname"] = "Jones".into();
    let tenant = Script::of([json(found.clone()), json(found.clone()), json(after)]);
    let wanted = ann("ann@acme.example").courses("c1").password("s3cr3t");
    let lms = tenant.lms();
    let done = lms.ensure_learner(wanted).or_update().await.unwrap();
    assert_eq!(fields(done.changes()), ["surname"]);
    assert_eq!(fields(done.differs()), ["sso_id", "archived", "courses"]);
    let sent = tenant.seen()[2].json();
    assert_eq!(
        (&sent["surname"], &sent["password"]),
        (&value!("Jones"), &value!(null))
    );
}

fn learner(id: &str, email: &str, sso_id: Option<&str>) -> Value {
    value!({"id": id, "firstname": "Ann", "surname": "Jones", "email": email, "username": "ann",
        "sso_id": sso_id, "tags": ["emea"]})
}

fn list(learners: &[Value]) -> Act {
    json(value!({"items": learners, "more": false}))
}

#[tokio::test]
async fn the_holder_of_the_address_is_the_person_unless_they_have_another_sso_id() {
    let other = learner("l2", "ann@acme.example", Some("emp-99"));
    let unknown = learner("l2", "ann@acme.example", None);
    let same = learner("l1", "old@acme.example", Some("emp-17"));
    let (of, the_same) = (|one: &Value| json(one.clone()), same.clone());
    let current = learner("l1", "ann@acme.example", Some("emp-17"));
    for (acts, expected) in [
        (vec![of(&current)], Ok("l1")),
        (
            vec![of(&unknown), list(std::slice::from_ref(&unknown))],
            Ok("l2"),
        ),
        (vec![of(&unknown), list(&[unknown, the_same])], Ok("l1")),
        (
            vec![of(&other), list(&[other.clone(), same.clone()])],
            Ok("l1"),
        ),
        (vec![of(&other), list(&[other])], Err(ErrorKind::Conflict)),
        (vec![status(404), list(&[same])], Ok("l1")),
    ] {
        let tenant = Script::of(acts);
        let call = tenant.lms().ensure_learner(ann("ann@acme.example"));
        assert_eq!(found(call.by_sso_id()).await, expected.map(str::to_owned));
        assert_eq!(tenant.sent(&Method::POST).len(), 0);
    }
}

#[tokio::test]
async fn a_username_of_several_learners_is_a_mismatch_and_deleted_ones_do_not_count() {
    let deleted = |id| {
        let mut deleted = learner(id, "x@acme.example", None);
        deleted["deleted"] = true.into();
        deleted
    };
    let (one, two) = (
        learner("l1", "a@acme.example", None),
        learner("l2", "b@acme.example", None),
    );
    let mut stranger = two.clone();
    stranger["username"] = "bob".into();
    for (listed, expected) in [
        (vec![one.clone(), two], Err(ErrorKind::Mismatch)),
        (vec![one.clone(), one.clone()], Ok("l1")),
        (vec![deleted("l0"), one.clone(), deleted("l3")], Ok("l1")),
        // The server ignores the filter.
        (vec![stranger, one], Err(ErrorKind::Mismatch)),
        (vec![deleted("l0")], Ok("l0")),
    ] {
        let tenant = Script::of([list(&listed)]);
        let call = tenant.lms().ensure_learner(ann("a@acme.example"));
        assert_eq!(found(call.by_username()).await, expected.map(str::to_owned));
        assert_eq!(tenant.seen()[0].query("username").as_deref(), Some("ann"));
    }
}

#[tokio::test]
async fn a_learner_in_hand_is_not_read_again_and_must_be_the_person() {
    let tenant = Script::of([]);
    let lms = tenant.lms();
    let in_hand = |email: &str| -> types::Learner {
        serde_json::from_value(learner("l1", email, Some("emp-17"))).unwrap()
    };
    let ensured = || lms.ensure_learner(ann("new@acme.example"));
    let wanted = || ensured().by_sso_id().or_update();
    let (old, new) = (in_hand("old@acme.example"), in_hand("new@acme.example"));
    let plan = wanted().existing(None).run(WriteMode::DryRun);
    assert!(plan.await.unwrap().is_new());
    assert!(!wanted().existing(new).await.unwrap().is_new());
    let error = ensured().existing(old).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);

    // A learner who was added since is found after the server's conflict.
    let tenant = Script::of([status(409), json(learner("l1", "new@acme.example", None))]);
    let lms = tenant.lms();
    let call = lms.ensure_learner(ann("new@acme.example")).existing(None);
    let found = call.await.unwrap();
    assert!(!found.is_new());
}

#[tokio::test]
async fn without_a_value_to_look_for_nothing_is_sent() {
    let tenant = Script::of([]);
    let lms = tenant.lms();
    let by_email = |call: EnsureLearner| call;
    for by in [by_email, BY[0], BY[1]] {
        let wanted = ann(" ").username(" ").sso_id(" ");
        let error = by(lms.ensure_learner(wanted)).await.unwrap_err();
        assert!(error.is_usage(), "{error}");
        assert_eq!(error.operation(), Some("add_learner"));
    }
}
