//! CSV as spreadsheets write it.

use csv::{Error, Position, ReaderBuilder};

use super::{Form, Table, Value, header, records};
use crate::failure::Failure;

/// Reads CSV. Its rows are written back with a byte order mark if `bom`.
///
/// # Errors
///
/// Usage, also if a quote is misplaced: the csv crate would read the following lines as a part of its cell.
pub(super) fn read(text: &str, bom: bool) -> Result<Table, Failure> {
    // The first line may name the delimiter, which Excel writes and reads.
    let named = text.strip_prefix("sep=").and_then(|rest| {
        let (first, text) = rest.split_once('\n')?;
        match first.strip_suffix('\r').unwrap_or(first).as_bytes() {
            [delimiter] => Some((text, *delimiter, 1)),
            _ => None,
        }
    });
    let (text, delimiter, before) = named.unwrap_or_else(|| (text, delimiter(text), 0));
    check_quotes(text, delimiter, before + 1)?;
    let unread = |error: Error| {
        let line = before + error.position().map_or(1, Position::line);
        Failure::usage(format!("line {line}: {error}"))
    };
    // Records may have more or fewer cells than the header.
    let mut builder = ReaderBuilder::new();
    let builder = builder.flexible(true).delimiter(delimiter);
    let mut reader = builder.from_reader(text.as_bytes());
    let names = reader.headers().map_err(unread)?.iter();
    let columns = header(names.map(str::to_owned).collect(), before + 1)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(unread)?;
        let line = record.position().map_or(0, |start| line(text, start));
        let cells = record.iter().map(|cell| Value::Text(cell.to_owned()));
        let mut cells: Vec<_> = cells.enumerate().collect();
        cells.extend((cells.len()..columns.len()).map(|index| (index, Value::Text(String::new()))));
        rows.push((before + line, cells));
    }
    Ok(Table {
        form: Form::Csv { delimiter, bom },
        records: records(&columns, rows.into_iter()),
        columns,
        unit: "line",
        assumed: None,
    })
}

/// Fails if a quote is misplaced in a text that begins at this line.
fn check_quotes(text: &str, delimiter: u8, mut line: u64) -> Result<(), Failure> {
    let (mut at, mut opened) = (Place::Start, 0);
    for byte in text.bytes() {
        at = match (at, byte) {
            (Place::Quoted, b'"') => Place::Closed,
            (Place::Quoted, _) => Place::Quoted,
            // Two quotes are a quote in the cell.
            (Place::Closed, b'"') => Place::Quoted,
            (_, b'\r' | b'\n') => Place::Start,
            (_, byte) if byte == delimiter => Place::Start,
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
        line += u64::from(byte == b'\n');
    }
    match at {
        Place::Quoted => Err(misquoted(opened, "the quote of a cell is not closed")),
        _ => Ok(()),
    }
}

/// The line of a record. The csv crate counts the second half of a CRLF, and empty lines, as part of the next record.
fn line(text: &str, start: &Position) -> u64 {
    let before = usize::try_from(start.byte()).unwrap_or(usize::MAX);
    let rest = text.bytes().skip(before);
    let ends = rest.take_while(|byte| matches!(byte, b'\r' | b'\n'));
    let ends = ends.filter(|byte| *byte == b'\n');
    start.line() + ends.count() as u64
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
fn delimiter(text: &str) -> u8 {
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for byte in text.bytes() {
        quoted ^= byte == b'"';
        if byte == b'\n' && !quoted {
            break;
        }
        let counted = counts
            .iter_mut()
            .filter(|(delimiter, _)| *delimiter == byte && !quoted);
        counted.for_each(|(_, count)| *count += 1);
    }
    // The first of those that are as frequent.
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |(delimiter, _)| delimiter)
}
