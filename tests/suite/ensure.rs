//! `ensure_learner` and `ensure_enrolment` add an object at most once.

mod index;

use lms_ext::{FieldChange, prelude::*, requests};
use lms_sandbox::Sandbox;
use reqwest::Method;
use serde_json::{Value, json as value};

use crate::script::{Act, Script, json, lost, status};
use crate::servers::client;

fn ann() -> types::builder::AddLearner {
    types::AddLearner::builder("Ann", "Smith", "ann@acme.example")
        .password("s3cr3t".to_owned())
        .tags(vec!["emea".to_owned()])
}

fn existing() -> Act {
    json(
        value!({"id": "l1", "firstname": "Ann", "surname": "Smith", "email": "Ann@Acme.example",
        "tags": ["emea", "of-the-profile"], "password": "hunter2", "notes": "likes tea"}),
    )
}

fn enrolment() -> types::builder::AddEnrolment {
    types::AddEnrolment::builder("c1", "u1")
}

fn item(course: &str, user: &str) -> Value {
    value!({"id": format!("{course}-{user}"), "course": course, "user": user})
}

fn texts(changes: &[FieldChange]) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn an_existing_learner_is_neither_added_nor_changed() {
    let tenant = Script::of([existing()]);
    let learner = tenant.lms().ensure_learner(ann()).await.unwrap();
    assert!(!learner.is_new());
    let ignored = "case, additional tags, notes and passwords are ignored";
    assert_eq!(learner.differs(), [], "{ignored}");
    assert_eq!(learner.value().id.as_deref(), Some("l1"));
    assert_eq!(tenant.seen()[0].path(), "/learners/email/ann@acme.example");
}

#[tokio::test]
async fn differences_have_both_values_and_no_password() {
    let tenant = Script::of([json(
        value!({"id": "l1", "firstname": "Ann", "surname": "Jones",
        "email": "ann@acme.example", "tags": null, "archived": true}),
    )]);
    let wanted = ann().phone_number("123".to_owned());
    let learner = tenant.lms().ensure_learner(wanted).await.unwrap();
    assert_eq!(
        texts(learner.differs()),
        [
            r#"phone_number: nothing → "123""#,
            r#"surname: "Jones" → "Smith""#,
            r#"tags: nothing → ["emea"]"#,
            "archived: true → false",
        ]
    );
    assert!(!format!("{learner:?}").contains("s3cr3t"));
}

#[tokio::test]
async fn courses_and_profiles_of_an_existing_learner_are_reported() {
    let tenant = Script::of([existing(), existing(), status(404), existing()]);
    let lms = tenant.lms();
    let wanted = ann()
        .courses(vec!["c1".to_owned()])
        .profiles(vec!["p1".to_owned(), "p2".to_owned()]);
    let learner = lms.ensure_learner(wanted.clone()).await.unwrap();
    let expected = [
        r#"courses: nothing → ["c1"]"#,
        r#"profiles: nothing → ["p1","p2"]"#,
    ];
    assert_eq!(texts(learner.differs()), expected);
    let none = ann().courses([""; 0]);
    assert_eq!(lms.ensure_learner(none).await.unwrap().differs(), []);
    let added = lms.ensure_learner(wanted).await.unwrap();
    assert!(added.is_new() && added.differs().is_empty());
    let sent = tenant.seen()[3].json();
    assert_eq!(
        (&sent["courses"], &sent["password"]),
        (&value!(["c1"]), &value!("s3cr3t"))
    );
}

/// Responses to a POST with status 200 that are not the new object.
const NOT_THE_OBJECT: [&str; 5] = [
    "{}",
    r#"{"error": "busy"}"#,
    r#"{"id": null}"#,
    r#"{"data": {"id": "x1"}}"#,
    "[]",
];

#[tokio::test]
async fn a_response_without_the_id_of_the_new_object_makes_an_addition_ambiguous() {
    for body in NOT_THE_OBJECT {
        let tenant = Script::new(move |_| status(200).body(body));
        let lms = tenant.lms();
        let add_course = || lms.add_course("Safety");
        let errors = [
            requests::AddLearner::new(&lms, ann()).await.unwrap_err(),
            add_course().await.unwrap_err(),
            lms.add_enrolment("c1", "u1").await.unwrap_err(),
            lms.add_duplicate_course("c1").await.unwrap_err(),
            add_course().call_as::<Value>().await.unwrap_err(),
        ];
        for error in errors {
            assert!(error.is_ambiguous(), "{body}: {error}");
            assert_eq!(error.fields(), ["id"], "{body}");
            let text = error.to_string();
            assert!(
                text.ends_with("200; the response has no `id` of a new object; it may have been processed; check before you send it again"),
                "{text}"
            );
        }
        assert_eq!(tenant.count(), 5, "nothing is sent again");
        let error = lms.duplicate_course("c1", |copy| copy).await.unwrap_err();
        assert!(error.is_ambiguous(), "{error}");
        let text = error.to_string();
        assert!(text.ends_with("before starting another"), "{text}");
    }
}

#[tokio::test]
async fn a_response_without_the_id_of_the_new_object_is_checked_by_looking_again() {
    let page = |items: Value| json(value!({"items": items, "more": false}));
    for body in NOT_THE_OBJECT {
        for is_there in [true, false] {
            let added = if is_there { existing() } else { status(404) };
            let tenant = Script::of([status(404), status(200).body(body), added]);
            let learner = tenant.lms().ensure_learner(ann()).await;
            let there = value!([item("c1", "u1")]);
            let found = if is_there { there } else { value!([]) };
            let tenant = Script::of([page(value!([])), status(200).body(body), page(found)]);
            let enrolment = tenant.lms().ensure_enrolment(enrolment()).await;
            if is_there {
                assert!(learner.unwrap().is_new(), "{body}");
                assert!(enrolment.unwrap().is_new(), "{body}");
            } else {
                for error in [learner.unwrap_err(), enrolment.unwrap_err()] {
                    assert!(error.is_ambiguous(), "{body}: {error}");
                    let text = error.to_string();
                    assert!(text.contains("a lookup did not find it"), "{text}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_response_without_enrolments_to_compare_adds_nothing() {
    let hidden = |course: Option<&str>, user: Option<&str>| {
        value!({"items": [{"id": "e1", "course": course, "user": user}], "more": false}).to_string()
    };
    for (body, expected) in [
        ("{}", "missing field `items`"),
        (r#"{"error":"busy"}"#, "missing field `items`"),
        (r#"{"items":null}"#, "items"),
        (r#"{"items":[],"items":[]}"#, "duplicate field `items`"),
        ("[]", "expected a page of a list"),
        (&hidden(None, None), "without a course or a user"),
        (&hidden(Some("c1"), None), "without a course or a user"),
        (&hidden(None, Some("u1")), "without a course or a user"),
    ] {
        let response = body.to_owned();
        let tenant = Script::new(move |_| status(200).body(response.clone()));
        let ensured = tenant.lms().ensure_enrolment(enrolment()).await;
        let error = ensured.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode, "{body}");
        assert!(error.to_string().contains(expected), "{body}: {error}");
        assert_eq!(error.operation(), Some("list_enrolments"));
        assert_eq!(tenant.sent(&Method::POST).len(), 0, "{body}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_learner_not_found_after_a_lost_response_is_ambiguous_and_can_be_ensured_again() {
    let tenant = Script::of([status(404), lost(), status(404), existing()]);
    let lms = tenant.lms();
    let error = lms.ensure_learner(ann()).await.unwrap_err();
    assert!(error.is_ambiguous(), "{error:?}");
    assert_eq!(error.operation(), Some("add_learner"));
    assert_eq!(
        error.to_string(),
        "add_learner: the connection broke before the end of the response; it may have been added, although a lookup did not \
         find it; the same call checks before it adds"
    );
    assert!(!lms.ensure_learner(ann()).await.unwrap().is_new());
    assert_eq!(tenant.sent(&Method::POST).len(), 1);

    // Also when the response to the request cannot be read.
    for added in [lost(), json(value!({"firstname": 7}))] {
        let tenant = Script::of([status(404), added, status(403)]);
        let error = tenant.lms().ensure_learner(ann()).await.unwrap_err();
        assert!(error.is_ambiguous(), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("although the lookup failed"), "{text}");
    }
}

#[tokio::test]
async fn a_learner_added_by_another_client_meanwhile_exists_already() {
    let tenant = Script::of([status(404), status(409), existing()]);
    let learner = tenant.lms().ensure_learner(ann()).await.unwrap();
    assert!(!learner.is_new());

    // The username is taken, not the address.
    for lookup in [404, 403] {
        let tenant = Script::of([404, 409, lookup].map(status));
        let error = tenant.lms().ensure_learner(ann()).await.unwrap_err();
        assert!(error.is_conflict(), "{error:?}");
    }
}

#[tokio::test]
async fn a_lookup_that_returns_another_learner_is_a_mismatch() {
    for other in [
        value!({"id": "l9", "email": "bob@acme.example"}),
        value!({"id": "l9"}),
    ] {
        let tenant = Script::of([json(other)]);
        let error = tenant.lms().ensure_learner(ann()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert_eq!(error.fields(), ["email"]);
        assert!(!format!("{error} {error:?}").contains("acme"));
    }
}

#[tokio::test]
async fn a_server_that_ignores_a_filter_gets_no_enrolment() {
    for other in [item("c1", "u2"), item("c2", "u1")] {
        let tenant = Script::of([json(value!({"items": [other]}))]);
        let error = tenant.lms().ensure_enrolment(enrolment()).await;
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Mismatch);
        assert_eq!(tenant.count(), 1);
    }
}

#[tokio::test]
async fn concurrent_calls_with_one_sso_id_and_two_addresses_add_one_person() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let lms = client(&sandbox);
    let wanted = |email: &str| ann().email(email).sso_id("emp-17");
    let tasks = ["ann@acme.example", "ann.smith@acme.example"]
        .map(|email| lms.ensure_learner(wanted(email)).by_sso_id().into_future())
        .map(tokio::spawn);
    let mut new = 0;
    for task in tasks {
        new += usize::from(task.await.unwrap().unwrap().is_new());
    }
    let learners = lms.list_learners().collect_all().await.unwrap();
    assert_eq!((new, learners.len()), (1, 1));
}

#[tokio::test]
async fn a_person_is_found_by_a_service_that_compares_exactly() {
    let stored = value!({"id": "l1", "firstname": "Ann", "surname": "Smith", "username": "ann",
        "email": "ann@acme.example"});
    let tenant = Script::new(move |seen| {
        let username = seen.query("username");
        match (seen.path(), username.as_deref()) {
            ("/learners/email/ann@acme.example", _) => json(stored.clone()),
            ("/learners", Some("ann")) => json(value!({"items": [stored], "more": false})),
            ("/learners", _) => json(value!({"items": [], "more": false})),
            _ => status(404),
        }
    });
    let lms = tenant.lms();
    let wanted = || ann().email("Ann@ACME.example").username("ANN");
    for call in [
        lms.ensure_learner(wanted()),
        lms.ensure_learner(wanted()).by_username(),
        lms.ensure_learner(wanted().sso_id("emp-17")).by_sso_id(),
    ] {
        let found = call.await.unwrap();
        assert!(!found.is_new());
        assert_eq!(found.value().id.as_deref(), Some("l1"));
    }
    assert_eq!(tenant.sent(&Method::POST).len(), 0);
}

/// A server that ignores the filter returns the enrolments of others.
#[tokio::test]
async fn enrolments_of_others_and_without_a_course_remove_nothing() {
    for (item, expected) in [
        (
            value!({"id": "e1", "course": "c1", "user": "u2"}),
            ErrorKind::Mismatch,
        ),
        (value!({"id": "e1", "user": "u1"}), ErrorKind::Decode),
        (value!({"id": "e1", "course": "c1"}), ErrorKind::Decode),
    ] {
        let tenant = Script::of([json(value!({"items": [item]}))]);
        let none: [&str; 0] = [];
        let synced = tenant
            .lms()
            .sync_enrolments("u1", none)
            .remove_others()
            .await;
        assert_eq!(synced.unwrap_err().kind(), expected);
        assert_eq!(tenant.count(), 1);
    }
}
