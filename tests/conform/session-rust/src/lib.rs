//! Sessions with `lms-ext`: for `cargo xtask conform`, whose checkers validate the traffic, and for the suite.
//!
//! Each session calls the given address, checks the responses, and fails when one is wrong. It returns a sentence about the
//! responses.

pub mod ids;
pub mod session;
pub mod story;
