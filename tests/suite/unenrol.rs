//! Ending enrolments: those that were named, and no others.

use std::time::Duration;

use lms_ext::{ExpectedCount, Unenrolled, prelude::*};
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::json as value;

use crate::sandbox::client;
use crate::script::{Script, json, lost, status};

#[tokio::test]
async fn the_named_enrolments_end() {
    for (which, expected) in [
        (
            EnrolmentScope::learner_in_course("u1", "c1"),
            "user=u1&course=c1",
        ),
        (
            EnrolmentScope::learner_in_course("u1", "c1"),
            "user=u1&course=c1",
        ),
        (EnrolmentScope::learner("u1"), "user=u1"),
        (EnrolmentScope::course("c 1&user="), "course=c+1%26user%3D"),
    ] {
        let tenant = Script::of([status(200)]);
        let lms = tenant.lms();
        let ended = tokio::spawn(async move { lms.unenrol(which).await });
        assert_eq!(ended.await.unwrap().unwrap(), Unenrolled::Removed);
        let seen = &tenant.seen()[0];
        assert_eq!(seen.method, Method::DELETE);
        let mut query: Vec<_> = seen.url.query().unwrap().split('&').collect();
        query.sort_unstable();
        let mut expected: Vec<_> = expected.split('&').collect();
        expected.sort_unstable();
        assert_eq!(query, expected);
    }
}

#[tokio::test]
async fn an_empty_id_ends_nothing() {
    let tenant = Script::of([]);
    for which in [
        EnrolmentScope::learner(""),
        EnrolmentScope::course(" "),
        EnrolmentScope::learner_in_course("u1", ""),
        EnrolmentScope::learner_in_course("", "c1"),
    ] {
        let error = tenant.lms().unenrol(which).await.unwrap_err();
        assert!(error.is_usage(), "{error:?}");
        assert_eq!(error.operation(), Some("delete_enrolment"));
    }
}

#[tokio::test]
async fn the_raw_builder_is_refused_without_a_scope_or_with_an_empty_one() {
    let tenant = Script::of([]);
    let lms = tenant.lms();
    for call in [
        lms.delete_enrolment(),
        lms.delete_enrolment().user(""),
        lms.delete_enrolment().user("").course("c1"),
        lms.delete_enrolment().user("u1").course(""),
    ] {
        let error = call.clone().call().await.unwrap_err();
        assert!(error.is_usage(), "{error:?}");
        let error = call.send().await.unwrap_err();
        assert!(Error::find_in(&error).unwrap().is_usage());
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_gone_already_is_told_apart_from_what_was_not_there() {
    let tenant = Script::of([lost(), status(404)]);
    let which = || EnrolmentScope::learner_in_course("u1", "c1");
    let ended = tenant.lms().unenrol(which()).await.unwrap();
    assert_eq!(ended, Unenrolled::AlreadyRemoved);

    let tenant = Script::of([status(404)]);
    let ended = tenant.lms().unenrol(which()).await.unwrap();
    assert_eq!(ended, Unenrolled::NoneFound);

    let tenant = Script::of([status(403)]);
    assert!(
        tenant
            .lms()
            .unenrol(which())
            .await
            .unwrap_err()
            .is_forbidden()
    );
}

/// A tenant with this many enrolments on pages of two, whose `number_found` says whatever it likes.
fn holding(enrolments: u64, number_found: Option<u64>) -> Script {
    Script::new(move |seen| {
        if seen.method == Method::DELETE {
            return status(200);
        }
        let start: u64 = seen
            .query("cursor")
            .map_or(0, |cursor| cursor.parse().unwrap());
        let end = (start + 2).min(enrolments);
        let items: Vec<_> = (start..end)
            .map(|n| value!({"id": format!("e{n}")}))
            .collect();
        json(
            value!({"items": items, "more": end < enrolments, "next_cursor": end.to_string(),
            "number_found": number_found.map(|n| n.to_string())}),
        )
    })
}

#[tokio::test]
async fn everything_ends_only_if_it_is_as_much_as_expected() {
    for (held, said, expected, deleted) in [
        (5, Some(5), 5, 1),
        (5, None, 5, 1),
        (5, Some(2), 5, 1),
        (0, Some(0), 0, 1),
        (5, Some(4), 4, 0),
        (5, Some(6), 6, 0),
        (5, None, 0, 0),
    ] {
        let tenant = holding(held, said);
        let result = tenant
            .lms()
            .delete_all_enrolments(ExpectedCount::exactly(expected))
            .await;
        let deletes: Vec<_> = tenant
            .seen()
            .into_iter()
            .filter(|seen| seen.method == Method::DELETE)
            .collect();
        assert_eq!(deletes.len(), deleted, "{held} {said:?} {expected}");
        if deleted == 1 {
            assert_eq!(result.unwrap(), Unenrolled::Removed);
            assert!(deletes[0].url.query().is_none_or(str::is_empty));
        } else {
            let error = result.unwrap_err();
            assert!(error.is_conflict(), "{error:?}");
            assert!(error.to_string().contains("nothing was deleted"), "{error}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_delete_of_everything_is_not_repeated() {
    let tenant = Script::of([
        json(value!({"items": []})),
        lost().after(Duration::from_secs(1)),
    ]);
    let error = tenant
        .lms()
        .delete_all_enrolments(ExpectedCount::exactly(0))
        .await
        .unwrap_err();
    assert!(error.is_ambiguous(), "{error:?}");
    assert_eq!(tenant.count(), 2);
}

#[tokio::test]
async fn on_a_tenant_exactly_the_named_ones_are_gone() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = client(&sandbox);
    let mut courses = Vec::new();
    let mut learners = Vec::new();
    for n in 0..3 {
        courses.push(sandbox.seed().add_course(&format!("Course {n}")).unwrap());
        let learner = types::AddLearner::builder()
            .firstname("Ann")
            .surname(format!("No {n}"))
            .email(format!("ann{n}@acme.example"));
        learners.push(
            lms.add_learner()
                .body(learner)
                .call()
                .await
                .unwrap()
                .id
                .unwrap(),
        );
    }
    for course in &courses {
        for user in &learners {
            let body = types::AddEnrolment::builder().course(course).user(user);
            lms.add_enrolment().body(body).call().await.unwrap();
        }
    }
    let left = async || {
        lms.list_enrolments()
            .items()
            .collect_all()
            .await
            .unwrap()
            .len()
    };
    let pair = || EnrolmentScope::learner_in_course(&learners[0], &courses[0]);
    assert_eq!(lms.unenrol(pair()).await.unwrap(), Unenrolled::Removed);
    assert_eq!(left().await, 8);
    assert_eq!(lms.unenrol(pair()).await.unwrap(), Unenrolled::NoneFound);
    lms.unenrol(EnrolmentScope::learner(&learners[1]))
        .await
        .unwrap();
    assert_eq!(left().await, 5);
    lms.unenrol(EnrolmentScope::course(&courses[1]))
        .await
        .unwrap();
    assert_eq!(left().await, 3);
    let error = lms
        .delete_all_enrolments(ExpectedCount::exactly(2))
        .await
        .unwrap_err();
    assert!(error.is_conflict());
    // This tenant refuses what the description leaves open.
    assert!(
        lms.delete_all_enrolments(ExpectedCount::exactly(3))
            .await
            .is_err()
    );
    assert_eq!(left().await, 3);
}
