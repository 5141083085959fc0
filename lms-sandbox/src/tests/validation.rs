//! Invalid requests: status, code and field of the error.

use axum::body::Body;
use axum::http::header;
use serde_json::{Value, json};

use super::{Tenant, cases};

fn learner(change: &str) -> Value {
    let mut learner = json!({ "firstname": "Jo", "surname": "Smith", "email": "jo@example.com" });
    let change: Value = serde_json::from_str(change).unwrap();
    for (name, value) in change.as_object().unwrap() {
        learner[name] = value.clone();
    }
    learner
}

#[test]
fn learners_are_checked_when_added_and_edited() {
    let tenant = Tenant::new();
    tenant.learner("other");
    tenant.put("/learners/l1", &json!({ "firstname": "O", "surname": "T", "email": "other@example.com", "username": "Other" })).ok();
    let mine = tenant.learner("mine");
    for (change, expected) in cases(
        r#"
        {"firstname": ""} => 422 invalid firstname
        {"firstname": " \t"} => 422 invalid firstname
        {"email": ""} => 422 invalid email
        {"email": "jo"} => 422 invalid email
        {"email": "@example.com"} => 422 invalid email
        {"email": "jo@"} => 422 invalid email
        {"email": "jo@example..com"} => 422 invalid email
        {"email": "jo@a@b"} => 422 invalid email
        {"email": "j o@example.com"} => 422 invalid email
        {"email": "OTHER@Example.com"} => 409 conflict email
        {"username": "oTHER"} => 409 conflict username
        {"tags": [""]} => 422 invalid tags
        {"password": ""} => 422 invalid password
        "#,
    ) {
        for response in [
            tenant.post("/learners", &learner(change)),
            tenant.put(&format!("/learners/{mine}"), &learner(change)),
        ] {
            assert_eq!(response.outcome(), expected, "{change}");
        }
    }
    for (change, field) in cases(
        r#"
        {"generate_password": false} => password
        {"courses": ["c77"]} => courses[0]
        {"profiles": ["p1", "p2"]} => profiles[0]
        {"signup_page": "s1"} => signup_page
        "#,
    ) {
        let response = tenant.post("/learners", &learner(change));
        let expected = format!("422 invalid {field}");
        assert_eq!(response.outcome(), expected, "{change}");
    }
    let response = tenant.put(&format!("/learners/{mine}"), &learner(r#"{"id": "l1"}"#));
    assert_eq!(response.outcome(), "422 invalid id");
    // None of these was added.
    assert_eq!(tenant.number("/learners"), 2);
}

#[test]
fn a_password_is_required_only_if_generate_password_is_false() {
    let tenant = Tenant::new();
    for (index, change) in [
        "{}",
        r#"{"generate_password": true}"#,
        r#"{"generate_password": null}"#,
        r#"{"generate_password": false, "password": "hunter22"}"#,
        r#"{"generate_password": true, "password": "hunter22"}"#,
        r#"{"password": "hunter22"}"#,
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = learner(change);
        body["email"] = json!(format!("jo{index}@example.com"));
        let added = tenant.post("/learners", &body).ok();
        assert!(added.get("password").is_none());
        assert!(!added.to_string().contains("hunter22"));
    }
}

#[test]
fn courses_and_enrolments_are_checked() {
    let tenant = Tenant::new();
    let (course, _) = tenant.course("First", 1);
    let user = tenant.learner("a");
    assert_eq!((course.as_str(), user.as_str()), ("c1", "l1"));
    tenant.check(
        r#"
        POST /courses {"name": ""} => 422 invalid name
        POST /enrolments {"user": "l1", "course": "c9"} => 422 invalid course
        POST /enrolments {"user": "l9", "course": "c1"} => 422 invalid user
        POST /duplicate_courses {"course": "c9"} => 422 invalid course
        PUT /courses/c1 {"pass_mark": 80} => 422 invalid pass_mark
        PUT /courses/c1 {"pass_mark": "many"} => 422 invalid pass_mark
        PUT /courses/c1 {"auto_due_date": "tomorrow"} => 422 invalid auto_due_date
        "#,
    );
}

#[test]
fn bodies_must_be_json_of_a_limited_size() {
    let tenant = Tenant::new();
    tenant.check(
        r#"
        POST /courses { => 400 malformed_json
        POST /courses {"name": "x",} => 400 malformed_json
        POST /courses name=x => 400 malformed_json
        POST /courses {"name": "\ud800"} => 400 malformed_json
        POST /courses [] => 422 invalid body
        POST /courses null => 422 invalid body
        POST /courses "x" => 422 invalid body
        "#,
    );
    let deep = format!(
        "{{\"name\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for body in [String::new(), deep] {
        assert_eq!(tenant.with_body("POST", "/courses", body).status, 400);
    }
    let not_utf8 = tenant.with_body("POST", "/courses", b"{\"name\": \"\xff\"}".to_vec());
    assert_eq!(not_utf8.status, 400);
    let huge = json!({ "name": "x".repeat(1 << 20) });
    assert_eq!(tenant.post("/courses", &huge).outcome(), "413 too_large");
    let large = json!({ "name": "x".repeat((1 << 20) - 20) });
    tenant.post("/courses", &large).ok();

    for content_type in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("application/jsonx"),
    ] {
        let mut request = tenant.request("POST", "/courses");
        if let Some(content_type) = content_type {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        let response = tenant.send(request.body(Body::from("{\"name\": \"x\"}")).unwrap());
        assert_eq!(
            response.outcome(),
            "415 unsupported_media_type Content-Type",
            "{content_type:?}"
        );
    }
    let request = tenant
        .request("POST", "/courses")
        .header(header::CONTENT_TYPE, "Application/JSON; charset=utf-8");
    tenant
        .send(request.body(Body::from("{\"name\": \"x\"}")).unwrap())
        .ok();
}

#[test]
fn unknown_ids_and_paths_are_404() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    tenant.check(
        r#"
        GET /courses/c99 => 404 not_found
        GET /courses/l1 => 404 not_found
        GET /courses/x => 404 not_found
        GET /courses/c01 => 404 not_found
        GET /duplicate_courses/d1 => 404 not_found
        GET /topics/t999 => 404 not_found
        GET /learners/l999 => 404 not_found
        GET /learners/email/nobody@example.com => 404 not_found email
        GET /learners/%00 => 404 not_found
        GET /topic_progress/l1/t999 => 404 not_found
        GET /topic_progress/l999/t1 => 404 not_found
        GET /course_progress/c99/l1 => 404 not_found
        GET /course_progress/x/y => 404 not_found
        GET /user_fields/f99 => 404 not_found
        GET /users/l999/user_field_permissions => 404 not_found
        GET /users/l1/user_fields/f99/record => 404 not_found
        GET /users/l999/user_fields/f1/record => 404 not_found
        GET /nowhere => 404 not_found
        GET /courses/ => 404 not_found
        GET /courses/c1/topics => 404 not_found
        DELETE /courses/c99 => 404 not_found
        DELETE /learners/l999 => 404 not_found
        PUT /courses/c99 {} => 404 not_found
        PUT /learners/l999 {"firstname": "Jo", "surname": "Smith", "email": "jo@example.com"} => 404 not_found
        GET /courses/%ff => 400 bad_path
        "#,
    );
    assert_eq!(tenant.get("").outcome(), "404 not_found");
}

#[test]
fn enrolments_are_deleted_only_by_user_or_course() {
    let tenant = Tenant::new();
    let (first, _) = tenant.course("First", 1);
    let (second, _) = tenant.course("Second", 1);
    for name in ["a", "b"] {
        let learner = tenant.learner(name);
        tenant.seed().enrol(&learner, &first).unwrap();
        tenant.seed().enrol(&learner, &second).unwrap();
    }
    let left = || tenant.number("/enrolments");
    tenant.check(
        "DELETE /enrolments => 400 unscoped
         DELETE /enrolments?usr=l1&course=c1 => 400 bad_query usr",
    );
    assert_eq!(left(), 4);
    tenant.delete("/enrolments?user=l1&course=c1").ok();
    assert_eq!(left(), 3);
    tenant.check("DELETE /enrolments?user=l1&course=c1 => 404 not_found");
    tenant.delete("/enrolments?course=c2").ok();
    assert_eq!(left(), 1);
    tenant.delete("/enrolments?user=l2").ok();
    assert_eq!(left(), 0);
    tenant.delete("/enrolments?user=l2").ok();
    assert_eq!(tenant.number("/topic_progress"), 0);
}

#[test]
fn head_responds_like_get_without_the_body() {
    let tenant = Tenant::new();
    let head = |path: &str| tenant.without_body("HEAD", path);
    assert_eq!(
        (head("/courses").status.as_u16(), head("/courses").text),
        (200, String::new())
    );
    assert_eq!(head("/courses/c9").status, 404);
    assert_eq!(head("/oauth/token").status, 405);
}
