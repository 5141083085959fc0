//! The mirror of a report that is given none: a file in the folder for caches, one for each tenant.

use clap::{Arg, ArgMatches};
use lms_sync::{Collection, Export, collection, mirror::MirrorPolicy};

use super::parameter;
use crate::{
    args::text,
    context::Context,
    failure::Failure,
    jobs::{
        blocking, check,
        database::{self, Database},
        run_export, verdict,
    },
    profile::{self, config::create_private_file},
    session::Session,
};

/// The database, and the time for which it is asked.
pub(super) fn options() -> [Arg; 2] {
    let help = "The database of `lms mirror`; without it, the collections that are needed are mirrored into a cache first";
    [
        database::argument("mirror", help).required(false),
        text(
            "at",
            "TIME",
            "The time from which durations count [default: now]",
        )
        .value_parser(parameter::time),
    ]
}

/// The mirror that was named, or else one in the cache.
pub(super) async fn open(
    context: &Context,
    matches: &ArgMatches,
    needs: &[&'static Collection],
) -> Result<Database, Failure> {
    if !matches.contains_id("mirror") {
        return mirror(context, needs).await;
    }
    let (context, matches) = (context.clone(), matches.clone());
    blocking(move || Database::of_tenant(&context, &matches, "mirror")).await
}

/// Mirrors collections.
///
/// # Errors
///
/// Usage, if one of them needs a request for each learner, which nobody should start by accident.
async fn mirror(context: &Context, needs: &[&'static Collection]) -> Result<Database, Failure> {
    let names: Vec<&str> = needs.iter().map(|known| known.name).collect();
    if let Some(derived) = needs.iter().find(|known| known.is_derived()) {
        let message = format!("{}, so it is not mirrored unless you say so", cost(derived));
        let advice = format!("{}; then pass --mirror", advice(&names, "sqlite:FILE"));
        return Err(Failure::usage(message).advice(advice));
    }
    let session = Session::of_job(context).await?;
    let database = database(context, &session)?;
    let mut export = Export::new(&session.lms).collections(names)?;
    if let Some(zone) = &session.time_zone {
        export = export.time_zone(zone)?;
    }
    let (interrupted, ()) = check(context, &session, async { Ok(()) }).await?;
    // The cache follows the tenant: its user has no option that would allow the deletes of a run.
    let policy = MirrorPolicy::default().max_delete_share(1.0);
    let sink = database.sink(policy, true);
    let summary = run_export(context, export, interrupted, sink).await?;
    verdict::of_run(&summary).map(|()| database)
}

/// The command that mirrors collections, and the cost of those that are no lists.
pub(super) fn advice(names: &[&str], place: &str) -> String {
    let command = format!("`lms mirror {} --to {place}`", names.join(","));
    let known = names.iter().filter_map(|name| collection(name));
    let Some(derived) = known.into_iter().find(|known| known.is_derived()) else {
        return command;
    };
    let (name, filters) = (derived.name, derived.all_filters().join(", "));
    let cost = cost(derived);
    format!(
        "{command}: {cost}; for fewer requests, add --filter {name}.FILTER=VALUE with {filters}"
    )
}

fn cost(derived: &Collection) -> String {
    let lists = derived.for_each.iter().map(|list| list.collection);
    let lists = lists.collect::<Vec<_>>().join(" and ");
    let name = derived.name;
    format!("{name} takes a request for each combination of {lists}")
}

fn database(context: &Context, session: &Session) -> Result<Database, Failure> {
    let tenant = match context.sandbox {
        true => "sandbox",
        false => session.lms.base_url(),
    };
    let name = tenant.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let folder = profile::cache_folder().ok_or_else(|| {
        Failure::fault("there is no folder for the mirror").advice("name a mirror with --mirror")
    })?;
    let file = folder.join(format!("mirror-{name}.db"));
    create_private_file(&file).map_err(|error| Failure::destination(&file, &error))?;
    Ok(Database::Sqlite(file))
}
