//! Edits change the requested fields, and nothing else.

use lms_ext::{Edited, WriteMode, prelude::*};
use reqwest::Method;
use serde_json::{Map, Value, json as value};

use crate::script::{Act, Script, Seen, json, status};

/// A tenant with one object. A write is answered with the new object, changed by `change`.
fn holding(object: &str, change: impl Fn(&mut Value) + Send + Sync + 'static) -> Script {
    let object = object.to_owned();
    Script::new(move |seen| {
        if seen.method == Method::PUT {
            let mut written = written(&object, seen);
            change(&mut written);
            return json(written);
        }
        text(&object)
    })
}

/// A tenant with one object that accepts every write as it is.
fn keeping(object: &str) -> Script {
    holding(object, |_| {})
}

/// The object after a write. A course is replaced; a learner keeps the fields that `EditLearner` does not have.
fn written(object: &str, seen: &Seen) -> Value {
    let mut written = seen.json();
    if seen.path().starts_with("/learners") {
        let before: Map<String, Value> = serde_json::from_str(object).unwrap();
        for name in ["archived", "sso_id"] {
            written[name] = before.get(name).cloned().unwrap_or_default();
        }
    }
    written
}

fn text(object: &str) -> Act {
    status(200)
        .header("content-type", "application/json")
        .body(object.to_owned())
}

/// Sets the surname of a learner.
async fn rename(lms: Lms) -> Result<Edited<types::Learner>, Error> {
    lms.update_learner("l1", |l| l.surname = "Jones".into())
        .await
}

async fn archive(lms: &Lms, archived: bool) -> Result<Edited<types::Course>, Error> {
    lms.update_course("c1", move |course| course.archived = Some(archived))
        .await
}

const LEARNER: &str = r#"{"id":"l1","firstname":"Ann","surname":"Smith","email":"ann@acme.example",
    "username":"ann","phone_number":null,"notes":"likes tea","tags":["emea","sales"],"archived":false,
    "sso_id":"s-9","password":"hunter2","updated":"2026-01-01 10:00:00"}"#;

const COURSE: &str = r#"{"id":"c1","name":"Safety","archived":false,"display_priority":1.50,"pass_mark":80,
    "description":"With helmets","permalink":"https://acme.example/safety",
    "renewal_days":"0365","auto_due_seconds":null,"modified":"then","colour":{"hue":18446744073709551617},
    "audit":[1e2]}"#;

#[tokio::test]
async fn a_cleared_field_of_a_learner_is_sent_as_empty() {
    let tenant = keeping(LEARNER);
    let lms = tenant.lms();
    let edit = lms.update_learner("l1", |l| {
        l.notes = None;
        l.tags.clear();
    });
    edit.await.unwrap();
    let body = tenant.sent(&Method::PUT)[0].json();
    assert_eq!((&body["notes"], &body["tags"]), (&value!(""), &value!([])));
    assert_eq!(body.get("phone_number"), None, "it was null before");
}

#[tokio::test]
async fn an_empty_text_of_a_course_is_sent_but_none_and_a_derived_url_are_left_out() {
    type Edit = fn(&mut types::Course);
    let cases: [(Edit, &str, Option<Value>); 4] = [
        (
            |c| c.description = Some(String::new()),
            "description",
            Some(value!("")),
        ),
        (|c| c.description = None, "description", None),
        (|c| c.permalink = Some(String::new()), "permalink", None),
        (|c| c.pass_mark = None, "pass_mark", None),
    ];
    for (edit, field, sent) in cases {
        let tenant = keeping(COURSE);
        let course = tenant.lms().update_course("c1", edit).await.unwrap();
        assert!(course.was_written());
        let after = serde_json::to_value(course.value()).unwrap();
        assert!([None, Some(&Value::Null), Some(&value!(""))].contains(&after.get(field)));
        let body = tenant.sent(&Method::PUT)[0].json();
        assert_eq!(body.get(field), sent.as_ref());
        assert_eq!(body["renewal_days"], "0365");
    }
}

#[tokio::test]
async fn a_password_is_sent_only_if_the_caller_sets_one_and_is_never_shown() {
    let tenant = keeping(LEARNER);
    let lms = tenant.lms();
    let edit = |l: &mut types::EditLearner| {
        assert_eq!(l.password, None);
        l.password = Some("s3cr3t".into());
    };
    for mode in [WriteMode::DryRun, WriteMode::Apply] {
        let edited = lms.update_learner("l1", edit).run(mode).await.unwrap();
        let shown = format!("{} {edited:?}", edited.changes()[0]);
        let secret = shown.contains("s3cr3t") || shown.contains("hunter2");
        assert!(!secret, "{shown}");
        assert!(shown.contains("password: a new one (hidden)"), "{shown}");
    }
    let writes = tenant.sent(&Method::PUT);
    assert_eq!(
        (writes.len(), &writes[0].json()["password"]),
        (1, &value!("s3cr3t"))
    );

    let empty = lms.update_learner("l1", |l| l.password = Some("".into()));
    let error = empty.await.unwrap_err();
    assert!(error.is_usage(), "{error:?}");
}

#[tokio::test]
async fn an_edit_that_changes_nothing_writes_nothing() {
    let tenant = keeping(LEARNER);
    let learner = tenant
        .lms()
        .update_learner("l1", |l| {
            l.surname = "Smith".into();
            l.phone_number = Some(String::new());
            l.tags.reverse();
        })
        .await
        .unwrap();
    assert!(!learner.was_written() && learner.changes().is_empty());
    let tenant_of_course = keeping(COURSE);
    let lms = tenant_of_course.lms();
    assert!(!archive(&lms, false).await.unwrap().was_written());
    assert!(archive(&lms, true).await.unwrap().was_written());
    assert_eq!(tenant.sent(&Method::PUT).len(), 0);
    assert_eq!(tenant_of_course.sent(&Method::PUT).len(), 1);
}

#[tokio::test]
async fn a_response_that_differs_from_what_was_meant_is_a_mismatch() {
    type Change = fn(&mut Value);
    let cases: [(Change, &[&str]); 8] = [
        (|learner| learner["surname"] = value!("JONES"), &["surname"]),
        (|learner| learner["tags"] = value!(["sales"]), &["tags"]),
        (|learner| learner["notes"] = Value::Null, &["notes"]),
        (|learner| learner["archived"] = value!(true), &["archived"]),
        (|learner| learner["sso_id"] = value!("other"), &["sso_id"]),
        (|learner| learner["updated"] = value!("now"), &[]),
        (|learner| learner["password"] = value!("echo"), &[]),
        (|learner| learner["tags"] = value!(["sales", "emea"]), &[]),
    ];
    for (change, expected) in cases {
        let tenant = holding(LEARNER, change);
        match rename(tenant.lms()).await {
            Ok(_) => assert!(expected.is_empty(), "{expected:?} was not noticed"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Mismatch, "{error:?}");
                assert_eq!(error.fields(), expected);
                assert_eq!(error.operation(), Some("edit_learner"));
                assert!(!format!("{error} {error:?}").contains("Jones"));
            }
        }
    }
}

#[tokio::test]
async fn all_fields_of_a_course_are_compared_except_those_that_the_service_maintains() {
    // A field, its value in the response (`None`: left out), and whether that is a mismatch.
    for (field, found, mismatch) in [
        ("pass_mark", Some(value!("80")), false),
        ("renewal_days", Some(value!(365)), false),
        ("display_priority", Some(value!(1.5)), false),
        ("modified", Some(value!("now")), false),
        ("archived", None, false),
        ("audit", Some(value!([1, 2])), false),
        ("colour", None, true),
        ("pass_mark", Some(value!(8)), true),
        // A URL that the service derives may change, but not disappear.
        ("permalink", Some(value!("https://acme.example/new")), false),
        ("permalink", Some(value!("")), true),
        ("permalink", Some(value!(null)), true),
    ] {
        let response = found.clone();
        let tenant = holding(COURSE, move |written| {
            let written = written.as_object_mut().unwrap();
            match &response {
                Some(value) => written.insert(field.into(), value.clone()),
                None => written.remove(field),
            };
        });
        let lms = tenant.lms();
        let edit = lms.update_course("c1", |c| c.name = Some("Other".into()));
        let fields = edit
            .await
            .map_or_else(|error| error.fields().to_vec(), |_| Vec::new());
        assert_eq!(fields, &[field][..usize::from(mismatch)], "{found:?}");
    }
}

#[tokio::test]
async fn a_field_that_cannot_be_written_is_a_mismatch() {
    let tenant = holding(COURSE, |written| written["modified"] = value!("then"));
    let lms = tenant.lms();
    let edit = lms.update_course("c1", |c| c.modified = Some("tomorrow".into()));
    assert_eq!(edit.await.unwrap_err().fields(), ["modified"]);
}

#[tokio::test]
async fn a_changed_id_is_refused() {
    let tenant = keeping(COURSE);
    let lms = tenant.lms();
    let edit = lms.update_course("c1", |c| c.id = Some("c2".into()));
    let error = edit.await.unwrap_err();
    assert!(error.is_usage(), "{error:?}");
    assert_eq!(tenant.sent(&Method::PUT).len(), 0);
}

/// The errors of every method that edits a course or a learner.
async fn every_edit(lms: &Lms) -> Vec<Error> {
    let description = |c: &mut types::Course| c.description = Some("new".into());
    let phone = |l: &mut types::EditLearner| l.phone_number = Some("123".into());
    vec![
        lms.update_course("c1", description).await.unwrap_err(),
        lms.update_course("c1", description)
            .run(WriteMode::DryRun)
            .await
            .unwrap_err(),
        lms.update_learner("c1", phone).await.unwrap_err(),
        lms.update_learner("c1", phone)
            .run(WriteMode::DryRun)
            .await
            .unwrap_err(),
    ]
}

#[tokio::test]
async fn an_object_that_was_not_read_is_not_written_over() {
    for (body, field) in [
        ("{}", "id"),
        (r#"{"error": "busy"}"#, "id"),
        (r#"{"data": {"id": "c1", "name": "Safety"}}"#, "id"),
        (r#"{"id": null, "name": "Safety"}"#, "id"),
        (r#"{"id": "", "name": "Safety"}"#, "id"),
        (r#"{"id": "c2", "name": "Safety"}"#, "id"),
        (
            r#"{"id": "c1", "archived": null, "published": null}"#,
            "name",
        ),
        (r#"{"id": "c1", "name": null, "email": null}"#, "name"),
    ] {
        let tenant = Script::new(move |_| text(body));
        for error in every_edit(&tenant.lms()).await {
            let learner = error.operation() == Some("get_learner_by_id");
            let expected = match field {
                "name" if learner => &["email", "firstname", "surname"][..],
                _ => &[field],
            };
            assert_eq!(error.fields(), expected, "{body}: {error}");
            assert!(error.to_string().contains(expected[0]), "{error}");
            assert!(matches!(
                error.kind(),
                ErrorKind::Decode | ErrorKind::Mismatch
            ));
        }
        assert_eq!(tenant.sent(&Method::PUT).len(), 0, "{body}");
    }
}

#[tokio::test]
async fn a_required_field_that_was_not_read_can_be_set_by_the_edit() {
    let hidden = LEARNER.replace(r#""ann@acme.example""#, "null");
    let tenant = keeping(&hidden);
    let error = rename(tenant.lms()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert_eq!(error.fields(), ["email"]);
    let lms = tenant.lms();
    let edit = lms.update_learner("l1", |l| l.email = "ann@acme.example".into());
    assert!(edit.await.unwrap().was_written());
    let written = tenant.sent(&Method::PUT)[0].json();
    assert_eq!(written["email"], "ann@acme.example");
    // If nothing changes, nothing can be lost.
    let edit = lms.update_learner("l1", |_| {}).await.unwrap();
    assert!(!edit.was_written());
}

#[tokio::test]
async fn a_time_in_another_zone_is_the_same() {
    for (found, same) in [
        ("2026-03-01T09:30:00Z", true),
        ("2026-03-01T10:30:00.000+01:00", true),
        ("2026-03-01 09:30:00", true),
        ("2026-03-01T10:30:00Z", false),
        ("some day", false),
    ] {
        let tenant = holding(COURSE, move |written| {
            written["auto_due_date"] = value!(found);
        });
        let result = tenant
            .lms()
            .update_course("c1", |c| {
                c.auto_due_date = Some(Timestamp::new("2026-03-01T10:30:00+01:00"));
            })
            .await;
        assert_eq!(result.is_ok(), same, "{found}: {result:?}");
    }
}
