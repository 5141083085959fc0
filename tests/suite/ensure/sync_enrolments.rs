//! `sync_enrolments` removes only enrolments that it knows; the module `promises` has the rest.

use lms_ext::prelude::*;
use serde_json::json as value;

use crate::script::{Script, json};

/// A server that ignores the filter returns the enrolments of others.
#[tokio::test]
async fn enrolments_of_others_and_without_a_course_remove_nothing() {
    for (item, expected) in [
        (
            value!({"id": "e1", "course": "c1", "user": "u2"}),
            ErrorKind::Mismatch,
        ),
        (value!({"id": "e1", "user": "u1"}), ErrorKind::Decode),
        (value!({"id": "e1", "course": "c1"}), ErrorKind::Decode),
    ] {
        let tenant = Script::of([json(value!({"items": [item]}))]);
        let none: [&str; 0] = [];
        let synced = tenant
            .lms()
            .sync_enrolments("u1", none)
            .remove_others()
            .await;
        assert_eq!(synced.unwrap_err().kind(), expected);
        assert_eq!(tenant.count(), 1);
    }
}
