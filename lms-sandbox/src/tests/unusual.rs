//! Unusual behaviour in all operations.

use serde_json::{Value, json};

use super::{Tenant, ids};
use crate::{FaultPlan, Operation, Sandbox};

/// The demo tenant with these rules.
fn with(rules: &[&str]) -> Tenant {
    let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    Tenant::with(
        Sandbox::builder()
            .demo()
            .faults(FaultPlan { seed: 0, rules }),
    )
}

#[test]
fn empty_pages_do_not_lose_items() {
    let plain = with(&[]).list("/learners", 100);
    let tenant = with(&["lists: every 2: empty-page", "lists: always: max-page 40"]);
    let (mut listed, mut empty, mut cursors) = (Vec::new(), 0, std::collections::HashSet::new());
    let mut path = "/learners".to_owned();
    loop {
        let page = tenant.get(&path).ok();
        let items = page["items"].as_array().unwrap();
        empty += usize::from(items.is_empty());
        assert!(items.len() <= 40);
        assert!(!items.is_empty() || page["more"] == true);
        listed.extend(items.clone());
        let Some(next) = page["next_cursor"].as_str() else {
            break;
        };
        assert!(cursors.insert(next.to_owned()), "a cursor came twice");
        path = format!("/learners?cursor={next}");
    }
    assert!(empty > 5, "{empty}");
    assert_eq!(ids(&listed), ids(&plain));
}

#[test]
fn the_form_of_values_changes_but_not_the_values() {
    let plain = with(&[]);
    let tenant = with(&[
        "all: always: nulls",
        "all: always: extra-fields",
        "all: always: zoneless-timestamps",
        "getToken: always: expires-in-string",
    ]);
    let page = tenant.get("/learners?limit=5").ok();
    assert_eq!(page["cursor"], Value::Null);
    assert!(page.as_object().unwrap().contains_key("cursor"));
    assert!(page["x_origin"].is_object());
    let strange = &page["items"][0];
    let straight = plain.get("/learners/l1").ok();
    assert!(strange["x_revision"].is_number());
    assert!(strange.as_object().unwrap().contains_key("phone_number"));
    for (name, value) in straight.as_object().unwrap() {
        let came = &strange[name];
        match value.as_str() {
            Some(text) if ["created", "updated", "last_logged_in"].contains(&name.as_str()) => {
                assert_eq!(
                    came.as_str().unwrap(),
                    text.strip_suffix('Z').unwrap(),
                    "{name}"
                );
            }
            _ if value == &json!([]) => assert!(came.is_null(), "{name}"),
            _ => assert_eq!(came, value, "{name}"),
        }
    }
    let record = tenant.get("/users/l1/user_fields/f1/record").ok();
    assert!(record.as_object().unwrap().contains_key("attachments"));
    let token = tenant
        .post(
            "/oauth/token",
            &json!({ "grant_type": "client_credentials",
        "client_id": crate::DEMO_CLIENT_ID, "client_secret": crate::DEMO_CLIENT_SECRET }),
        )
        .ok();
    assert_eq!(token["expires_in"], "300");
}

#[test]
fn a_course_in_an_unusual_form_can_be_put_back() {
    let tenant = with(&[
        "all: always: nulls",
        "all: always: extra-fields",
        "all: always: zoneless-timestamps",
    ]);
    let course = tenant.get("/courses/c2").ok();
    assert_eq!(course["auto_due_date"], "2025-12-31T23:59:59");
    let mut edited = tenant.put("/courses/c2", &course).ok();
    edited["modified"] = course["modified"].clone();
    assert_eq!(edited, course);
}

#[test]
fn the_journal_has_every_request() {
    let tenant = with(&["GET: every 2: status 503 html"]);
    tenant.get("/learners?limit=1").ok();
    tenant.get("/learners/l1");
    tenant.get("/nowhere");
    let records = tenant.app.journal.list(None).unwrap();
    let seen: Vec<_> = records
        .iter()
        .map(|r| {
            (
                r.method.as_str(),
                r.path.as_str(),
                r.query.as_deref(),
                r.operation.map(Operation::id),
                r.status.map_or(0, |status| status.as_u16()),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("POST", "/api/v1/oauth/token", None, Some("getToken"), 200),
            (
                "GET",
                "/api/v1/learners",
                Some("limit=1"),
                Some("listLearners"),
                200
            ),
            (
                "GET",
                "/api/v1/learners/l1",
                None,
                Some("getLearnerById"),
                503
            ),
            ("GET", "/api/v1/nowhere", None, None, 404),
        ]
    );
}
