//! The formats of the output.

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Json,
    Ndjson,
    Csv,
}

impl Format {
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "table" => Self::Table,
            "json" => Self::Json,
            "ndjson" => Self::Ndjson,
            "csv" => Self::Csv,
            _ => return None,
        })
    }
}
