//! `changes`: the changes that the runs of a mirror found.

use std::{env, time::Duration};

use clap::{ArgMatches, Command, value_parser};
use lms_sync::changes::{Changes, Endpoint, Position};

use super::database::{self, Database};
use crate::{
    args::{switch, text},
    context::Context,
    exit::Exit,
    failure::Failure,
    format::Format,
    output::{Printer, TableFields},
};

/// Number of changes that are read and printed at once.
const CHUNK: u32 = 500;

/// The environment variable with the key that deliveries are signed with.
const SECRET: &str = "LMS_WEBHOOK_SECRET";

pub(super) fn command() -> Command {
    Command::new("changes")
        .about("Print the changes that the runs of a mirror found")
        .args([
            database::argument("mirror", "The database of `lms mirror`"),
            text("since", "POSITION", "Print the changes after this position, the `position` of another change [default: all that are kept]"),
            switch(
                "follow",
                "Wait for more changes until Ctrl-C; NDJSON instead of JSON",
            ),
            text("interval", "SECONDS", "Time between two lookups")
                .default_value("5")
                .value_parser(value_parser!(u64).range(1..))
                .requires("follow"),
            text("prune", "AGE", "Remove the changes older than this, such as 90d or 12h, instead of printing changes")
                .value_parser(humantime::parse_duration)
                .conflicts_with_all(["since", "follow"]),
            text("deliver-to", "URL", "Send the changes to this HTTPS endpoint, instead of printing them: those after the last one that it \
                 accepted, signed with the key in LMS_WEBHOOK_SECRET")
                .conflicts_with_all(["since", "follow", "prune"]),
            text("endpoint", "NAME", "Name under which the mirror keeps the position of the endpoint")
                .default_value("default")
                .requires("deliver-to"),
            text("events", "NAMES", "Send only these changes, such as course_completion.added")
                .value_delimiter(',')
                .requires("deliver-to"),
            text("batch", "N", "Send up to N changes in one request")
                .value_parser(value_parser!(u64).range(1..))
                .requires("deliver-to"),
            text("in-flight", "N", "Send up to N requests at the same time, in order for each object")
                .value_parser(value_parser!(u64).range(1..=64))
                .requires("deliver-to"),
            switch("from-start", "Send a new endpoint first every row of the mirror, as added").requires("deliver-to"),
            switch("redeliver", "Send the changes again that the endpoint refused, instead of new ones").requires("deliver-to"),
        ])
}

/// Prints changes until there are no more, or until Ctrl-C.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    tokio::select! {
        result = print(context, matches) => result,
        Ok(()) = crate::signal::interrupted() => Err(Failure::cancelled("cancelled")
            .advice("to continue, give the last position that was printed as --since")),
    }
}

async fn print(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let database = Database::of(context, matches, "mirror")?;
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or_default();
    let follow = matches.get_flag("follow");
    let interval = Duration::from_secs(number("interval"));
    let changes = database.changes()?;
    if let Some(age) = matches.get_one::<Duration>("prune") {
        let pruned = changes.prune(*age).await?;
        context.note(&format!("removed {pruned} changes"));
        return Ok(());
    }
    if let Some(url) = matches.get_one::<String>("deliver-to") {
        return deliver(context, matches, &changes, url).await;
    }
    let fields = TableFields {
        columns: &["position", "seen_at", "event", "key"],
        below: &["fields"],
    };
    // An array that does not end is of no use to a reader.
    let format = match context.format() {
        Format::Json if follow => Format::Ndjson,
        format => format,
    };
    let mut printer = Printer::new(context, None)?
        .in_format(format)
        .in_tables(fields);
    let since = matches.get_one::<String>("since").map(String::as_str);
    let mut position = match since {
        Some(since) => since
            .parse::<Position>()
            .map_err(|error| Failure::usage(format!("--since: {error}")))?,
        None => changes.start().await?,
    };
    loop {
        let found = changes.since(&position, CHUNK).await?;
        match found.last() {
            Some(last) => position = last.position.clone(),
            None if follow => tokio::time::sleep(interval).await,
            None => return printer.finish(),
        }
        printer.page_of(&found)?;
    }
}

/// Sends changes to an endpoint. A change that it refuses is kept, and fails the command.
async fn deliver(
    context: &Context,
    matches: &ArgMatches,
    changes: &Changes,
    url: &str,
) -> Result<(), Failure> {
    let secret = env::var(SECRET).map_err(|_| {
        Failure::usage(format!("--deliver-to: {SECRET} is not set")).advice(
            "set it to whsec_ and 24 to 64 random bytes in Base64; the receiver checks signatures with it",
        )
    })?;
    let name = matches.get_one::<String>("endpoint");
    let name = name.map(String::as_str).unwrap_or_default();
    let mut endpoint = Endpoint::new(name, url, secret)?;
    if let Some(events) = matches.get_many::<String>("events") {
        endpoint = endpoint
            .events(events)
            .map_err(|error| Failure::usage(format!("--events: {error}")))?;
    }
    let number = |name: &str| {
        let number = matches.get_one::<u64>(name).copied();
        number.map_or(1, |number| usize::try_from(number).unwrap_or(usize::MAX))
    };
    endpoint = endpoint
        .batch(number("batch"))
        .concurrency(number("in-flight"));
    if matches.get_flag("from-start") {
        endpoint = endpoint.from_start();
    }
    let sent = if matches.get_flag("redeliver") {
        changes.redeliver(&endpoint).await
    } else {
        changes.deliver(&endpoint).await
    };
    let sent = sent?;
    context.note(&format!("delivered {} changes", sent.delivered));
    if sent.given_up == 0 {
        return Ok(());
    }
    let refused = format!("the endpoint refused {} changes", sent.given_up);
    Err(Failure::of_job((Exit::Partial, "partial"), refused)
        .advice("repair the endpoint, and send them again with --redeliver"))
}
