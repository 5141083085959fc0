//! `changes`: the changes that the runs of a mirror found.

use std::{env, time::Duration};

use clap::{ArgAction, ArgMatches, Command, builder::TypedValueParser as _, value_parser};
use lms_sync::{
    ErrorKind,
    changes::{Change, Changes, Endpoint, Position},
};
use serde_json::value::to_raw_value;

use super::{
    blocking,
    database::{self, Database},
};
use crate::{
    args::{duration, has, switch, switched, text, with},
    context::Context,
    exit::Exit,
    failure::Failure,
    format::Format,
    output::{Printer, TableFields},
    selection,
    tenants::{self, Ended, SUMMARY},
    terminal::until_interrupted,
    wording::count,
};

/// Number of changes that are read and printed at once.
const CHUNK: u32 = 500;

/// The environment variable with the key that deliveries are signed with.
const SECRET: &str = "LMS_WEBHOOK_SECRET";

const GIVE_POSITION: &str = "to continue, give the last position that was printed as --since";
/// The mirror keeps the position of an endpoint.
const RUN_AGAIN: &str = "to continue, run the same command again";

pub(super) fn command() -> Command {
    Command::new("changes")
        .about("Print the changes that the runs of a mirror found")
        .args([
            database::argument("mirror", "The database of `lms mirror`"),
            text("since", "POSITION", "Print the changes after this position, the `position` of another change; of several tenants, \
                 acme=POSITION for each [default: all that are kept]")
                .value_delimiter(',')
                .action(ArgAction::Append),
            switch(
                "follow",
                "Wait for more changes until Ctrl-C; NDJSON instead of JSON",
            ),
            text("interval", "SECONDS", "Time between two lookups")
                .default_value("5")
                .value_parser(value_parser!(u64).range(1..))
                .requires("follow"),
            text("prune", "AGE", "Remove changes older than this, such as 90d or 12h, instead of printing them")
                .value_parser(duration)
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
                .value_parser(value_parser!(u16).range(1..).map(usize::from))
                .requires("deliver-to"),
            text("in-flight", "N", "Send up to N requests at the same time, in order for each object")
                .value_parser(value_parser!(u8).range(1..=64).map(usize::from))
                .requires("deliver-to"),
            switch("from-start", "Send a new endpoint first every row of the mirror, as added").requires("deliver-to"),
            switch("redeliver", "Send the changes again that the endpoint refused, instead of new ones").requires("deliver-to"),
        ])
        .args(selection::options())
}

/// Prints, removes or delivers the changes of a mirror, or of those of several tenants, until there are no more or until Ctrl-C.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let endpoint = endpoint(matches)?;
    if endpoint.is_none() && !has(matches, "prune") {
        return print(context, matches).await;
    }
    let apply = |context: Context| {
        let (endpoint, matches) = (endpoint.clone(), matches.clone());
        async move { stoppable(apply(&context, &matches, endpoint), RUN_AGAIN).await }
    };
    let Some(selection) = &context.selection else {
        return apply(context.clone()).await?.decided;
    };
    let tenants = tenants::contexts(context, selection)?;
    let outcomes = tenants::run(selection, tenants, apply).await;
    tenants::conclude(context, selection, outcomes, SUMMARY)
}

/// Delivers the changes of the mirror of a tenant to an endpoint, or removes old ones.
async fn apply(
    context: &Context,
    matches: &ArgMatches,
    endpoint: Option<Endpoint>,
) -> Result<Ended, Failure> {
    let changes = open(context, matches).await?;
    if let Some(age) = matches.get_one::<Duration>("prune") {
        let pruned = changes.prune(*age).await?;
        context.note(&format!("removed {pruned} changes"));
        return Ok(Ended::of_rows(pruned, Ok(())));
    }
    let Some(mut endpoint) = endpoint else {
        return Ok(Ended::of_rows(0, Ok(())));
    };
    if let Some(tenant) = &context.tenant {
        endpoint = endpoint.tenant(tenant);
    }
    let sent = match matches.get_flag("redeliver") {
        true => changes.redeliver(&endpoint).await?,
        false => changes.deliver(&endpoint).await?,
    };
    if let Some(last) = sent.continued_after {
        let name = endpoint_name(matches);
        context.note(&format!(
            "the endpoint {name} continues after change {last}, whatever its URL and --events were before"
        ));
    }
    context.note(&format!("delivered {} changes", sent.delivered));
    let refused = changes.dead_letters(endpoint_name(matches)).await?;
    let decided = match refused.first() {
        None => Ok(()),
        Some(first) => {
            let (number, at) = (count(refused.len(), "change"), &first.failed_at);
            let message = format!(
                "the endpoint refused {number}, the first at {at}: {}",
                first.reason
            );
            Err(Failure::of_job((Exit::Partial, "partial"), message)
                .advice("repair the endpoint, and send them again with --redeliver"))
        }
    };
    Ok(Ended::of_rows(sent.delivered, decided))
}

/// Fails when Ctrl-C is pressed; the advice says how to continue.
async fn stoppable<T>(
    work: impl Future<Output = Result<T, Failure>>,
    advice: &str,
) -> Result<T, Failure> {
    until_interrupted(work, || Failure::cancelled("cancelled").advice(advice)).await
}

/// Prints the changes of a tenant, or those of several, each with the name of its tenant.
async fn print(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let fields = TableFields {
        columns: &["position", "seen_at", "event", "key"],
        below: &["fields"],
    };
    // An array that does not end is of no use to a reader.
    let format = match context.format() {
        Format::Json if matches.get_flag("follow") => Format::Ndjson,
        format => format,
    };
    let printer = Printer::new(context, None)?.in_format(format);
    let mut printer = printer.in_tables(fields);
    let Some(selection) = &context.selection else {
        let page = async |found: Vec<Change>| printer.page_of(&found).map(|()| true);
        stoppable(read(context, matches, page), GIVE_POSITION).await?;
        return printer.finish();
    };
    let (mut selection, tenants) = (selection.clone(), tenants::contexts(context, selection)?);
    for since in matches.get_many::<String>("since").into_iter().flatten() {
        let is_for = |tenant: &Context| of_tenant(since, tenant).is_some();
        if !tenants.iter().any(is_for) {
            return Err(
                Failure::usage(format!("--since: {since} is not for one of the tenants"))
                    .advice("each tenant has its own position: --since acme=7-90ab12cd34ef5678"),
            );
        }
    }
    if matches.get_flag("follow") {
        // None of them ends.
        selection.at_once = tenants.len();
    }
    tenants::print(context, &selection, printer, |context, mut rows| {
        let matches = matches.clone();
        async move {
            let page = async |found: Vec<Change>| {
                let found: Vec<_> = found.iter().map(to_raw_value).collect::<Result<_, _>>()?;
                rows.print(&found)
            };
            let decided = stoppable(read(&context, &matches, page), GIVE_POSITION).await;
            Ok(rows.ended(decided))
        }
    })
    .await
}

/// The position of a tenant in a value of `--since`: that of one of several is after its name.
fn of_tenant<'a>(since: &'a str, context: &Context) -> Option<&'a str> {
    match &context.tenant {
        None => Some(since),
        Some(tenant) => since.strip_prefix(&**tenant)?.strip_prefix('='),
    }
}

/// Passes on changes until there are no more, or until their reader has left.
async fn read(
    context: &Context,
    matches: &ArgMatches,
    mut page: impl AsyncFnMut(Vec<Change>) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let changes = open(context, matches).await?;
    let mut since = matches.get_many::<String>("since").into_iter().flatten();
    let mut position = match since.find_map(|since| of_tenant(since, context)) {
        Some(since) => since
            .parse::<Position>()
            .map_err(|error| Failure::usage(format!("--since: {error}")))?,
        None => changes.start().await?,
    };
    let interval = matches.get_one::<u64>("interval").copied();
    let interval = Duration::from_secs(interval.unwrap_or_default());
    let follows = matches.get_flag("follow");
    loop {
        let found = match changes.since(&position, CHUNK).await {
            // The first run may end later.
            Err(error) if follows && error.kind() == ErrorKind::Incomplete => Vec::new(),
            found => found?,
        };
        match found.last() {
            Some(last) => position = last.position.clone(),
            None if follows => tokio::time::sleep(interval).await,
            None => return Ok(()),
        }
        if !page(found).await? {
            return Ok(());
        }
    }
}

/// The feed of a tenant.
async fn open(context: &Context, matches: &ArgMatches) -> Result<Changes, Failure> {
    let (context, matches) = (context.clone(), matches.clone());
    blocking(move || Database::of_tenant(&context, &matches, "mirror")?.changes()).await
}

fn endpoint_name(matches: &ArgMatches) -> &str {
    let name = matches.get_one::<String>("endpoint");
    name.map(String::as_str).unwrap_or_default()
}

/// The endpoint of a delivery, if one is asked for.
fn endpoint(matches: &ArgMatches) -> Result<Option<Endpoint>, Failure> {
    let Some(url) = matches.get_one::<String>("deliver-to") else {
        return Ok(None);
    };
    let secret = env::var(SECRET).map_err(|_| {
        Failure::usage(format!("--deliver-to: {SECRET} is not set")).advice(
            "set it to whsec_ and 24 to 64 random bytes in Base64; the receiver checks signatures with it",
        )
    })?;
    let mut endpoint = Endpoint::new(endpoint_name(matches), url, secret)?;
    if let Some(events) = matches.get_many::<String>("events") {
        endpoint = endpoint
            .events(events)
            .map_err(|error| Failure::usage(format!("--events: {error}")))?;
    }
    let of = |id| (matches, id);
    let endpoint = with(endpoint, Endpoint::batch, of("batch"));
    let endpoint = with(endpoint, Endpoint::concurrency, of("in-flight"));
    Ok(Some(switched(
        endpoint,
        Endpoint::from_start,
        of("from-start"),
    )))
}
