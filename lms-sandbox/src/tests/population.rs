//! Generated populations.

use std::collections::HashSet;

use serde_json::json;

use super::Tenant;
use crate::store::Store;
use crate::{Population, Sandbox};

const SMALL: Population = Population {
    learners: 300,
    courses: 15,
    enrolments_per_learner: 4,
    seed: 3,
};

fn filled(population: Population) -> Tenant {
    Tenant::with(Sandbox::builder().population(population))
}

#[test]
fn number_found_matches_every_list_of_a_population() {
    let tenant = filled(SMALL);
    let number = |path: &str| {
        let page = tenant.get(path).ok();
        page["number_found"]
            .as_str()
            .unwrap()
            .parse::<usize>()
            .unwrap()
    };
    for (path, least) in [
        ("/learners", 300),
        ("/learners?signup_page=s1", 20),
        ("/learners?tags=emea", 10),
        ("/courses", 15),
        ("/topics", 45),
        ("/enrolments", 1_200),
        ("/enrolments?course=c15", 20),
        ("/topic_progress", 3_600),
        ("/topic_progress?completed=true", 1_000),
        ("/topic_progress?course=c3&completed=false", 50),
        ("/topic_progress?topic=t1&completed=true", 5),
    ] {
        let listed = tenant.list(path, 200).len();
        assert!(listed >= least, "{path}: {listed}");
        assert_eq!(number(path), listed, "{path}");
    }
    let completions = tenant.list("/course_completions", 200);
    assert!(completions.len() > 200);
    for completion in completions {
        let happened = completion["happened"].as_str().unwrap();
        assert!(("2025-01-20".."2026-02").contains(&happened), "{happened}");
    }
    let learners = tenant.list("/learners?order_by=email", 200);
    let emails: HashSet<_> = learners
        .iter()
        .map(|l| l["email"].as_str().unwrap())
        .collect();
    assert_eq!(emails.len(), 300);
    assert_eq!(tenant.list("/enrolments?user=l300", 200).len(), 4);
    assert_eq!(tenant.list("/enrolments?user=l301", 200).len(), 0);
}

#[test]
fn learners_added_to_a_population_are_checked_and_counted() {
    let tenant = filled(SMALL);
    let first = tenant.get("/learners/l1").ok();
    let twin = json!({ "firstname": "a", "surname": "b", "email": first["email"], "generate_password": true });
    assert_eq!(tenant.post("/learners", &twin).error().0, 409);
    let new = json!({ "firstname": "a", "surname": "b", "email": "new@example.com", "generate_password": true,
        "courses": ["c1"] });
    let added = tenant.post("/learners", &new).ok();
    assert_eq!(added["id"], "l301");
    assert_eq!(tenant.get("/learners").ok()["number_found"], "301");
    assert_eq!(tenant.get("/enrolments").ok()["number_found"], "1201");
    tenant.delete("/learners/l1").ok();
    assert_eq!(tenant.get("/enrolments").ok()["number_found"], "1197");
}

#[test]
fn the_same_population_gives_the_same_tenant() {
    let (one, same) = (filled(SMALL), filled(SMALL));
    let other = filled(Population { seed: 4, ..SMALL });
    for path in [
        "/learners",
        "/enrolments",
        "/course_completions",
        "/topic_progress",
    ] {
        assert_eq!(one.list(path, 200), same.list(path, 200), "{path}");
        assert_ne!(one.list(path, 200), other.list(path, 200), "{path}");
    }
}

#[test]
fn a_population_has_the_same_indexes() {
    let made = |tenant: &Tenant| -> Vec<String> {
        let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
        let read = tenant.app.store.read(|connection| {
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        });
        read.unwrap()
    };
    assert_eq!(made(&filled(SMALL)), made(&Tenant::new()));
}

#[test]
fn a_population_can_be_small_or_empty() {
    for population in [
        Population {
            learners: 0,
            ..SMALL
        },
        Population {
            courses: 0,
            ..SMALL
        },
        Population {
            enrolments_per_learner: 99,
            learners: 2,
            courses: 1,
            seed: 0,
        },
    ] {
        let tenant = filled(population);
        let learners = population.learners.to_string();
        assert_eq!(tenant.get("/learners").ok()["number_found"], learners);
        let courses = population.enrolments_per_learner.min(population.courses);
        let enrolments = (population.learners * courses).to_string();
        assert_eq!(tenant.get("/enrolments").ok()["number_found"], enrolments);
    }
}

#[test]
fn an_incomplete_data_file_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tenant.db");
    let store = Store::in_file(&file).unwrap();
    let stopped = |_: &rusqlite::Connection| Err(crate::api::problem::Problem::internal("stopped"));
    store.fill(stopped).unwrap_err();
    drop(store);
    let error = Store::in_file(&file).unwrap_err().to_string();
    assert!(error.contains("not generated completely"), "{error}");
}
