//! Rows as CSV, which spreadsheets open.

use std::io::Write;

use super::{cell, json::Members};
use crate::{failure::Failure, format::CsvOptions};

/// The byte order mark, by which Excel recognises UTF-8.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Writes rows, after the names of the columns if it is the first time.
pub(crate) fn write(
    out: &mut impl Write,
    names: &[String],
    first: bool,
    rows: &[Members<'_>],
    options: CsvOptions,
) -> Result<(), Failure> {
    let mut writer = ::csv::WriterBuilder::new();
    let mut writer = writer
        .delimiter(options.separator.unwrap_or(b','))
        .from_writer(out);
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
                text if is_text && options.formula_guard => {
                    lms_sync::sink::files::guarded(&text).into_owned()
                }
                text => text,
            }
        });
        writer.write_record(cells).map_err(failed)?;
    }
    Ok(writer.flush()?)
}
