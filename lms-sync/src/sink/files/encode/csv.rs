//! CSV as in RFC 4180.
//!
//! A null is an empty field and an empty text is `""`, so that they can be told apart.

use super::{
    Encoder,
    output::{FileInfo, Output, TextOutput},
};
use crate::{
    collection::{Collection, Row, Value},
    error::Error,
    sink::files::format::FilesOptions,
};

pub(in super::super) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Spreadsheets take text that starts with one of these for a formula.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

pub(super) struct Csv {
    text: TextOutput,
    formula_guard: bool,
}

impl Csv {
    pub(super) fn start(
        output: Output,
        collection: &'static Collection,
        options: &FilesOptions,
    ) -> Result<Self, Error> {
        let mut text = TextOutput::new(output, options.compression)?;
        if text.is_at_start() {
            if options.byte_order_mark {
                text.lines.extend_from_slice(BYTE_ORDER_MARK.as_bytes());
            }
            for (index, column) in collection.columns.iter().enumerate() {
                separate(&mut text.lines, index);
                quote(&mut text.lines, column.name, false);
            }
            text.lines.extend_from_slice(b"\r\n");
        }
        Ok(Self {
            text,
            formula_guard: options.formula_guard,
        })
    }
}

impl Encoder for Csv {
    fn write(&mut self, row: &Row) -> Result<(), Error> {
        let line = &mut self.text.lines;
        for (index, value) in row.values().iter().enumerate() {
            separate(line, index);
            match value {
                Value::Null => {}
                Value::Text(text) => {
                    quote(line, text, self.formula_guard && is_formula(text));
                }
                Value::Json(json) => quote(line, json, false),
                Value::Integer(integer) => line.extend_from_slice(integer.to_string().as_bytes()),
                Value::Float(float) => line.extend_from_slice(float.to_string().as_bytes()),
                Value::Boolean(boolean) => line.extend_from_slice(boolean.to_string().as_bytes()),
                Value::Utc(_) => {
                    line.extend_from_slice(value.utc_text().unwrap_or_default().as_bytes());
                }
            }
        }
        line.extend_from_slice(b"\r\n");
        self.text.end_row()
    }

    fn stored(&mut self) -> Result<Option<FileInfo>, Error> {
        self.text.stored()
    }

    fn finish(self: Box<Self>) -> Result<FileInfo, Error> {
        self.text.finish()
    }
}

/// Whether text is guarded: it starts as a formula, or as a guarded one.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA_STARTS)
}

/// Text without its guard.
pub(in super::super) fn unguard(text: String) -> String {
    match text.strip_prefix('\'') {
        Some(guarded) if is_formula(guarded) => guarded.to_owned(),
        _ => text,
    }
}

fn separate(line: &mut Vec<u8>, index: usize) {
    if index > 0 {
        line.push(b',');
    }
}

/// Writes a field, in quotes if it needs them, and with an apostrophe in front if it is guarded.
fn quote(line: &mut Vec<u8>, text: &str, guard: bool) {
    let special = |byte| matches!(byte, b'"' | b',' | b'\r' | b'\n');
    let quoted = text.is_empty()
        || text.bytes().any(special)
        || text.starts_with(' ')
        || text.ends_with(' ');
    let guard: &[u8] = if guard { b"'" } else { b"" };
    if !quoted {
        line.extend_from_slice(guard);
        line.extend_from_slice(text.as_bytes());
        return;
    }
    line.push(b'"');
    line.extend_from_slice(guard);
    for (index, part) in text.split('"').enumerate() {
        if index > 0 {
            line.extend_from_slice(b"\"\"");
        }
        line.extend_from_slice(part.as_bytes());
    }
    line.push(b'"');
}
