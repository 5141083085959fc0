//! `verify`: checks exported files against their manifest and completeness records.

use std::path::Path;

use clap::{Arg, ArgMatches, Command, ValueHint};
use lms_sync::verify_files;
use serde_json::json;

use super::failure;
use crate::{context::Context, failure::Failure, output::Printer};

pub(super) fn command() -> Command {
    Command::new("verify")
        .about("Check that exported files are complete and unchanged")
        .arg(
            Arg::new("folder")
                .value_name("DIR")
                .required(true)
                .value_hint(ValueHint::DirPath)
                .help("The folder of an export"),
        )
}

/// Prints the problems of each collection. Partial if there is one.
pub(super) fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let folder = matches
        .get_one::<String>("folder")
        .map_or("", String::as_str);
    let verified = verify_files(Path::new(folder)).map_err(|error| failure(&error))?;
    if verified.is_empty() {
        return Err(Failure::usage(format!("there is no export in {folder}")));
    }
    let columns = ["collection", "whole", "rows", "problems"];
    let rows = verified.iter().map(|collection| {
        json!({
            "collection": collection.collection,
            "whole": collection.is_whole(),
            "rows": collection.record.as_ref().map(|record| record.rows),
            "problems": collection.problems,
            "record": collection.record,
        })
    });
    let printer = Printer::new(context, None)?.in_tables(&columns);
    printer.rows_of(&rows.collect::<Vec<_>>())?;
    let broken = verified
        .iter()
        .filter(|collection| !collection.is_whole())
        .count();
    match (broken, verified.len()) {
        (0, _) => Ok(()),
        (broken, total) => Err(Failure::incomplete(format!(
            "{broken} of {total} collections are not complete and unchanged"
        ))
        .advice("run the export again")),
    }
}
