//! The options of a files sink.

use std::{collections::BTreeMap, num::NonZeroU64};

use serde::{Deserialize, Serialize};

/// The format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// RFC 4180: a header, CRLF, UTF-8. A null is an empty field, an empty text is `""`.
    Csv,
    /// One JSON object a line, with every column.
    Ndjson,
    /// Apache Parquet, compressed with zstd.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// The compression of CSV and NDJSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Compression {
    /// None.
    None,
    /// gzip, `.gz`.
    #[cfg(feature = "gzip")]
    Gzip,
    /// Zstandard, `.zst`.
    #[cfg(feature = "zstd")]
    Zstd,
}

const CSV: &str = "csv";
const NDJSON: &str = "ndjson";
const PARQUET: &str = "parquet";
const GZIP: &str = "gz";
const ZSTD: &str = "zst";

/// The name of a file without its ending, if it is one that files of an export can have in any version of this crate.
pub(super) fn without_extension(name: &str) -> Option<&str> {
    let strip = |name, endings: &[&str]| {
        let (start, ending) = str::rsplit_once(name, '.')?;
        endings.contains(&ending).then_some(start)
    };
    let format = strip(name, &[GZIP, ZSTD]).unwrap_or(name);
    strip(format, &[CSV, NDJSON, PARQUET])
}

/// Options of a [`FilesSink`](super::FilesSink).
///
/// ```
/// use lms_sync::sink::files::{FilesOptions, Format};
///
/// let options = FilesOptions::new(Format::Csv).byte_order_mark();
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesOptions {
    pub(super) format: Format,
    pub(super) compression: Compression,
    pub(in crate::sink) rows_per_part: Option<NonZeroU64>,
    pub(super) bytes_per_group: NonZeroU64,
    pub(super) byte_order_mark: bool,
    pub(super) formula_guard: bool,
}

/// Bytes of values after which a row group of Parquet is written, by default.
pub(super) const BYTES_PER_GROUP: NonZeroU64 = NonZeroU64::new(2 << 20).unwrap();

impl FilesOptions {
    /// One file for each collection in this format, not compressed unless the format is.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self {
            format,
            compression: Compression::None,
            rows_per_part: None,
            bytes_per_group: BYTES_PER_GROUP,
            byte_order_mark: false,
            formula_guard: false,
        }
    }

    /// Compresses CSV and NDJSON. Parquet is always compressed.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// Writes a folder for each collection with parts of at most this number of rows, instead of one file.
    #[must_use]
    pub fn rows_per_part(mut self, rows: NonZeroU64) -> Self {
        self.rows_per_part = Some(rows);
        self
    }

    /// The size of the values after which a row group of Parquet is written: 2 MiB by default, before encoding and
    /// compression. The values of a group are kept in memory until it is written.
    #[must_use]
    pub fn bytes_per_group(mut self, bytes: NonZeroU64) -> Self {
        self.bytes_per_group = bytes;
        self
    }

    /// Starts CSV files with a byte order mark, which some spreadsheets need to read UTF-8.
    #[must_use]
    pub fn byte_order_mark(mut self) -> Self {
        self.byte_order_mark = true;
        self
    }

    /// Writes an apostrophe in front of text in CSV that a spreadsheet would take for a formula. By default, text is written as
    /// it was read.
    ///
    /// That is text which starts with `=`, `@`, a tab or a carriage return, or with `+` or `-` unless only digits, points,
    /// spaces and brackets follow, as in a phone number. Text that already has apostrophes in front of these gets another one.
    /// The [record](crate::CompletenessRecord::guarded_columns) in the manifest names the columns in which text was changed.
    #[must_use]
    pub fn formula_guard(mut self) -> Self {
        self.formula_guard = true;
        self
    }

    /// The ending of the files, for example `csv.gz`.
    #[must_use]
    pub fn extension(&self) -> String {
        let format = match self.format {
            Format::Csv => CSV,
            Format::Ndjson => NDJSON,
            #[cfg(feature = "parquet")]
            Format::Parquet => return PARQUET.to_owned(),
        };
        match self.compression {
            Compression::None => format.to_owned(),
            #[cfg(feature = "gzip")]
            Compression::Gzip => format!("{format}.{GZIP}"),
            #[cfg(feature = "zstd")]
            Compression::Zstd => format!("{format}.{ZSTD}"),
        }
    }

    /// The file name of a part. Parts count from 0.
    pub(super) fn part_name(&self, part: usize) -> String {
        format!("part-{:05}.{}", part + 1, self.extension())
    }

    /// The path of a part in a folder. Parts count from 0.
    pub(super) fn path_in_folder(&self, collection: &str, part: usize) -> String {
        match self.rows_per_part {
            None => format!("{collection}.{}", self.extension()),
            Some(_) => format!("{collection}/{}", self.part_name(part)),
        }
    }

    /// The options by name, for the plan of a run.
    pub(super) fn names(&self) -> BTreeMap<String, String> {
        let value = serde_json::to_value(self).unwrap_or_default();
        let fields = value.as_object().into_iter().flatten();
        fields
            .map(|(name, value)| {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                (name.replace('_', " "), text)
            })
            .collect()
    }
}
