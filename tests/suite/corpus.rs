//! Runs every input of the fuzzing corpus through the property that it is for.
//!
//! The properties are in `tests/fuzz/`.

use std::{fs, panic, path::Path, thread};

use lms_fuzz::TARGETS;

#[test]
fn every_input_that_was_kept_meets_the_promise_it_is_for() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    assert_eq!(fs::read_dir(&corpus).unwrap().count(), TARGETS.len());
    thread::scope(|scope| {
        for (name, promise) in TARGETS {
            let inputs_of = corpus.join(name);
            scope.spawn(move || {
                let mut inputs = 0;
                for entry in fs::read_dir(inputs_of).unwrap() {
                    let path = entry.unwrap().path();
                    let input = fs::read(&path).unwrap();
                    let outcome = panic::catch_unwind(|| promise(&input));
                    assert!(outcome.is_ok(), "{} breaks its promise", path.display());
                    inputs += 1;
                }
                assert!(inputs > 0, "{name} has no inputs");
            });
        }
    });
}
