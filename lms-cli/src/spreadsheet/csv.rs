//! CSV as spreadsheets write it.

use csv::{Error, Position, Reader, ReaderBuilder};

use super::{Form, Table, Value, header, records};
use crate::failure::Failure;

/// Reads CSV. Its rows are written back with a byte order mark if `bom`.
pub(super) fn read(text: &str, bom: bool) -> Result<Table, Failure> {
    let csv = Csv::of(text.as_bytes());
    let mut reader = csv.reader()?;
    let names = reader.headers().map_err(|error| csv.unread(&error))?;
    let names = names.iter().map(str::to_owned).collect();
    let columns = header(names, csv.header_line())?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv.unread(&error))?;
        let line = record.position().map_or(0, |start| csv.line(start));
        let cells = record.iter().map(|cell| Value::Text(cell.to_owned()));
        let mut cells: Vec<_> = cells.enumerate().collect();
        cells.extend((cells.len()..columns.len()).map(|index| (index, Value::Text(String::new()))));
        rows.push((line, cells));
    }
    Ok(Table {
        form: Form::Csv {
            delimiter: csv.delimiter,
            bom,
        },
        records: records(&columns, rows.into_iter()),
        columns,
        assumed: None,
    })
}

/// A CSV file from its header on.
#[derive(Clone, Copy, Debug)]
struct Csv<'a> {
    text: &'a [u8],
    delimiter: u8,
    lines_before: u64,
}

impl<'a> Csv<'a> {
    /// The file. Its first line may name the delimiter, such as `sep=;`, which Excel writes and reads.
    fn of(text: &'a [u8]) -> Self {
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
    fn reader(&self) -> Result<Reader<&'a [u8]>, Failure> {
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
    fn header_line(&self) -> u64 {
        self.lines_before + 1
    }

    /// The line of a record. The csv crate counts the second half of a CRLF, and empty lines, as part of the next record.
    fn line(&self, start: &Position) -> u64 {
        let before = usize::try_from(start.byte()).unwrap_or(usize::MAX);
        let rest = self.text.iter().skip(before);
        let ends = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
        ends.filter(|byte| **byte == b'\n')
            .fold(self.lines_before + start.line(), |line, _| line + 1)
    }

    /// The failure of a file that cannot be read.
    fn unread(&self, error: &Error) -> Failure {
        let line = self.lines_before + error.position().map_or(1, Position::line);
        Failure::usage(format!("line {line}: {error}"))
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
