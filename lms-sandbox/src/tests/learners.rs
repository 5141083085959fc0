//! Learners: the objects that are assigned when they are added, and deleted with them.

use serde_json::json;

use super::Tenant;
#[test]
fn a_signup_page_and_profiles_assign_tags_courses_and_permissions() {
    let tenant = Tenant::new();
    let seed = tenant.seed();
    let (courses, _): (Vec<_>, Vec<_>) = ["A", "B", "C", "D"]
        .iter()
        .map(|name| tenant.course(name, 1))
        .unzip();
    let field = seed.add_user_field(&json!({ "name": "Site" })).unwrap();
    let page = json!({ "name": "p", "tags": ["page", "both"], "courses": [courses[0]] });
    seed.add_signup_page(&page).unwrap();
    let profile = json!({
        "name": "q", "tags": ["both", "profile"], "courses": courses[..2],
        "permissions": [{ "user_field": field, "user_editable": true }],
    });
    seed.add_profile(&profile).unwrap();
    let added = tenant
        .post(
            "/learners",
            &json!({ "firstname": "Jo", "surname": "S", "email": "j@s", "tags": ["own"], "courses": [courses[2], courses[1]],
                "profiles": ["p1"], "signup_page": "s1" }),
        )
        .ok();
    assert_eq!(added["tags"], json!(["own", "page", "both", "profile"]));
    assert_eq!(added["signup_page"], "s1");
    let enrolled: Vec<_> = tenant
        .list("/enrolments?user=l1", 9)
        .iter()
        .map(|e| e["course"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        enrolled,
        [&courses[2], &courses[1], &courses[0]].map(String::clone)
    );
    assert_eq!(tenant.number("/topic_progress?user=l1"), 3);
    let permission = &tenant.list("/users/l1/user_field_permissions", 9)[0];
    assert_eq!(permission["user_editable"], true);
    assert_eq!(permission["user_visible"], false);

    // A deleted course is not assigned any more.
    tenant.delete(&format!("/courses/{}", courses[0])).ok();
    let assigned = |list: &str| tenant.read(list)["items"][0]["courses"].clone();
    assert_eq!(
        (assigned("/profiles"), assigned("/signup_pages")),
        (json!([courses[1]]), json!([]))
    );
    let next = json!({ "firstname": "Al", "surname": "S", "email": "a@s", "signup_page": "s1", "profiles": ["p1"] });
    tenant.post("/learners", &next).ok();
    assert_eq!(tenant.list("/enrolments?user=l2", 9).len(), 1);
}

#[test]
fn a_deleted_learner_leaves_only_completions() {
    let tenant = Tenant::new();
    let (course, topics) = tenant.course("A", 2);
    let learner = tenant.learner("a");
    tenant.seed().enrol(&learner, &course).unwrap();
    for topic in &topics {
        tenant.seed().complete_topic(&learner, topic).unwrap();
    }
    assert_eq!(tenant.read("/course_progress/c1/l1")["completed"], true);
    tenant.delete("/learners/l1").ok();
    tenant.check(
        "GET /learners/l1 => 404 not_found
         DELETE /learners/l1 => 404 not_found
         GET /course_progress/c1/l1 => 404 not_found",
    );
    for (list, left) in [
        ("/learners", 0),
        ("/enrolments", 0),
        ("/topic_progress", 0),
        ("/course_completions", 1),
    ] {
        assert_eq!(tenant.list(list, 9).len(), left, "{list}");
    }
    tenant.delete(&format!("/courses/{course}")).ok();
    assert_eq!(tenant.list("/topics", 9).len(), 0);
    assert_eq!(tenant.list("/course_completions", 9).len(), 1);
    // The email address can be used again.
    tenant.learner("a");
}

#[test]
fn the_last_topic_completes_the_course_once() {
    let tenant = Tenant::new();
    let (course, topics) = tenant.course("A", 2);
    let learner = tenant.learner("a");
    tenant.seed().enrol(&learner, &course).unwrap();
    let progress = |topic: &str| tenant.read(&format!("/topic_progress/{learner}/{topic}"));
    let of_course = || tenant.read(&format!("/course_progress/{course}/{learner}"));
    assert_eq!(progress(&topics[0])["completed"], false);
    tenant.seed().confirm_topic(&learner, &topics[0]).unwrap();
    assert_eq!(progress(&topics[0])["confirmed"], true);
    assert_eq!(progress(&topics[0])["completed"], false);
    tenant.seed().complete_topic(&learner, &topics[0]).unwrap();
    assert_eq!(progress(&topics[0])["completed_on"], "2026-03-01T09:30:00Z");
    assert_eq!(progress(&topics[0])["confirmed_by"], json!(learner));
    assert_eq!(of_course()["completed"], false);
    assert!(of_course().get("completed_on").is_none());
    tenant.seed().complete_topic(&learner, &topics[1]).unwrap();
    tenant.seed().complete_topic(&learner, &topics[1]).unwrap();
    tenant.seed().complete_course(&learner, &course).unwrap();
    assert_eq!(of_course()["completed"], true);
    assert_eq!(of_course()["completed_on"], "2026-03-01T09:30:00Z");
    assert_eq!(tenant.list("/course_completions", 9).len(), 1);
    // The filters also apply to a single topic.
    tenant.check(
        "GET /topic_progress/l1/t1?completed=true&course=c1 => 200
         GET /topic_progress/l1/t1?completed=false => 404 not_found
         GET /topic_progress/l1/t1?course=c9 => 404 not_found",
    );
}

#[test]
fn a_course_is_overdue_after_its_due_date() {
    let tenant = Tenant::new();
    let (course, _) = tenant.course("A", 1);
    let learner = tenant.learner("a");
    tenant.seed().enrol(&learner, &course).unwrap();
    let path = format!("/course_progress/{course}/{learner}");
    let edit = json!({ "name": "A", "auto_due_type": "seconds", "auto_due_seconds": "60" });
    tenant.put(&format!("/courses/{course}"), &edit).ok();
    assert_eq!(tenant.read(&path)["overdue"], false);
    tenant.app.clock.advance(std::time::Duration::from_secs(61));
    assert_eq!(tenant.read(&path)["overdue"], true);
    tenant.seed().complete_course(&learner, &course).unwrap();
    assert_eq!(tenant.read(&path)["overdue"], false);
}

#[test]
fn a_record_shows_whether_it_has_a_valid_value() {
    let tenant = Tenant::new();
    let learner = tenant.learner("a");
    let field = tenant
        .seed()
        .add_user_field(&json!({ "name": "Licence" }))
        .unwrap();
    let path = format!("/users/{learner}/user_fields/{field}/record");
    let none = tenant.read(&path);
    assert_eq!(none["has_value"], false);
    assert!(none.get("id").is_none() && none.get("value").is_none());
    let mut record = json!({
        "user": learner, "user_field": field, "value": "B",
        "achieved_on": "2026-03-01T09:30:00Z", "expires_on": "2026-03-01T09:31:00Z",
    });
    tenant.seed().set_record(&record).unwrap();
    let some = tenant.read(&path);
    assert_eq!(
        (&some["has_value"], &some["value"], &some["valid"]),
        (&json!(true), &json!("B"), &json!(true))
    );
    tenant.app.clock.advance(std::time::Duration::from_secs(60));
    let late = tenant.read(&path);
    assert_eq!(
        (&late["expired"], &late["valid"]),
        (&json!(true), &json!(false))
    );
    record["value"] = "C".into();
    tenant.seed().set_record(&record).unwrap();
    assert_eq!(tenant.read(&path)["value"], "C");
    for (name, wrong, message) in [
        ("user", json!("l9"), "no learner with id l9"),
        ("expires_on", json!("May"), "2026-03-01T09:30:00Z"),
        ("valid", json!("yes"), "true or false"),
        ("price", json!("3"), "no field price"),
        ("attachments", json!([{ "size": "3" }]), "no field size"),
    ] {
        let mut record = record.clone();
        record[name] = wrong;
        let error = tenant.seed().set_record(&record).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
