//! A mixed load with faults: expiring tokens, every kind of fault, and an unannounced rate limit.
//!
//! Thirty-two tasks add, edit, read and delete their own learners, enrol and unenrol them, read lists and copy courses, and
//! record what must exist. At the end the tenant must contain exactly that. A lost or duplicate write, an item that a walk
//! skipped or duplicated, or a copy that was not reported fails the test. So does a client that no longer works, and a load
//! that did not meet every effect of the sandbox.
//!
//! The default of 32 rounds takes some seconds. That is too short to meet all effects, so only the result is checked.
//! `LMS_TESTS=full` runs for ten minutes, and prints its state every minute. Then the memory must not grow in the second
//! half, either.

mod account;
mod faults;
mod limit;
mod retry;
mod tally;
mod task;

use std::{
    collections::BTreeSet,
    fmt::Display,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use account::Account;
use lms_ext::prelude::*;
use lms_sandbox::{NewLearner, Sandbox};
use tally::{Tally, memory};
use task::Task;
use tokio::{
    runtime::Handle,
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use crate::sandbox::client;

/// The number of rounds, by default and in full.
const ROUNDS: [usize; 2] = [32, 5000];
const TASKS: usize = 32;
/// Learners of each task at the start: some pages.
const CLASS: usize = 12;
/// The growth in MiB that is not a leak: the allocator takes some minutes to settle, and about five MiB.
const MAX_GROWTH: usize = 16;

/// Shown with `--nocapture`.
#[allow(clippy::print_stdout, reason = "shows the progress of ten minutes")]
fn log(line: impl Display) {
    println!("{line}");
}

/// Creates a task with its course, its tag and its learners.
fn task(sandbox: &Sandbox, lms: &Lms, number: usize) -> Task {
    let seed = sandbox.seed();
    let name = format!("Original {number}");
    let course = seed.add_course(&name).unwrap();
    let tag = format!("task-{number}");
    let mut account = Account::default();
    let mut class = BTreeSet::new();
    for learner in 0..CLASS {
        let email = format!("class-{number}-{learner}@acme.example");
        let learner = NewLearner {
            firstname: "Sam".into(),
            surname: "Old".into(),
            email: email.clone(),
            tags: vec![tag.clone()],
            courses: vec![course.clone()],
            ..NewLearner::default()
        };
        let id = seed.add_learner(&learner).unwrap();
        account.learners.insert(email, "Old".into());
        account.enrolments.insert((id.clone(), course.clone()));
        class.insert(id);
    }
    account.courses.insert(name, course.clone());
    Task {
        lms: lms.clone(),
        number,
        course,
        tag,
        class,
        account,
    }
}

/// Reads what exists, in the form of an account.
async fn found(lms: &Lms) -> Account {
    let mut found = Account::default();
    for learner in lms.list_learners().collect_all().await.unwrap() {
        let previous = found
            .learners
            .insert(learner.email.unwrap(), learner.surname.unwrap());
        assert_eq!(previous, None, "a duplicate learner");
    }
    for course in lms.list_courses().collect_all().await.unwrap() {
        let previous = found
            .courses
            .insert(course.name.unwrap(), course.id.unwrap().into_string());
        assert_eq!(previous, None, "a duplicate course");
    }
    for enrolment in lms.list_enrolments().collect_all().await.unwrap() {
        let row = (
            enrolment.user.unwrap().into_string(),
            enrolment.course.unwrap().into_string(),
        );
        assert!(found.enrolments.insert(row), "a duplicate enrolment");
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_duplicated_or_leaked_under_load_with_faults() {
    let full = crate::full();
    let rounds = ROUNDS[usize::from(full)];
    let sandbox = Sandbox::builder()
        .token_lifetime(Duration::from_secs(2))
        .faults(faults::plan())
        .start()
        .await
        .unwrap();
    let lms = client(&sandbox);

    let finished = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for number in 0..TASKS {
        let task = task(&sandbox, &lms, number);
        // Each on its own thread, since the compiler cannot prove that async closures that borrow are `Send`.
        let (runtime, finished) = (Handle::current(), Arc::clone(&finished));
        tasks.spawn_blocking(move || runtime.block_on(task.run(rounds, TASKS, &finished)));
    }
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut expected = Account::default();
    let mut early = None;
    let mut second = interval(Duration::from_secs(1));
    second.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for seconds in 1_u64.. {
        second.tick().await;
        tally.add(sandbox.take_requests().unwrap());
        while let Some(account) = tasks.try_join_next() {
            expected = expected.merge(account.unwrap());
        }
        if seconds % 60 == 0 {
            log(tally.line(started));
        }
        if early.is_none() && finished.load(Ordering::Relaxed) >= rounds / 2 {
            early = memory();
        }
        if tasks.is_empty() {
            break;
        }
    }
    let late = memory();
    tally.add(sandbox.take_requests().unwrap());
    log(format_args!("{rounds} rounds: {}", tally.line(started)));
    log(format_args!("{:?}", tally.effects));
    log(format_args!(
        "{} calls, {} failed; copies: {} started, {} ambiguous, {} lost",
        expected.calls,
        expected.failed,
        expected.started,
        expected.ambiguous.len(),
        expected.lost
    ));

    // Faults occurred.
    assert!(tally.with_effects > 10, "{} faults", tally.with_effects);
    assert!(tally.tokens > 1, "{} tokens", tally.tokens);
    if full {
        assert_eq!(tally.missing_effects(), BTreeSet::new());
        assert!(tally.over_limit > 0, "the rate limit was not reached");
        assert!(tally.tokens > 10, "{} tokens", tally.tokens);
    }
    log(format_args!(
        "memory at half of the rounds: {early:?} MiB, at the end: {late:?} MiB"
    ));
    // Retries hide most faults from the caller.
    assert!(
        expected.failed * 20 < expected.calls,
        "{} of {} calls failed",
        expected.failed,
        expected.calls
    );
    if full && let (Some(early), Some(late)) = (early, late) {
        assert!(
            late < early + MAX_GROWTH,
            "memory grew from {early} to {late} MiB"
        );
    }
    // Every copy that was started has a known task, or was reported as ambiguous.
    let most = expected.started + expected.ambiguous.len();
    assert!(
        (expected.started..=most).contains(&tally.copies),
        "{} copies were started",
        tally.copies
    );
    assert_eq!(expected.lost, tally.count("fail-duplication"));

    // The tenant contains what it must, and the client still works.
    sandbox.faults().clear();
    let all = (0..64).map(|_| lms.me().call());
    for me in futures_util::future::join_all(all).await {
        me.unwrap();
    }
    let mut found = found(&lms).await;
    let ambiguous = found
        .courses
        .extract_if(.., |name, _| expected.ambiguous.contains(name));
    let ambiguous: BTreeSet<_> = ambiguous.map(|(_, id)| id).collect();
    found
        .enrolments
        .retain(|(_, course)| !ambiguous.contains(course));
    assert_eq!(found.learners, expected.learners);
    assert_eq!(found.courses, expected.courses);
    assert_eq!(found.enrolments, expected.enrolments);
    sandbox.stop().await;
}
