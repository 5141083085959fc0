//! Rows to bytes. The bytes of a file depend on its rows and the options only, so a file that is written again from the
//! same rows is identical.

pub(super) mod csv_encoder;
mod output;
#[cfg(feature = "parquet")]
mod parquet_encoder;
mod text;

pub use output::FileInfo;
#[cfg(feature = "parquet")]
pub use parquet_encoder::ParquetTable;

pub(super) use output::hash;
pub(in crate::sink) use output::{Encoder, Output};

use super::format::{FilesOptions, Format};
use crate::{collection::Collection, error::Error};

/// Starts a file.
pub(in crate::sink) fn start(
    output: Output,
    collection: &'static Collection,
    options: &FilesOptions,
) -> Result<Box<dyn Encoder>, Error> {
    Ok(match options.format {
        Format::Csv | Format::Ndjson => Box::new(text::Text::start(output, collection, options)?),
        #[cfg(feature = "parquet")]
        Format::Parquet => Box::new(ParquetTable::start(output, collection, options)?),
    })
}
