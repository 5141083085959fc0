//! Reading and writing with random faults.
//!
//! The sandbox injects the faults on real connections, so the client retries without backoff, and no fault delays a request
//! by more than a few milliseconds.

use std::{collections::BTreeMap, time::Duration};

use lms_ext::{
    Checkpoint, Error, ErrorKind, Page, RateLimits, RetryPolicy, concurrent::PartsCheckpoint,
    prelude::*,
};
use lms_sandbox::{Effect, FaultPlan, FaultRule, NewLearner, Operation, Sandbox, When};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestCaseResult};

use super::{holds, runtime};

const LEARNERS: usize = 13;
const COURSES: usize = 3;

/// Faults of any request.
const EFFECTS: &[&str] = &[
    "status 408",
    "status 429",
    "status 500",
    "status 502",
    "status 503",
    "status 504",
    "status 502 html",
    "status 503 empty",
    "drop before",
    "drop after",
    "drop body",
    "delay 2ms",
    "bad-json cut",
    "long-length 7",
    "refuse-token",
    "revoke-tokens",
    "rate-limited absent",
    "trickle 200 1ms",
    "nulls",
    "extra-fields",
    "numbers",
];

/// Faults of the pages of a list.
const PAGE_EFFECTS: &[&str] = &[
    "max-page 1",
    "max-page 2",
    "max-page 3",
    "empty-page",
    "repeat-cursor",
    "more-without-cursor",
];

fn effect() -> impl Strategy<Value = Effect> {
    select(EFFECTS).prop_map(|effect| effect.parse().unwrap())
}

fn page_effect() -> impl Strategy<Value = Effect> {
    let of_pages = select(PAGE_EFFECTS).prop_map(|effect| effect.parse().unwrap());
    prop_oneof![effect(), of_pages]
}

/// At most every second request, so that calls succeed eventually.
fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        (1..9_u64).prop_map(When::Nth),
        (2..6_u64).prop_map(When::Every),
        (1..4_u64).prop_map(When::First),
        (0.05..0.4).prop_map(When::Chance),
    ]
}

fn plan(
    effect: impl Strategy<Value = Effect>,
    on: &'static [Operation],
) -> impl Strategy<Value = FaultPlan> {
    (any::<u64>(), vec((effect, when()), 0..5)).prop_map(move |(seed, rules)| {
        rules
            .into_iter()
            .fold(FaultPlan::seeded(seed), |plan, (effect, when)| {
                plan.with(FaultRule::new(effect).on(on.iter().copied()).when(when))
            })
    })
}

/// A tenant in which all learners but the first are enrolled in all courses but the first.
async fn tenant() -> (Sandbox, Vec<String>, Vec<String>) {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let seed = sandbox.seed();
    let courses: Vec<_> = (0..COURSES)
        .map(|course| seed.add_course(&format!("Course {course}")).unwrap())
        .collect();
    let learners: Vec<_> = (0..LEARNERS)
        .map(|learner| {
            let learner = NewLearner {
                firstname: "Sam".into(),
                surname: "Old".into(),
                email: format!("l{learner}@x.example"),
                ..NewLearner::default()
            };
            seed.add_learner(&learner).unwrap()
        })
        .collect();
    for course in &courses[1..] {
        for learner in &learners[1..] {
            seed.enrol(learner, course).unwrap();
        }
    }
    (sandbox, learners, courses)
}

/// A client that retries without delay.
fn client(sandbox: &Sandbox) -> Lms {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .retry(RetryPolicy::default().backoff(Duration::ZERO, Duration::ZERO))
        .rate_limits(RateLimits::default().without_adaptive_throttling())
        .build()
        .unwrap()
}

/// How a list is read.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Items,
    WithoutReadAhead,
    Pages,
}

/// Reads items until the end of the list, an error, or `max_items` items, and returns the checkpoint.
async fn walk(
    lms: &Lms,
    reading: Reading,
    from: Option<&Checkpoint>,
    max_items: usize,
    items: &mut Vec<String>,
) -> Result<Checkpoint, (Error, Checkpoint)> {
    let list = lms.list_learners().limit(4);
    macro_rules! read {
        ($walk:expr, $ids:expr) => {{
            let mut walk = $walk;
            if let Some(from) = from {
                walk = walk.resume(from).unwrap();
            }
            while items.len() < max_items {
                match walk.try_next().await {
                    Ok(Some(found)) => items.extend($ids(found)),
                    Ok(None) => break,
                    Err(error) => return Err((error, walk.checkpoint())),
                }
            }
            Ok(walk.checkpoint())
        }};
    }
    let id = |learner: types::Learner| learner.id.map(String::from);
    match reading {
        Reading::Items => read!(list.items(), id),
        Reading::WithoutReadAhead => read!(list.items().without_read_ahead(), id),
        Reading::Pages => read!(list.pages(), |page: Page<types::Learner>| page
            .items
            .into_iter()
            .map(|learner| learner.id.unwrap().into_string())),
    }
}

/// A walk with faults returns every item once or ends in an error. Resumed from there without faults, it returns the
/// others. In between, the walk is stored after some item and resumed.
async fn walked(reading: Reading, stopped_after: usize, plan: FaultPlan) -> TestCaseResult {
    let (sandbox, learners, _) = tenant().await;
    sandbox.faults().replace(plan).unwrap();
    let lms = client(&sandbox);
    let mut items = Vec::new();
    let mut from = None;
    for max_items in [stopped_after, usize::MAX] {
        match walk(&lms, reading, from.as_ref(), max_items, &mut items).await {
            Ok(checkpoint) => from = Some(stored(&checkpoint)),
            Err((error, checkpoint)) => {
                prop_assert!(!error.is_ambiguous() && !error.is_usage(), "{error:#}");
                prop_assert!(learners.starts_with(&items), "{items:?} before {error}");
                prop_assert!(!checkpoint.is_finished());
                from = Some(stored(&checkpoint));
                sandbox.faults().clear();
            }
        }
    }
    let end = walk(&lms, reading, from.as_ref(), usize::MAX, &mut items).await;
    prop_assert!(end.is_ok_and(|end| end.is_finished()));
    prop_assert_eq!(items, learners);
    sandbox.stop().await;
    Ok(())
}

/// Stores a checkpoint and reads it again.
fn stored<T: serde::Serialize + serde::de::DeserializeOwned>(checkpoint: &T) -> T {
    serde_json::from_str(&serde_json::to_string(checkpoint).unwrap()).unwrap()
}

#[test]
fn a_walk_with_faults_neither_skips_nor_duplicates_items() {
    let runtime = runtime();
    let cases = (
        select(&[Reading::Items, Reading::WithoutReadAhead, Reading::Pages][..]),
        0..=LEARNERS,
        plan(page_effect(), &[Operation::ListLearners]),
    );
    holds(40, &cases, |(reading, stop, plan)| {
        runtime.block_on(walked(reading, stop, plan))
    });
}

/// Like [`walked`], with concurrent walks, of which each part can fail.
async fn walked_together(concurrency: usize, plan: FaultPlan) -> TestCaseResult {
    let (sandbox, learners, courses) = tenant().await;
    sandbox.faults().replace(plan).unwrap();
    let lms = client(&sandbox);
    let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut from: Option<PartsCheckpoint<ids::CourseId>> = None;
    for _ in 0..2 {
        let mut walks = lms.enrolments_by_course().concurrency(concurrency);
        if let Some(from) = from.take() {
            walks = walks.resume(from).unwrap();
        }
        let mut errors = 0;
        loop {
            match walks.try_next().await {
                Ok(Some(found)) => users
                    .entry(found.part.to_string())
                    .or_default()
                    .push(found.item.user.unwrap().into_string()),
                Ok(None) => break,
                Err(_) => errors += 1,
            }
        }
        if errors == 0 {
            break;
        }
        prop_assert!(errors <= COURSES + 1, "{errors} errors");
        from = Some(stored(&walks.checkpoint()));
        sandbox.faults().clear();
    }
    prop_assert_eq!(users.len(), COURSES - 1);
    for course in &courses[1..] {
        prop_assert_eq!(&users[course], &learners[1..], "{}", course);
    }
    sandbox.stop().await;
    Ok(())
}

#[test]
fn concurrent_walks_with_faults_neither_skip_nor_duplicate_items() {
    let runtime = runtime();
    let on = &[Operation::ListEnrolments, Operation::ListCourses];
    let cases = (1..5_usize, plan(page_effect(), on));
    holds(30, &cases, |(concurrency, plan)| {
        runtime.block_on(walked_together(concurrency, plan))
    });
}

/// The learners with this email, read without faults.
async fn learners_with(sandbox: &Sandbox, email: &str) -> Vec<types::Learner> {
    let lms = client(sandbox);
    lms.list_learners()
        .email(email)
        .collect_all()
        .await
        .unwrap()
}

/// A write with faults is applied once and succeeds, is not applied and fails, or is ambiguous.
async fn written(plan: FaultPlan) -> TestCaseResult {
    let (sandbox, learners, courses) = tenant().await;
    sandbox.faults().replace(plan.clone()).unwrap();
    let lms = client(&sandbox);

    let body = types::AddLearner::builder()
        .firstname("Sam")
        .surname("New")
        .email("new@x.example");
    let added = lms.add_learner().body(body).call().await;
    sandbox.faults().clear();
    let there = learners_with(&sandbox, "new@x.example").await;
    prop_assert_eq!(there.len(), processed(&sandbox, Operation::AddLearner));
    match added {
        Ok(learner) => prop_assert_eq!(there.first().map(|there| &there.id), Some(&learner.id)),
        Err(error) if error.is_ambiguous() => prop_assert!(there.len() <= 1),
        Err(error) => prop_assert!(there.is_empty(), "{error:#}"),
    }

    sandbox.faults().replace(plan.clone()).unwrap();
    let edited = lms
        .update_learner(&learners[3], |learner| learner.surname = "New".into())
        .await;
    sandbox.faults().clear();
    let now = learners_with(&sandbox, "l3@x.example").await.remove(0);
    prop_assert_eq!(now.firstname.as_deref(), Some("Sam"));
    let changed = now.surname.as_deref() == Some("New");
    match edited {
        Ok(_) => prop_assert!(changed),
        Err(error) if error.is_ambiguous() => {}
        Err(error) => prop_assert!(!changed, "{error:#}"),
    }

    // Retries until the outcome is known, as a program would.
    sandbox.faults().replace(plan).unwrap();
    for learner in &learners[..4] {
        let mut tries = 0;
        loop {
            let wanted = types::AddEnrolment::builder()
                .user(learner)
                .course(&courses[0]);
            match lms.ensure_enrolment(wanted).await {
                Ok(_) => break,
                Err(error) => {
                    let end = matches!(
                        error.kind(),
                        ErrorKind::Conflict | ErrorKind::Rejected | ErrorKind::NotFound
                    );
                    prop_assert!(!end && !error.is_usage(), "{error:#}");
                }
            }
            tries += 1;
            if tries == 10 {
                sandbox.faults().clear();
            }
        }
    }
    sandbox.faults().clear();
    let enrolments = lms
        .list_enrolments()
        .course(&courses[0])
        .collect_all()
        .await
        .unwrap();
    let users: Vec<_> = enrolments
        .into_iter()
        .filter_map(|enrolment| enrolment.user)
        .collect();
    prop_assert_eq!(users, &learners[..4]);
    // The service refuses duplicates, so a duplicate request shows only as a 409.
    let refused = sandbox
        .requests_to(Operation::AddEnrolment)
        .unwrap()
        .iter()
        .any(|request| request.status.is_some_and(|status| status == 409));
    prop_assert!(!refused, "an enrolment was sent again after it was added");
    sandbox.stop().await;
    Ok(())
}

fn processed(sandbox: &Sandbox, operation: Operation) -> usize {
    sandbox
        .requests_to(operation)
        .unwrap()
        .iter()
        .filter(|request| request.processed)
        .count()
}

#[test]
fn a_write_with_faults_is_applied_once_or_not_or_is_ambiguous() {
    let runtime = runtime();
    let on = &[
        Operation::AddLearner,
        Operation::GetLearnerById,
        Operation::EditLearner,
        Operation::AddEnrolment,
        Operation::ListEnrolments,
    ];
    holds(40, &plan(effect(), on), |plan| {
        runtime.block_on(written(plan))
    });
}
