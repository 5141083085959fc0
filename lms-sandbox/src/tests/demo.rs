//! The demo tenant has items in every list, and every response matches its schema.

use serde_json::Value;

use super::{Tenant, ids};
use crate::Sandbox;
use crate::api::operation::Operation;
use crate::api::schema::{Schema, Shape};
use crate::api::timestamp;

fn demo() -> Tenant {
    Tenant::with(Sandbox::builder().demo())
}

#[test]
fn every_list_has_items_and_large_lists_have_several_pages() {
    let tenant = demo();
    for operation in Operation::ALL.iter().filter(|o| o.id().starts_with("list")) {
        let path = operation.path().replace("{user}", "l1");
        let page = tenant.get(&path).ok();
        assert!(!page["items"].as_array().unwrap().is_empty(), "{path}");
        if [
            "/learners",
            "/enrolments",
            "/topic_progress",
            "/course_completions",
        ]
        .contains(&path.as_str())
        {
            assert!(tenant.list(&path, 200).len() > 400, "{path}");
        }
    }
    assert_eq!(tenant.get("/learners").ok()["number_found"], "650");
    assert_eq!(tenant.get("/courses").ok()["number_found"], "12");
}

#[test]
fn the_same_seed_gives_the_same_tenant() {
    let (one, same, other) = (
        demo(),
        demo(),
        Tenant::with(Sandbox::builder().demo_seed(2)),
    );
    for path in [
        "/learners",
        "/enrolments",
        "/course_completions",
        "/topic_progress?completed=true",
    ] {
        assert_eq!(one.list(path, 200), same.list(path, 200), "{path}");
        assert_ne!(one.list(path, 200), other.list(path, 200), "{path}");
    }
}

#[test]
fn the_example_of_every_operation_succeeds_and_its_response_matches_its_schema() {
    let tenant = demo();
    for operation in Operation::ALL {
        let (example, template) = (operation.example(), operation.path());
        let mut values = example.path.iter();
        let segments = template
            .split('/')
            .map(|segment| match segment.starts_with('{') {
                true => values.next().unwrap_or_else(|| {
                    panic!(
                        "{template}: add the example of {} to lms-sandbox/src/api/example.rs",
                        operation.id()
                    )
                }),
                false => segment,
            });
        let path = segments.collect::<Vec<_>>().join("/");
        assert_eq!(values.next(), None, "{path}");
        let query = example
            .query
            .iter()
            .map(|(name, value)| format!("{name}={value}&"));
        let path = format!("{path}?{}", query.collect::<String>());
        let body = example
            .body
            .map(|body| body.to_string())
            .unwrap_or_default();
        let response = tenant.with_body(operation.method().as_str(), &path, body);
        assert_eq!(
            response.status, 200,
            "{path}: {} (see lms-sandbox/src/api/example.rs)",
            response.text
        );
        // `expires_in` is a number, unlike in the schema: see Authentication in lms-client/src/service.md.
        if let Some(schema) = operation.response()
            && *operation != Operation::GetToken
        {
            check(schema, &response.ok(), &path);
        }
    }
}

#[test]
fn every_response_matches_its_schema() {
    let tenant = demo();
    let get = |operation: Operation, path: &str| {
        let body = tenant.get(path).ok();
        check(operation.response().unwrap(), &body, path);
        body
    };
    for course in ids(&tenant.list("/courses", 200)) {
        get(Operation::GetCourse, &format!("/courses/{course}"));
    }
    let mut with_value = 0;
    for user in 1..30 {
        let enrolments = tenant.list(&format!("/enrolments?user=l{user}"), 200);
        for enrolment in &enrolments {
            let course = enrolment["course"].as_str().unwrap();
            get(
                Operation::GetCourseProgress,
                &format!("/course_progress/{course}/l{user}"),
            );
        }
        for progress in tenant.list(&format!("/topic_progress?user=l{user}"), 200) {
            let topic = progress["topic"].as_str().unwrap();
            assert_eq!(
                get(
                    Operation::GetTopicProgress,
                    &format!("/topic_progress/l{user}/{topic}")
                ),
                progress
            );
        }
        for field in 1..=10 {
            let record = get(
                Operation::GetActiveRecord,
                &format!("/users/l{user}/user_fields/f{field}/record"),
            );
            with_value += usize::from(record["has_value"] == true);
        }
    }
    assert!(with_value > 50);
    for field in 1..=10 {
        get(Operation::GetUserField, &format!("/user_fields/f{field}"));
    }
}

/// Checks a body against its schema: only documented fields, each with its type.
#[track_caller]
fn check(schema: &Schema, body: &Value, path: &str) {
    for (name, value) in body.as_object().unwrap() {
        let fits = match schema.field(name) {
            None => false,
            Some(Shape::Text) => value.is_string(),
            Some(Shape::Id(kind)) => value
                .as_str()
                .is_some_and(|id| id.starts_with(kind.prefix())),
            Some(Shape::Time | Shape::DateTime) => value
                .as_str()
                .is_some_and(|text| text.len() == 20 && timestamp::parse(text).is_some()),
            Some(Shape::Flag) => value.is_boolean(),
            Some(Shape::Number) => value.is_number(),
            Some(Shape::Int64) => value
                .as_str()
                .is_some_and(|text| text.parse::<i64>().is_ok()),
            Some(Shape::Texts) => value
                .as_array()
                .is_some_and(|items| items.iter().all(Value::is_string)),
            Some(Shape::One(inner)) => {
                check(inner, value, path);
                true
            }
            Some(Shape::Many(inner)) => {
                value
                    .as_array()
                    .unwrap()
                    .iter()
                    .for_each(|item| check(inner, item, path));
                true
            }
        };
        assert!(fits, "{path}: {name} is {value}");
    }
    assert!(!body.as_object().unwrap().is_empty(), "{path}");
}
