//! Searches for bytes that violate the property that the variable `LMS_FUZZ` names.
#![no_main]

use std::sync::LazyLock;

use lms_fuzz::{TARGETS, Target};

static PROPERTY: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("LMS_FUZZ").unwrap_or_default();
    let mut targets = TARGETS.iter();
    let found = targets.find(|(target, _)| *target == name);
    found.expect("LMS_FUZZ names a folder of the corpus").1
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| PROPERTY(input));
