//! Fault rules: targets, conditions and effects.

use std::time::Duration;

use axum::http::header;
use serde_json::{Value, json};

use super::{Response, Tenant, ids};
use crate::{Effect, FaultPlan, Operation, Sandbox};

/// A tenant with one course and these rules.
fn with(rules: &[&str]) -> Tenant {
    seeded(0, rules)
}

fn seeded(seed: u64, rules: &[&str]) -> Tenant {
    let tenant = Tenant::new();
    tenant.course("Only", 2);
    plan(&tenant, seed, rules);
    tenant
}

/// The demo tenant with these rules.
fn demo(rules: &[&str]) -> Tenant {
    let tenant = Tenant::with(Sandbox::builder().demo());
    plan(&tenant, 0, rules);
    tenant
}

fn plan(tenant: &Tenant, seed: u64, rules: &[&str]) {
    let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    tenant.app.faults.replace(FaultPlan { seed, rules });
}

fn effects(tenant: &Tenant) -> Vec<Vec<String>> {
    let records = tenant.app.journal.list(None).unwrap();
    let text = |effects: &[Effect]| effects.iter().map(ToString::to_string).collect();
    records.iter().map(|record| text(&record.effects)).collect()
}

fn statuses(tenant: &Tenant, path: &str, count: usize) -> Vec<u16> {
    (0..count)
        .map(|_| tenant.get(path).status.as_u16())
        .collect()
}

#[test]
fn a_condition_selects_requests_by_their_count() {
    for (when, expected) in [
        ("always", [503, 503, 503, 503, 503, 503]),
        ("nth 2", [200, 503, 200, 200, 200, 200]),
        ("every 2", [200, 503, 200, 503, 200, 503]),
        ("first 2", [503, 503, 200, 200, 200, 200]),
        ("after 4", [200, 200, 200, 200, 503, 503]),
        ("chance 0", [200; 6]),
        ("chance 1", [503; 6]),
    ] {
        let tenant = with(&[&format!("test: {when}: status 503")]);
        assert_eq!(statuses(&tenant, "/test", 6), expected, "{when}");
    }
}

#[test]
fn a_target_selects_requests_by_their_operation() {
    for (target, expected) in [
        ("all", [503, 503, 503, 503]),
        ("GET", [503, 503, 503, 200]),
        ("lists", [503, 200, 200, 200]),
        ("getCourse,POST", [200, 503, 200, 503]),
        ("listTags", [200, 200, 200, 200]),
    ] {
        let tenant = with(&[&format!("{target}: always: status 503")]);
        let seen = [
            tenant.get("/courses"),
            tenant.get("/courses/c1"),
            tenant.get("/test"),
            tenant.post("/courses", &json!({ "name": "x" })),
        ];
        assert_eq!(
            seen.map(|response| response.status.as_u16()),
            expected,
            "{target}"
        );
    }
}

#[test]
fn a_probability_depends_only_on_the_seed() {
    let rule = "test: chance 0.3: status 503";
    let run = |seed| statuses(&seeded(seed, &[rule]), "/test", 200);
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    let hit = run(1).iter().filter(|status| **status == 503).count();
    assert!((30..=90).contains(&hit), "{hit} of 200");
    // Requests to other operations change nothing: a rule counts only those that it applies to.
    let tenant = seeded(1, &[rule]);
    let mixed = (0..200).map(|_| (tenant.read("/tags"), tenant.get("/test").status.as_u16()).1);
    assert_eq!(mixed.collect::<Vec<_>>(), run(1));
}

#[test]
fn a_rule_that_responds_ends_the_evaluation() {
    let tenant = with(&["test: every 2: status 500", "test: every 2: status 503"]);
    assert_eq!(
        statuses(&tenant, "/test", 8),
        [200, 500, 503, 500, 200, 500, 503, 500]
    );
}

#[test]
fn rules_can_be_added_replaced_and_cleared_at_runtime() {
    let tenant = with(&["test: every 2: status 500"]);
    assert_eq!(statuses(&tenant, "/test", 1), [200]);
    tenant.app.faults.add("test: always: status 503").unwrap();
    // The first rule keeps its count.
    assert_eq!(statuses(&tenant, "/test", 2), [500, 503]);
    assert_eq!(tenant.app.faults.plan().rules.len(), 2);
    let faults = &tenant.app.faults;
    assert!(faults.add("lists: always: max-page 0").is_err());
    assert_eq!(faults.plan().rules.len(), 2);
    faults.clear();
    assert_eq!(statuses(&tenant, "/test", 3), [200; 3]);
}

#[test]
fn a_status_has_the_requested_body() {
    for code in [500, 502, 503, 504] {
        for (form, content_type, start) in [
            ("json", Some("application/json"), "{\"error\":"),
            ("html", Some("text/html; charset=utf-8"), "<!DOCTYPE html>"),
            ("empty", None, ""),
        ] {
            let tenant = with(&[&format!("all: always: status {code} {form}")]);
            let response = tenant.post("/courses", &json!({ "name": "x" }));
            assert_eq!(response.status.as_u16(), code);
            let came = response.headers.get(header::CONTENT_TYPE);
            assert_eq!(came.map(|value| value.to_str().unwrap()), content_type);
            assert!(response.text.starts_with(start), "{}", response.text);
            assert_eq!(response.text.is_empty(), form == "empty");
            tenant.app.faults.clear();
            assert_eq!(tenant.number("/courses"), 1);
        }
    }
}

#[test]
fn retry_after_is_absent_or_in_seconds_or_a_date() {
    // The clock stands at 09:30:00.
    for (form, retry_after, date) in [
        ("absent 2s", None, None),
        ("seconds 2s", Some("2"), None),
        ("seconds 1500ms", Some("2"), None),
        (
            "date 90s",
            Some("Sun, 01 Mar 2026 09:31:30 GMT"),
            Some("Sun, 01 Mar 2026 09:30:00 GMT"),
        ),
    ] {
        let tenant = with(&[&format!("all: always: rate-limited {form}")]);
        let response = tenant.get("/courses");
        assert_eq!(response.outcome(), "429 rate_limited");
        let text = |name| {
            let value = response.headers.get(name);
            value.map(|value| value.to_str().unwrap())
        };
        assert_eq!(text(header::RETRY_AFTER), retry_after, "{form}");
        assert_eq!(text(header::DATE), date, "{form}");
    }
}

#[test]
fn a_rate_limit_uses_the_sandboxs_clock() {
    let tenant = with(&["all: always: rate-limit 2/s burst 3 seconds"]);
    assert_eq!(statuses(&tenant, "/test", 5), [200, 200, 200, 429, 429]);
    assert_eq!(tenant.get("/test").headers[header::RETRY_AFTER], "1");
    tenant.app.clock.advance(Duration::from_millis(500));
    assert_eq!(statuses(&tenant, "/test", 2), [200, 429]);
    tenant.app.clock.advance(Duration::from_secs(60));
    assert_eq!(statuses(&tenant, "/test", 4), [200, 200, 200, 429]);
    let limited = effects(&tenant).iter().filter(|e| !e.is_empty()).count();
    assert_eq!(limited, 5);
}

#[test]
fn a_rejected_token_stays_valid() {
    let tenant = with(&["all: nth 2: refuse-token"]);
    tenant.read("/courses");
    // This operation needs no token.
    tenant.read("/test");
    let rejected = tenant.get("/courses");
    assert_eq!(rejected.outcome(), "401 invalid_token Authorization");
    assert!(rejected.headers.contains_key(header::WWW_AUTHENTICATE));
    tenant.read("/courses");
}

#[test]
fn tokens_can_be_revoked_and_can_expire_early() {
    let mut tenant = with(&[
        "me: nth 2: revoke-tokens",
        "getToken: nth 2: early-expiry 5s",
    ]);
    tenant.read("/oauth/me");
    assert_eq!(tenant.get("/oauth/me").status, 401);
    assert_eq!(tenant.get("/courses").status, 401);
    tenant.sign_in();
    tenant.app.clock.advance(Duration::from_secs(6));
    tenant.read("/courses");
    tenant.sign_in();
    tenant.read("/courses");
    tenant.app.clock.advance(Duration::from_secs(5));
    assert_eq!(tenant.get("/courses").status, 401);
}

#[test]
fn a_redirected_request_is_not_processed() {
    let tenant = with(&["POST: always: redirect 308 http://127.0.0.1:9/elsewhere"]);
    let response = tenant.post("/courses", &json!({ "name": "x" }));
    assert_eq!(response.status.as_u16(), 308);
    assert_eq!(
        response.headers[header::LOCATION],
        "http://127.0.0.1:9/elsewhere"
    );
    assert_eq!(tenant.number("/courses"), 1);
}

#[test]
fn int64_strings_can_be_sent_as_numbers() {
    let tenant = demo(&["all: always: numbers"]);
    let page = tenant.read("/courses?limit=1");
    let course = &page["items"][0];
    let numbers = [&page["number_found"], &page["limit"], &course["pass_mark"]];
    assert_eq!(
        (numbers, &course["id"]),
        ([&json!(12), &json!(1), &json!(80)], &json!("c1"))
    );
}

#[test]
fn json_can_be_truncated_or_followed_by_garbage() {
    for how in ["cut", "garbage"] {
        let tenant = with(&[&format!("GET: always: bad-json {how}")]);
        let Response { status, text, .. } = tenant.get("/courses");
        assert_eq!(status, 200);
        assert!(serde_json::from_str::<Value>(&text).is_err(), "{text}");
        assert!(text.starts_with("{\"items\":["));
        // Errors are not affected.
        assert_eq!(tenant.get("/courses/c99").status, 404);
    }
}

/// The ids of a page, and the page.
fn page(tenant: &Tenant, path: &str) -> (Vec<String>, Value) {
    let page = tenant.read(path);
    (ids(page["items"].as_array().unwrap()), page)
}

#[test]
fn shift_page_moves_the_start_of_pages_after_the_first() {
    let tenant = demo(&[]);
    // By id, by text, descending, and by two ids.
    for list in [
        "/learners?limit=4",
        "/learners?order_by=firstname&limit=4",
        "/learners?order_by=surname&order_direction=DESC&limit=4",
        "/topic_progress?limit=4",
        "/topic_progress?completed=true&limit=4",
    ] {
        plan(&tenant, 0, &[]);
        let straight = ids(&tenant.list(list.split("limit").next().unwrap(), 200));
        for (shift, from) in [("+1", 3), ("+9", 0), ("-2", 6), ("+2 -1", 3)] {
            plan(&tenant, 0, &[&format!("lists: always: shift-page {shift}")]);
            let (first, document) = page(&tenant, list);
            assert_eq!(first, straight[..4], "{list}");
            let cursor = document["next_cursor"].as_str().unwrap();
            let (second, _) = page(&tenant, &format!("{list}&cursor={cursor}"));
            assert_eq!(second, straight[from..from + 4], "{list} {shift}");
            // The first page is not affected.
            let records = effects(&tenant);
            assert_eq!(records[records.len() - 2], Vec::<String>::new());
            assert_eq!(records[records.len() - 1], [format!("shift-page {shift}")]);
        }
    }
}

#[test]
fn a_cursor_can_be_repeated_or_missing() {
    let tenant = demo(&["lists: after 1: repeat-cursor"]);
    let (_, first) = page(&tenant, "/learners?limit=5");
    let cursor = first["next_cursor"].as_str().unwrap();
    let again = format!("/learners?limit=5&cursor={cursor}");
    for _ in 0..2 {
        let (_, next) = page(&tenant, &again);
        assert_eq!(next["next_cursor"], cursor);
        assert_eq!(next["more"], true);
    }
    let tenant = demo(&["lists: always: more-without-cursor"]);
    for list in ["/learners", "/course_completions", "/courses"] {
        let (_, page) = page(&tenant, list);
        assert_eq!(
            (page.get("next_cursor"), &page["more"]),
            (None, &json!(true))
        );
    }
}

#[test]
fn an_empty_page_is_recorded_only_where_it_was_sent() {
    let tenant = demo(&["lists: always: empty-page"]);
    let (none, first) = page(&tenant, "/courses");
    let cursor = first["next_cursor"].as_str().unwrap();
    let (all, _) = page(&tenant, &format!("/courses?cursor={cursor}"));
    assert_eq!((none.len(), all.len()), (0, 12));
    let records = effects(&tenant);
    assert_eq!(
        records[records.len() - 2..],
        [vec!["empty-page".to_owned()], vec![]]
    );
}

#[test]
fn a_duplication_can_stall_and_fail() {
    let tenant = with(&["viewDuplicateCourse: first 3: stall-duplication"]);
    let body = json!({ "course": "c1" });
    tenant.post("/duplicate_courses", &body).ok();
    let progress = || tenant.read("/duplicate_courses/d1")["progress"].clone();
    let seen: Vec<_> = (0..5).map(|_| progress()).collect();
    assert_eq!(seen, ["0", "0", "0", "25", "50"]);

    let tenant = with(&["viewDuplicateCourse: nth 2: fail-duplication"]);
    tenant.post("/duplicate_courses", &body).ok();
    assert_eq!(tenant.read("/duplicate_courses/d1")["progress"], "25");
    assert_eq!(tenant.read("/duplicate_courses/d1")["complete"], false);
    assert_eq!(tenant.get("/duplicate_courses/d1").status, 404);
    assert_eq!(tenant.number("/courses"), 1);
}

#[test]
fn a_response_of_a_fault_can_be_disturbed_too() {
    let tenant = with(&[
        "all: always: trickle 100 0ms",
        "listCourses: always: status 503 html",
    ]);
    tenant.app.journal.clear(None);
    let response = tenant.get("/courses");
    assert_eq!(response.status, 503);
    assert!(response.text.contains("<html"), "{response:?}");
    assert_eq!(effects(&tenant)[0].len(), 2, "{:?}", effects(&tenant));
}

#[test]
fn the_journal_has_the_applied_effects_and_whether_the_request_was_processed() {
    let tenant = with(&[
        "addCourse: nth 1: status 503",
        "addCourse: nth 1: nulls",
        "addCourse: nth 1: extra-fields",
    ]);
    let body = json!({ "name": "x" });
    tenant.app.journal.clear(None);
    tenant.post("/courses", &body);
    tenant.post("/courses", &body);
    tenant.post("/courses", &json!({}));
    tenant.get("/nowhere?a=b");
    let records = tenant.app.journal.list(Some(Operation::AddCourse)).unwrap();
    let seen = records.iter().map(|record| {
        let effects: Vec<_> = record.effects.iter().map(ToString::to_string).collect();
        (
            record.status.unwrap().as_u16(),
            record.processed,
            record.body_size,
            effects.join(", "),
        )
    });
    let seen: Vec<_> = seen.collect();
    let size = body.to_string().len() as u64;
    assert_eq!(
        seen,
        [
            (503, false, size, "status 503".into()),
            (200, true, size, "nulls, extra-fields".into()),
            (422, false, 2, String::new()),
        ]
    );
    let last = tenant.app.journal.list(None).unwrap().pop().unwrap();
    assert_eq!(
        (last.path.as_str(), last.query.as_deref(), last.operation),
        ("/api/v1/nowhere", Some("a=b"), None)
    );
}

#[test]
fn the_form_of_values_changes_but_not_the_values() {
    let plain = demo(&[]);
    let tenant = demo(&[
        "all: always: nulls",
        "all: always: extra-fields",
        "all: always: zoneless-timestamps",
        "getToken: always: expires-in-string",
    ]);
    let page = tenant.read("/learners?limit=5");
    assert_eq!(page["cursor"], Value::Null);
    assert!(page.as_object().unwrap().contains_key("cursor"));
    assert!(page["x_origin"].is_object());
    let strange = &page["items"][0];
    let straight = plain.read("/learners/l1");
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
    let record = tenant.read("/users/l1/user_fields/f1/record");
    assert!(record.as_object().unwrap().contains_key("attachments"));
    let request = Operation::GetToken.example().body.unwrap();
    let token = tenant.post("/oauth/token", &request).ok();
    assert_eq!(token["expires_in"], "300");
}

#[test]
fn a_course_in_an_unusual_form_can_be_put_back() {
    let tenant = demo(&[
        "all: always: nulls",
        "all: always: extra-fields",
        "all: always: zoneless-timestamps",
    ]);
    let course = tenant.read("/courses/c2");
    assert_eq!(course["auto_due_date"], "2025-12-31T23:59:59");
    let mut edited = tenant.put("/courses/c2", &course).ok();
    edited["modified"] = course["modified"].clone();
    assert_eq!(edited, course);
}
