//! PUT replaces everything except read-only fields.

use serde_json::json;

use super::Tenant;

#[test]
fn a_course_keeps_read_only_and_unknown_fields() {
    let tenant = Tenant::new();
    let added = tenant
        .post(
            "/courses",
            &json!({ "name": "First", "description": "d", "published": true, "cover_art": "data" }),
        )
        .ok();
    tenant.app.clock.advance(std::time::Duration::from_secs(60));
    let mut edit = json!({
        "name": "Second", "pass_mark": "0080", "locked": true, "display_priority": 1.5,
        "auto_due_date": "2026-03-01T11:30:00+02:00", "renewal_date": "some day", "description": null,
        "tenant_field": { "deep": [1, null, "é\"\\"] }, "another": null
    });
    for read_only in "id creator created modified permalink cover_art_url thumbnail_url".split(' ')
    {
        edit[read_only] = json!("forged");
    }
    edit["has_cover_art"] = json!(false);
    let edited = tenant.put("/courses/c1", &edit).ok();
    assert_eq!(edited, tenant.read("/courses/c1"));
    assert_eq!(edited, tenant.read("/courses")["items"][0]);
    for kept in "id creator created permalink has_cover_art cover_art_url thumbnail_url".split(' ')
    {
        assert_eq!(edited[kept], added[kept], "{kept}");
    }
    assert_eq!(edited["modified"], "2026-03-01T09:31:00Z");
    assert_eq!(edited["name"], "Second");
    assert_eq!(edited["pass_mark"], "80");
    assert_eq!(edited["display_priority"], 1.5);
    assert_eq!(edited["auto_due_date"], "2026-03-01T09:30:00Z");
    assert_eq!(edited["renewal_date"], "some day");
    assert_eq!(edited["tenant_field"], edit["tenant_field"]);
    assert!(edited.as_object().unwrap()["another"].is_null());
    assert!(edited.get("description").is_none());
    assert_eq!(edited["published"], false);

    // Writing back the object that was read changes nothing.
    let again = tenant.put("/courses/c1", &edited).ok();
    assert_eq!(again, edited);
    // An empty body resets the course.
    let cleared = tenant.put("/courses/c1", &json!({})).ok();
    assert!(cleared.get("tenant_field").is_none());
    assert!(cleared.get("name").is_none());
    assert_eq!(cleared["locked"], false);
    assert_eq!(cleared["auto_due_type"], "none");
    assert_eq!(cleared["id"], "c1");
}

#[test]
fn an_edited_course_moves_between_filters() {
    let tenant = Tenant::new();
    tenant.course("First", 0);
    assert_eq!(tenant.list("/courses?archived=false", 5).len(), 1);
    tenant
        .put("/courses/c1", &json!({ "name": "First", "archived": true }))
        .ok();
    assert_eq!(tenant.list("/courses?archived=false", 5).len(), 0);
    assert_eq!(
        tenant
            .list("/courses?archived=true&published=false", 5)
            .len(),
        1
    );
    assert_eq!(tenant.list("/courses", 5).len(), 1);
}

#[test]
fn an_edit_clears_omitted_fields_of_a_learner_and_shows_no_password() {
    let tenant = Tenant::new();
    let learner = json!({
        "firstname": "Jo", "surname": "Smith", "email": "jo@example.com", "username": "jo", "phone_number": "1",
        "notes": "n", "sso_id": "s", "tags": ["a", "b"],
    });
    tenant.seed().add_learner(&learner).unwrap();
    tenant.app.clock.advance(std::time::Duration::from_secs(60));
    let edit = json!({ "firstname": "Joe", "surname": "Jones", "email": "joe@example.com" });
    let edited = tenant.put("/learners/l1", &edit).ok();
    for gone in ["username", "phone_number", "notes", "password"] {
        assert!(edited.get(gone).is_none(), "{gone}");
    }
    assert_eq!(edited["tags"], json!([]));
    assert_eq!(edited["sso_id"], "s");
    assert_eq!(edited["created"], "2026-03-01T09:30:00Z");
    assert_eq!(edited["updated"], "2026-03-01T09:31:00Z");
    assert_eq!(tenant.list("/learners?tags=a", 5).len(), 0);
    assert_eq!(tenant.read("/learners/email/JOE@example.com"), edited);
    assert_eq!(tenant.get("/learners/email/jo@example.com").status, 404);

    let mut with_password = edit;
    with_password["password"] = json!("hunter22");
    with_password["tags"] = json!(["b", "new", "b"]);
    let edited = tenant.put("/learners/l1", &with_password).ok();
    assert_eq!(edited["tags"], json!(["b", "new"]));
    assert!(!edited.to_string().contains("hunter22"));
    assert_eq!(tenant.list("/learners?tags=b&tags=new", 5).len(), 1);
}
