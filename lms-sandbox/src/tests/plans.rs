//! The cost of pages: no sorting, no scans, and the last page costs as much as the first.

use serde_json::Value;

use super::Tenant;
use crate::service::pages::cost;

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, step by step")]
fn no_page_sorts_or_scans_a_large_table() {
    let tenant = Tenant::with(crate::Sandbox::builder().demo());
    let mut paths: Vec<String> = Vec::new();
    for order in [
        "created",
        "updated",
        "firstname",
        "surname",
        "email",
        "username",
    ] {
        paths.push(format!("/learners?order_by={order}"));
        paths.push(format!("/learners?order_by={order}&signup_page=s1"));
        paths.push(format!("/learners?order_by={order}&order_direction=DESC"));
    }
    // A learner with several completions, so that the list has several pages.
    let completions = tenant.list("/course_completions", 200);
    let several = completions.iter().find(|completion| {
        let same = |other: &&Value| other["user"] == completion["user"];
        completions.iter().filter(same).count() > 2
    });
    let user = several.unwrap()["user"].as_str().unwrap();
    paths.push(format!("/course_completions?user={user}"));
    for path in [
        "/learners?tags=emea",
        "/learners?tags=emea&tags=remote",
        "/enrolments",
        "/enrolments?user=l1",
        "/enrolments?course=c1",
        "/topic_progress",
        "/topic_progress?user=l1",
        "/topic_progress?course=c1",
        "/topic_progress?topic=t1",
        "/topic_progress?completed=true",
        "/topic_progress?completed=false",
        "/topic_progress?course=c1&completed=true",
        "/topic_progress?topic=t1&completed=true",
        "/topic_progress?course=c1&completed=false",
        "/course_completions",
        "/course_completions?course=c1",
    ] {
        paths.push(path.into());
    }
    cost::take();
    for path in paths {
        let separator = if path.contains('?') { '&' } else { '?' };
        tenant.get(&format!("{path}{separator}limit=2")).ok();
        let (sorts, scanned, first) = cost::take();
        assert_eq!(sorts, 0, "{path}");
        // A list without filters scans its table, but only the rows of the page.
        assert!(scanned < 10, "{path}: {scanned} rows without an index");

        // The limit may change: skip most of the list, then read a page as small as the first.
        let deep = last_cursor(&tenant, &format!("{path}{separator}limit=37"))
            .or_else(|| last_cursor(&tenant, &format!("{path}{separator}limit=1")));
        let deep = deep.unwrap_or_else(|| panic!("{path} is too short to tell"));
        cost::take();
        tenant
            .get(&format!("{path}{separator}limit=2&cursor={deep}"))
            .ok();
        let (sorts, scanned, last) = cost::take();
        assert_eq!(sorts, 0, "{path}");
        assert!(scanned < 10, "{path}: {scanned} rows without an index");
        assert!(
            last < 2 * first + 50,
            "{path}: {first} instructions for the first page, {last} for the last"
        );
    }
}

/// The cursor of the last page of a list.
fn last_cursor(tenant: &Tenant, path: &str) -> Option<String> {
    let mut last: Option<String> = None;
    loop {
        let cursor = last
            .as_ref()
            .map(|cursor| format!("&cursor={cursor}"))
            .unwrap_or_default();
        match tenant.get(&format!("{path}{cursor}")).ok()["next_cursor"].as_str() {
            Some(next) => last = Some(next.to_owned()),
            None => return last,
        }
    }
}
