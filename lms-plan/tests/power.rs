//! Power cuts of a run: everything that was not synced is lost.
//!
//! A program applies a plan under strace. After a power cut at any of its file operations, the ledger must know each step
//! that may have been sent and each one that was reported as done, and the run must continue without sending one of those.
//!
//! `LMS_TESTS=full` tries twenty times as many cuts.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

#[allow(unreachable_pub, reason = "of a module of other tests")]
#[path = "../../lms-sync/tests/model/power/cuts.rs"]
mod cuts;
#[allow(unreachable_pub, reason = "of a module of other tests")]
#[path = "../../lms-sync/tests/model/power/disk.rs"]
mod disk;
#[allow(unreachable_pub, reason = "of a module of other tests")]
#[path = "../../lms-sync/tests/model/power/trace.rs"]
mod trace;

use std::{
    env,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use lms_ext::Lms;
use lms_plan::{Action, Apply, Ledger, Operations, Plan, Sending, Sent, Status, Step};

use cuts::{check_after_cuts, traced};
use trace::say;

const STEPS: u32 = 12;

/// Sends nothing, and keeps the numbers of the steps and whether they were in doubt.
#[derive(Debug, Default)]
struct Sender(Mutex<Vec<(u32, bool)>>);

impl Operations for Sender {
    fn send<'a>(
        &'a self,
        _: &'a Lms,
        step: &'a Step,
        _: Option<&'a str>,
        in_doubt: bool,
    ) -> Sending<'a> {
        say(&format!("sent {}", step.number));
        self.0.lock().unwrap().push((step.number, in_doubt));
        Box::pin(async { Ok(Sent::new(true, None)) })
    }
}

fn plan() -> Plan {
    let mut plan = Plan::of_command("courses add".to_owned(), None, [].into_iter(), "");
    let action = || Action::Command {
        object: String::new(),
        fields: Vec::new(),
    };
    let steps = (1..=STEPS)
        .map(|number| Step::of_row(number, number.into(), "courses add".to_owned(), action()));
    plan.steps = steps.collect();
    plan
}

/// Applies the plan, and returns what was sent.
#[tokio::main(flavor = "current_thread")]
async fn apply(folder: &Path) -> Vec<(u32, bool)> {
    let lms = Lms::builder("http://127.0.0.1:1").client_credentials("id", "secret");
    let lms = lms.build().unwrap();
    let ledger = Ledger::open_for_commands(&folder.join("ledger")).unwrap();
    let sender = Arc::new(Sender::default());
    let done = |steps: &[Step], _| say(&format!("done {}", steps[0].number));
    let apply = Apply::new(&lms, &ledger).concurrency(3);
    let applied = apply.operations(sender.clone()).run(plan(), done).await;
    assert!(applied.unwrap().is_complete());
    sender.0.lock().unwrap().clone()
}

/// The program that loses its power.
#[test]
#[ignore = "started by the test below"]
fn child() {
    apply(&PathBuf::from(env::var_os("LMS_PLAN_ROOT").unwrap()));
}

/// Checks the ledger after a power cut, and continues the run.
fn check(left: &Path, said: &[&str], case: &str) {
    let numbers = |word: &str| -> Vec<u32> {
        let lines = said.iter().filter_map(|line| line.strip_prefix(word));
        lines.map(|number| number.trim().parse().unwrap()).collect()
    };
    let (sent, done) = (numbers("sent "), numbers("done "));
    let path = left.join("ledger");
    let steps = match path.exists() {
        true => Ledger::open_for_commands(&path).unwrap().steps(None, None),
        false => Ok(Vec::new()),
    };
    let steps = steps.unwrap();
    let status = |number: u32| {
        let mut steps = steps.iter();
        let step = steps.find(|known| known.step.number == number);
        step.map_or(Status::Planned, |known| known.status)
    };
    let is_known = |number: &u32| matches!(status(*number), Status::Sent | Status::Done);
    assert!(sent.iter().all(is_known), "{case}: {said:?} {steps:?}");
    let is_done = |number: &u32| status(*number) == Status::Done;
    assert!(done.iter().all(is_done), "{case}: {said:?} {steps:?}");
    if steps
        .iter()
        .filter(|known| known.status == Status::Done)
        .count()
        == STEPS as usize
    {
        // The run may have ended, and the same command would begin another one.
        return;
    }
    for (number, in_doubt) in apply(left) {
        assert!(!is_done(&number), "{case}: {number} was sent again");
        let was_sent = sent.contains(&number);
        assert!(in_doubt || !was_sent, "{case}: {number} was not looked up");
    }
}

#[test]
#[ignore = "needs strace"]
fn the_ledger_knows_every_step_that_was_sent_after_a_power_cut() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let operations = traced("child", &[("LMS_PLAN_ROOT", root.as_os_str())]);
    let full = env::var("LMS_TESTS").is_ok_and(|tests| tests == "full");
    let cuts = if full { 2_000 } else { 100 };
    let said = check_after_cuts(&root, &operations, cuts, check);
    let done = format!("done {STEPS}");
    assert!(
        said.contains(&done.as_str()),
        "the run did not end: {said:?}"
    );
}
