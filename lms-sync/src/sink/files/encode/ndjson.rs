//! NDJSON: one object a line, with every column in order.

use super::output::{Encoder, FileInfo, Output, TextOutput};
use crate::{
    collection::{Collection, Row},
    error::{Error, ErrorKind},
    sink::files::format::FilesOptions,
};

pub(super) struct Ndjson {
    text: TextOutput,
    /// `"name":` of each column.
    names: Vec<String>,
}

impl Ndjson {
    pub(super) fn start(
        output: Output,
        collection: &'static Collection,
        options: &FilesOptions,
    ) -> Result<Self, Error> {
        let columns = collection.columns.iter();
        Ok(Self {
            text: TextOutput::new(output, options.compression)?,
            names: columns
                .map(|column| format!("{}:", serde_json::Value::from(column.name)))
                .collect(),
        })
    }
}

impl Encoder for Ndjson {
    fn write(&mut self, row: &Row) -> Result<(), Error> {
        let line = &mut self.text.lines;
        for (index, (name, value)) in self.names.iter().zip(row.values()).enumerate() {
            line.push(if index == 0 { b'{' } else { b',' });
            line.extend_from_slice(name.as_bytes());
            serde_json::to_writer(&mut *line, value).map_err(|error| {
                ErrorKind::Destination
                    .error("cannot write a row as JSON")
                    .with_source(error)
            })?;
        }
        line.extend_from_slice(b"}\n");
        self.text.end_row()
    }

    fn finish(self: Box<Self>) -> Result<FileInfo, Error> {
        self.text.finish()
    }
}
