//! Deleting enrolments: those of the scope, and no others.

use lms_ext::{Unenrolled, WriteMode, prelude::*};
use serde_json::{Value, json as value};

use crate::script::{Script, json, lost, status};

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
        (vec![status(200)], Ok(Unenrolled::Removed)),
        (vec![status(404)], Ok(Unenrolled::NoneFound)),
        (vec![status(403)], Err(ErrorKind::Forbidden)),
    ] {
        let scope = EnrolmentScope::learner_in_course("u1", "c1");
        let result = Script::of(acts).lms().unenrol(scope).await;
        assert_eq!(result.map_err(|error| error.kind()), expected);
    }
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
        let enrolments = enrolments.clone();
        let planned = Script::new(move |seen| {
            let selected =
                |name: &str, item: &Value| seen.query(name).is_none_or(|id| item[name] == id);
            let items = enrolments.iter();
            let items = items.filter(|item| selected("user", item) && selected("course", item));
            json(value!({"items": items.collect::<Vec<_>>(), "more": false}))
        });
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
