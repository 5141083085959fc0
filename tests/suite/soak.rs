//! A mixed load with faults: expiring tokens, every effect of the sandbox, and an unannounced rate limit.
//!
//! Thirty-two tasks add, edit, enrol, list, copy, unenrol and delete, and call again after an error. At the end the tenant
//! must contain exactly what they made: a lost or duplicate write, or an item that a list skipped or repeated, fails the test.
//!
//! It runs for about ten minutes. Every effect has to occur.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use lms_ext::{EnrolmentScope, prelude::*};
use lms_sandbox::{Effect, FaultPlan, Sandbox};
use tokio::task::JoinSet;

use crate::servers::client;

/// The number of rounds of all tasks.
const ROUNDS: usize = 6400;
const TASKS: usize = 32;
/// Attempts of one action.
const ATTEMPTS: usize = 20;
/// Number of rounds between two copies of the course.
const COPY_ONE_IN: usize = 4;
/// The share of learners that stay is one divided by this number, up to this round of a task, so that the tenant stops
/// growing.
const KEPT_ONE_IN: usize = 8;
const KEPT_UNTIL: usize = 64;
/// Effects of any request, each with a small probability.
const ANYWHERE: [&str; 21] = [
    "status 500",
    "status 408",
    "status 502 html",
    "status 503",
    "status 504 empty",
    "redirect 307 http://127.0.0.1:9/elsewhere",
    "drop before",
    "drop after",
    "drop body",
    "long-length 10",
    "bad-json cut",
    "bad-json garbage",
    "refuse-token",
    "revoke-tokens",
    "trickle 64 1ms",
    "delay 1ms..50ms",
    "nulls",
    "extra-fields",
    "numbers",
    "zoneless-timestamps",
    "announce-limit 0 99",
];

const SOMEWHERE: [&str; 13] = [
    // Lost responses to writes, the usual cause of duplicates.
    "POST,PUT,DELETE: chance 0.02: drop after",
    "POST,PUT,DELETE: chance 0.02: drop body",
    "lists: chance 0.01: max-page 2",
    "lists: chance 0.01: empty-page",
    "lists: chance 0.01: repeat-cursor",
    "lists: chance 0.01: more-without-cursor",
    // Only duplicated items: no client can find an item that no page contains.
    "listLearners: chance 0.02: shift-page +1",
    // Rarely, since each of them slows the client down.
    "all: chance 0.0007: rate-limited absent",
    "getToken: every 5: early-expiry 500ms",
    "getToken: every 3: expires-in-string",
    "viewDuplicateCourse: chance 0.05: stall-duplication",
    "viewDuplicateCourse: chance 0.02: fail-duplication",
    "all: always: rate-limit 300/s burst 60 absent",
];

fn plan() -> FaultPlan {
    let anywhere = ANYWHERE.map(|effect| format!("all: chance 0.0015: {effect}"));
    let rules = anywhere
        .into_iter()
        .chain(SOMEWHERE.map(str::to_owned))
        .map(|rule| rule.parse().unwrap());
    FaultPlan {
        seed: 11,
        rules: rules.collect(),
    }
}

/// An effect without its settings.
fn name(effect: &str) -> String {
    effect.split(' ').next().unwrap_or_default().to_owned()
}

/// Calls until it succeeds; `None` when the object does not exist.
async fn until_done<T>(call: impl AsyncFn() -> Result<T, Error>) -> Option<T> {
    for _ in 0..ATTEMPTS {
        match call().await {
            Ok(done) => return Some(done),
            Err(error) if error.is_not_found() => return None,
            Err(error) => assert!(!error.is_usage() && !error.is_conflict(), "{error:#}"),
        }
    }
    panic!("{ATTEMPTS} attempts failed");
}

/// One task of the load, with a course and a tag of its own.
struct Task {
    lms: Lms,
    number: usize,
    course: String,
    tag: String,
    /// Emails and surnames of the learners who must exist; each is enrolled in the course.
    kept: BTreeMap<String, String>,
}

impl Task {
    async fn run(mut self, rounds: usize) -> BTreeMap<String, String> {
        for round in 0..rounds {
            self.round(round).await;
        }
        self.kept
    }

    async fn round(&mut self, round: usize) {
        let (lms, course) = (&self.lms, &self.course);
        let email = format!("soak-{}-{round}@acme.example", self.number);
        let learner = until_done(async || {
            let learner = types::AddLearner::builder("Sam", "New", &email)
                .generate_password(true)
                .tags(&self.tag);
            lms.ensure_learner(learner).await
        });
        learner.await.unwrap();
        let learner = until_done(async || lms.get_learner_by_email(&email).await);
        let id = learner.await.unwrap().id.unwrap();
        let surname = format!("Round {round}");
        let edit = async || {
            let surname = surname.clone();
            lms.update_learner(&id, move |learner| learner.surname = surname.clone())
                .await
        };
        until_done(edit).await.unwrap();
        let enrol = async || {
            let enrolment = types::AddEnrolment::builder(course, &id);
            lms.ensure_enrolment(enrolment).await
        };
        until_done(enrol).await.unwrap();
        self.kept.insert(email.clone(), surname);
        self.check_list().await;
        if round % COPY_ONE_IN == self.number % COPY_ONE_IN {
            self.copy(round).await;
        }
        if !round.is_multiple_of(KEPT_ONE_IN) || round >= KEPT_UNTIL {
            let scope = || EnrolmentScope::learner_in_course(&id, course);
            until_done(async || lms.unenrol(scope()).await).await;
            until_done(async || lms.delete_learner(&id).await).await;
            self.kept.remove(&email);
        }
    }

    /// Lists the learners with the tag, even when items move between pages.
    async fn check_list(&self) {
        let list = async || {
            let list = self.lms.list_learners().tags(&self.tag);
            list.limit(Int64::new(5))
                .items()
                .dedup()
                .collect_all()
                .await
        };
        let listed = until_done(list).await.unwrap();
        let emails: Vec<_> = listed
            .into_iter()
            .map(|learner| learner.email.unwrap())
            .collect();
        let expected: BTreeSet<_> = self.kept.keys().cloned().collect();
        assert_eq!(emails.len(), expected.len(), "{emails:?}");
        assert_eq!(BTreeSet::from_iter(emails), expected);
    }

    /// Copies the course, and deletes the copy. A remainder after an error is named after its round.
    async fn copy(&self, round: usize) {
        let name = format!("Copy {} {round}", self.number);
        let (first, max) = (Duration::from_millis(5), Duration::from_millis(50));
        let started = self
            .lms
            .duplicate_course(&self.course, |copy| copy.name(&name));
        if let Ok(copy) = started.await
            && let Ok(course) = copy.interval(first, max).wait().await
        {
            let id = course.id.unwrap();
            until_done(async || self.lms.delete_course(&id).await).await;
        }
    }
}

/// Compares the tenant with the expected objects.
async fn check_tenant(lms: &Lms, kept: &BTreeMap<String, String>) {
    let learners = lms.list_learners().collect_all().await.unwrap();
    let pair = |learner: types::Learner| (learner.email.unwrap(), learner.surname.unwrap());
    assert_eq!(learners.len(), kept.len());
    assert_eq!(
        &learners.into_iter().map(pair).collect::<BTreeMap<_, _>>(),
        kept
    );
    let enrolments = lms.list_enrolments().collect_all().await.unwrap();
    assert_eq!(enrolments.len(), kept.len());
    let courses = lms.list_courses().collect_all().await.unwrap();
    let names: Vec<_> = courses
        .into_iter()
        .map(|course| course.name.unwrap())
        .collect();
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "a duplicate course");
    let originals = names.iter().filter(|name| !name.starts_with("Copy"));
    assert_eq!(originals.count(), TASKS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes ten minutes; release-check runs it"]
async fn nothing_is_lost_or_duplicated_under_load_with_faults() {
    let builder = Sandbox::builder().token_lifetime(Duration::from_secs(2));
    let sandbox = builder.faults(plan()).start().await.unwrap();
    let lms = client(&sandbox);
    let mut tasks = JoinSet::new();
    for number in 0..TASKS {
        let task = Task {
            lms: lms.clone(),
            number,
            course: sandbox
                .seed()
                .add_course(&format!("Original {number}"))
                .unwrap(),
            tag: format!("task-{number}"),
            kept: BTreeMap::new(),
        };
        // Each on its own thread, since the compiler cannot prove that async closures that borrow are `Send`.
        let runtime = tokio::runtime::Handle::current();
        tasks.spawn_blocking(move || runtime.block_on(task.run(ROUNDS / TASKS)));
    }
    let kept = tasks.join_all().await.into_iter().flatten().collect();
    let requests = sandbox.take_requests().unwrap();
    let effects = requests.iter().flat_map(|record| &record.effects);
    let effects: BTreeSet<_> = effects.map(|effect| name(&effect.to_string())).collect();
    let forms = Effect::FORMS.iter().map(|form| name(form));
    let missing: Vec<_> = forms.filter(|form| !effects.contains(form)).collect();
    assert!(missing.is_empty(), "{missing:?} did not occur");
    // The client still works.
    sandbox.faults().clear();
    check_tenant(&lms, &kept).await;
    sandbox.stop().await;
}
