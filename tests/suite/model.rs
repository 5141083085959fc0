//! A tenant of maps beside the sandbox: whatever is done to both in whatever order, they agree after every step.
//!
//! Tests of one operation try the order of calls that their author had in mind. Here the order is drawn at random, as
//! are the filters and the page sizes, and what fails is made as short as it gets: a list of [`Step`]s to read.
//!
//! The cases are the same at every run. `LMS_MODEL_CASES=5000` draws more of them; by default it is a few seconds.

mod faults;
mod state;
mod step;

use std::fmt::Debug;

use lms_sandbox::{NewUserField, Sandbox};
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner},
};
use tokio::runtime::Runtime;

use crate::sandbox::client;
use state::State;
use step::{Step, steps};

/// How many cases are drawn, where `usual` are the default.
fn cases(usual: u32) -> u32 {
    std::env::var("LMS_MODEL_CASES").map_or(usual, |cases| cases.parse().unwrap())
}

/// Tries a promise on cases that are the same at every run.
fn holds<S>(usual: u32, cases_of: &S, promise: impl Fn(S::Value) -> TestCaseResult)
where
    S: Strategy<Value: Debug>,
{
    let config = Config {
        cases: cases(usual),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, rng).run(cases_of, promise);
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

async fn agree(steps: Vec<Step>) -> TestCaseResult {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let field = NewUserField {
        name: "Badge".into(),
        ..NewUserField::default()
    };
    let mut state = State::with_fields([sandbox.seed().add_user_field(&field).unwrap()]);
    let lms = client(&sandbox);
    for step in steps {
        let expected = step.imagined(&mut state);
        let found = step.taken(&lms, &sandbox, &mut state).await;
        prop_assert_eq!(found, expected, "{:?}", step);
        let held = state::held_by(&lms).await;
        prop_assert_eq!(held, state.held(), "after {:?}", step);
    }
    sandbox.stop().await;
    Ok(())
}

#[test]
fn the_sandbox_and_a_model_of_it_agree_after_every_step() {
    let runtime = runtime();
    holds(32, &steps(), |steps| runtime.block_on(agree(steps)));
}
