#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "a failing test stops here"
    )
)]

mod advice;
mod args;
mod calls;
mod cli;
mod commands;
mod console;
mod context;
mod describe;
mod doctor;
mod examples;
mod exit;
mod failure;
mod format;
mod import;
mod jobs;
mod ledger;
mod limits;
mod operations;
mod output;
mod profile;
mod profiles;
mod progress;
mod pseudonyms;
mod resolve;
mod selection;
mod session;
mod signal;
mod skill;
mod spreadsheet;
mod tenants;
mod terminal;
mod trace;
mod verbs;
mod wording;

use std::process::ExitCode;

use describe::completion;
use failure::Failure;

fn main() -> ExitCode {
    // Before any thread is started: clap_complete changes the environment.
    if let Some(code) = completion::answer(cli::command) {
        return code;
    }
    let arguments: Vec<_> = std::env::args_os().collect();
    let as_json = failure::wants_json(&arguments);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let result = match runtime {
        Ok(runtime) => runtime
            .block_on(cli::run(arguments.clone()))
            .map_err(|failure| advice::add(failure, &cli::name_of(&arguments))),
        Err(error) => Err(Failure::fault(format!("could not start: {error}"))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(as_json),
    }
}
