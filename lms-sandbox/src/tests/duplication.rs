//! Duplication of courses.

use std::time::Duration;

use serde_json::{Value, json};

use super::Tenant;

fn poll(tenant: &Tenant, task: &Value) -> Value {
    tenant.read(&format!(
        "/duplicate_courses/{}",
        task["id"].as_str().unwrap()
    ))
}

#[test]
fn each_poll_advances_the_task_and_the_last_returns_the_copy() {
    let tenant = Tenant::new();
    let (course, topics) = tenant.course("First", 3);
    let learner = tenant.learner("a");
    tenant.seed().enrol(&learner, &course).unwrap();
    tenant.seed().complete_topic(&learner, &topics[0]).unwrap();
    let edit = json!({ "name": "First", "published": true, "x_field": 1 });
    tenant.put(&format!("/courses/{course}"), &edit).ok();
    let body = json!({ "course": course, "copy_enrolments": true });
    let mut task = tenant.post("/duplicate_courses", &body).ok();
    let mut steps = vec![(task["progress"].clone(), task["stage"].clone())];
    for _ in 0..4 {
        assert_eq!(task["complete"], false);
        assert!(task.get("new_course").is_none());
        assert_eq!(tenant.list("/courses", 9).len(), 1);
        task = poll(&tenant, &task);
        steps.push((task["progress"].clone(), task["stage"].clone()));
    }
    let expected = [
        ("0", "1"),
        ("25", "2"),
        ("50", "3"),
        ("75", "4"),
        ("100", "4"),
    ];
    assert_eq!(
        steps,
        expected.map(|(progress, stage)| (json!(progress), json!(stage)))
    );
    assert_eq!(task["complete"], true);
    assert_eq!(poll(&tenant, &task), task);

    let copy = tenant.read(&format!(
        "/courses/{}",
        task["new_course"].as_str().unwrap()
    ));
    assert_eq!(copy["name"], "Copy of First");
    assert_eq!(copy["published"], true);
    assert_eq!(copy["x_field"], 1);
    assert_ne!(
        copy["permalink"],
        tenant.read(&format!("/courses/{course}"))["permalink"]
    );
    let id = copy["id"].as_str().unwrap();
    assert_eq!(tenant.list(&format!("/topics?course={id}"), 9).len(), 3);
    let progress = tenant.list(&format!("/topic_progress?course={id}"), 9);
    assert_eq!(progress.len(), 3);
    assert!(progress.iter().all(|p| p["completed"] == false));
}

#[test]
fn name_and_published_override_the_original_and_enrolments_are_not_copied() {
    let tenant = Tenant::new();
    let (course, _) = tenant.course("First", 1);
    let learner = tenant.learner("a");
    tenant.seed().enrol(&learner, &course).unwrap();
    let body =
        json!({ "course": course, "name": "Other", "published": false, "copy_responses": true });
    let task = tenant.post("/duplicate_courses", &body).ok();
    let done = (0..4).map(|_| poll(&tenant, &task)).last().unwrap();
    let copy = tenant.read(&format!(
        "/courses/{}",
        done["new_course"].as_str().unwrap()
    ));
    assert_eq!(
        (&copy["name"], &copy["published"]),
        (&json!("Other"), &json!(false))
    );
    assert_eq!(tenant.list("/enrolments", 9).len(), 1);
}

#[test]
fn deleting_the_original_ends_the_task() {
    let tenant = Tenant::new();
    let (course, _) = tenant.course("First", 1);
    let task = tenant
        .post("/duplicate_courses", &json!({ "course": course }))
        .ok();
    tenant.delete(&format!("/courses/{course}")).ok();
    (0..3).for_each(|_| drop(poll(&tenant, &task)));
    for _ in 0..2 {
        tenant.check("GET /duplicate_courses/d1 => 404 not_found");
    }
}

#[test]
fn a_copy_that_is_not_polled_is_made_a_minute_after_the_last_poll() {
    let tenant = Tenant::new();
    let (course, _) = tenant.course("First", 2);
    let (deleted, _) = tenant.course("Deleted", 0);
    let add = |course: &String| {
        tenant
            .post("/duplicate_courses", &json!({ "course": course }))
            .ok()
    };
    let advance = |seconds| tenant.app.clock.advance(Duration::from_secs(seconds));
    let (task, orphan) = (add(&course), add(&deleted));
    tenant.delete(&format!("/courses/{deleted}")).ok();
    advance(40);
    assert_eq!(poll(&tenant, &task)["progress"], "25");
    advance(59);
    assert_eq!(tenant.list("/courses", 9).len(), 1);
    advance(21);
    let courses = tenant.list("/courses", 9);
    assert_eq!(courses.len(), 2);
    // It is dated when it was due.
    assert_eq!(courses[1]["created"], "2026-03-01T09:31:40Z");
    let copy = courses[1]["id"].as_str().unwrap();
    assert_eq!(tenant.list(&format!("/topics?course={copy}"), 9).len(), 2);
    let done = poll(&tenant, &task);
    assert_eq!(
        (&done["complete"], &done["new_course"], &done["progress"]),
        (&json!(true), &json!(copy), &json!("100"))
    );
    let path = format!("/duplicate_courses/{}", orphan["id"].as_str().unwrap());
    for _ in 0..3 {
        tenant.get(&path);
    }
    assert_eq!(tenant.get(&path).status, 404);
    advance(60);
    assert_eq!(tenant.list("/courses", 9).len(), 2);
}
