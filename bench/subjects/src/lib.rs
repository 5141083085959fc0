//! What the measured programs have in common.

pub mod learners;
pub mod process;
pub mod stopwatch;
