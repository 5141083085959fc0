//! A mixed load on a bad tenant: tokens that run out, faults of every kind, and a limit that nobody told of.
//!
//! Sixteen tasks add, change, read and delete learners, each its own, and keep account of what must be there.
//! At the end the tenant holds exactly that. A learner that was lost, or added twice (which the tenant
//! refuses with 409), or a change that went astray is a failed test; so is a client that no longer works.
//!
//! By default it makes 160 rounds of seven calls. `LMS_SOAK_ROUNDS=500` makes it last about a minute, as the gate
//! does, and `LMS_SOAK_ROUNDS=80000` about an hour; then the memory of the process is looked at as well.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use lms_ext::{ErrorKind, prelude::*};
use lms_sandbox::{
    BadJson, DropPoint, Effect, ErrorBody, FaultPlan, FaultRule, Operation, RetryAfter, Sandbox,
    When,
};

const TASKS: usize = 16;

/// About one request in twenty meets one of these.
fn faults() -> FaultPlan {
    let mut plan = FaultPlan::seeded(11).with(FaultRule::new(Effect::RateLimit {
        per_second: 200,
        burst: 50,
        retry_after: RetryAfter::Absent,
    }));
    for effect in [
        Effect::status(500),
        Effect::status(408),
        Effect::Status {
            code: 502,
            body: ErrorBody::Html,
        },
        Effect::Status {
            code: 504,
            body: ErrorBody::Empty,
        },
        Effect::status(503),
        Effect::Drop {
            at: DropPoint::Before,
        },
        Effect::Drop {
            at: DropPoint::After,
        },
        Effect::Drop {
            at: DropPoint::Body,
        },
        Effect::LongLength { extra: 10 },
        Effect::BadJson { how: BadJson::Cut },
        Effect::RefuseToken,
        Effect::RevokeTokens,
        Effect::Trickle {
            chunk: 64,
            pause: Duration::from_millis(1),
        },
        Effect::Delay {
            least: Duration::from_millis(1),
            most: Duration::from_millis(50),
        },
    ] {
        plan = plan.with(FaultRule::new(effect).when(When::Chance(0.004)));
    }
    // Changes lose their answers more often: that is where learners are doubled.
    for at in [DropPoint::After, DropPoint::Body] {
        plan = plan.with(
            FaultRule::new(Effect::Drop { at })
                .on([
                    Operation::AddLearner,
                    Operation::EditLearner,
                    Operation::DeleteLearner,
                ])
                .when(When::Chance(0.02)),
        );
    }
    plan.with(
        FaultRule::new(Effect::EarlyExpiry {
            after: Duration::from_millis(500),
        })
        .on([Operation::GetToken])
        .when(When::Every(5)),
    )
}

/// What one task does, and what must be there afterwards: email and surname.
struct Task {
    lms: Lms,
    number: usize,
    expected: BTreeMap<String, String>,
    calls: Arc<AtomicUsize>,
    failed: Arc<AtomicUsize>,
}

/// What a call that failed leaves to do.
enum Next {
    /// It was not carried out: again.
    Again,
    /// Perhaps it was: look.
    Look,
}

impl Task {
    /// Counts a failure, and says what it leaves to do. Any error but those that a bad tenant makes is a bug.
    fn next(&self, error: &Error) -> Next {
        self.failed.fetch_add(1, Ordering::Relaxed);
        assert_ne!(error.status(), Some(409), "sent twice: {error:#}");
        match error.kind() {
            ErrorKind::Ambiguous | ErrorKind::Decode => Next::Look,
            // The tenant refuses good tokens: twice in a row now and then.
            ErrorKind::Unauthenticated | ErrorKind::Token => Next::Again,
            _ if error.is_retryable() => Next::Again,
            _ => panic!("{error:#}"),
        }
    }

    async fn look(&self, email: &str) -> Option<types::Learner> {
        for _ in 0..20 {
            self.calls.fetch_add(1, Ordering::Relaxed);
            match self.lms.get_learner_by_email().email(email).call().await {
                Ok(learner) => return Some(learner),
                Err(error) if error.is_not_found() => return None,
                Err(error) => {
                    self.next(&error);
                }
            }
        }
        panic!("twenty looks failed");
    }

    /// Adds a learner once, whatever happens, and gives its id.
    async fn add(&mut self, email: &str) -> String {
        for _ in 0..20 {
            self.calls.fetch_add(1, Ordering::Relaxed);
            let body = types::AddLearner::builder()
                .firstname("Sam")
                .surname("New")
                .email(email)
                .generate_password(true);
            let learner = match self.lms.add_learner().body(body).call().await {
                Ok(learner) => Some(learner),
                Err(error) => match self.next(&error) {
                    Next::Again => None,
                    Next::Look => self.look(email).await,
                },
            };
            if let Some(learner) = learner {
                self.expected.insert(email.to_owned(), "New".to_owned());
                return learner.id.unwrap();
            }
        }
        panic!("twenty attempts to add a learner failed");
    }

    async fn rename(&mut self, id: &str, email: &str, surname: &str) {
        for _ in 0..20 {
            self.calls.fetch_add(1, Ordering::Relaxed);
            let body = types::EditLearner::builder()
                .firstname("Sam")
                .surname(surname)
                .email(email);
            let call = self.lms.edit_learner().id(id).body(body);
            match call.call().await {
                Ok(learner) => {
                    assert_eq!(learner.surname.as_deref(), Some(surname));
                    self.expected.insert(email.to_owned(), surname.to_owned());
                    return;
                }
                Err(error) => {
                    self.next(&error);
                }
            }
        }
        panic!("twenty attempts to rename a learner failed");
    }

    async fn delete(&mut self, id: &str, email: &str) {
        for _ in 0..20 {
            self.calls.fetch_add(1, Ordering::Relaxed);
            let gone = match self.lms.delete_learner().id(id).call().await {
                Ok(()) => true,
                Err(error) => match self.next(&error) {
                    Next::Again => false,
                    Next::Look => self.look(email).await.is_none(),
                },
            };
            if gone {
                self.expected.remove(email);
                return;
            }
        }
        panic!("twenty attempts to delete a learner failed");
    }

    async fn list(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let call = self.lms.list_learners().limit(Int64::new(5));
        match call.call().await {
            Ok(page) => assert!(page.items.len() <= 5),
            Err(error) => {
                self.next(&error);
            }
        }
    }

    async fn run(mut self, rounds: usize) -> BTreeMap<String, String> {
        for round in (self.number..rounds).step_by(TASKS) {
            let email = format!("soak-{round}@acme.example");
            let id = self.add(&email).await;
            self.rename(&id, &email, &format!("First {round}")).await;
            self.list().await;
            self.rename(&id, &email, &format!("Second {round}")).await;
            let found = self.look(&email).await.unwrap();
            assert_eq!(found.id.as_deref(), Some(id.as_str()));
            assert_eq!(found.surname, Some(format!("Second {round}")));
            // One in eight stays.
            if round % 8 != 0 {
                self.delete(&id, &email).await;
                assert_eq!(self.look(&email).await.map(|learner| learner.id), None);
            }
        }
        self.expected
    }
}

/// The memory of this process in MiB, where the system tells.
fn memory() -> Option<usize> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = statm.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096 / (1024 * 1024))
}

fn rounds() -> usize {
    std::env::var("LMS_SOAK_ROUNDS")
        .map_or(160, |rounds| rounds.parse().expect("a number of rounds"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_that_the_sandbox_keeps_to_itself_is_found_and_no_call_fails() {
    // The limit of the promise takes 100 seconds; a quick run has ten times the limit.
    let (per_second, calls) = if rounds() > 160 {
        (20, 2000)
    } else {
        (200, 1000)
    };
    let limit = FaultRule::new(Effect::RateLimit {
        per_second,
        burst: per_second,
        retry_after: RetryAfter::Seconds,
    });
    let sandbox = Sandbox::builder()
        .faults(FaultPlan::default().with(limit.on([Operation::Me])))
        .start()
        .await
        .unwrap();
    let lms = Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .build()
        .unwrap();
    let mut tasks = Vec::new();
    for task in 0..32 {
        let lms = lms.clone();
        tasks.push(tokio::spawn(async move {
            for _ in (task..calls).step_by(32) {
                lms.me().call().await.unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let asked = sandbox.requests_to(Operation::Me);
    let settled = asked[0].at + Duration::from_secs(5);
    let late: Vec<_> = asked
        .iter()
        .filter(|request| request.at > settled)
        .collect();
    let refused = late
        .iter()
        .filter(|request| request.status == Some(http::StatusCode::TOO_MANY_REQUESTS))
        .count();
    // A quick run ends before there is much to count.
    assert!(
        late.len() < 1000 || refused * 20 <= late.len(),
        "{refused} of {} refused",
        late.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_doubled_or_leaked_under_a_mixed_load_on_a_bad_tenant() {
    let rounds = rounds();
    let long = rounds > 1000;
    let sandbox = Sandbox::builder()
        .token_lifetime(Duration::from_secs(2))
        .faults(faults())
        .start()
        .await
        .unwrap();
    let lms = Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .build()
        .unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let failed = Arc::new(AtomicUsize::new(0));

    let tasks: Vec<_> = (0..TASKS)
        .map(|number| {
            let task = Task {
                lms: lms.clone(),
                number,
                expected: BTreeMap::new(),
                calls: calls.clone(),
                failed: failed.clone(),
            };
            tokio::spawn(task.run(rounds))
        })
        .collect();
    let mut early = None;
    if long {
        tokio::time::sleep(Duration::from_secs(60)).await;
        early = memory();
    }
    let mut expected = BTreeMap::new();
    for task in tasks {
        expected.extend(task.await.unwrap());
    }
    let calls = calls.load(Ordering::Relaxed);
    let failed = failed.load(Ordering::Relaxed);
    assert!(
        failed * 20 < calls,
        "{failed} of {calls} calls failed: repeats are to spare the caller most faults"
    );
    if let (Some(early), Some(late)) = (early, memory()) {
        assert!(
            late < early + early / 2 + 32,
            "memory grew from {early} to {late} MiB"
        );
    }

    // What is there is what must be there, and the client works as on the first day.
    let befell = sandbox
        .requests()
        .iter()
        .filter(|request| !request.effects.is_empty())
        .count();
    assert!(befell > 20, "there were faults: {befell}");
    sandbox.faults().clear();
    let all = (0..64).map(|_| lms.me().call());
    for me in futures_util::future::join_all(all).await {
        me.unwrap();
    }
    let mut found = BTreeMap::new();
    let mut learners = lms.list_learners().items();
    while let Some(learner) = futures_util::TryStreamExt::try_next(&mut learners)
        .await
        .unwrap()
    {
        let twice = found.insert(learner.email.unwrap(), learner.surname.unwrap());
        assert_eq!(twice, None, "twice in the list");
    }
    assert_eq!(found, expected);
    sandbox.stop().await;
}
