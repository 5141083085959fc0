//! Searches for bytes that violate `lms_fuzz::retry_after`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| lms_fuzz::retry_after(input));
