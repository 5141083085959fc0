//! One call, from its builder to its value or error.

use lms_ext::{CallOptions, RetryPolicy, prelude::*};
use serde_json::json as value;

use crate::script::{Script, json, status};

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
