//! The options for reading lists that exports and mirrors share.

use std::collections::BTreeMap;

use clap::{Arg, ArgAction, ArgMatches, value_parser};
use lms_ext::RawRequest;
use lms_sync::{CompletenessRecord, Export};

use super::{check, chosen, job::Interrupted};
use crate::{
    args::{duration, switch, switched, text, with},
    context::Context,
    failure::Failure,
    operations::lookup::{of_operation, operation as operation_of},
    profile::{self, without_path},
    resolve::{
        kind::Reference,
        object::{self, Unresolved},
        tenant,
    },
    session::Session,
};

/// The options for derived collections, which only a mirror can read over several runs.
pub(super) fn budget() -> [Arg; 2] {
    [
        text("max-requests", "N", "Maximum number of requests for the rows of a run with derived collections: lists are read first, completely, also beyond it; derived collections share the rest, and the next run continues. Retries count, but those of the last batch may exceed it; requests for tokens, the identity, access and deletions do not count")
            .value_parser(value_parser!(u64).range(1..)),
        text("refresh-within", "TIME", "With --max-requests, a derived collection is complete if all of its items were read within this time")
            .default_value("7d")
            .requires("max-requests")
            .value_parser(duration),
    ]
}

pub(super) fn arguments() -> [Arg; 10] {
    [
        text("page-size", "N", "Rows per request [default: as the service chooses]")
            .value_parser(value_parser!(u32).range(1..)),
        text("max-stale-pages", "N", "Pages in a row without a new row after which a list may have no end [default: 1000]")
            .value_parser(value_parser!(u64)),
        text("partition", "COLLECTION.FILTER", "Read the parts of a list concurrently, such as enrolments.course, if the service's counts show that they are the complete list; can be repeated")
            .action(ArgAction::Append),
        text("filter", "COLLECTION.FILTER=VALUE", "Read only these rows, for example enrolments.course='Fire safety'; the id of an object costs one request, and a name up to the list of all; can be repeated")
            .action(ArgAction::Append),
        switch("allow-empty", "Also accept a --filter that selects no rows, which may be a mistake in its value").requires("filter"),
        text("time-zone", "NAME", "Time zone of the tenant's times that have none: Europe/Berlin or +02:00 [default: that of the profile]"),
        text("max-resume-age", "TIME", "When a run is resumed, read the collections again that were finished longer ago than this")
            .default_value("1h")
            .value_parser(duration),
        switch("accept-changes", "Publish a list that changes each of the three times it is read; rows may be missing, and none is deleted"),
        switch("ignore-number-found", "Do not compare lists with the counts that the service states, for a tenant that counts differently"),
        switch("replace-tenant", "Replace the data of another tenant in the destination, which is refused otherwise"),
    ]
}

/// Connects to the tenant, and checks the connection and the filters of a run.
pub(super) async fn begin(
    context: &Context,
    matches: &ArgMatches,
) -> Result<(Session, Export, Interrupted), Failure> {
    let session = Session::of_job(context).await?;
    let export = Export::new(&session.lms).collections(chosen(matches))?;
    let export = apply(export, &session, matches)?;
    let filters = filters(context, &session, matches);
    let (interrupted, filters) = check(context, &session, filters).await?;
    let export = filtered(export, &filters)?;
    Ok((session, export, interrupted))
}

fn apply(mut export: Export, session: &Session, matches: &ArgMatches) -> Result<Export, Failure> {
    let zone = matches.get_one::<String>("time-zone");
    if let Some(zone) = zone.or(session.time_zone.as_ref()) {
        export = export.time_zone(zone)?;
    }
    // With names instead of ids until the connection was checked, so that a mistake is reported before.
    export = filtered(export, &given(matches)?)?;
    let partitions = matches.get_many::<String>("partition");
    for text in partitions.into_iter().flatten() {
        let (collection, filter) = text.split_once('.').ok_or_else(|| {
            Failure::usage(format!("--partition {text}: write COLLECTION.FILTER"))
                .advice("for example: --partition enrolments.course")
        })?;
        export = export.partition_by(collection, filter)?;
    }
    export = export.concurrency(session.limits.calls());
    let of = |id| (matches, id);
    export = with(export, Export::max_age, of("max-resume-age"));
    // Only mirrors have a budget.
    export = with(export, Export::max_requests, of("max-requests"));
    export = with(export, Export::refresh_within, of("refresh-within"));
    export = with(export, Export::page_size, of("page-size"));
    export = with(export, Export::max_stale_pages, of("max-stale-pages"));
    export = switched(export, Export::accept_changes, of("accept-changes"));
    export = switched(
        export,
        Export::ignore_number_found,
        of("ignore-number-found"),
    );
    Ok(switched(
        export,
        Export::replace_tenant,
        of("replace-tenant"),
    ))
}

/// A filter: collection, name and value.
type Filter = (String, String, String);

/// An export with filters.
fn filtered(mut export: Export, filters: &[Filter]) -> Result<Export, Failure> {
    for (collection, filter, value) in filters {
        export = export.filter(collection, filter, value)?;
    }
    Ok(export)
}

/// The filters with the ids of the objects that they name, if each selects rows: a mistake in its value would replace the data by
/// an empty list.
///
/// # Errors
///
/// Not found, unless `--allow-empty` was given.
async fn filters(
    context: &Context,
    session: &Session,
    matches: &ArgMatches,
) -> Result<Vec<Filter>, Failure> {
    let mut filters = given(matches)?;
    let references = filters
        .iter()
        .filter_map(|(_, filter, value)| Some((Reference::of_filter(filter)?.kind, value.clone())));
    let resolved = tenant::all(
        &session.lms,
        references.collect(),
        true,
        session.limits.calls(),
    )
    .await?;
    for (_, filter, value) in &mut filters {
        let Some(reference) = Reference::of_filter(filter) else {
            continue;
        };
        let found = match resolved.get(&(reference.kind, value.clone())) {
            Some(Ok(object)) => object.text(reference.by).unwrap_or(value).to_owned(),
            Some(Err(Unresolved::None(_))) if matches.get_flag("allow-empty") => continue,
            Some(Err(unresolved)) => {
                return Err(object::failure(unresolved, reference.kind, value));
            }
            None => continue,
        };
        if found != *value {
            context.note(&format!("{} {value} is {found}", reference.kind.noun()));
        }
        *value = found;
    }
    if !matches.get_flag("allow-empty") {
        check_rows(session, &filters).await?;
    }
    Ok(filters)
}

/// Checks that the filters of each collection select rows together.
async fn check_rows(session: &Session, filters: &[Filter]) -> Result<(), Failure> {
    let mut requests: BTreeMap<&str, (RawRequest, Vec<String>)> = BTreeMap::new();
    for (collection, filter, value) in filters {
        let list = lms_sync::collection(collection).filter(|known| !known.is_derived());
        let operation = list.and_then(|known| of_operation(known.operation));
        let Some(operation) = operation.and_then(operation_of) else {
            continue;
        };
        let (request, mut given) = match requests.remove(&**collection) {
            Some(known) => known,
            None => (
                session.lms.raw_operation::<&str>(operation, &[])?,
                Vec::new(),
            ),
        };
        given.push(format!("{collection}.{filter}={value}"));
        requests.insert(collection, (request.query(filter, value), given));
    }
    for (collection, (request, given)) in requests {
        if request.items().try_next().await?.is_none() {
            let given = given.join(" and ");
            let message = format!("no rows of {collection} match {given}; nothing was written");
            return Err(Failure::not_found(message)
                .advice("correct the value, or pass --allow-empty if there may be none"));
        }
    }
    Ok(())
}

/// Selects the records of rows that were read from this tenant with these filters, as ids, and in this time zone.
pub(super) fn is_asked(
    context: &Context,
    matches: &ArgMatches,
) -> Result<impl Fn(&CompletenessRecord) -> bool + use<>, Failure> {
    let mut filters: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (collection, filter, value) in given(matches)? {
        let of = filters.entry(collection).or_default();
        of.insert(filter, value);
    }
    let url = profile::base_url(context);
    let zone = matches.get_one("time-zone").cloned();
    let zone = zone.or_else(|| profile::time_zone(context));
    Ok(move |record: &CompletenessRecord| {
        let asked = filters.get(&record.collection);
        let is_same = |url: &String| without_path(url) == without_path(&record.tenant);
        url.as_ref().is_some_and(is_same)
            && asked.map_or(record.filters.is_empty(), |asked| *asked == record.filters)
            && record.time_zone == zone
    })
}

/// The filters as they were given.
fn given(matches: &ArgMatches) -> Result<Vec<Filter>, Failure> {
    let given = matches.get_many::<String>("filter").into_iter().flatten();
    given
        .map(|text| {
            let parts = text.split_once('=').and_then(|(name, value)| {
                let (collection, filter) = name.split_once('.')?;
                Some((collection.to_owned(), filter.to_owned(), value.to_owned()))
            });
            parts.ok_or_else(|| {
                Failure::usage(format!("--filter {text}: write COLLECTION.FILTER=VALUE"))
                    .advice("for example: --filter enrolments.course=c1")
            })
        })
        .collect()
}
