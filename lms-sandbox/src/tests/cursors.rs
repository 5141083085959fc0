//! Cursors: pagination neither skips nor repeats rows while others are added and deleted.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Tenant, ids, person};

/// An event between two pages.
#[derive(Clone, Debug)]
enum Event {
    /// A learner with this surname is added, before or after the cursor.
    Comes(u8),
    /// The temporary learner at this index is deleted.
    Goes(prop::sample::Index),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        (0u8..6).prop_map(Event::Comes),
        any::<prop::sample::Index>().prop_map(Event::Goes),
    ];
    prop::collection::vec(event, 0..4)
}

fn named(surname: u8, serial: usize) -> Value {
    // Few different names, so that pages end between equal names.
    let mut learner = person(&format!("p{serial}"));
    learner["surname"] = format!("s{surname}").into();
    learner["firstname"] = format!("f{}", surname % 2).into();
    learner["tags"] = json!(["listed"]);
    if surname.is_multiple_of(3) {
        learner["username"] = format!("u{serial}").into();
    }
    learner
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_that_are_not_changed_are_listed_exactly_once(
        staying in prop::collection::vec(0u8..6, 1..20),
        passing in prop::collection::vec(0u8..6, 0..12),
        between in prop::collection::vec(events(), 0..12),
        order in prop::sample::select(vec!["created", "updated", "firstname", "surname", "email", "username"]),
        direction in prop::sample::select(vec!["ASC", "DESC"]),
        filter in prop::sample::select(vec!["", "&tags=listed"]),
        limit in 1usize..6,
    ) {
        let tenant = Tenant::new();
        let mut serial = 0;
        let mut add = |surname: u8| {
            serial += 1;
            tenant.seed().add_learner(&named(surname, serial)).unwrap()
        };
        let mut present = Vec::new();
        let mut stay = HashSet::new();
        // Permanent and temporary learners, alternating.
        for index in 0..staying.len().max(passing.len()) {
            if let Some(surname) = passing.get(index) { present.push(add(*surname)); }
            if let Some(surname) = staying.get(index) { stay.insert(add(*surname)); }
        }
        let mut seen = Vec::new();
        let mut cursor = String::new();
        let mut between = between.into_iter();
        loop {
            let path = format!("/learners?limit={limit}&order_by={order}&order_direction={direction}{filter}{cursor}");
            let page = tenant.read(&path);
            seen.extend(ids(page["items"].as_array().unwrap()));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
            for event in between.next().unwrap_or_default() {
                match event {
                    Event::Comes(surname) => present.push(add(surname)),
                    Event::Goes(place) if !present.is_empty() => {
                        let gone = present.swap_remove(place.index(present.len()));
                        tenant.delete(&format!("/learners/{gone}")).ok();
                    }
                    Event::Goes(_) => {}
                }
            }
        }
        let once: HashSet<&String> = seen.iter().collect();
        prop_assert_eq!(once.len(), seen.len(), "someone was seen twice: {:?}", &seen);
        prop_assert!(stay.iter().all(|id| once.contains(id)), "of {:?} only {:?} were seen", &stay, &seen);
    }
}

#[test]
fn topic_progress_is_paginated_across_enrolments_and_topics() {
    let tenant = Tenant::new();
    let (first, topics) = tenant.course("First", 3);
    let (second, _) = tenant.course("Second", 2);
    for name in ["a", "b", "c"] {
        let learner = tenant.learner(name);
        tenant.seed().enrol(&learner, &first).unwrap();
        tenant.seed().enrol(&learner, &second).unwrap();
        tenant.seed().complete_topic(&learner, &topics[1]).unwrap();
    }
    let all = tenant.list("/topic_progress", 200);
    assert_eq!(all.len(), 15);
    for limit in 1..7 {
        assert_eq!(tenant.list("/topic_progress", limit), all, "limit {limit}");
        for filter in
            "completed=true completed=false user=l2 course=c1 topic=t2 course=c1&completed=true"
                .split(' ')
        {
            let path = format!("/topic_progress?{filter}");
            assert_eq!(
                tenant.list(&path, limit),
                tenant.list(&path, 200),
                "{filter} limit {limit}"
            );
        }
    }
}

#[test]
fn a_cursor_is_valid_only_for_its_list_filters_and_order() {
    let tenant = Tenant::new();
    for name in ["a", "b", "c"] {
        tenant.learner(name);
    }
    let page = tenant.read("/learners?limit=1&order_by=surname");
    let cursor = page["next_cursor"].as_str().unwrap();
    for other in [
        "/learners?limit=1",
        "/learners?limit=1&order_by=firstname",
        "/learners?limit=1&order_by=surname&order_direction=DESC",
        "/learners?limit=1&order_by=surname&email=a@example.com",
        "/courses?limit=1",
    ] {
        let response = tenant.get(&format!("{other}&cursor={cursor}"));
        assert_eq!(response.outcome(), "400 bad_cursor cursor", "{other}");
    }
    tenant.check(
        "GET /learners?cursor=garbage => 400 bad_cursor cursor
         GET /learners?cursor= => 400 bad_cursor cursor",
    );
    // The limit may change, and the cursor is echoed.
    let rest = tenant.read(&format!(
        "/learners?limit=5&order_by=surname&cursor={cursor}"
    ));
    assert_eq!(rest["items"].as_array().unwrap().len(), 2);
    assert_eq!(rest["cursor"], json!(cursor));
}

#[test]
fn ids_are_not_reused() {
    let tenant = Tenant::new();
    let first = tenant.learner("a");
    tenant.delete(&format!("/learners/{first}")).ok();
    assert_ne!(tenant.learner("b"), first);
}
