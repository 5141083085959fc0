//! The formats of the output.

use clap::{Args, ValueEnum};

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
    Ndjson,
    Csv,
    /// A workbook of Excel.
    #[cfg(feature = "xlsx")]
    Xlsx,
}

/// The form of CSV. The comments are the help of the options.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CsvOptions {
    /// Write an apostrophe in front of text in CSV that a spreadsheet would take for a formula
    #[arg(long)]
    pub(crate) formula_guard: bool,
    /// Start CSV with a byte order mark, so that Excel reads it as UTF-8
    #[arg(long)]
    pub(crate) bom: bool,
    /// Separator of CSV, such as ';' for Excel in many countries, or tab
    #[arg(id = "csv-separator", long, value_name = "CHAR", value_parser = separator)]
    pub(crate) separator: Option<u8>,
}

/// A separator of CSV: a character that a cell hardly has.
fn separator(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" => Ok(b'\t'),
        [one @ (b';' | b',' | b'|' | b'\t')] => Ok(*one),
        _ => Err("write one of , ; | or tab".to_owned()),
    }
}

impl Format {
    /// Returns `true` if the output is rows of cells.
    pub(crate) fn has_cells(self) -> bool {
        match self {
            Self::Csv => true,
            #[cfg(feature = "xlsx")]
            Self::Xlsx => true,
            Self::Table | Self::Json | Self::Ndjson => false,
        }
    }

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::from_str(name, false).ok()
    }
}
