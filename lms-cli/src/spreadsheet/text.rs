//! The text of a file in the encodings that spreadsheets write.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::failure::Failure;

/// Number of bytes in which the encoding of a file without a mark shows.
const HEAD: usize = 4096;

/// The text of a file.
pub(super) struct Decoded {
    pub(super) text: String,
    /// `true` if the file has a mark, or is not UTF-8: rows are written back with a mark.
    pub(super) bom: bool,
    /// The encoding, if the file does not say it.
    pub(super) assumed: Option<&'static str>,
}

/// Decodes UTF-8, UTF-16 and Windows-1252.
///
/// # Errors
///
/// Usage, if the text is in another encoding, or if it is not text.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Failure> {
    let marked = Encoding::for_bom(bytes);
    let (encoding, rest) = match marked {
        // UTF-32 begins with the same bytes.
        Some((encoding, length)) if !bytes[length..].starts_with(&[0, 0]) => {
            (encoding, &bytes[length..])
        }
        Some(_) => return Err(no_text()),
        None => (unmarked(bytes)?, bytes),
    };
    let text = encoding
        .decode_without_bom_handling_and_without_replacement(rest)
        .ok_or_else(|| match encoding == UTF_8 {
            true => not_utf8(rest),
            false => no_text(),
        })?;
    Ok(Decoded {
        text: text.into_owned(),
        bom: marked.is_some() || encoding != UTF_8,
        assumed: (marked.is_none() && encoding != UTF_8).then(|| match encoding == WINDOWS_1252 {
            true => "Windows-1252",
            false => "UTF-16",
        }),
    })
}

/// The encoding of a text without a mark.
fn unmarked(bytes: &[u8]) -> Result<&'static Encoding, Failure> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let zeros = |first: usize| {
        let places = head.iter().skip(first).step_by(2);
        places.filter(|byte| **byte == 0).count()
    };
    // Most characters of a header are below U+0100, so one of their two bytes is zero.
    match (zeros(0), zeros(1)) {
        (0, 0) => {}
        (0, low) if low * 4 >= head.len() => return Ok(UTF_16LE),
        (high, 0) if high * 4 >= head.len() => return Ok(UTF_16BE),
        // A control character in a text, which the reader reports with its line.
        _ if str::from_utf8(bytes).is_ok() => return Ok(UTF_8),
        _ => return Err(no_text()),
    }
    if str::from_utf8(bytes).is_ok() {
        return Ok(UTF_8);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guessed = detector.guess(None, Utf8Detection::Allow);
    // Text of two encodings, such as of two files that were joined. In Windows-1252, letters hardly ever look like UTF-8.
    let is_mixed = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if guessed == UTF_8 || (guessed == WINDOWS_1252 && is_mixed) {
        return Err(not_utf8(bytes));
    }
    if guessed == WINDOWS_1252 {
        return Ok(guessed);
    }
    let line = line_of(bytes);
    Err(Failure::usage(format!(
        "line {line}: the text is neither UTF-8 nor Windows-1252; it looks like {}",
        guessed.name()
    ))
    .advice(SAVE))
}

const SAVE: &str = "save the spreadsheet as .xlsx or as \"CSV UTF-8\"";

fn not_utf8(bytes: &[u8]) -> Failure {
    let line = line_of(bytes);
    Failure::usage(format!("line {line}: the text is not UTF-8")).advice(SAVE)
}

fn no_text() -> Failure {
    Failure::usage("the file is neither text nor a workbook of Excel").advice(SAVE)
}

/// The line of the first byte that is not UTF-8.
fn line_of(bytes: &[u8]) -> usize {
    let valid = match str::from_utf8(bytes) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    };
    1 + bytes[..valid].iter().filter(|byte| **byte == b'\n').count()
}
