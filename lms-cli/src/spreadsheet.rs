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

/// A CSV file from its header on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Csv<'a> {
    text: &'a [u8],
    pub(crate) delimiter: u8,
    lines_before: u64,
}

impl<'a> Csv<'a> {
    /// The file. Its first line may name the delimiter, such as `sep=;`, which Excel writes and reads.
    pub(crate) fn of(text: &'a [u8]) -> Self {
        let named = text.strip_prefix(b"sep=").and_then(|rest| {
            let (delimiter, rest) = rest.split_first()?;
            let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
            Some((*delimiter, rest.strip_prefix(b"\n")?))
        });
        match named {
            Some((delimiter, text)) => Self {
                text,
                delimiter,
                lines_before: 1,
            },
            None => Self {
                text,
                delimiter: delimiter(text),
                lines_before: 0,
            },
        }
    }

    /// Reads records, which may have more or fewer cells than the header.
    ///
    /// # Errors
    ///
    /// Usage, if a quote is misplaced. The csv crate would read the following lines as a part of its cell.
    pub(crate) fn reader(&self) -> Result<Reader<&'a [u8]>, Failure> {
        self.check_quotes()?;
        Ok(ReaderBuilder::new()
            .flexible(true)
            .delimiter(self.delimiter)
            .from_reader(self.text))
    }

    fn check_quotes(&self) -> Result<(), Failure> {
        let (mut line, mut opened) = (self.header_line(), 0);
        let mut at = Place::Start;
        for byte in self.text {
            at = match (at, *byte) {
                (Place::Quoted, b'"') => Place::Closed,
                (Place::Quoted, _) => Place::Quoted,
                // Two quotes are a quote in the cell.
                (Place::Closed, b'"') => Place::Quoted,
                (_, b'\r' | b'\n') => Place::Start,
                (_, byte) if byte == self.delimiter => Place::Start,
                (Place::Start, b'"') => {
                    opened = line;
                    Place::Quoted
                }
                (Place::Start | Place::Spaces, b' ') => Place::Spaces,
                (Place::Spaces, b'"') => {
                    return Err(misquoted(line, "a cell has a space before its quote"));
                }
                (Place::Closed, _) => {
                    return Err(misquoted(opened, "a cell has text after its closing quote"));
                }
                _ => Place::Text,
            };
            line += u64::from(*byte == b'\n');
        }
        match at {
            Place::Quoted => Err(misquoted(opened, "the quote of a cell is not closed")),
            _ => Ok(()),
        }
    }

    /// The line of the header.
    pub(crate) fn header_line(&self) -> u64 {
        self.lines_before + 1
    }

    /// The line of a record. The csv crate counts the second half of a CRLF, and empty lines, as part of the next record.
    pub(crate) fn line(&self, start: &Position) -> u64 {
        let before = usize::try_from(start.byte()).unwrap_or(usize::MAX);
        let rest = self.text.iter().skip(before);
        let ends = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
        ends.filter(|byte| **byte == b'\n')
            .fold(self.lines_before + start.line(), |line, _| line + 1)
    }

    /// The failure of a file that cannot be read.
    pub(crate) fn unread(&self, error: &Error) -> Failure {
        let line = self.lines_before + error.position().map_or(1, Position::line);
        match error.kind() {
            ErrorKind::Utf8 { .. } => Failure::usage(format!("line {line}: the file is not UTF-8"))
                .advice("save the spreadsheet as \"CSV UTF-8\""),
            _ => Failure::usage(format!("line {line}: {error}")),
        }
    }
}

/// The place of a byte in a cell.
#[derive(Clone, Copy)]
enum Place {
    Start,
    Spaces,
    Text,
    Quoted,
    Closed,
}

fn misquoted(line: u64, problem: &str) -> Failure {
    Failure::usage(format!("line {line}: {problem}"))
        .advice("write a quote inside of a quoted cell twice, as spreadsheets do")
}

/// The character that separates the names of the header: a spreadsheet chooses it by its language.
fn delimiter(text: &[u8]) -> u8 {
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
