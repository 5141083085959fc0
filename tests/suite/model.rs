//! Compares the sandbox with an in-memory model: after every step of a random sequence they must agree.
//!
//! Order, filters and page sizes are random, and a failure is shrunk to a short list of [`Step`]s.
//!
//! The cases are the same in every run. The default takes a few seconds, `LMS_TESTS=full` a quarter of an
//! hour.

mod state;
mod step;

use lms_sandbox::Sandbox;
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner},
};

use crate::sandbox::client;
use state::State;
use step::{Step, steps};

async fn agree(steps: Vec<Step>) -> TestCaseResult {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let mut state = State::default();
    let lms = client(&sandbox);
    for step in steps {
        let expected = step.run_in_model(&mut state);
        let found = step.run_in_sandbox(&lms, &mut state).await;
        prop_assert_eq!(found, expected, "{:?}", step);
        let lists = state::lists_of(&lms).await;
        prop_assert_eq!(lists, state.lists(), "after {:?}", step);
    }
    sandbox.stop().await;
    Ok(())
}

#[test]
fn the_sandbox_and_a_model_of_it_agree_after_every_step() {
    let config = Config {
        cases: if crate::full() { 5000 } else { 32 },
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&steps(), |steps| runtime.block_on(agree(steps)));
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
