//! Responses that belong to another request.

use lms_ext::{Error, ErrorKind, prelude::*};
use serde_json::{Value, json as value};

use crate::script::{Script, json};

/// A tenant that sends the same body to every request.
fn always(body: Value) -> Script {
    Script::new(move |_| json(body.clone()))
}

fn fields(error: &Error, kind: ErrorKind) -> Vec<String> {
    assert_eq!(error.kind(), kind, "{error}");
    error.fields().to_vec()
}

#[tokio::test]
async fn a_page_of_another_filter_is_an_error_and_is_requested_again() {
    let of = |course: &str, next: Option<&str>| {
        let item = |number| value!({"id": format!("e{number}"), "course": course, "user": "u1"});
        value!({
            "items": [item(1), item(2)], "course": course, "number_found": "4",
            "more": next.is_some(), "next_cursor": next,
        })
    };
    let mut silent = of("c2", None);
    silent["course"] = Value::Null;
    let mut only_echo = of("c1", None);
    only_echo["course"] = "c2".into();
    for foreign in [of("c2", None), silent, only_echo] {
        let tenant = Script::of([
            json(of("c1", Some("next"))),
            json(foreign),
            json(of("c1", None)),
        ]);
        let lms = tenant.lms();
        let list = lms.list_enrolments().course("c1");
        let mut items = list.items().without_read_ahead();
        for _ in 0..2 {
            items.try_next().await.unwrap().unwrap();
        }
        let error = items.try_next().await.unwrap_err();
        assert_eq!(fields(&error, ErrorKind::Mismatch), ["course"]);
        assert_eq!(error.operation(), Some("list_enrolments"));
        for expected in [true, true, false] {
            assert_eq!(items.try_next().await.unwrap().is_some(), expected);
        }
    }
}

#[tokio::test]
async fn a_service_that_ignores_a_filter_is_noticed() {
    let learners = value!({"items": [
        {"id": "l1", "tags": ["emea"], "email": "jo@acme.example"},
        {"id": "l2", "tags": ["apac"], "email": "sam@acme.example"},
    ]});
    let lms = always(learners).lms();
    for (list, field) in [
        (lms.list_learners().tags("emea").collect_all(), "tags"),
        (
            lms.list_learners().email("jo@acme.example").collect_all(),
            "email",
        ),
    ] {
        assert_eq!(
            fields(&list.await.unwrap_err(), ErrorKind::Mismatch),
            [field]
        );
    }
    // One that leaves the fields out may have applied it.
    let learners = value!({"items": [{"id": "l1"}, {"id": "l2", "tags": null}]});
    let lms = always(learners).lms();
    assert_eq!(
        lms.list_learners()
            .tags("emea")
            .collect_all()
            .await
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn an_object_that_was_not_requested_is_an_error() {
    for (body, kind) in [
        (value!({}), ErrorKind::Decode),
        (value!({"error": "busy"}), ErrorKind::Decode),
        (
            value!({"user": "u2", "user_field": "f1", "value": "A"}),
            ErrorKind::Mismatch,
        ),
    ] {
        let tenant = always(body);
        let error = tenant
            .lms()
            .get_active_record("u1", "f1")
            .await
            .unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        // The response is final.
        assert_eq!(tenant.count(), 1);
        let raw = tenant
            .lms()
            .raw(reqwest::Method::GET, "/users/u1/user_fields/f1/record");
        assert_eq!(raw.unwrap().call().await.unwrap_err().kind(), kind);
    }
    // With a field that only this tenant has.
    let tenant = always(value!({"value": "A", "has_value": true, "colour": "red"}));
    let record = tenant.lms().get_active_record("u1", "f1").await.unwrap();
    assert_eq!(record.value.as_deref(), Some("A"));
}

#[tokio::test]
async fn another_person_is_neither_found_nor_edited_nor_ensured() {
    let foreign =
        value!({"id": "l2", "firstname": "Sam", "surname": "Li", "email": "sam@acme.example"});
    let tenant = always(foreign);
    let lms = tenant.lms();
    let found = lms.get_learner_by_email("jo@acme.example").await;
    assert_eq!(fields(&found.unwrap_err(), ErrorKind::Mismatch), ["email"]);
    let edited = lms
        .update_learner("l1", |learner| learner.surname = "Jones".into())
        .await;
    assert_eq!(fields(&edited.unwrap_err(), ErrorKind::Mismatch), ["id"]);
    let wanted = types::AddLearner::builder("Jo", "Jones", "jo@acme.example");
    let ensured = lms.ensure_learner(wanted).await;
    assert_eq!(
        fields(&ensured.unwrap_err(), ErrorKind::Mismatch),
        ["email"]
    );
    assert!(
        tenant
            .seen()
            .iter()
            .all(|seen| seen.method == reqwest::Method::GET)
    );
}
