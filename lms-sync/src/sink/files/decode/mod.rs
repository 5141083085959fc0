//! Bytes to rows: reads the output of [`encode`](super::encode).

mod csv;
mod invalid;
#[cfg(feature = "parquet")]
mod parquet;

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read},
};

use super::format::{Compression, FilesOptions, Format};
use crate::collection::{Collection, Row};

/// Calls `visit` with each row of a file.
///
/// # Errors
///
/// Fails if the file cannot be read, or has something that is not a row.
pub(in crate::sink) fn visit_rows(
    file: File,
    collection: &'static Collection,
    options: &FilesOptions,
    visit: &mut dyn FnMut(Row),
) -> io::Result<()> {
    match options.format {
        Format::Csv => csv::visit_rows(decompress(file, options)?, collection, options, visit),
        Format::Ndjson => {
            for line in decompress(file, options)?.lines() {
                visit(Row::from_json_object(collection, &line?)?);
            }
            Ok(())
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::visit_rows(file, collection, visit),
    }
}

fn decompress(file: File, options: &FilesOptions) -> io::Result<BufReader<Box<dyn Read>>> {
    Ok(BufReader::new(match options.compression {
        Compression::None => Box::new(file),
        #[cfg(feature = "gzip")]
        Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(file)),
        #[cfg(feature = "zstd")]
        Compression::Zstd => Box::new(zstd::Decoder::new(file)?),
    }))
}
