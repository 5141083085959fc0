//! Lists: filters, limits, orders and `number_found`.

use serde_json::json;

use super::{Tenant, ids};

#[test]
fn filters_limit_and_order_are_echoed_only_if_present() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    let page = tenant.get("/learners").ok();
    for absent in [
        "cursor",
        "username",
        "email",
        "signup_page",
        "tags",
        "order_by",
        "order_direction",
    ] {
        assert!(page.get(absent).is_none(), "{absent}");
    }
    assert_eq!(page["limit"], "200");
    assert_eq!(page["number_found"], "650");

    let page = tenant
        .get("/learners?tags=emea&tags=remote&signup_page=s1&order_by=email&order_direction=DESC&limit=3")
        .ok();
    assert_eq!(page["tags"], json!(["emea", "remote"]));
    assert_eq!(page["signup_page"], "s1");
    assert_eq!(page["order_by"], "email");
    assert_eq!(page["order_direction"], "DESC");
    assert_eq!(page["limit"], "3");

    assert_eq!(tenant.get("/courses?archived=true").ok()["archived"], true);
    assert_eq!(
        tenant
            .get("/topics?published=true&kind=quiz&course=c1")
            .ok()["kind"],
        "quiz"
    );
    assert_eq!(
        tenant.get("/enrolments?user=l1&course=c1").ok()["user"],
        "l1"
    );
    assert_eq!(
        tenant.get("/topic_progress?completed=false&user=l1").ok()["completed"],
        false
    );
    assert_eq!(
        tenant.get("/users/l1/user_field_permissions").ok()["user"],
        "l1"
    );
    let completions = tenant.get("/course_completions?course=c1").ok();
    let mut keys: Vec<_> = completions.as_object().unwrap().keys().collect();
    keys.retain(|key| *key != "next_cursor");
    assert_eq!(keys, ["items", "more"]);
}

#[test]
fn default_and_maximum_limits() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo().max_page(150));
    for (path, expected) in [
        ("/courses", "150"),
        ("/learners", "150"),
        ("/learners?limit=100000", "150"),
        ("/learners?limit=7", "7"),
        ("/user_fields", "100"),
        ("/users/l1/user_field_permissions", "100"),
    ] {
        assert_eq!(tenant.get(path).ok()["limit"], expected, "{path}");
    }
    tenant.check(
        "GET /learners?limit=99999999999999999999999 => 400 bad_query limit
         GET /learners?limit=0 => 400 bad_query limit
         GET /learners?limit=-1 => 400 bad_query limit
         GET /learners?limit=ten => 400 bad_query limit
         GET /learners?limit= => 400 bad_query limit
         GET /learners?limit=1.5 => 400 bad_query limit",
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, step by step")]
fn number_found_is_the_length_of_the_list() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    // Counts are kept until the next write.
    tenant.get("/learners").ok();
    tenant.delete("/learners/l5").ok();
    tenant.delete("/courses/c4").ok();
    tenant.delete("/enrolments?user=l9").ok();
    tenant.delete("/enrolments?course=c7").ok();
    let edit = json!({ "firstname": "A", "surname": "B", "email": "a@b", "tags": ["remote", "brand new"] });
    tenant.put("/learners/l10", &edit).ok();
    let copy = json!({ "course": "c1", "copy_enrolments": true });
    tenant.post("/duplicate_courses", &copy).ok();
    (0..4).for_each(|_| drop(tenant.get("/duplicate_courses/d1").ok()));
    let (_, extra) = tenant.course("Late", 1);
    tenant.seed().enrol("l10", "c14").unwrap();
    tenant.seed().complete_topic("l10", &extra[0]).unwrap();
    for path in [
        "/learners",
        "/learners?tags=remote",
        "/learners?tags=remote&tags=emea",
        "/learners?tags=nobody",
        "/learners?tags=brand%20new",
        "/learners?signup_page=s1",
        "/learners?signup_page=s9",
        "/learners?signup_page=s1&tags=emea",
        "/learners?email=A@B",
        "/learners?username=nobody",
        "/courses",
        "/courses?archived=true",
        "/courses?published=true",
        "/courses?archived=false&published=true",
        "/topics",
        "/topics?course=c1",
        "/topics?kind=quiz&published=true",
        "/topics?course=c13",
        "/enrolments",
        "/enrolments?course=c1",
        "/enrolments?user=l1",
        "/enrolments?user=l1&course=c2",
        "/enrolments?course=c13",
        "/topic_progress",
        "/topic_progress?completed=true",
        "/topic_progress?completed=false",
        "/topic_progress?course=c2",
        "/topic_progress?course=c2&completed=true",
        "/topic_progress?course=c2&completed=false",
        "/topic_progress?topic=t3",
        "/topic_progress?topic=t3&completed=true",
        "/topic_progress?topic=t3&completed=false",
        "/topic_progress?user=l3",
        "/topic_progress?user=l3&completed=true",
        "/topic_progress?user=l3&topic=t3",
        "/topic_progress?topic=t3&course=c2",
        "/topic_progress?topic=t3&course=c1&completed=true",
        "/topic_progress?course=nonsense",
        "/user_fields",
        "/user_fields?archived=true",
        "/user_fields?published=true",
        "/users/l1/user_field_permissions",
    ] {
        let found = tenant.get(path).ok()["number_found"]
            .as_str()
            .unwrap()
            .parse::<usize>()
            .unwrap();
        assert_eq!(tenant.list(path, 97).len(), found, "{path}");
    }
}

#[test]
fn learners_are_in_the_requested_order() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    let folded = |text: &str| text.to_ascii_lowercase();
    for field in [
        "created",
        "updated",
        "firstname",
        "surname",
        "email",
        "username",
    ] {
        for filter in [
            "",
            "&signup_page=s2",
            "&tags=emea",
            "&tags=emea&tags=manager&signup_page=s1",
        ] {
            let listing = tenant.list(&format!("/learners?order_by={field}{filter}"), 60);
            let keys: Vec<String> = listing
                .iter()
                .map(|learner| {
                    let key = learner
                        .get(field)
                        .and_then(|key| key.as_str())
                        .unwrap_or_default();
                    if field == "email" || field == "username" {
                        folded(key)
                    } else {
                        key.to_owned()
                    }
                })
                .collect();
            assert!(keys.is_sorted(), "{field}{filter}");
            let back = tenant.list(
                &format!("/learners?order_by={field}{filter}&order_direction=DESC"),
                60,
            );
            assert_eq!(
                ids(&back),
                ids(&listing).into_iter().rev().collect::<Vec<_>>(),
                "{field}{filter}"
            );
        }
    }
}

#[test]
fn completions_and_enrolments_are_filtered_by_course_and_user() {
    let tenant = Tenant::new();
    let (first, _) = tenant.course("First", 1);
    let (second, _) = tenant.course("Second", 0);
    let (a, b) = (tenant.learner("a"), tenant.learner("b"));
    for (learner, course) in [(&a, &first), (&a, &second), (&b, &second)] {
        tenant.seed().enrol(learner, course).unwrap();
        tenant.seed().complete_course(learner, course).unwrap();
    }
    for (filter, expected) in [
        ("", 3),
        ("?user=l1", 2),
        ("?course=c2", 2),
        ("?user=l2&course=c2", 1),
        ("?user=c1", 0),
    ] {
        assert_eq!(
            tenant.list(&format!("/enrolments{filter}"), 1).len(),
            expected,
            "{filter}"
        );
        assert_eq!(
            tenant
                .list(&format!("/course_completions{filter}"), 1)
                .len(),
            expected,
            "{filter}"
        );
    }
}

#[test]
fn user_fields_are_filtered_by_flags_that_they_do_not_have() {
    let tenant = Tenant::new();
    for (archived, published) in [(false, true), (true, true), (false, false)] {
        let field = json!({ "name": "f", "archived": archived, "published": published });
        tenant.seed().add_user_field(&field).unwrap();
    }
    assert_eq!(tenant.list("/user_fields", 10).len(), 3);
    assert_eq!(ids(&tenant.list("/user_fields?archived=true", 10)), ["f2"]);
    assert_eq!(
        ids(&tenant.list("/user_fields?archived=false&published=true", 10)),
        ["f1"]
    );
    assert!(
        tenant
            .get("/user_fields?archived=true")
            .ok()
            .get("archived")
            .is_none()
    );
}

#[test]
fn unknown_repeated_and_invalid_parameters_are_rejected() {
    let tenant = Tenant::new();
    tenant.check(
        "GET /learners?page=2 => 400 bad_query page
         GET /learners?limit=1&limit=2 => 400 bad_query limit
         GET /learners?order_by=id => 400 bad_query order_by
         GET /learners?order_direction=asc => 400 bad_query order_direction
         GET /courses?archived=yes => 400 bad_query archived
         GET /topics?published=1 => 400 bad_query published
         GET /tags?limit=5 => 400 bad_query limit
         GET /signup_pages?cursor=x => 400 bad_query cursor
         GET /test?x=1 => 400 bad_query x
         GET /topic_progress?completed=TRUE => 400 bad_query completed",
    );
}
