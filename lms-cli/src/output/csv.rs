//! Rows as CSV, which spreadsheets open.

use std::io::Write;

use clap::{Arg, ArgMatches};

use super::{cell, json::Members};
use crate::{args::switch, failure::Failure};

/// The byte order mark, by which Excel recognises UTF-8.
pub(super) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// `true` if text that a spreadsheet would take for a formula gets an apostrophe in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    None,
    Formulas,
}

pub(crate) fn options() -> [Arg; 2] {
    [
        switch(
            "formula-guard",
            "Write an apostrophe in front of text in CSV that a spreadsheet would take for a formula",
        ),
        switch(
            "bom",
            "Start CSV with a byte order mark, so that Excel reads it as UTF-8",
        ),
    ]
}

/// The values of the options: `true` for a byte order mark, and the guard.
pub(super) fn given(matches: &ArgMatches) -> (bool, Guard) {
    let guard = match matches.get_flag("formula-guard") {
        true => Guard::Formulas,
        false => Guard::None,
    };
    (matches.get_flag("bom"), guard)
}

/// Writes rows, after the names of the columns if it is the first time.
pub(crate) fn write(
    out: &mut impl Write,
    names: &[String],
    first: bool,
    rows: &[Members<'_>],
    guard: Guard,
) -> Result<(), Failure> {
    let mut writer = ::csv::Writer::from_writer(out);
    let failed = |error: ::csv::Error| match error.into_kind() {
        ::csv::ErrorKind::Io(error) => Failure::from(error),
        kind => Failure::fault(format!("could not write CSV: {kind:?}")),
    };
    if first {
        writer.write_record(names).map_err(failed)?;
    }
    for row in rows {
        let cells = names.iter().map(|name| {
            let value = row.get(name);
            let is_text = value.is_some_and(|value| value.get().starts_with('"'));
            match cell::text(value) {
                text if is_text && guard == Guard::Formulas => {
                    lms_sync::sink::files::guarded(&text).into_owned()
                }
                text => text,
            }
        });
        writer.write_record(cells).map_err(failed)?;
    }
    Ok(writer.flush()?)
}
