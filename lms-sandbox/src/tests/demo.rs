//! Generated data: the demo tenant and populations. Every response of the demo tenant matches its schema.

use std::collections::HashSet;

use serde_json::Value;

use super::Tenant;
use crate::api::operation::Operation;
use crate::api::schema::{Schema, Shape};
use crate::api::timestamp;
use crate::store::Store;
use crate::{Population, Sandbox};

const SMALL: Population = Population {
    learners: 300,
    courses: 15,
    enrolments_per_learner: 4,
    seed: 3,
};

fn demo() -> Tenant {
    Tenant::with(Sandbox::builder().demo())
}

fn filled(population: Population) -> Tenant {
    Tenant::with(Sandbox::builder().population(population))
}

#[test]
fn the_same_seed_gives_the_same_tenant() {
    let populated = |seed| filled(Population { seed, ..SMALL });
    for [one, same, other] in [
        [
            demo(),
            demo(),
            Tenant::with(Sandbox::builder().demo_seed(2)),
        ],
        [populated(3), populated(3), populated(4)],
    ] {
        for path in
            "/learners /enrolments /course_completions /topic_progress?completed=true".split(' ')
        {
            assert_eq!(one.list(path, 200), same.list(path, 200), "{path}");
            assert_ne!(one.list(path, 200), other.list(path, 200), "{path}");
        }
    }
}

#[test]
fn the_example_of_every_operation_succeeds_and_its_response_matches_its_schema() {
    let tenant = demo();
    for operation in Operation::ALL {
        let (example, mut path) = (operation.example(), operation.path().to_owned());
        for value in &example.path {
            let (before, rest) = path.split_once('{').unwrap_or_else(|| panic!("{path}"));
            path = format!("{before}{value}{}", rest.split_once('}').unwrap().1);
        }
        let query = example
            .query
            .iter()
            .map(|(name, value)| format!("{name}={value}&"));
        path = format!("{path}?{}", query.collect::<String>());
        let body = example
            .body
            .map(|body| body.to_string())
            .unwrap_or_default();
        let response = tenant.with_body(operation.method().as_str(), &path, body);
        assert_eq!(
            response.status,
            200,
            "{path}: {}: add the example of {} to lms-sandbox/src/api/example.rs",
            response.text,
            operation.id()
        );
        // `expires_in` is a number, unlike in the schema: see Authentication in lms-client/src/service.md.
        if let Some(schema) = operation.response()
            && *operation != Operation::GetToken
        {
            check(schema, &response.ok(), &path);
        }
    }
}

/// Checks a body against its schema: only documented fields, each in the form that the service writes.
#[track_caller]
fn check(schema: &Schema, body: &Value, path: &str) {
    for (name, value) in body.as_object().unwrap() {
        let shape = schema
            .field(name)
            .unwrap_or_else(|| panic!("{path}: {name}"));
        let text = value.as_str().unwrap_or_default();
        let fits = match shape {
            Shape::Id(kind) => {
                kind == crate::api::id::Kind::TopicProgress || kind.parse(text).is_some()
            }
            Shape::Time | Shape::DateTime => text.len() == 20 && timestamp::parse(text).is_some(),
            Shape::Int64 => text.parse::<i64>().is_ok(),
            other => other.accepts(value),
        };
        assert!(fits, "{path}: {name} is {value}");
        match shape {
            Shape::One(inner) => check(inner, value, path),
            Shape::Many(inner) => value
                .as_array()
                .unwrap()
                .iter()
                .for_each(|item| check(inner, item, path)),
            _ => {}
        }
    }
    assert!(!body.as_object().unwrap().is_empty(), "{path}");
}

#[test]
fn a_population_has_the_requested_size_and_progress_that_agrees() {
    let tenant = filled(SMALL);
    for (path, least) in [
        ("/learners?signup_page=s1", 20),
        ("/learners?tags=emea", 10),
        ("/topics", 45),
        ("/enrolments?course=c15", 20),
        ("/topic_progress", 3_600),
        ("/topic_progress?completed=true", 1_000),
    ] {
        let listed = tenant.list(path, 200).len();
        assert!(listed >= least, "{path}: {listed}");
        assert_eq!(tenant.number(path), listed, "{path}");
    }
    let numbers = ["/learners", "/courses", "/enrolments"].map(|path| tenant.number(path));
    assert_eq!(numbers, [300, 15, 1_200]);
    let completions = tenant.list("/course_completions", 200);
    assert!(completions.len() > 200);
    for completion in completions {
        let happened = completion["happened"].as_str().unwrap();
        assert!(("2025-01-20".."2026-02").contains(&happened), "{happened}");
    }
    let learners = tenant.list("/learners", 200);
    let emails: HashSet<_> = learners
        .iter()
        .map(|l| l["email"].as_str().unwrap())
        .collect();
    assert_eq!(emails.len(), 300);
    assert_eq!(tenant.number("/enrolments?user=l300"), 4);
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
    for (learners, courses, enrolments_per_learner) in [(0, 15, 4), (300, 0, 4), (2, 1, 99)] {
        let tenant = filled(Population {
            learners,
            courses,
            enrolments_per_learner,
            seed: 0,
        });
        let enrolments = learners * enrolments_per_learner.min(courses);
        for (path, expected) in [("/learners", learners), ("/enrolments", enrolments)] {
            assert_eq!(tenant.number(path), usize::try_from(expected).unwrap());
        }
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
