//! `export`: complete collections into files, each with its completeness record.

use std::{num::NonZeroU64, ops::ControlFlow, time::Instant};

use clap::{ArgMatches, Command, ValueHint, value_parser};
#[cfg(feature = "object-store")]
use lms_sync::sink::objects::ObjectsSink;
use lms_sync::{
    Completeness, CompletenessRecord, RunSummary,
    sink::{
        Sink,
        files::{Compression, FilesOptions, FilesSink, Format},
    },
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    blocking, chosen, collections,
    database::{self, Database},
    destination, freshness, metrics, reading, run_export, run_job, take, verdict, work,
};
use crate::{
    args::{choice, switch, switched, text, with},
    context::Context,
    failure::Failure,
    output::TableFields,
    selection,
    tenants::{Ended, SUMMARY},
    wording,
};

const FORMATS: &[(&str, Format)] = &[
    ("csv", Format::Csv),
    ("ndjson", Format::Ndjson),
    #[cfg(feature = "parquet")]
    ("parquet", Format::Parquet),
];

const COMPRESSIONS: &[(&str, Compression)] = &[
    ("none", Compression::None),
    ("gzip", Compression::Gzip),
    ("zstd", Compression::Zstd),
];

/// The result of an export for a collection: its completeness record, and the error that ended it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Exported<'a> {
    #[serde(flatten)]
    record: &'a CompletenessRecord,
    /// The error that ended the export of the collection; null without one.
    error: Option<String>,
}

pub(super) fn command() -> Command {
    Command::new("export")
        .about("Export complete collections to files; run it again to resume after an interruption")
        .arg(collections())
        .arg(
            text(
                "to",
                "DIR|URL",
                "Folder for the files, each with the name of its collection; or a URL: s3://, gs:// or az://",
            )
            .required(true)
            .value_hint(ValueHint::DirPath),
        )
        .arg(
            database::argument("from", "Export the rows of this mirror, without a request to the tenant")
                .required(false)
                .conflicts_with_all(["filter", "partition", "time-zone"]),
        )
        .arg(choice("format", "FORMAT", "Format of the files", FORMATS))
        .arg(choice("compression", "KIND", "Compression of CSV and NDJSON", COMPRESSIONS))
        .arg(switch(
            "discard-unfinished",
            "Discard the state of an unfinished run, instead of continuing it",
        ))
        .arg(
            text(
                "rows-per-part",
                "N",
                "Split each collection into files of this number of rows [default: one file; in object storage 1000000]",
            )
            .value_parser(value_parser!(NonZeroU64)),
        )
        .arg(
            text(
                "keep",
                "N",
                "Keep the files of the last N earlier runs of each collection below runs/, in object storage",
            )
            .value_parser(value_parser!(usize)),
        )
        .arg(freshness::argument())
        .args(reading::arguments())
        .arg(metrics::argument())
        .args(selection::options())
}

const FIELDS: TableFields<'_> = TableFields {
    columns: &[
        "collection",
        "completeness",
        "rows",
        "pages",
        "requests",
        "retries",
    ],
    below: &["error"],
};

/// Exports, or resumes an interrupted export.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let (format, compression) = format_of(matches);
    if FORMATS.contains(&("parquet", format)) && compression != Compression::None {
        return Err(Failure::usage(
            "--compression is for CSV and NDJSON; Parquet has a compression of its own",
        ));
    }
    if let Some(to) = matches.get_one::<String>("to") {
        destination::check_placeholders(to)?;
        destination::check_folder(to)?;
    }
    let of_output = context.format == Some(crate::format::Format::Csv);
    if context.csv.separator.is_some() && format == Format::Csv && !of_output {
        return Err(Failure::usage(
            "--csv-separator is for `-o csv`; the files have commas",
        ));
    }
    let job = |context, matches, began| Box::pin(export(context, matches, began)) as _;
    run_job(context, matches, (FIELDS, SUMMARY), job, records).await
}

/// The folder or the URL for the files of a tenant.
fn destination_of(context: &Context, matches: &ArgMatches) -> Result<String, Failure> {
    let to = matches.get_one::<String>("to").map_or("", String::as_str);
    if Database::parse(to)?.is_some() {
        return Err(
            Failure::usage("--to: this is a database, and `lms export` writes files")
                .advice("`lms mirror --to` writes into a database"),
        );
    }
    destination::folder(context, to)
}

/// The records of the export of a tenant, for the collections of which the files have what this command would write.
fn records(context: &Context, matches: &ArgMatches) -> Result<Vec<CompletenessRecord>, Failure> {
    let mut records = sink(&destination_of(context, matches)?, matches)?.stored()?;
    if !matches.contains_id("from") {
        let is_asked = reading::is_asked(context, matches)?;
        records.retain(is_asked);
        return Ok(records);
    }
    let mirrored = Database::of_tenant(context, matches, "from")?.existing()?;
    let mirrored: Vec<_> = mirrored.overview()?.collections;
    let rows = |of: &CompletenessRecord| (of.collection.clone(), of.tenant.clone(), of.rows_sha256);
    records.retain(|record| {
        let mut mirrored = mirrored.iter().filter_map(|of| of.committed.as_ref());
        mirrored.any(|of| rows(of) == rows(record))
    });
    Ok(records)
}

async fn export(context: Context, matches: ArgMatches, began: Instant) -> Result<Ended, Failure> {
    let to = destination_of(&context, &matches)?;
    let sink = sink(&to, &matches)?;
    let sink = match take(&context, &matches, began, records, sink).await? {
        ControlFlow::Continue(sink) => sink,
        ControlFlow::Break(ended) => return Ok(ended),
    };
    if matches.contains_id("from") {
        return blocking(move || from_mirror(&context, &matches, sink)).await;
    }
    let (_session, export, interrupted) = reading::begin(&context, &matches).await?;
    match run_export(&context, export, interrupted, sink).await {
        Ok(summary) => exported(&summary),
        Err(error) => freshness::unless_held(&context, &error),
    }
}

fn exported(summary: &RunSummary) -> Result<Ended, Failure> {
    work(summary, None, |outcome| Exported {
        record: &outcome.record,
        error: outcome.error.as_ref().map(wording::of_job),
    })
}

/// Exports the rows of a mirror. Blocks.
fn from_mirror(
    context: &Context,
    matches: &ArgMatches,
    sink: Box<dyn Sink>,
) -> Result<Ended, Failure> {
    let mirror = Database::of_tenant(context, matches, "from")?.existing()?;
    let mirrored = mirror.overview()?.collections;
    let mut names = chosen(matches);
    let (mut absent, mut problems) = (Vec::new(), Vec::new());
    if matches
        .get_many::<String>("collections")
        .is_some_and(|mut given| given.any(|name| name == "all"))
    {
        names.retain(|name| {
            let known = mirrored.iter().find(|of| of.collection == *name);
            match known.map(|of| of.committed.is_some()) {
                None => absent.push(*name),
                Some(false) => problems.push(format!("{name} (never)")),
                Some(true) => return true,
            }
            false
        });
    }
    if !absent.is_empty() {
        context.note(&format!("not in the mirror: {}", absent.join(", ")));
    }
    for record in mirrored.iter().filter_map(|of| of.failed.as_ref()) {
        if names.contains(&&*record.collection) {
            context.note(&freshness::note_of_failed(record));
        }
    }
    let total = names.len() + problems.len();
    let summary = lms_sync::export_mirror(&mirror, names.iter().copied(), sink)?;
    let mut ended = exported(&summary)?;
    if ended.decided.is_ok() {
        // A mirror with a budget may be partial, but not an export.
        let records = summary.collections.iter().map(|of| &of.record);
        let partial = records.filter(|of| of.completeness == Completeness::Partial);
        problems.extend(partial.map(|of| format!("{} (partial)", of.collection)));
        ended.decided = verdict::of_status((&problems, &[]), total, false);
    }
    Ok(ended)
}

fn format_of(matches: &ArgMatches) -> (Format, Compression) {
    let format = matches.get_one("format").copied();
    let compression = matches.get_one("compression").copied();
    (
        format.unwrap_or(Format::Csv),
        compression.unwrap_or(Compression::None),
    )
}

/// The destination and the format of the files.
fn sink(to: &str, matches: &ArgMatches) -> Result<Box<dyn Sink>, Failure> {
    let (format, compression) = format_of(matches);
    let of = |id| (matches, id);
    let options = FilesOptions::new(format).compression(compression);
    let options = switched(options, FilesOptions::formula_guard, of("formula_guard"));
    let options = switched(options, FilesOptions::byte_order_mark, of("bom"));
    let options = with(options, FilesOptions::rows_per_part, of("rows-per-part"));
    let discard = of("discard-unfinished");
    if to.contains("://") {
        #[cfg(feature = "object-store")]
        {
            let sink = ObjectsSink::open(to, options)?;
            let sink = with(sink, ObjectsSink::keep_runs, of("keep"));
            return Ok(Box::new(switched(
                sink,
                ObjectsSink::discard_unfinished,
                discard,
            )));
        }
        #[cfg(not(feature = "object-store"))]
        return Err(super::without_object_store().into());
    }
    if matches.contains_id("keep") {
        return Err(Failure::usage(
            "--keep is for object storage; a folder has the last run only",
        ));
    }
    let sink = FilesSink::new(to, options);
    Ok(Box::new(switched(
        sink,
        FilesSink::discard_unfinished,
        discard,
    )))
}
