//! The formats of the output.

use clap::ValueEnum;

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

/// The form of CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CsvOptions {
    /// `true` if a byte order mark is first, by which Excel recognises UTF-8.
    pub(crate) bom: bool,
    /// `true` if text that a spreadsheet would take for a formula gets an apostrophe in front.
    pub(crate) formula_guard: bool,
    pub(crate) separator: u8,
}

impl Default for CsvOptions {
    fn default() -> Self {
        Self {
            bom: false,
            formula_guard: false,
            separator: b',',
        }
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
