//! Searches for bytes that violate `lms_fuzz::int64`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| lms_fuzz::int64(input));
