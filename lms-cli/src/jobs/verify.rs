//! `verify`: checks exports and mirrors against their completeness records.

use std::path::Path;

use clap::{Arg, ArgMatches, Command, ValueHint};
#[cfg(feature = "object-store")]
use lms_sync::sink::objects;
use lms_sync::{CompletenessRecord, Error, VerifiedCollection, verify_files};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    database::{Database, FORMS},
    print_rows,
    verdict::of_check,
};
use crate::{
    context::Context,
    failure::{Failure, conclude},
    format::Format,
    output::TableFields,
};

/// The result of a check of a collection.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Verified<'a> {
    /// The name of the collection.
    collection: &'a str,
    /// `true` if the data is complete and unchanged.
    intact: bool,
    /// The same in a table for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    result: Option<&'static str>,
    /// The rows that the record has.
    rows: Option<u64>,
    /// The differences from the record, one sentence each.
    problems: &'a [String],
    /// The completeness record; null if the collection was never complete.
    record: Option<&'a CompletenessRecord>,
}

pub(super) fn command() -> Command {
    Command::new("verify")
        .about("Check that an export or a mirror is complete and unchanged")
        .arg(
            Arg::new("destination")
                .value_name("DIR|DATABASE|URL")
                .required(true)
                .value_hint(ValueHint::AnyPath)
                .help(format!(
                    "The folder of an export, its s3://, gs:// or az:// URL, or the database of a mirror: {FORMS}"
                )),
        )
}

/// Prints the problems of each collection. Partial if there is one.
pub(super) fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let destination = matches
        .get_one::<String>("destination")
        .map_or("", String::as_str);
    let (verified, nothing, advice) = match Database::parse(destination)? {
        Some(mirror) => (
            mirror.existing()?.verify()?,
            format!("no collection of {mirror} was ever complete"),
            "run the mirror again; it repairs rows that another program changed only if you delete them first",
        ),
        None if Path::new(destination).is_file() => {
            return Err(Failure::usage(format!(
                "{destination} is a file, and an export is a folder"
            ))
            .advice(format!(
                "for a mirror in SQLite, write sqlite:{destination}"
            )));
        }
        None => (
            verify_export(destination)?,
            // The text before the host of a URL may be a secret.
            match destination.rsplit_once('@') {
                Some(_) if destination.contains("://") => "there is no export".to_owned(),
                _ => format!("there is no export in {destination}"),
            },
            "run the export again",
        ),
    };
    if verified.is_empty() {
        return Err(Failure::usage(nothing));
    }
    let decided = of_check(&verified, advice);
    let fields = TableFields {
        columns: &["collection", "result", "rows"],
        below: &["problems"],
    };
    let for_people = context.format() == Format::Table && context.columns.is_none();
    let rows = verified.iter().map(|collection| Verified {
        collection: &collection.collection,
        intact: collection.is_intact(),
        result: for_people.then(|| match collection.is_intact() {
            true => "OK",
            false => "FAILED",
        }),
        rows: collection.record.as_ref().map(|record| record.rows),
        problems: &collection.problems,
        record: collection.record.as_ref(),
    });
    let rows: Vec<_> = rows.collect();
    conclude(decided, print_rows(context, fields, &rows))
}

fn verify_export(destination: &str) -> Result<Vec<VerifiedCollection>, Error> {
    if !destination.contains("://") {
        return verify_files(destination);
    }
    #[cfg(feature = "object-store")]
    {
        let (store, prefix) = objects::open_url(destination)?;
        // Waits, which a thread of the runtime must not.
        let thread = std::thread::spawn(move || objects::verify(&store, prefix));
        let verified = thread.join();
        verified.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
    #[cfg(not(feature = "object-store"))]
    Err(super::without_object_store())
}
