//! What the measured programs have in common.

pub mod fleet;
pub mod learners;
pub mod process;
pub mod stopwatch;
