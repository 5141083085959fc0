//! Bytes to rows: reads the output of [`encode`](super::encode).

mod csv_decoder;
#[cfg(feature = "parquet")]
mod parquet_decoder;

#[cfg(all(feature = "parquet", feature = "zstd"))]
#[cfg(test)]
mod tests;

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read},
};

use super::format::{Compression, FilesOptions, Format};
use crate::collection::{Collection, Row};

/// The rows of a file, or why one of them cannot be read. Nothing follows such an error.
pub(in crate::sink) type StoredRows = Box<dyn Iterator<Item = io::Result<Row>> + Send>;

/// Reads the rows of a file.
///
/// # Errors
///
/// Fails if the file cannot be read. The error for a column that this release does not know is
/// [`Unsupported`](io::ErrorKind::Unsupported). A column that the file lacks is null.
pub(in crate::sink) fn rows(
    file: File,
    collection: &'static Collection,
    options: &FilesOptions,
) -> io::Result<StoredRows> {
    Ok(match options.format {
        Format::Csv => Box::new(csv_decoder::rows(
            decompress(file, options)?,
            collection,
            options.formula_guard,
        )?),
        Format::Ndjson => {
            let lines = decompress(file, options)?.lines();
            Box::new(lines.map(move |line| Row::from_json(collection, &line?)))
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => Box::new(parquet_decoder::rows(file, collection)?),
    })
}

fn decompress(file: File, options: &FilesOptions) -> io::Result<BufReader<Box<dyn Read + Send>>> {
    Ok(BufReader::new(match options.compression {
        Compression::None => Box::new(file),
        #[cfg(feature = "gzip")]
        Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(file)),
        #[cfg(feature = "zstd")]
        Compression::Zstd => Box::new(zstd::Decoder::new(file)?),
    }))
}
