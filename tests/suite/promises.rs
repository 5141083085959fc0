//! Faults come together: a response is lost while the token expires and the caller does not poll. Each fault alone is tested
//! elsewhere; these tests combine them, and check three promises of every public operation:
//!
//! - no call outlives its timeout by more than a second;
//! - every `Ok` is true, and without faults every operation succeeds;
//! - nothing is lost, duplicated or overwritten without an error that says so.
//!
//! Each operation runs with each form of effect that the sandbox knows, mostly together with a second one, on a paused
//! clock. Its caller sometimes stops polling for a while, and another call of the client is not polled at all. Afterwards
//! the tenant must contain its previous objects, with exactly the changes that the operation reports, and perhaps those that
//! it reports as uncertain.
//!
//! The cases are the same in every run: every second pair of an operation and a form. `LMS_TESTS=full` runs twenty-five of
//! each pair.

mod bridge;
mod claim;
mod effects;
mod irregular;
mod operations;
mod reads;
mod world;

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use fastrand::Rng;
use futures_util::FutureExt as _;
use lms_ext::{Timeouts, prelude::*};
use lms_sandbox::{Effect, ErrorBody, FaultPlan};
use tokio::time::Instant;

use bridge::Bridge;
use claim::Claim;
use irregular::Irregular;
use operations::{NONE_FOUND, OPERATIONS, Operation};
use world::{State, World};

/// The timeout of a call.
const TIMEOUT: Duration = Duration::from_secs(20);
const SECOND: Duration = Duration::from_secs(1);
/// Number of tries of every second pair in the long form.
const ROUNDS: usize = 50;

fn builder(bridge: &Bridge) -> lms_ext::LmsBuilder {
    crate::servers::builder(bridge.sandbox()).http_client(bridge.clone())
}

/// The operations that were sent and the effects that occurred.
type Sent = (Vec<lms_sandbox::Operation>, Vec<Effect>);

/// Runs an operation with a plan. Returns the requests, the effects, and the broken promises. Without faults, it must succeed.
async fn run(operation: &Operation, plan: FaultPlan, rng: &mut Rng) -> (Sent, Result<(), String>) {
    let may_fail = !plan.rules.is_empty();
    let bridge = Bridge::start().await;
    let mut world = World::create(&bridge, builder(&bridge).build().unwrap()).await;
    world.other_ids = reads::other_ids(&world).await;
    let world = Arc::new(world);
    let before = State::read(&world.direct).await;
    bridge.take_sent();
    let timeouts = Timeouts::default()
        .attempt(9 * SECOND)
        .read(5 * SECOND)
        .call(TIMEOUT);
    let lms = builder(&bridge)
        .timeouts(timeouts)
        .max_concurrent(2)
        .build()
        .unwrap();

    bridge.disturb(plan);
    let start = Instant::now();
    let mut idle = lms.me().call();
    // Most effects need time, a few end the call at once.
    let ended_at_once = (&mut idle).now_or_never().is_some();
    let ended = Irregular::new(rng, (operation.run)(lms.clone(), Arc::clone(&world)));
    let (claim, rested) = ended.await;
    let elapsed = start.elapsed();
    let sent = bridge.take_sent();

    let mut wrong = Vec::new();
    let allowed = rested + operation.calls * TIMEOUT + SECOND;
    if elapsed > allowed {
        wrong.push(format!("it took {elapsed:?} of {allowed:?}"));
    }
    tokio::time::sleep_until(start + TIMEOUT + SECOND).await;
    if !ended_at_once && idle.now_or_never().is_none() {
        wrong.push("the call that was not polled is still running".to_owned());
    }
    let changes = before.changes(&State::read(world.undisturbed()).await);
    wrong.extend(contradiction(&claim, &changes, &sent.1));
    if !may_fail && !claim.errors.is_empty() {
        wrong.push("it failed without a fault".to_owned());
    }
    let result = match wrong.as_slice() {
        [] => Ok(()),
        wrong => Err(format!("{wrong:?}; {changes:?}; {claim:?}")),
    };
    (sent, result)
}

/// The claims of an operation that are not true.
fn contradiction(claim: &Claim, changes: &[String], effects: &[Effect]) -> Option<String> {
    let has_effect = |of: fn(&Effect) -> bool| effects.iter().any(of);
    // No client can know that a page was shifted, or that an object exists although the service denies it. An HTML page is not of
    // the service.
    let shifted = has_effect(|effect| matches!(effect, Effect::ShiftPage { .. }));
    let denied = has_effect(|effect| {
        matches!(
            effect,
            Effect::Status {
                code: 404 | 410,
                body: ErrorBody::Json | ErrorBody::Empty,
            }
        )
    });
    if let Some(wrong) = &claim.wrong
        && !shifted
        && !(denied && wrong == NONE_FOUND)
    {
        return Some(format!("it returned {wrong}"));
    }
    let mut rest = changes.to_vec();
    for made in &claim.made {
        match rest.iter().position(|change| change == made) {
            Some(at) => drop(rest.remove(at)),
            None if denied && made.starts_with('-') => {}
            None => return Some(format!("it did not make the change {made:?}")),
        }
    }
    for possible in &claim.possible {
        if let Some(at) = rest.iter().position(|change| change == possible) {
            rest.remove(at);
        }
    }
    (!rest.is_empty()).then(|| format!("it made other changes: {rest:?}"))
}

fn on_a_paused_clock<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build();
    runtime.unwrap().block_on(future)
}

#[test]
fn every_operation_succeeds_without_faults() {
    for operation in OPERATIONS {
        let mut rng = Rng::with_seed(7);
        let run = run(operation, FaultPlan::default(), &mut rng);
        let (_, kept) = on_a_paused_clock(run);
        kept.unwrap_or_else(|wrong| panic!("{}: {wrong}", operation.name));
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one scenario, step by step")]
fn every_operation_keeps_its_promises_with_every_effect_and_an_irregular_caller() {
    let forms = effects::of_all_forms();
    let rounds = if crate::full() { ROUNDS } else { 1 };
    let all = || {
        (0..rounds).flat_map(|round| {
            (0..OPERATIONS.len()).flat_map(move |operation| {
                let first = (operation + round) % 2;
                let forms = (first..Effect::FORMS.len()).step_by(2);
                forms.map(move |form| (round, operation, form))
            })
        })
    };
    let cases: Vec<_> = all().collect();
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let occurred = Mutex::new(BTreeSet::new());
    let sent = Mutex::new(Vec::new());
    let work = || {
        while let Some(&(round, number, form)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let seed = (round * 1_000_000 + number * 1000 + form) as u64;
            let mut rng = Rng::with_seed(seed);
            // For the client's own jitter.
            fastrand::seed(seed);
            let mut chosen = vec![rng.choice(&forms[form]).unwrap().clone()];
            // Few operations copy a course, and another effect could keep them from it.
            let of_copies = matches!(
                chosen[0],
                Effect::StallDuplication | Effect::FailDuplication
            );
            if !of_copies && rng.u8(..3) > 0 {
                chosen.push(
                    rng.choice(rng.clone().choice(&forms).unwrap())
                        .unwrap()
                        .clone(),
                );
            }
            let plan = effects::plan(&mut rng, &chosen);
            let rules: Vec<_> = plan.rules.iter().map(ToString::to_string).collect();
            let operation = &OPERATIONS[number];
            let ((operations, effects), result) = on_a_paused_clock(run(operation, plan, &mut rng));
            sent.lock().unwrap().extend(operations);
            let names = effects.iter().map(|effect| {
                let text = effect.to_string();
                text.split(' ').next().unwrap_or_default().to_owned()
            });
            occurred.lock().unwrap().extend(names);
            if let Err(reason) = result {
                let case = format!("{} ({seed}) with {rules:?}: {reason}", operation.name);
                failed.lock().unwrap().push(case);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(
        failed.is_empty(),
        "{} of {} cases failed:\n{}",
        failed.len(),
        cases.len(),
        failed.join("\n")
    );
    let occurred = occurred.into_inner().unwrap();
    let missing: Vec<_> = Effect::FORMS
        .iter()
        .filter(|form| !occurred.contains(form.split(' ').next().unwrap_or_default()))
        .collect();
    assert!(missing.is_empty(), "{missing:?} did not occur");
    let sent = sent.into_inner().unwrap();
    let absent = lms_sandbox::Operation::ALL
        .iter()
        .filter(|operation| !sent.contains(operation));
    let absent: Vec<_> = absent.collect();
    assert!(absent.is_empty(), "{absent:?} were not sent");
}
