//! Requests by method and path, and those of an operation that is chosen at run time.

use futures_util::TryStreamExt as _;
use lms_ext::{CallOptions, ErrorKind, OPERATIONS, OperationInfo, RetryPolicy, prelude::*};
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::{Value, json as value, value::RawValue};

use crate::script::{Script, json, status};
use crate::servers::{client, disturb};

fn operation(id: &str) -> &'static OperationInfo {
    OPERATIONS.iter().find(|known| known.id == id).unwrap()
}

fn parsed(json: Option<&RawValue>) -> Value {
    serde_json::from_str(json.unwrap().get()).unwrap()
}

#[tokio::test]
async fn a_request_by_path_reads_writes_and_deletes() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = client(&sandbox);
    let added = lms.raw(Method::POST, "/courses").unwrap();
    let added = added.body(r#"{"name":"Safety"}"#).call().await.unwrap();
    let id = parsed(added.value.as_deref())["id"]
        .as_str()
        .unwrap()
        .to_owned();

    let get = lms.raw_operation(operation("get_course"), &[&id]).unwrap();
    assert_eq!(get.url(), format!("{}/courses/{id}", lms.base_url()));
    let found = get.call().await.unwrap();
    assert_eq!(parsed(found.value.as_deref())["name"], "Safety");

    let delete = lms.raw(Method::DELETE, &format!("/courses/{id}")).unwrap();
    assert!(delete.call().await.unwrap().value.is_none());
    let gone = lms.raw(Method::GET, &format!("/courses/{id}")).unwrap();
    let gone = gone.call().await.unwrap_err();
    assert_eq!(
        (gone.kind(), gone.operation()),
        (ErrorKind::NotFound, Some("get_course"))
    );
}

#[tokio::test]
async fn a_raw_list_reads_all_pages_with_its_filters() {
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    let lms = client(&sandbox);
    let expected = lms
        .list_topics()
        .published(true)
        .collect_all()
        .await
        .unwrap();
    let raw = lms.raw(Method::GET, "/topics?published=true").unwrap();
    let found = raw.query("limit", "7").items().collect_all().await.unwrap();
    assert_eq!(found.len(), expected.len());
    assert!(found.len() > 7);
    let operation = operation("list_tags");
    let tags = lms.raw_operation(operation, &[""; 0]).unwrap().pages();
    let tags: Vec<_> = tags.try_collect().await.unwrap();
    assert_eq!(tags.len(), 1);
}

/// The checks of a builder hold, and nothing is sent.
#[tokio::test]
async fn a_dangerous_path_is_refused() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = client(&sandbox);
    for (method, path) in [
        (Method::GET, "courses/c1"),
        (Method::GET, "https://evil.example/courses"),
        (Method::GET, "//evil.example/courses"),
        (Method::GET, "/\\evil.example"),
        (Method::GET, "/courses/.."),
        (Method::GET, "/courses/%2e%2E/learners"),
        (Method::GET, "/courses/."),
        (Method::GET, "/courses/"),
        (Method::GET, "/courses//c1"),
        (Method::GET, "/courses/c1#top"),
        (Method::GET, "/courses/c1 "),
        (Method::GET, "/courses/.\t."),
        (Method::GET, "/"),
        (Method::GET, "/api/v1/courses"),
        (Method::DELETE, "/courses"),
        (Method::PATCH, "/learners/l1"),
        (Method::DELETE, "/Enrolments?user=u1"),
        (Method::DELETE, "/enrolment%73"),
        (Method::HEAD, "/anything"),
        // Some servers treat the text after a semicolon as parameters of the segment.
        (Method::DELETE, "/enrolments;x=1"),
        (Method::DELETE, "/enrolments;"),
        (Method::DELETE, "/courses/..;/enrolments"),
        (Method::DELETE, "/courses/%2E.;x=1/enrolments"),
        (Method::DELETE, "/;x/enrolments"),
        (Method::POST, "/COURSES;x"),
    ] {
        let error = lms.raw(method.clone(), path).unwrap_err();
        assert!(error.is_usage(), "{method} {path}: {error}");
    }
    for path in
        "/enrolments /enrolments?user= /enrolments?user=%20&course=c1 /enrolments?x=1".split(' ')
    {
        let error = lms
            .raw(Method::DELETE, path)
            .unwrap()
            .call()
            .await
            .unwrap_err();
        assert!(error.is_usage(), "{path}: {error}");
    }
    for ids in [&[""][..], &["."], &[".."], &[], &["c1", "c2"]] {
        let error = lms.raw_operation(operation("get_course"), ids).unwrap_err();
        assert!(error.is_usage(), "{ids:?}: {error}");
    }
    assert!(sandbox.requests().unwrap().is_empty());
}

#[tokio::test]
async fn an_undocumented_path_has_a_token_and_retries() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = client(&sandbox);
    let raw = lms.raw(Method::GET, "/reports/weekly").unwrap();
    assert_eq!(raw.operation().path, "");
    let error = raw.call().await.unwrap_err();
    assert_eq!(
        (error.status(), error.operation()),
        (Some(404), Some("undocumented_get"))
    );
    let post = lms.raw(Method::POST, "/reports").unwrap();
    assert!(!post.operation().idempotent);
}

/// A lost response to a POST by path is ambiguous, as with a builder, and a lost response to a GET is retried.
#[tokio::test]
async fn a_raw_request_is_retried_as_its_operation() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = client(&sandbox);
    lms.me().call().await.unwrap();
    for (method, path, ambiguous) in [
        (Method::POST, "/courses", true),
        (Method::GET, "/courses", false),
    ] {
        disturb(&sandbox, ["all: first 1: status 503"]);
        let raw = lms.raw(method, path).unwrap().body(r#"{"name":"Safety"}"#);
        let result = raw.call().await;
        assert_eq!(result.is_err_and(|error| error.is_ambiguous()), ambiguous);
    }
}

#[tokio::test]
async fn a_raw_request_has_its_query_and_options() {
    let server = Script::new(|_| status(503));
    let lms = server.lms();
    let list = lms.raw(Method::GET, "/learners").unwrap();
    let list = list.query("tags", "a b").query("limit", "2");
    let once = CallOptions::new().retry(RetryPolicy::disabled());
    list.options(once).call_as::<Value>().await.unwrap_err();
    assert_eq!(server.count(), 1);
    assert_eq!(server.seen()[0].url.query(), Some("tags=a+b&limit=2"));

    // A segment with the name of a parameter is none.
    let by_email = operation("get_learner_by_email");
    let get = lms.raw_operation(by_email, &["ann@acme.example"]).unwrap();
    assert!(
        get.url().ends_with("/learners/email/ann@acme.example"),
        "{}",
        get.url()
    );
}

#[tokio::test]
async fn a_builder_that_is_awaited_is_called() {
    let tenant = Script::of([
        status(503),
        json(value!({"id": "c1", "name": "Safety"})),
        status(503),
        json(value!({"id": "c2"})),
    ]);
    let lms = tenant.lms();
    let course = lms.get_course("c1").await.unwrap();
    assert_eq!(course.name.as_deref(), Some("Safety"));
    assert_eq!(tenant.seen()[1].token(), Some("a-token"));
    let once = CallOptions::new().retry(RetryPolicy::default().max_attempts(1));
    let error: Error = lms.get_course("c1").options(once).await.unwrap_err();
    assert_eq!((error.status(), error.attempts()), (Some(503), 1));
    // The future owns what it needs.
    let call = lms.get_course("c2").into_future();
    drop(lms);
    let course = tokio::spawn(call).await.unwrap().unwrap();
    assert_eq!(course.id.as_deref(), Some("c2"));
    assert_eq!(tenant.count(), 4);
}
