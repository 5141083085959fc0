//! Rows to bytes. The bytes of a file depend on its rows and the options only, so a file that is written again from the
//! same rows is identical.

pub(super) mod csv_encoder;
mod ndjson;
mod output;
#[cfg(feature = "parquet")]
pub(super) mod parquet_encoder;

pub use output::FileInfo;

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
        Format::Csv => Box::new(csv_encoder::Csv::start(output, collection, options)?),
        Format::Ndjson => Box::new(ndjson::Ndjson::start(output, collection, options)?),
        #[cfg(feature = "parquet")]
        Format::Parquet => Box::new(parquet_encoder::Parquet::start(
            output, collection, options,
        )?),
    })
}
