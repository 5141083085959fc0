//! Sessions with a tenant through `lms-ext`, for the outside checkers to watch and to disturb.
//!
//! A checker that stands between a client and a tenant needs a client that talks. This one says everything that
//! there is to say, to whatever address it is given, and its exit code says whether the answers made sense.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program speaks on standard output and standard error"
)]

mod decode;
mod ids;
mod reads;
mod session;
mod story;
mod writes;

use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use session::Tenant;

#[derive(Debug, Parser)]
#[command(about)]
struct Arguments {
    #[command(flatten)]
    tenant: Tenant,
    #[command(subcommand)]
    session: Session,
}

#[derive(Debug, Subcommand)]
enum Session {
    /// Print ids that the tenant really has, as JSON, for checkers that would have to invent them.
    Ids,
    /// Tell the story of a good tenant, all operations in it, and look at every value.
    Story,
    /// Send every operation once, and ask only that each answer decodes.
    Decode,
    /// Read everything through a faulty way, and compare with what is there.
    Reads {
        /// The tenant itself, past the faults.
        #[arg(long)]
        direct: String,
        /// How a read may end besides in the right rows.
        #[arg(long, value_enum, default_value_t = Failing::Never)]
        failing: Failing,
    },
    /// Write through a faulty way, and compare what was reported with what is there.
    Writes {
        /// The tenant itself, past the faults.
        #[arg(long)]
        direct: String,
        /// How many writes must have been reported as ambiguous at least: a fault that shows in none was not there.
        #[arg(long, default_value_t = 0)]
        ambiguous: usize,
    },
}

/// How a disturbed read may end besides in the right rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Failing {
    /// In no other way.
    Never,
    /// In an error that says that the answer could not be read.
    Decode,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { tenant, session } = Arguments::parse();
    let result = match session {
        Session::Ids => ids::print(&tenant).await,
        Session::Story => story::tell(&tenant).await,
        Session::Decode => decode::all(&tenant).await,
        Session::Reads { direct, failing } => reads::compare(&tenant, &direct, failing).await,
        Session::Writes { direct, ambiguous } => writes::compare(&tenant, &direct, ambiguous).await,
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
