//! Deleting enrolments: those of the scope, and no others.

use std::time::Duration;

use lms_ext::{ExpectedCount, Unenrolled, WriteMode, prelude::*};
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::json as value;

use crate::sandbox::client;
use crate::script::{Script, json, lost, status};

#[tokio::test]
async fn the_enrolments_of_the_scope_are_deleted() {
    for (scope, expected) in [
        (
            EnrolmentScope::learner_in_course("u1", "c1"),
            vec!["course=c1", "user=u1"],
        ),
        (EnrolmentScope::learner("u1"), vec!["user=u1"]),
        (
            EnrolmentScope::course("c 1&user="),
            vec!["course=c+1%26user%3D"],
        ),
    ] {
        let tenant = Script::of([status(200)]);
        let lms = tenant.lms();
        let result = tokio::spawn(async move { lms.unenrol(scope).await });
        assert_eq!(result.await.unwrap().unwrap(), Unenrolled::Removed);
        let seen = &tenant.seen()[0];
        assert_eq!(seen.method, Method::DELETE);
        let mut query: Vec<_> = seen.url.query().unwrap().split('&').collect();
        query.sort_unstable();
        assert_eq!(query, expected);
    }
}

#[tokio::test]
async fn an_empty_id_is_refused_without_a_request() {
    let tenant = Script::of([]);
    for scope in [
        EnrolmentScope::learner(""),
        EnrolmentScope::course(" "),
        EnrolmentScope::learner_in_course("u1", ""),
        EnrolmentScope::learner_in_course("", "c1"),
    ] {
        let error = tenant.lms().unenrol(scope).await.unwrap_err();
        assert!(error.is_usage(), "{error:?}");
        assert_eq!(error.operation(), Some("delete_enrolment"));
    }
}

#[tokio::test]
async fn a_raw_delete_without_a_scope_or_with_an_empty_id_is_refused() {
    let tenant = Script::of([]);
    let lms = tenant.lms();
    for call in [
        lms.delete_enrolment(),
        lms.delete_enrolment().user(""),
        lms.delete_enrolment().user("").course("c1"),
        lms.delete_enrolment().user("u1").course(""),
    ] {
        let error = call.call().await.unwrap_err();
        assert!(error.is_usage(), "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_404_after_a_lost_response_means_already_removed_and_otherwise_none_found() {
    for (acts, expected) in [
        (vec![lost(), status(404)], Ok(Unenrolled::AlreadyRemoved)),
        (vec![status(404)], Ok(Unenrolled::NoneFound)),
        (vec![status(403)], Err(ErrorKind::Forbidden)),
    ] {
        let scope = EnrolmentScope::learner_in_course("u1", "c1");
        let result = Script::of(acts).lms().unenrol(scope).await;
        assert_eq!(result.map_err(|error| error.kind()), expected);
    }
}

/// A tenant with this number of enrolments, in pages of two, and with any `number_found`.
fn holding(enrolments: u64, number_found: Option<u64>) -> Script {
    Script::new(move |seen| {
        if seen.method == Method::DELETE {
            return status(200);
        }
        let start = seen
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
async fn all_enrolments_are_deleted_only_if_their_number_is_the_expected_one() {
    for (count, number_found, expected, deleted) in [
        (5, Some(5), 5, 1),
        (5, None, 5, 1),
        (5, Some(2), 5, 1),
        (0, Some(0), 0, 1),
        (5, Some(4), 4, 0),
        (5, Some(6), 6, 0),
        (5, None, 0, 0),
    ] {
        let tenant = holding(count, number_found);
        let lms = tenant.lms();
        let result = lms
            .delete_all_enrolments(ExpectedCount::exactly(expected))
            .await;
        let deletes = tenant.sent(&Method::DELETE);
        assert_eq!(
            deletes.len(),
            deleted,
            "{count} {number_found:?} {expected}"
        );
        if deleted == 1 {
            assert_eq!(result.unwrap(), Unenrolled::Counted(expected));
            assert!(deletes[0].url.query().is_none_or(str::is_empty));
        } else {
            let error = result.unwrap_err();
            assert!(error.is_conflict(), "{error:?}");
            assert!(error.to_string().contains("nothing was deleted"), "{error}");
            let more = error.to_string().contains("found more");
            assert_eq!(more, count > expected, "{error}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_delete_of_all_enrolments_is_not_retried() {
    let tenant = Script::of([
        json(value!({"items": []})),
        lost().after(Duration::from_secs(1)),
    ]);
    let lms = tenant.lms();
    let result = lms.delete_all_enrolments(ExpectedCount::exactly(0)).await;
    let error = result.unwrap_err();
    assert!(error.is_ambiguous(), "{error:?}");
    assert_eq!(tenant.count(), 2);
}

#[tokio::test]
async fn on_the_sandbox_exactly_the_enrolments_of_the_scope_are_deleted() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = client(&sandbox);
    let mut courses = Vec::new();
    let mut learners = Vec::new();
    for n in 0..3 {
        courses.push(sandbox.seed().add_course(&format!("Course {n}")).unwrap());
        let learner = lms.add_learner("Ann", format!("No {n}"), format!("ann{n}@acme.example"));
        let learner = learner.await.unwrap();
        learners.push(learner.id.unwrap());
    }
    for course in &courses {
        for user in &learners {
            lms.add_enrolment(course, user).call().await.unwrap();
        }
    }
    let left = async || lms.list_enrolments().collect_all().await.unwrap().len();
    let pair = || EnrolmentScope::learner_in_course(&learners[0], &courses[0]);
    let planned = lms.unenrol(pair()).run(WriteMode::DryRun).await;
    assert_eq!(planned.unwrap(), Unenrolled::Counted(1));
    assert_eq!(left().await, 9);
    assert_eq!(lms.unenrol(pair()).await.unwrap(), Unenrolled::Removed);
    assert_eq!(left().await, 8);
    let rest = lms.unenrol(EnrolmentScope::learner(&learners[0]));
    assert_eq!(rest.await.unwrap(), Unenrolled::Removed);
    assert_eq!(left().await, 6);
    assert_eq!(lms.unenrol(pair()).await.unwrap(), Unenrolled::NoneFound);
    for (scope, expected) in [
        (EnrolmentScope::learner(&learners[1]), 3),
        (EnrolmentScope::course(&courses[1]), 2),
    ] {
        lms.unenrol(scope).await.unwrap();
        assert_eq!(left().await, expected);
    }
    let one = lms.delete_all_enrolments(ExpectedCount::exactly(1));
    assert!(one.await.unwrap_err().is_conflict());
    // The sandbox refuses a request without a scope.
    let two = lms.delete_all_enrolments(ExpectedCount::exactly(2));
    assert!(two.await.is_err());
    assert_eq!(left().await, 2);
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_counts_the_enrolments_in_the_scope() {
    let all = |course: &str| {
        (0..3)
            .map(|n| value!({"id": n.to_string(), "user": format!("u{n}"), "course": course}))
            .collect::<Vec<_>>()
    };
    let enrolments = [all("c1"), all("c2")].concat();
    for (scope, deleted, expected) in [
        (EnrolmentScope::course("c1"), status(200), Some(3)),
        (EnrolmentScope::learner("u1"), status(200), Some(2)),
        (
            EnrolmentScope::learner_in_course("u1", "c2"),
            status(200),
            Some(1),
        ),
        (EnrolmentScope::learner("u9"), status(200), Some(0)),
        (EnrolmentScope::course("c9"), status(404), Some(0)),
    ] {
        // This server ignores filters.
        let list = json(value!({"items": enrolments, "more": false}));
        let planned = Script::of([list.clone()]);
        let call = planned.lms().unenrol(scope.clone());
        let planned = call.run(WriteMode::DryRun).await.unwrap();
        assert_eq!(planned.count(), expected, "{scope:?}");
        let plain = Script::of([deleted.clone()])
            .lms()
            .unenrol(scope)
            .await
            .unwrap();
        assert_eq!(plain.count(), (plain == Unenrolled::NoneFound).then_some(0));
    }
}
