//! The sessions as a program.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program writes to standard output and standard error"
)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use lms_conform_session::{
    decode, ids,
    reads::{self, Failing},
    session::Tenant,
    story, writes,
};

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
    /// Call every operation once, and check only that each response decodes.
    Decode,
    /// Read all lists through a faulty proxy, and compare them with the tenant.
    Reads {
        /// The address of the tenant, without the proxy.
        #[arg(long)]
        direct: String,
        /// The errors that a read may end with.
        #[arg(long, value_enum, default_value_t = Failing::Never)]
        failing: Failing,
    },
    /// Write through a faulty proxy, and compare the reports with the tenant.
    Writes {
        /// The address of the tenant, without the proxy.
        #[arg(long)]
        direct: String,
        /// The least number of writes that must be reported as ambiguous, to show that the fault occurred.
        #[arg(long, default_value_t = 0)]
        ambiguous: usize,
    },
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { tenant, task } = Arguments::parse();
    let result = match task {
        Task::Ids => ids::json(&tenant).await,
        Task::Story => story::run(&tenant).await,
        Task::Decode => decode::all(&tenant).await,
        Task::Reads { direct, failing } => reads::compare(&tenant, &direct, failing).await,
        Task::Writes { direct, ambiguous } => writes::compare(&tenant, &direct, ambiguous).await,
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
