//! Invalid requests: status, code and field of the error.

use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::{Value, json};

use super::Tenant;

fn learner(change: &Value) -> Value {
    let mut learner = json!({ "firstname": "Jo", "surname": "Smith", "email": "jo@example.com" });
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
    for (change, status, field) in [
        (json!({ "firstname": null }), 422, "firstname"),
        (json!({ "firstname": "" }), 422, "firstname"),
        (json!({ "firstname": " \t" }), 422, "firstname"),
        (json!({ "firstname": 5 }), 422, "firstname"),
        (json!({ "surname": null }), 422, "surname"),
        (json!({ "email": null }), 422, "email"),
        (json!({ "email": "" }), 422, "email"),
        (json!({ "email": "jo" }), 422, "email"),
        (json!({ "email": "@example.com" }), 422, "email"),
        (json!({ "email": "jo@" }), 422, "email"),
        (json!({ "email": "jo@example..com" }), 422, "email"),
        (json!({ "email": "jo@a@b" }), 422, "email"),
        (json!({ "email": "j o@example.com" }), 422, "email"),
        (json!({ "email": "OTHER@Example.com" }), 409, "email"),
        (json!({ "username": "oTHER" }), 409, "username"),
        (json!({ "username": 7 }), 422, "username"),
        (json!({ "tags": "emea" }), 422, "tags"),
        (json!({ "tags": [1] }), 422, "tags[0]"),
        (json!({ "tags": [""] }), 422, "tags"),
        (json!({ "password": "" }), 422, "password"),
        (json!({ "password": ["x"] }), 422, "password"),
        (json!({ "phone_number": 44 }), 422, "phone_number"),
    ] {
        for response in [
            tenant.post("/learners", &learner(&change)),
            tenant.put(&format!("/learners/{mine}"), &learner(&change)),
        ] {
            assert_eq!(
                (response.status.as_u16(), response.field().as_str()),
                (status, field),
                "{change}"
            );
            response.error();
        }
    }
    for (change, field) in [
        (json!({ "generate_password": false }), "password"),
        (json!({ "generate_password": "no" }), "generate_password"),
        (json!({ "send_email": 1 }), "send_email"),
        (json!({ "courses": ["c77"] }), "courses[0]"),
        (json!({ "courses": "c1" }), "courses"),
        (json!({ "profiles": ["p1", "p2"] }), "profiles[0]"),
        (json!({ "signup_page": "s1" }), "signup_page"),
    ] {
        let response = tenant.post("/learners", &learner(&change));
        assert_eq!(
            (response.error().0, response.field().as_str()),
            (422, field),
            "{change}"
        );
    }
    assert_eq!(
        tenant
            .put(
                &format!("/learners/{mine}"),
                &learner(&json!({ "id": "l1" }))
            )
            .field(),
        "id"
    );
    // None of these was added.
    assert_eq!(tenant.get("/learners").ok()["number_found"], "2");
}

#[test]
fn a_password_is_required_only_if_generate_password_is_false() {
    let tenant = Tenant::new();
    for (index, change) in [
        json!({}),
        json!({ "generate_password": true }),
        json!({ "generate_password": null }),
        json!({ "generate_password": false, "password": "hunter22" }),
        json!({ "generate_password": true, "password": "hunter22" }),
        json!({ "password": "hunter22" }),
    ]
    .iter()
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
    for (path, body, status, field) in [
        ("/courses", json!({}), 422, "name"),
        ("/courses", json!({ "name": "" }), 422, "name"),
        ("/courses", json!({ "name": ["x"] }), 422, "name"),
        (
            "/courses",
            json!({ "name": "x", "archived": "true" }),
            422,
            "archived",
        ),
        (
            "/courses",
            json!({ "name": "x", "display_priority": "1" }),
            422,
            "display_priority",
        ),
        (
            "/courses",
            json!({ "name": "x", "cover_art": 1 }),
            422,
            "cover_art",
        ),
        ("/enrolments", json!({ "course": course }), 422, "user"),
        ("/enrolments", json!({ "user": user }), 422, "course"),
        (
            "/enrolments",
            json!({ "user": user, "course": "c9" }),
            422,
            "course",
        ),
        (
            "/enrolments",
            json!({ "user": "l9", "course": course }),
            422,
            "user",
        ),
        (
            "/enrolments",
            json!({ "user": user, "course": course, "send_emails": "y" }),
            422,
            "send_emails",
        ),
        ("/duplicate_courses", json!({}), 422, "course"),
        (
            "/duplicate_courses",
            json!({ "course": "c9" }),
            422,
            "course",
        ),
        (
            "/duplicate_courses",
            json!({ "course": course, "copy_responses": 1 }),
            422,
            "copy_responses",
        ),
    ] {
        let response = tenant.post(path, &body);
        assert_eq!(
            (response.error().0, response.field().as_str()),
            (status, field),
            "{path} {body}"
        );
    }
    for (body, field) in [
        (json!({ "pass_mark": 80 }), "pass_mark"),
        (json!({ "pass_mark": "many" }), "pass_mark"),
        (json!({ "archived": "no" }), "archived"),
        (json!({ "auto_due_date": "tomorrow" }), "auto_due_date"),
        (json!({ "display_priority": "1" }), "display_priority"),
        (json!({ "created": 5 }), "created"),
    ] {
        let response = tenant.put("/courses/c1", &body);
        assert_eq!(
            (response.error().0, response.field().as_str()),
            (422, field),
            "{body}"
        );
    }
}

#[test]
fn bodies_must_be_json_of_a_limited_size() {
    let tenant = Tenant::new();
    for (body, status) in [
        ("", 400),
        ("{", 400),
        ("{\"name\": \"x\",}", 400),
        ("name=x", 400),
        ("{\"name\": \"\\ud800\"}", 400),
        ("[]", 422),
        ("null", 422),
        ("\"x\"", 422),
    ] {
        assert_eq!(
            tenant
                .with_body("POST", "/courses", body.to_owned())
                .error()
                .0,
            status,
            "{body}"
        );
    }
    let deep = format!(
        "{{\"name\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(tenant.with_body("POST", "/courses", deep).error().0, 400);
    let not_utf8 = tenant.with_body("POST", "/courses", b"{\"name\": \"\xff\"}".to_vec());
    assert_eq!(not_utf8.error().0, 400);
    let huge = json!({ "name": "x".repeat(1 << 20) });
    assert_eq!(
        tenant.post("/courses", &huge).error(),
        (413, "too_large".into())
    );
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
            response.error(),
            (415, "unsupported_media_type".into()),
            "{content_type:?}"
        );
    }
    let request = tenant
        .request("POST", "/courses")
        .header(header::CONTENT_TYPE, "Application/JSON; charset=utf-8");
    assert_eq!(
        tenant
            .send(request.body(Body::from("{\"name\": \"x\"}")).unwrap())
            .status,
        StatusCode::OK
    );
}

#[test]
fn unknown_ids_and_paths_are_404() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    for path in [
        "/courses/c99",
        "/courses/l1",
        "/courses/x",
        "/courses/c01",
        "/duplicate_courses/d1",
        "/topics/t999",
        "/learners/l999",
        "/learners/email/nobody@example.com",
        "/learners/%00",
        "/topic_progress/l1/t999",
        "/topic_progress/l999/t1",
        "/course_progress/c99/l1",
        "/course_progress/x/y",
        "/user_fields/f99",
        "/users/l999/user_field_permissions",
        "/users/l1/user_fields/f99/record",
        "/users/l999/user_fields/f1/record",
        "/nowhere",
        "/courses/",
        "/courses/c1/topics",
        "",
    ] {
        assert_eq!(
            tenant.get(path).error(),
            (404, "not_found".into()),
            "{path}"
        );
    }
    assert_eq!(tenant.delete("/courses/c99").error().0, 404);
    assert_eq!(tenant.delete("/learners/l999").error().0, 404);
    assert_eq!(tenant.put("/courses/c99", &json!({})).error().0, 404);
    assert_eq!(
        tenant.put("/learners/l999", &learner(&json!({}))).error().0,
        404
    );
    assert_eq!(tenant.get("/courses/%ff").error(), (400, "bad_path".into()));
}

#[test]
fn other_methods_are_405_with_an_allow_header() {
    let tenant = Tenant::new();
    for (method, path, allow) in [
        ("PATCH", "/courses/c1", ["GET", "PUT", "DELETE"]),
        ("POST", "/tags", ["GET", "GET", "GET"]),
    ] {
        let response = tenant.send(tenant.request(method, path).body(Body::empty()).unwrap());
        assert_eq!(response.error(), (405, "method_not_allowed".into()));
        let allowed = response.headers[header::ALLOW].to_str().unwrap();
        assert!(
            allow.iter().all(|method| allowed.contains(method)),
            "{allowed}"
        );
    }
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
    let left = || {
        tenant.get("/enrolments").ok()["number_found"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        tenant.delete("/enrolments").error(),
        (400, "unscoped".into())
    );
    assert_eq!(
        tenant.delete("/enrolments?usr=l1&course=c1").error(),
        (400, "bad_query".into())
    );
    assert_eq!(left(), "4");
    tenant.delete("/enrolments?user=l1&course=c1").ok();
    assert_eq!(left(), "3");
    assert_eq!(
        tenant.delete("/enrolments?user=l1&course=c1").error(),
        (404, "not_found".into())
    );
    tenant.delete("/enrolments?course=c2").ok();
    assert_eq!(left(), "1");
    tenant.delete("/enrolments?user=l2").ok();
    assert_eq!(left(), "0");
    tenant.delete("/enrolments?user=l2").ok();
    assert_eq!(tenant.get("/topic_progress").ok()["number_found"], "0");
}

#[test]
fn head_responds_like_get_without_the_body() {
    let tenant = Tenant::new();
    let head = |path: &str| {
        let request = tenant.request("HEAD", path);
        tenant.send(request.body(Body::empty()).unwrap())
    };
    assert_eq!(
        (head("/courses").status.as_u16(), head("/courses").text),
        (200, String::new())
    );
    assert_eq!(head("/courses/c9").status, 404);
    assert_eq!(head("/oauth/token").status, 405);
}
