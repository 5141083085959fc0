//! Compares the sandbox with an in-memory model: after every step of a random sequence they must agree.
//!
//! Order, filters and page sizes are random, and a failure is shrunk to a short list of [`Step`]s.
//!
//! The cases are the same in every run. `LMS_MODEL_CASES=5000` runs more of them; the default takes a few seconds.

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

/// The number of cases, by default `usual`.
fn cases(usual: u32) -> u32 {
    std::env::var("LMS_MODEL_CASES").map_or(usual, |cases| cases.parse().unwrap())
}

/// Checks a property with cases that are the same in every run.
fn holds<S>(usual: u32, cases_of: &S, property: impl Fn(S::Value) -> TestCaseResult)
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
    let outcome = TestRunner::new_with_rng(config, rng).run(cases_of, property);
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
        let expected = step.run_in_model(&mut state);
        let found = step.run_in_sandbox(&lms, &sandbox, &mut state).await;
        prop_assert_eq!(found, expected, "{:?}", step);
        let lists = state::lists_of(&lms).await;
        prop_assert_eq!(lists, state.lists(), "after {:?}", step);
    }
    sandbox.stop().await;
    Ok(())
}

#[test]
fn the_sandbox_and_a_model_of_it_agree_after_every_step() {
    let runtime = runtime();
    holds(32, &steps(), |steps| runtime.block_on(agree(steps)));
}
