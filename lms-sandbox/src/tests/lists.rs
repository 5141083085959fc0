//! Lists: filters, limits, orders and `number_found`.

use serde_json::{Value, json};

use super::{Tenant, cases, ids};

#[test]
fn filters_limit_and_order_are_echoed_only_if_present() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    for (path, expected) in cases(
        r#"
        /learners => {"number_found": "650", "limit": "200"}
        /learners?tags=emea&tags=remote&signup_page=s1 => {"tags": ["emea", "remote"], "signup_page": "s1", "limit": "200"}
        /learners?order_by=email&order_direction=DESC&limit=3 => {"order_by": "email", "order_direction": "DESC", "limit": "3"}
        /courses?archived=true => {"archived": true, "limit": "200"}
        /topics?published=true&kind=quiz&course=c1 => {"published": true, "kind": "quiz", "course": "c1", "limit": "200"}
        /enrolments?user=l1&course=c1 => {"user": "l1", "course": "c1", "limit": "200"}
        /topic_progress?completed=false&user=l1 => {"completed": false, "user": "l1", "limit": "200"}
        /users/l1/user_field_permissions => {"user": "l1", "limit": "100"}
        /course_completions?course=c1 => {}
        "#,
    ) {
        let mut page = tenant.read(path);
        let expected: Value = serde_json::from_str(expected).unwrap();
        let fields = page.as_object_mut().unwrap();
        fields.retain(|name, _| !["items", "more", "next_cursor"].contains(&name.as_str()));
        if expected["number_found"].is_null() {
            fields.remove("number_found");
        }
        assert_eq!(page, expected, "{path}");
    }
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
        assert_eq!(tenant.read(path)["limit"], expected, "{path}");
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
fn number_found_is_the_length_of_the_list() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    // Counts are kept until the next write.
    tenant.read("/learners");
    tenant.delete("/learners/l5").ok();
    tenant.delete("/courses/c4").ok();
    tenant.delete("/enrolments?user=l9").ok();
    tenant.delete("/enrolments?course=c7").ok();
    let edit = json!({ "firstname": "A", "surname": "B", "email": "a@b", "tags": ["remote", "brand new"] });
    tenant.put("/learners/l10", &edit).ok();
    let copy = json!({ "course": "c1", "copy_enrolments": true });
    tenant.post("/duplicate_courses", &copy).ok();
    (0..4).for_each(|_| drop(tenant.read("/duplicate_courses/d1")));
    let (_, extra) = tenant.course("Late", 1);
    tenant.seed().enrol("l10", "c14").unwrap();
    tenant.seed().complete_topic("l10", &extra[0]).unwrap();
    for (list, filters) in [
        (
            "/learners",
            "tags=remote tags=remote&tags=emea tags=nobody tags=brand%20new signup_page=s1 signup_page=s9 \
             signup_page=s1&tags=emea email=A@B username=nobody",
        ),
        (
            "/courses",
            "archived=true published=true archived=false&published=true",
        ),
        ("/topics", "course=c1 kind=quiz&published=true course=c13"),
        (
            "/enrolments",
            "course=c1 user=l1 user=l1&course=c2 course=c13",
        ),
        (
            "/topic_progress",
            "completed=true completed=false course=c2 course=c2&completed=true course=c2&completed=false \
             topic=t3 topic=t3&completed=true topic=t3&completed=false user=l3 user=l3&completed=true \
             user=l3&topic=t3 topic=t3&course=c2 topic=t3&course=c1&completed=true course=nonsense",
        ),
        ("/user_fields", "archived=true published=true"),
        ("/users/l1/user_field_permissions", ""),
    ] {
        assert_eq!(tenant.list(list, 97).len(), tenant.number(list), "{list}");
        for filter in filters.split_whitespace() {
            let path = format!("{list}?{filter}");
            assert_eq!(tenant.list(&path, 97).len(), tenant.number(&path), "{path}");
        }
    }
}

#[test]
fn learners_are_in_the_requested_order() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    for field in "created updated firstname surname email username".split(' ') {
        for filter in [
            "",
            "&signup_page=s2",
            "&tags=emea",
            "&tags=emea&tags=manager&signup_page=s1",
        ] {
            let listing = tenant.list(&format!("/learners?order_by={field}{filter}"), 60);
            let key = |learner: &Value| match learner[field].as_str().unwrap_or_default() {
                key if field == "email" || field == "username" => key.to_ascii_lowercase(),
                key => key.to_owned(),
            };
            assert!(listing.is_sorted_by_key(key), "{field}{filter}");
            let path = format!("/learners?order_by={field}{filter}&order_direction=DESC");
            let mut back = tenant.list(&path, 60);
            back.reverse();
            assert_eq!(ids(&back), ids(&listing), "{path}");
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
        for list in ["enrolments", "course_completions"] {
            let path = format!("/{list}{filter}");
            assert_eq!(tenant.list(&path, 1).len(), expected, "{path}");
        }
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
            .read("/user_fields?archived=true")
            .get("archived")
            .is_none()
    );
}
