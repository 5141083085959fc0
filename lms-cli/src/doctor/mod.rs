//! `doctor`: finds out what is wrong with a set-up. Every check is made now: nothing is read from an earlier run.
//!
//! Each check has an id that stays, a state, and the remedy to type. `profile check` makes those of the connection alone.

mod finding;
mod local;
mod network;

use std::{path::Path, time::Duration};

use clap::{ArgMatches, Command, ValueHint};
use serde_json::json;

pub(crate) use self::finding::Finding;
use self::finding::State;
use crate::{
    args::text,
    context::Context,
    exit::Exit,
    failure::{Failure, conclude},
    format::Format,
    jobs,
    limits::Limits,
    output::Printer,
    profile::{
        self,
        config::{check_replaced, write_private},
    },
    session::Session,
};

pub(crate) fn command() -> Command {
    Command::new("doctor")
        .about("Find out what is wrong: settings, network, credentials, permissions, mirrors, disk")
        .after_help(
            "Sends a request for a new token, and one for each list; changes nothing at the tenant. Exit codes differ from \
             those of other commands: 0 all is well, 1 warnings, 2 errors.",
        )
        .arg(text("mirror", "DATABASE", "The mirror to check [default: the *.db files of this folder]"))
        .arg(
            text(
                "bundle",
                "FILE",
                "Also write the states and numbers to a file for a bug report, without names, addresses and secrets",
            )
            .value_hint(ValueHint::FilePath),
        )
}

/// Makes all checks. Ends with 1 if there are warnings, and with 2 if there are errors.
pub(crate) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let mut context = context.clone();
    // After this time, a service counts as not available.
    let limits = Limits::of_timeout(Duration::from_secs(30));
    context.limits = context.limits.or(limits);
    let context = &context;
    let mut findings = local::machine();
    connection(context, &mut findings, true).await;
    findings.extend(local::runs());
    let named = matches.contains_id("mirror");
    let named = named.then(|| jobs::mirror_of(context, matches, "mirror"));
    let base_url = profile::base_url(context);
    findings.extend(local::mirrors(named, base_url.as_deref()));
    if let Some(file) = matches.get_one::<String>("bundle") {
        let checks: Vec<_> = findings.iter().map(Finding::entry).collect();
        let bundle = serde_json::to_string_pretty(&json!({ "bundle": 1, "checks": checks }))?;
        check_replaced(Path::new(file), "{")?;
        write_private(Path::new(file), &(bundle + "\n"))?;
        context.note(&format!("wrote {file}; it was not sent to anyone"));
    }
    let decided = match findings.iter().map(|finding| finding.state).max() {
        Some(State::Error) => Err(Failure::of_job((Exit::Usage, "errors"), "")),
        Some(State::Warning) => Err(Failure::of_job((Exit::Fault, "warnings"), "")),
        _ => Ok(()),
    };
    conclude(decided, print(context, &findings))
}

/// Makes the checks of the connection. Ends with the failure of the first that fails, as other commands would.
pub(crate) async fn brief(context: &Context) -> Result<(), Failure> {
    let mut findings = Vec::new();
    connection(context, &mut findings, false).await;
    let failure = findings.iter_mut().find_map(|found| {
        let failure = found.failure.take()?;
        Some(failure.advice(found.remedy.clone()?))
    });
    conclude(failure.map_or(Ok(()), Err), print(context, &findings))
}

async fn connection(context: &Context, findings: &mut Vec<Finding>, with_permissions: bool) {
    // With a token that is requested now: that of an earlier run says nothing about the secret.
    match Session::with_new_token(context).await {
        Ok(session) => {
            findings.push(local::settings(&session));
            network::check(&session, findings, with_permissions).await;
        }
        Err(failure) => findings.push(Finding::failed("settings", failure)),
    }
}

fn print(context: &Context, findings: &[Finding]) -> Result<(), Failure> {
    let printer = Printer::new(context, None)?;
    if printer.format() == Format::Table && context.columns.is_none() {
        let lines: Vec<_> = findings.iter().map(Finding::lines).collect();
        return printer.text(&lines.join("\n"));
    }
    printer.rows_of(findings)
}
