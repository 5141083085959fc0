//! CSV as in RFC 4180.
//!
//! A null is an empty field and an empty text is `""`, so that they can be distinguished.

use std::{borrow::Cow, collections::BTreeSet};

use crate::collection::{Collection, Row, Value};

pub(in super::super) const BYTE_ORDER_MARK: &str = "\u{feff}";

pub(super) fn write_header(
    line: &mut Vec<u8>,
    collection: &'static Collection,
    byte_order_mark: bool,
) {
    if byte_order_mark {
        line.extend_from_slice(BYTE_ORDER_MARK.as_bytes());
    }
    for (index, column) in collection.columns.iter().enumerate() {
        separate(line, index);
        quote(line, column.name, false);
    }
    line.extend_from_slice(b"\r\n");
}

/// Writes a row, and notes the columns in which text was changed.
pub(super) fn write(
    line: &mut Vec<u8>,
    row: &Row,
    formula_guard: bool,
    guarded: &mut BTreeSet<String>,
) {
    for (index, value) in row.values().iter().enumerate() {
        separate(line, index);
        match value {
            Value::Null => {}
            Value::Text(text) => {
                let guard = formula_guard && is_formula(text);
                let column = row.collection().columns[index].name;
                if guard && !guarded.contains(column) {
                    guarded.insert(column.to_owned());
                }
                quote(line, text, guard);
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
}

/// Returns `true` if a spreadsheet may take text for a formula, without the apostrophes that it may have in front.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    match text.strip_prefix(['+', '-']) {
        Some(rest) => rest.is_empty() || !rest.chars().all(is_of_number),
        None => text.starts_with(['=', '@', '\t', '\r']),
    }
}

/// Text with an apostrophe in front if a spreadsheet would take it for a formula, as
/// [`formula_guard`](crate::sink::files::FilesOptions::formula_guard) writes it.
#[must_use]
pub fn guarded(text: &str) -> Cow<'_, str> {
    match is_formula(text) {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// Returns `true` if text with a sign that has only such characters is no formula, but a number or the number of a
/// phone.
fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ' ' | '.' | '(' | ')')
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_a_formula_is_guarded() {
        for text in [
            "=1+1",
            "@x",
            "-",
            "+",
            "\tx",
            "\r",
            "'=x",
            "''+a",
            "+44-20",
            "-2+3",
            "-A1",
            "+(cmd|'/C calc')",
        ] {
            assert!(is_formula(text), "{text:?}");
            assert_eq!(unguard(format!("'{text}")), text);
        }
        for text in [
            "+44 (0)20 7946 0958",
            "-5.2",
            "+1",
            "'+44",
            "O'Brien",
            "",
            "'",
            "a=b",
        ] {
            assert!(!is_formula(text), "{text:?}");
            assert_eq!(unguard(text.to_owned()), text);
        }
    }
}
