//! The scripted service of `lms_ext::testing`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lms_ext::{
    ErrorKind,
    http::HttpFailure,
    prelude::*,
    testing::{Scripted, response},
};
use serde_json::json as value;

#[tokio::test]
async fn each_expected_request_gets_its_response_once() {
    let service = Scripted::new();
    let page = |id: &str| response(200, value!({"items": [{"id": id}]}));
    service.expect("GET", "/learners?tags=a+b&limit=5", page("l1"));
    service.expect("GET", "/learners?limit=5&tags=a%20b", page("l2"));
    service.expect_failure("POST", "/enrolments", HttpFailure::Lost);
    let mut slow = response(429, "");
    slow.headers_mut().insert("retry-after", 7.into());
    for _ in 0..3 {
        service.expect("GET", "/learners/email/j\u{f6}@acme.example", slow.clone());
    }
    let lms = service.lms();
    for id in ["l1", "l2"] {
        let learners = lms.list_learners().limit(5).tags("a b").collect_all();
        assert_eq!(learners.await.unwrap()[0].id.as_deref(), Some(id));
    }
    let lost = lms.add_enrolment("c1", "l1").await.unwrap_err();
    assert!(lost.is_ambiguous());
    let limited = lms.get_learner_by_email("j\u{f6}@acme.example").await;
    assert_eq!(limited.unwrap_err().retry_after().unwrap().as_secs(), 7);
    service.finish();
    let sent = service.sent();
    assert_eq!(sent.len(), 6);
    let body = sent[2].body().unwrap().as_bytes().unwrap();
    assert_eq!(body, br#"{"course":"c1","user":"l1"}"#);
}

#[tokio::test]
async fn a_test_fails_if_a_request_is_missing_or_was_not_expected() {
    let finish = |service: &Scripted| catch_unwind(AssertUnwindSafe(|| service.finish()));
    let service = Scripted::new();
    service.expect("GET", "/tags", response(200, value!({"items": []})));
    let message = finish(&service).unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.contains(r#"not sent: ["GET /tags"]"#), "{message}");

    let service = Scripted::new();
    let error = service.lms().delete_course("c1").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Rejected, 1));
    assert!(format!("{error:#}").contains("does not expect DELETE /courses/c1"));
    let message = finish(&service).unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert!(
        message.contains(r#"not expected: ["DELETE /courses/c1"]"#),
        "{message}"
    );
}
