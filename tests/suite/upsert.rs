//! Upserts: an existing learner is found by the chosen field and changed, and plans say the same without writing.

use lms_ext::{Change, EnsureLearner, WriteMode, prelude::*, requests};
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::{Value, json as value};

use crate::sandbox::{at_once, builder, disturb};
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

fn fields(changes: &[Change]) -> Vec<&str> {
    changes.iter().map(Change::field).collect()
}

/// The id of the learner who was found.
async fn found(call: EnsureLearner) -> Result<String, ErrorKind> {
    let found = call.await.map_err(|error| error.kind())?;
    Ok(found.value().id.clone().unwrap().to_string())
}

/// The edit runs after the requested values, also in a dry run, and not for a learner who is added.
#[tokio::test]
async fn an_existing_learner_is_also_edited_on_request() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = builder(&sandbox).build().unwrap();
    let wanted = || lms.ensure_learner(ann("ann@acme.example"));
    let edit = |learner: &mut types::EditLearner| {
        learner.tags.retain(|tag| tag != "emea");
        learner.notes = Some("met".to_owned());
    };
    let added = wanted().or_update_with(edit).await.unwrap();
    assert!(added.is_new() && added.value().notes.is_none());
    let plan = wanted()
        .or_update_with(edit)
        .run(WriteMode::DryRun)
        .await
        .unwrap();
    assert_eq!(fields(plan.changes()), ["notes", "tags"]);
    let done = wanted().or_update_with(edit).await.unwrap();
    assert_eq!(done.changes(), plan.changes());
    let found = lms.get_learner_by_email("ann@acme.example").await.unwrap();
    assert_eq!(found.notes.as_deref(), Some("met"));
    assert!(found.tags.is_empty());
}

#[tokio::test]
async fn a_person_with_a_new_address_and_name_is_updated_once_also_under_faults() {
    for by in BY {
        for fault in [None, Some("status 503"), Some("drop after")] {
            let sandbox = Sandbox::builder().start().await.unwrap();
            let lms = builder(&sandbox).retry(at_once()).build().unwrap();
            let old = ann("ann.smith@acme.example")
                .surname("Smith")
                .phone_number("1")
                .tags(["vip"]);
            let old = requests::AddLearner::new(&lms, old).await.unwrap();
            let on = "listLearners,editLearner,getLearnerById";
            disturb(
                &sandbox,
                fault.map(|effect| format!("{on}: every 2: {effect}")),
            );
            let wanted = || by(lms.ensure_learner(ann("ann.jones@acme.example"))).or_update();
            let plan = wanted().run(WriteMode::DryRun).await.unwrap();
            let done = wanted().await.unwrap();
            assert_eq!(fields(done.changes()), ["email", "surname", "tags"]);
            assert_eq!(plan.changes(), done.changes());
            assert!(!done.is_new() && !plan.is_new() && done.differs().is_empty());
            let found = lms
                .get_learner_by_id(old.require_id().unwrap())
                .await
                .unwrap();
            assert_eq!(found.email.as_deref(), Some("ann.jones@acme.example"));
            assert_eq!(
                (found.phone_number.as_deref(), found.tags.len()),
                (Some("1"), 2)
            );

            sandbox.faults().clear();
            sandbox.clear_requests();
            let again = wanted().await.unwrap();
            assert!(!again.is_new() && again.changes().is_empty());
            let requests = sandbox.requests().unwrap();
            assert!(requests.iter().all(|request| request.method == "GET"));
            assert_eq!(lms.list_learners().collect_all().await.unwrap().len(), 1);
        }
    }
}

#[tokio::test]
async fn a_dry_run_reports_what_the_run_does_also_under_faults() {
    // A 503 to an addition is an ambiguous error.
    for (fault, operations) in [
        ("none", ""),
        ("status 503", "getLearnerByEmail listEnrolments"),
        (
            "drop after",
            "getLearnerByEmail listEnrolments addLearner addEnrolment",
        ),
    ] {
        let sandbox = Sandbox::builder().start().await.unwrap();
        let lms = builder(&sandbox).retry(at_once()).build().unwrap();
        let course = sandbox.seed().add_course("Safety").unwrap();
        let operations = operations.split_whitespace();
        disturb(
            &sandbox,
            operations.map(|on| format!("{on}: first 1: {fault}")),
        );
        for (surname, new, changes) in [("Jones", true, 0), ("Bell", false, 1), ("Bell", false, 0)]
        {
            let wanted = || ann("ann@acme.example").surname(surname);
            let ensure = || lms.ensure_learner(wanted()).or_update();
            sandbox.clear_requests();
            let planned = ensure().run(WriteMode::DryRun).await.unwrap();
            let requests = sandbox.requests().unwrap();
            assert!(
                requests.iter().all(
                    |request| request.method == "GET" || request.path.ends_with("/oauth/token")
                )
            );
            let done = ensure().run(WriteMode::Apply).await.unwrap();
            assert_eq!((planned.is_new(), planned.changes().len()), (new, changes));
            assert_eq!((done.is_new(), done.changes()), (new, planned.changes()));
            assert!(planned.differs().is_empty() && done.differs().is_empty());
            assert_eq!(planned.value().id.is_none(), new);
            assert_eq!(planned.value().email, done.value().email);
            // Without `or_update`, a difference is only reported.
            let only_ensured = lms.ensure_learner(wanted()).run(WriteMode::DryRun);
            assert!(only_ensured.await.unwrap().changes().is_empty());

            let learner = done.value();
            assert_eq!(learner.surname.as_deref(), Some(surname));
            let enrolment = || {
                let enrolment =
                    types::AddEnrolment::builder(&course, learner.require_id().unwrap());
                lms.ensure_enrolment(enrolment)
            };
            sandbox.clear_requests();
            let plan = enrolment().run(WriteMode::DryRun).await.unwrap();
            let requests = sandbox.requests().unwrap();
            assert!(requests.iter().all(|request| request.method == "GET"));
            let enrolled = enrolment().run(WriteMode::Apply).await.unwrap();
            assert_eq!((plan.is_new(), enrolled.is_new()), (new, new));
            assert_eq!(plan.value().id.is_none(), new);
            assert_eq!(enrolled.value().user, learner.id);
        }
        let enrolments = lms.list_enrolments().collect_all().await.unwrap();
        let learners = lms.list_learners().collect_all().await.unwrap();
        assert_eq!((learners.len(), enrolments.len()), (1, 1), "{fault:?}");
    }
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
    for by in BY {
        let wanted = ann("a@b.example").username(" ").sso_id(" ");
        let error = by(lms.ensure_learner(wanted)).await.unwrap_err();
        assert!(error.is_usage(), "{error}");
        assert_eq!(error.operation(), Some("add_learner"));
    }
}
