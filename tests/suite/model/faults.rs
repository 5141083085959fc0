//! Random faults around what a program does with a tenant, and what must come out of it all the same.
//!
//! The faults are of the sandbox, on real connections, so nothing here waits for long: the client repeats without a
//! pause, and no fault holds a request up for more than a few milliseconds.

use std::{collections::BTreeMap, time::Duration};

use lms_ext::{
    Checkpoint, Error, ErrorKind, RateLimits, RetryPolicy, concurrent::PartsCheckpoint, prelude::*,
};
use lms_sandbox::{
    BadJson, DropPoint, Effect, ErrorBody, FaultPlan, FaultRule, NewLearner, Operation, RetryAfter,
    Sandbox, When,
};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestCaseResult};

use super::{holds, runtime};

const LEARNERS: usize = 13;
const COURSES: usize = 3;

/// What a tenant may do to any request.
fn effect() -> impl Strategy<Value = Effect> {
    prop_oneof![
        select(&[408, 429, 500, 502, 503, 504][..]).prop_map(Effect::status),
        Just(Effect::Status {
            code: 502,
            body: ErrorBody::Html
        }),
        Just(Effect::Status {
            code: 503,
            body: ErrorBody::Empty
        }),
        select(&[DropPoint::Before, DropPoint::After, DropPoint::Body][..])
            .prop_map(|at| Effect::Drop { at }),
        Just(Effect::delay(Duration::from_millis(2))),
        Just(Effect::BadJson { how: BadJson::Cut }),
        Just(Effect::LongLength { extra: 7 }),
        Just(Effect::RefuseToken),
        Just(Effect::RevokeTokens),
        Just(Effect::RateLimited {
            retry_after: RetryAfter::Absent,
            wait: Duration::ZERO
        }),
        Just(Effect::Trickle {
            chunk: 200,
            pause: Duration::from_micros(100)
        }),
        Just(Effect::Nulls),
        Just(Effect::ExtraFields),
        Just(Effect::Numbers),
    ]
}

/// What a tenant may do to the pages of a list.
fn page_effect() -> impl Strategy<Value = Effect> {
    prop_oneof![
        4 => effect(),
        1 => (1..4_usize).prop_map(|items| Effect::MaxPage { items }),
        1 => Just(Effect::EmptyPage),
        1 => Just(Effect::RepeatCursor),
        1 => Just(Effect::MoreWithoutCursor),
    ]
}

/// Every other one of its requests at most, so that there is an end to it.
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

/// A tenant with learners, courses, and enrolments of all learners but the first in all courses but the first.
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

/// A client that repeats at once, and that nothing slows down.
fn client(sandbox: &Sandbox) -> Lms {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .retry(RetryPolicy::default().backoff(Duration::ZERO, Duration::ZERO))
        .rate_limits(RateLimits::default().without_adaptive_throttling())
        .build()
        .unwrap()
}

/// How the rows of a list are gone through.
#[derive(Clone, Copy, Debug)]
enum Way {
    Ahead,
    NotAhead,
    ByPage,
}

/// Takes rows until the end of the list or an error, or until there are `most`, and says where that was.
async fn walk(
    lms: &Lms,
    way: Way,
    from: Option<&Checkpoint>,
    most: usize,
    rows: &mut Vec<String>,
) -> Result<Checkpoint, (Error, Checkpoint)> {
    let list = lms.list_learners().limit(4);
    if let Way::ByPage = way {
        let mut walk = list.pages();
        if let Some(from) = from {
            walk = walk.resume(from).unwrap();
        }
        while rows.len() < most {
            match walk.try_next().await {
                Ok(Some(page)) => rows.extend(page.items.into_iter().map(|row| row.id.unwrap())),
                Ok(None) => break,
                Err(error) => return Err((error, walk.checkpoint())),
            }
        }
        return Ok(walk.checkpoint());
    }
    let mut walk = list.items();
    if let Way::NotAhead = way {
        walk = walk.without_read_ahead();
    }
    if let Some(from) = from {
        walk = walk.resume(from).unwrap();
    }
    while rows.len() < most {
        match walk.try_next().await {
            Ok(Some(row)) => rows.push(row.id.unwrap()),
            Ok(None) => break,
            Err(error) => return Err((error, walk.checkpoint())),
        }
    }
    Ok(walk.checkpoint())
}

/// A walk through faults gives every row once, or ends in an error; taken up from there, when the tenant is well again,
/// it gives the others. In between, the program is stopped after some row and started again.
async fn walked(way: Way, stopped_after: usize, plan: FaultPlan) -> TestCaseResult {
    let (sandbox, learners, _) = tenant().await;
    sandbox.faults().replace(plan).unwrap();
    let lms = client(&sandbox);
    let mut rows = Vec::new();
    let mut from = None;
    for most in [stopped_after, usize::MAX] {
        match walk(&lms, way, from.as_ref(), most, &mut rows).await {
            Ok(checkpoint) => from = Some(stored(&checkpoint)),
            Err((error, checkpoint)) => {
                prop_assert!(!error.is_ambiguous() && !error.is_usage(), "{error:#}");
                prop_assert!(learners.starts_with(&rows), "{rows:?} before {error}");
                prop_assert!(!checkpoint.is_finished());
                from = Some(stored(&checkpoint));
                sandbox.faults().clear();
            }
        }
    }
    let end = walk(&lms, way, from.as_ref(), usize::MAX, &mut rows).await;
    prop_assert!(end.is_ok_and(|end| end.is_finished()));
    prop_assert_eq!(rows, learners);
    sandbox.stop().await;
    Ok(())
}

/// As another process would read it.
fn stored<T: serde::Serialize + serde::de::DeserializeOwned>(checkpoint: &T) -> T {
    serde_json::from_str(&serde_json::to_string(checkpoint).unwrap()).unwrap()
}

#[test]
fn a_walk_through_faults_loses_and_doubles_no_row() {
    let runtime = runtime();
    let cases = (
        select(&[Way::Ahead, Way::NotAhead, Way::ByPage][..]),
        0..=LEARNERS,
        plan(page_effect(), &[Operation::ListLearners]),
    );
    holds(40, &cases, |(way, stop, plan)| {
        runtime.block_on(walked(way, stop, plan))
    });
}

/// The same for walks side by side, where each part may fail by itself.
async fn walked_together(at_once: usize, plan: FaultPlan) -> TestCaseResult {
    let (sandbox, learners, courses) = tenant().await;
    sandbox.faults().replace(plan).unwrap();
    let lms = client(&sandbox);
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut from: Option<PartsCheckpoint<String>> = None;
    for _ in 0..2 {
        let mut walks = lms.enrolments_by_course().concurrency(at_once);
        if let Some(from) = from.take() {
            walks = walks.resume(from).unwrap();
        }
        let mut errors = 0;
        loop {
            match walks.try_next().await {
                Ok(Some(row)) => found
                    .entry(row.part.to_string())
                    .or_default()
                    .push(row.item.user.unwrap()),
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
    prop_assert_eq!(found.len(), COURSES - 1);
    for course in &courses[1..] {
        prop_assert_eq!(&found[course], &learners[1..], "{}", course);
    }
    sandbox.stop().await;
    Ok(())
}

#[test]
fn walks_side_by_side_through_faults_lose_and_double_no_row() {
    let runtime = runtime();
    let on = &[Operation::ListEnrolments, Operation::ListCourses];
    let cases = (1..5_usize, plan(page_effect(), on));
    holds(30, &cases, |(at_once, plan)| {
        runtime.block_on(walked_together(at_once, plan))
    });
}

/// What the tenant says of a learner, without faults.
async fn look(sandbox: &Sandbox, email: &str) -> Vec<types::Learner> {
    let lms = client(sandbox);
    lms.list_learners()
        .email(email)
        .collect_all()
        .await
        .unwrap()
}

/// A write through faults was made, or was not, or the error says that it may have been: never another of these.
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
    let there = look(&sandbox, "new@x.example").await;
    prop_assert_eq!(there.len(), carried_out(&sandbox, Operation::AddLearner));
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
    let now = look(&sandbox, "l3@x.example").await.remove(0);
    prop_assert_eq!(now.firstname.as_deref(), Some("Sam"));
    let changed = now.surname.as_deref() == Some("New");
    match edited {
        Ok(_) => prop_assert!(changed),
        Err(error) if error.is_ambiguous() => {}
        Err(error) => prop_assert!(!changed, "{error:#}"),
    }

    // A loop as a program has it: until it knows.
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
    // The tenant refuses a second one, so it would not be there: nobody may have asked for it after it was made.
    let refused = sandbox
        .requests_to(Operation::AddEnrolment)
        .iter()
        .any(|request| request.status.is_some_and(|status| status == 409));
    prop_assert!(
        !refused,
        "an enrolment was sent again after it had been made"
    );
    sandbox.stop().await;
    Ok(())
}

fn carried_out(sandbox: &Sandbox, operation: Operation) -> usize {
    sandbox
        .requests_to(operation)
        .iter()
        .filter(|request| request.processed)
        .count()
}

#[test]
fn a_write_through_faults_was_made_once_or_not_or_may_have_been() {
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
