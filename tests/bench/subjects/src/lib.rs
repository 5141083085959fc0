//! Shared by the measured programs.

pub mod fleet;
pub mod learners;
pub mod process;
pub mod stopwatch;

/// The result of a measured program.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Prints the result of a measured program.
#[expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]
pub fn print(result: impl std::fmt::Display) {
    println!("{result}");
}
