//! Setters take text, numbers, lists and options of these, in operations and in bodies.

use lms_ext::{
    Operation, Secret, expose_secrets,
    ids::{CourseId, LearnerId},
    prelude::*,
};
use reqwest::Url;
use serde_json::{Value, json};

use crate::script::Script;

/// The query of the request that a builder makes.
fn query<O: Operation>(operation: O) -> String {
    let url: Url = operation.prepare().unwrap().request.url().clone();
    url.query().unwrap_or_default().to_owned()
}

/// A body as it is sent.
fn body<B, T>(builder: B) -> Value
where
    B: lms_ext::setter::IntoValue<T>,
    T: serde::Serialize,
{
    let value = builder.into_value().unwrap();
    expose_secrets(|| serde_json::to_value(value)).unwrap()
}

#[test]
fn text_and_ids_are_taken_in_every_form() {
    let lms = Script::of([]).lms();
    let id = LearnerId::from("l1");
    let text = String::from("l1");
    let optional = Some(id.clone());
    let list = || lms.list_enrolments();
    for found in [
        query(list().user("l1")),
        query(list().user(&text)),
        query(list().user(text.clone())),
        query(list().user(&id)),
        query(list().user(id.clone())),
        query(list().user(Some("l1"))),
        query(list().user(Some(&id))),
        query(list().user(Some(id.clone()))),
        query(list().user(&optional)),
        query(list().user("l1").course(None::<&str>)),
        query(list().user("l1").course(None::<CourseId>)),
    ] {
        assert_eq!(found, "user=l1");
    }
    let names = || types::AddLearner::builder("Ann", "Bell", &text);
    let required = |builder: types::builder::AddLearner| body::<_, types::AddLearner>(builder);
    for username in [
        names().username("ann"),
        names().username(String::from("ann")),
        names().username(Some("ann")),
        names().username(Some(String::from("ann"))),
        names().username(Some(&String::from("ann"))),
    ] {
        assert_eq!(required(username)["username"], "ann");
    }
    assert_eq!(
        required(names().username(None::<String>)).get("username"),
        None
    );
    let secret = required(
        names()
            .password(Secret::from("hunter2"))
            .send_sms(Some(false)),
    );
    assert_eq!(
        (&secret["password"], &secret["send_sms"]),
        (&json!("hunter2"), &json!(false))
    );
}

#[test]
fn lists_are_taken_in_every_form() {
    let lms = Script::of([]).lms();
    let list = || lms.list_learners();
    let owned = vec![String::from("a"), String::from("b")];
    for found in [
        query(list().tags(["a", "b"])),
        query(list().tags(["a", "b"].as_slice())),
        query(list().tags(vec!["a", "b"])),
        query(list().tags(&owned)),
        query(list().tags(owned.clone())),
        query(list().tags(owned.iter().map(String::as_str))),
        query(list().tags("a b".split(' '))),
        query(list().tags(Some(["a", "b"]))),
        query(list().tags([Some("a"), None, Some("b")])),
    ] {
        assert_eq!(found, "tags=a&tags=b");
    }
    for found in [
        query(list().tags("a")),
        query(list().tags(String::from("a"))),
        query(list().tags(Some("a"))),
    ] {
        assert_eq!(found, "tags=a");
    }
    assert_eq!(query(list().tags(None::<&str>)), "");
    let course = CourseId::from("c1");
    // Fields that are not identified as ids also take ids.
    let learner = types::AddLearner::builder("Ann", "Bell", "a@b.example");
    let learner = learner.courses([&course]).profiles("p1");
    let sent = body::<_, types::AddLearner>(learner);
    assert_eq!(
        (&sent["courses"], &sent["profiles"]),
        (&json!(["c1"]), &json!(["p1"]))
    );
}

#[test]
fn numbers_are_taken_in_every_form_and_out_of_range_is_an_error() {
    let lms = Script::of([]).lms();
    let list = || lms.list_courses();
    for found in [
        query(list().limit(50)),
        query(list().limit(50_u8)),
        query(list().limit(50_usize)),
        query(list().limit(Int64::new(50))),
        query(list().limit("50")),
        query(list().limit(Some(50))),
    ] {
        assert_eq!(found, "limit=50");
    }
    let error = list().limit(u64::MAX).prepare().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("limit is not valid: the integer is out of range"),
        "{error}"
    );
    let course = body::<_, types::Course>(
        types::Course::builder()
            .display_priority(2)
            .archived(true)
            .auto_due_date(Timestamp::from("2026-01-01")),
    );
    assert_eq!(
        course,
        json!({"display_priority": 2.0, "archived": true, "auto_due_date": "2026-01-01"})
    );
    let half = types::AddCourse::builder("Fire").display_priority(0.5);
    assert_eq!(body::<_, types::AddCourse>(half)["display_priority"], 0.5);
}
