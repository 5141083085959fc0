//! CSV and NDJSON, compressed on request.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::PathBuf,
};

use super::{
    csv_encoder,
    output::{BUFFER, Encoder, FileInfo, Output},
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    sink::files::format::{Compression, FilesOptions, Format},
};

/// Lines of text on their way to a file.
pub(super) struct Text {
    path: PathBuf,
    stream: Box<dyn Stream>,
    /// Lines that have not gone into the stream.
    lines: Vec<u8>,
    /// `None` for NDJSON.
    formula_guard: Option<bool>,
    /// The columns in which text was changed.
    guarded: BTreeSet<String>,
    rows: u64,
}

/// Bytes that may be compressed.
trait Stream: Write + Send {
    fn finish(self: Box<Self>) -> io::Result<Output>;
}

impl Stream for Output {
    fn finish(self: Box<Self>) -> io::Result<Output> {
        Ok(*self)
    }
}

#[cfg(feature = "gzip")]
impl Stream for flate2::write::GzEncoder<Output> {
    fn finish(self: Box<Self>) -> io::Result<Output> {
        (*self).finish()
    }
}

#[cfg(feature = "zstd")]
impl Stream for zstd::Encoder<'static, Output> {
    fn finish(self: Box<Self>) -> io::Result<Output> {
        (*self).finish()
    }
}

impl Text {
    pub(super) fn start(
        output: Output,
        collection: &'static Collection,
        options: &FilesOptions,
    ) -> Result<Self, Error> {
        let path = output.path().to_owned();
        let stream: Box<dyn Stream> = match options.compression {
            Compression::None => Box::new(output),
            #[cfg(feature = "gzip")]
            Compression::Gzip => {
                let level = flate2::Compression::default();
                Box::new(flate2::write::GzEncoder::new(output, level))
            }
            #[cfg(feature = "zstd")]
            Compression::Zstd => {
                // Level 0 is zstd's default.
                let encoder = zstd::Encoder::new(output, 0);
                Box::new(encoder.map_err(|error| Error::file("compress", &path, error))?)
            }
        };
        let is_csv = options.format == Format::Csv;
        let mut lines = Vec::new();
        if is_csv {
            csv_encoder::write_header(&mut lines, collection, options.byte_order_mark);
        }
        Ok(Self {
            path,
            stream,
            lines,
            formula_guard: is_csv.then_some(options.formula_guard),
            guarded: BTreeSet::new(),
            rows: 0,
        })
    }

    /// Writes the content of `lines`.
    fn flush(&mut self) -> Result<(), Error> {
        let written = self.stream.write_all(&self.lines);
        self.lines.clear();
        written.map_err(|error| Error::file("write", &self.path, error))
    }
}

impl Encoder for Text {
    fn write(&mut self, row: &Row) -> Result<(), Error> {
        match self.formula_guard {
            Some(guard) => csv_encoder::write(&mut self.lines, row, guard, &mut self.guarded),
            None => write_object(&mut self.lines, row)
                .map_err(|error| Error::destination("cannot write a row as JSON", error))?,
        }
        self.rows += 1;
        if self.lines.len() < BUFFER {
            return Ok(());
        }
        self.flush()
    }

    fn finish(mut self: Box<Self>) -> Result<FileInfo, Error> {
        self.flush()?;
        let output = self.stream.finish();
        let output = output.map_err(|error| Error::file("write", &self.path, error))?;
        Ok(FileInfo {
            guarded_columns: self.guarded,
            ..output.finish(self.rows)?
        })
    }
}

/// Writes an object with every column in order.
fn write_object(line: &mut Vec<u8>, row: &Row) -> serde_json::Result<()> {
    let columns = row.collection().columns.iter();
    for (index, (column, value)) in columns.zip(row.values()).enumerate() {
        line.push(if index == 0 { b'{' } else { b',' });
        serde_json::to_writer(&mut *line, column.name)?;
        line.push(b':');
        serde_json::to_writer(&mut *line, value)?;
    }
    line.extend_from_slice(b"}\n");
    Ok(())
}
