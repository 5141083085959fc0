//! Runs every input of the fuzzing corpus through the property that it is for.
//!
//! The properties are in `tests/fuzz/`.

use std::{collections::BTreeSet, fs, panic, path::PathBuf, thread};

use lms_fuzz::TARGETS;

fn folder(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "fuzz", name]
        .iter()
        .collect()
}

fn names(folder: PathBuf) -> BTreeSet<String> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            path.file_stem().unwrap().to_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn every_input_that_was_kept_meets_the_promise_it_is_for() {
    thread::scope(|scope| {
        for (name, promise) in TARGETS {
            scope.spawn(move || {
                let mut inputs = 0;
                for entry in fs::read_dir(folder("corpus").join(name)).unwrap() {
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

#[test]
fn every_promise_has_a_program_and_inputs() {
    let promises: BTreeSet<_> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(folder("fuzz_targets")), promises);
    assert_eq!(names(folder("corpus")), promises);
}
