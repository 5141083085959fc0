//! Deleting enrolments: those of the scope, and no others.

use lms_ext::{Unenrolled, WriteMode, prelude::*};

use serde_json::json as value;

use crate::script::{Act, Script, json, lost, status};

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

/// A list of this number of enrolments.
fn listed(number: usize) -> Act {
    let enrolment = value!({"id": "e1", "user": "u1", "course": "c1"});
    json(value!({"items": vec![enrolment; number], "more": false}))
}

#[tokio::test]
async fn a_dry_run_counts_what_a_short_list_lacks() {
    let tenant = Script::of([json(
        value!({"items": [], "number_found": "2", "more": false}),
    )]);
    let scope = EnrolmentScope::learner_in_course("u1", "c1");
    let counted = tenant.lms().unenrol(scope).run(WriteMode::DryRun).await;
    assert_eq!(counted.unwrap(), Unenrolled::Counted(2));
}

#[tokio::test(start_paused = true)]
async fn a_404_means_already_removed_after_a_lost_response_and_otherwise_none_found_if_the_list_has_none()
 {
    for (acts, expected) in [
        (vec![lost(), status(404)], Ok(Unenrolled::AlreadyRemoved)),
        (vec![status(200)], Ok(Unenrolled::Removed)),
        (vec![status(404), listed(0)], Ok(Unenrolled::NoneFound)),
        (vec![status(404), listed(1)], Err(ErrorKind::NotFound)),
        (vec![status(403)], Err(ErrorKind::Forbidden)),
    ] {
        let scope = EnrolmentScope::learner_in_course("u1", "c1");
        let result = Script::of(acts).lms().unenrol(scope).await;
        assert_eq!(result.map_err(|error| error.kind()), expected);
    }
}
