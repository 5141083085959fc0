//! The sessions as a program.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program writes to standard output and standard error"
)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lms_conform_session::{Tenant, ids, story};

#[derive(Debug, Parser)]
#[command(about)]
struct Arguments {
    #[command(flatten)]
    tenant: Tenant,
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Print ids of existing objects as JSON, for checkers that cannot know any.
    Ids,
    /// Use all operations without faults, and check the responses.
    Story,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { tenant, task } = Arguments::parse();
    let result = match task {
        Task::Ids => ids::json(&tenant).await,
        Task::Story => story::run(&tenant).await,
    };
    match result {
        Ok(sentence) => {
            println!("{sentence}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
