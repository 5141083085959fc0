//! CSV as spreadsheets write it.

use csv::{Error, ErrorKind, Position, Reader, ReaderBuilder};

use crate::failure::Failure;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The text of a file without the mark that Excel begins it with.
pub(crate) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// Returns `true` if a file has JSON objects, a line each, and not CSV.
pub(crate) fn is_ndjson(text: &[u8]) -> bool {
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// Reads records, which may have more or fewer cells than the header.
pub(crate) fn reader(text: &[u8], delimiter: u8) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text)
}

/// The character that separates the names of the header: a spreadsheet chooses it by its language.
pub(crate) fn delimiter(text: &[u8]) -> u8 {
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for byte in text {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            _ if quoted => {}
            byte => counts
                .iter_mut()
                .filter(|(delimiter, _)| delimiter == byte)
                .for_each(|(_, count)| *count += 1),
        }
    }
    // The first of those that are as frequent.
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |(delimiter, _)| delimiter)
}

/// The name of a column as it is compared: `E-mail` is `email`, and `SSO ID` is `ssoid`.
pub(crate) fn normal(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.collect::<String>().to_lowercase()
}

/// The failure of a file that cannot be read.
pub(crate) fn unread(error: &Error) -> Failure {
    let line = error.position().map_or(1, Position::line);
    match error.kind() {
        ErrorKind::Utf8 { .. } => Failure::usage(format!("line {line}: the file is not UTF-8"))
            .advice("save the spreadsheet as \"CSV UTF-8\""),
        _ => Failure::usage(format!("line {line}: {error}")),
    }
}
