//! Live tenants.

use std::time::Duration;

use serde_json::Value;

use super::Tenant;
use crate::{Live, Sandbox};

fn live(seed: u64) -> Tenant {
    let every = Duration::from_secs(60);
    Tenant::with(Sandbox::builder().demo().live(Live { every, seed }))
}

fn completed(tenant: &Tenant) -> usize {
    let page = tenant.get("/topic_progress?completed=true&limit=1").ok();
    page["number_found"].as_str().unwrap().parse().unwrap()
}

/// The completions after the first `known`.
fn news(tenant: &Tenant, known: usize) -> Vec<Value> {
    tenant.list("/course_completions", 200).split_off(known)
}

#[test]
fn topics_and_courses_are_completed_only_as_the_clock_advances() {
    let mut tenant = live(1);
    let (before, known) = (completed(&tenant), news(&tenant, 0).len());
    tenant.app.clock.advance(Duration::from_secs(59));
    assert_eq!(completed(&tenant), before);
    tenant.app.clock.advance(Duration::from_secs(1));
    assert_eq!(completed(&tenant), before + 1);
    tenant.app.clock.advance(Duration::from_secs(199 * 60));
    tenant.sign_in();
    assert_eq!(completed(&tenant), before + 200);
    let news = news(&tenant, known);
    assert!(news.len() > 10, "{}", news.len());
    // The tenant started at 09:30:00, and the interval is a minute.
    for pair in news.windows(2) {
        assert!(pair[0]["happened"].as_str() <= pair[1]["happened"].as_str());
    }
    for completion in &news {
        let happened = completion["happened"].as_str().unwrap();
        assert!(
            ("2026-03-01T09:31:00Z"..="2026-03-01T12:50:00Z").contains(&happened),
            "{happened}"
        );
        let (course, user) = (&completion["course"], &completion["user"]);
        let path = format!(
            "/course_progress/{}/{}",
            course.as_str().unwrap(),
            user.as_str().unwrap()
        );
        assert_eq!(tenant.get(&path).ok()["completed_on"], happened);
    }
}

#[test]
fn a_seed_gives_the_same_events_for_any_steps_of_the_clock() {
    let run = |seed, strides: &[u64]| {
        let mut tenant = live(seed);
        for stride in strides {
            tenant.app.clock.advance(Duration::from_secs(stride * 60));
            tenant.sign_in();
            tenant.get("/tags").ok();
        }
        tenant.list("/topic_progress?completed=true", 200)
    };
    let whole = run(1, &[120]);
    assert_eq!(run(1, &[1, 19, 60, 40]), whole);
    assert_ne!(run(2, &[120]), whole);
}

#[test]
fn nothing_happens_when_everything_is_completed() {
    let every = Duration::from_secs(1);
    let tenant = Tenant::with(Sandbox::builder().live(Live { every, seed: 1 }));
    let (course, _) = tenant.course("Short", 2);
    let (empty, _) = tenant.course("Empty", 0);
    let learner = tenant.learner("jo");
    tenant.seed().enrol(&learner, &course).unwrap();
    tenant.seed().enrol(&learner, &empty).unwrap();
    tenant.app.clock.advance(Duration::from_secs(100));
    assert_eq!(news(&tenant, 0).len(), 2);
    assert_eq!(completed(&tenant), 2);
}

#[test]
fn a_long_time_passes_at_once_when_everything_is_completed() {
    let every = Duration::from_millis(1);
    let mut tenant = Tenant::with(Sandbox::builder().demo().live(Live { every, seed: 1 }));
    // As many steps as there are milliseconds until the year 9999.
    tenant.app.clock.advance(Duration::MAX);
    tenant.sign_in();
    let all = tenant.get("/topic_progress?limit=1").ok()["number_found"].clone();
    assert_eq!(completed(&tenant).to_string(), all.as_str().unwrap());
    assert_eq!(tenant.get("/courses").status, 200);
}

#[test]
fn new_enrolments_are_not_completed_by_earlier_events() {
    let every = Duration::from_secs(1);
    let tenant = Tenant::with(Sandbox::builder().live(Live { every, seed: 1 }));
    let (course, _) = tenant.course("New", 1);
    let learner = tenant.learner("ann");
    tenant.app.clock.advance(Duration::from_secs(200));
    tenant.seed().enrol(&learner, &course).unwrap();
    assert_eq!(completed(&tenant), 0);
    tenant.app.clock.advance(Duration::from_secs(1));
    assert_eq!(completed(&tenant), 1);
}
