//! Searches for bytes that violate `lms_fuzz::tokens`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| lms_fuzz::tokens(input));
