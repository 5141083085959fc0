//! `ensure_course_copy`: one copy, however often a program ends before it has stored the token.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use lms_ext::{CopyOptions, EnsuredCopy, prelude::*};
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::{Value, json as value};
use tokio::time::Instant;

use super::task;
use crate::sandbox::{client, disturb};
use crate::script::{Act, Script, Seen, json, lost, status};

/// A page with the original and these courses.
fn courses(others: &[Value]) -> Act {
    let mut items = vec![value!({"id": "c1", "name": "Copy"})];
    items.extend_from_slice(others);
    json(value!({"items": items, "more": false}))
}

fn copy() -> Value {
    value!({"id": "c2", "name": " Copy "})
}

/// A tenant whose lists have these courses from the given number of lists on.
fn tenant_with(
    from: usize,
    others: Vec<Value>,
    post: impl Fn() -> Act + Send + Sync + 'static,
) -> Script {
    let lists = AtomicUsize::new(0);
    Script::new(move |seen: &Seen| {
        if seen.method == Method::POST {
            return post();
        }
        let list = lists.fetch_add(1, Ordering::Relaxed);
        courses(if list < from { &[] } else { &others })
    })
}

async fn ensure(tenant: &Script, look_for: u64) -> Result<EnsuredCopy, Error> {
    tenant
        .lms()
        .ensure_course_copy("c1", "Copy", CopyOptions::unpublished)
        .look_for(Duration::from_secs(look_for))
        .await
}

fn found(copy: Result<EnsuredCopy, Error>) -> Option<String> {
    match copy.unwrap() {
        EnsuredCopy::Found(course) => course.id.as_deref().map(str::to_owned),
        EnsuredCopy::Started(_) => None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_copy_that_exists_is_found_by_its_name() {
    let tenant = tenant_with(
        0,
        vec![value!({"id": "c0", "name": "copy"}), copy()],
        || status(500),
    );
    assert_eq!(found(ensure(&tenant, 600).await).as_deref(), Some("c2"));
    assert_eq!(tenant.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn without_one_a_copy_with_the_name_is_started() {
    let tenant = tenant_with(usize::MAX, Vec::new(), || task(0, None));
    let copy = ensure(&tenant, 0).await.unwrap();
    assert!(matches!(copy, EnsuredCopy::Started(copy) if copy.task_id() == "d1"));
    let sent = tenant.sent(&Method::POST);
    let body = value!({"course": "c1", "name": "Copy", "published": false});
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].json(), body);
}

#[tokio::test(start_paused = true)]
async fn a_copy_in_progress_is_looked_for_until_the_time_is_over() {
    // Each look reads three lists.
    let tenant_of_slow_copy = || tenant_with(3 * 20, vec![copy()], || task(0, None));
    let tenant = tenant_of_slow_copy();
    assert_eq!(found(ensure(&tenant, 600).await).as_deref(), Some("c2"));
    assert_eq!(tenant.sent(&Method::POST).len(), 0);

    let tenant = tenant_of_slow_copy();
    let start = Instant::now();
    assert_eq!(found(ensure(&tenant, 20).await), None);
    assert_eq!(start.elapsed().as_secs(), 20);
    assert_eq!(tenant.sent(&Method::POST).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn after_a_lost_response_it_looks_again() {
    let tenant_of_late_copy = || tenant_with(6, vec![copy()], lost);
    let tenant = tenant_of_late_copy();
    let error = ensure(&tenant, 0).await.map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Ambiguous, "{error}");

    let tenant = tenant_of_late_copy();
    assert_eq!(found(ensure(&tenant, 1).await), Some("c2".to_owned()));
    assert_eq!(tenant.sent(&Method::POST).len(), 0);

    // After a refusal, it does not.
    let refusing = tenant_with(6, Vec::new(), || status(403));
    let error = ensure(&refusing, 0).await.map(|_| ()).unwrap_err();
    assert!(error.is_forbidden(), "{error}");
    assert_eq!(refusing.seen().last().unwrap().method, Method::POST);

    // Found only in the list after the request.
    let tenant = tenant_with(3, vec![copy()], lost);
    assert_eq!(found(ensure(&tenant, 0).await), Some("c2".to_owned()));
    assert_eq!(tenant.sent(&Method::POST).len(), 1);
}

/// Whether a list without a filter contains unpublished courses is not documented.
#[tokio::test(start_paused = true)]
async fn a_copy_that_only_a_filter_shows_is_found() {
    for filter in ["published=false", "archived=true"] {
        let tenant = Script::new(move |seen| match seen.url.query() {
            Some(query) if query.contains(filter) => courses(&[copy()]),
            _ => courses(&[]),
        });
        assert_eq!(found(ensure(&tenant, 0).await), Some("c2".to_owned()));
        assert_eq!(tenant.sent(&Method::POST).len(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_unclear_starts_no_copy() {
    let other = value!({"id": "c3", "name": "Copy"});
    let unnamed = value!({"id": "c3"});
    for (others, kind) in [
        (vec![copy(), other], ErrorKind::Mismatch),
        (vec![copy(), unnamed], ErrorKind::Decode),
    ] {
        let tenant = tenant_with(0, others, || task(0, None));
        let error = ensure(&tenant, 0).await.map(|_| ()).unwrap_err();
        assert_eq!(
            (error.kind(), error.fields()),
            (kind, &["name".to_owned()][..])
        );
        assert!(error.to_string().contains("no copy was started"), "{error}");
        assert_eq!(tenant.count(), 1);
    }
    // The same course twice is one course.
    let tenant = tenant_with(0, vec![copy(), copy()], || task(0, None));
    assert_eq!(found(ensure(&tenant, 0).await), Some("c2".to_owned()));
    // Without ids and a name, nothing is sent.
    let tenant = tenant_without_courses();
    for (id, name) in [("", "Copy"), ("c1", " ")] {
        let error = tenant.lms().ensure_course_copy(id, name, |copy| copy).await;
        assert!(error.map(|_| ()).unwrap_err().is_usage());
    }
    assert_eq!(tenant.sent(&Method::POST).len(), 0);
}

fn tenant_without_courses() -> Script {
    tenant_with(usize::MAX, Vec::new(), || status(500))
}

/// The run before ended without the token, because it was killed or the response was lost. The service goes on.
#[tokio::test]
async fn the_copy_that_the_run_before_requested_is_found() {
    for lost in [false, true] {
        let sandbox = Sandbox::builder().demo().start().await.unwrap();
        let lms = client(&sandbox);
        let all = async || lms.list_courses().collect_all().await.unwrap();
        let before = all().await;
        let original = before[0].require_id().unwrap();
        disturb(&sandbox, ["listCourses: every 2: status 503"]);
        disturb(
            &sandbox,
            lost.then_some("addDuplicateCourse: always: drop after"),
        );
        let run = || lms.ensure_course_copy(original, "For Acme", CopyOptions::unpublished);
        match run().await {
            Ok(EnsuredCopy::Started(_)) => assert!(!lost),
            Ok(EnsuredCopy::Found(course)) => panic!("{course:?}"),
            Err(error) => assert!(lost && error.is_ambiguous(), "{error}"),
        }
        sandbox.clock().advance(Duration::from_secs(120));
        for _ in 0..3 {
            let copy = run().await.unwrap();
            assert!(matches!(copy, EnsuredCopy::Found(_)), "{copy:?}");
        }
        sandbox.faults().clear();
        assert_eq!(all().await.len(), before.len() + 1);
    }
}
