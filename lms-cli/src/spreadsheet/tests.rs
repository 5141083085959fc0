use super::*;

/// The columns and the texts of the rows, or why the file is refused.
fn rows(bytes: &[u8]) -> Result<(Vec<String>, Vec<Vec<String>>), String> {
    let table = read(bytes).map_err(|failure| failure.message().to_owned())?;
    let texts = |record: &Record| match &record.problem {
        Some(problem) => vec![format!("line {}: {problem}", record.line)],
        None => {
            let cells = record.cells.iter();
            cells
                .map(|(_, value)| {
                    value
                        .text(Wanted::Text)
                        .unwrap_or_else(|reason| format!("!{reason}"))
                })
                .collect()
        }
    };
    let names = table.columns.iter().map(|column| column.name.clone());
    Ok((names.collect(), table.records.iter().map(texts).collect()))
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn a_text_is_the_same_in_every_encoding() {
    let text = "name;city\r\nJürgen;Köln\r\nZoë;\r\n";
    let latin: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    let expected = rows(text.as_bytes()).unwrap();
    assert_eq!(expected.1, [["Jürgen", "Köln"], ["Zoë", ""]]);
    let marked = format!("\u{feff}{text}");
    for (what, bytes) in [
        ("UTF-8 with a mark", marked.clone().into_bytes()),
        ("UTF-16LE with a mark", utf16(&marked, u16::to_le_bytes)),
        ("UTF-16BE with a mark", utf16(&marked, u16::to_be_bytes)),
        ("UTF-16LE", utf16(text, u16::to_le_bytes)),
        ("UTF-16BE", utf16(text, u16::to_be_bytes)),
        ("Windows-1252", latin),
    ] {
        assert_eq!(rows(&bytes).unwrap(), expected, "{what}");
        let assumed = read(&bytes).unwrap().assumed;
        assert_eq!(assumed.is_some(), !what.contains("mark"), "{what}");
    }
}

#[test]
fn what_cannot_be_told_is_refused_with_its_line() {
    for (bytes, sentence) in [
        (
            &b"E-mail,email\na,b\n"[..],
            "line 1: E-mail and email are the same column",
        ),
        (
            b"a\0b\nx\n",
            "line 1: the name of a column has the control character U+0000",
        ),
        (b"", "the file is empty"),
        (b" , \n", "the file is empty"),
        (b"\xff\xfe\0\0a\0\0\0", "neither text nor a workbook"),
        (
            b"\x89\0\0\0PNG\xff\0\0\0\xfe",
            "neither text nor a workbook",
        ),
        (
            b"name\nx\n\xef\xbb\xbf\xe4\xb8\n",
            "line 3: the text is not UTF-8",
        ),
        (
            b"name\n\x8a\x83\x8b\x83\x81\x83\x93\x82\xcd\x83e\x83X\x83g\n",
            "line 2: the text is neither UTF-8 nor Windows-1252; it looks like Shift_JIS",
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel"),
        (b"PK\x03\x04zip", "not a workbook of Excel that can be read"),
        (b"[{\"a\": 1},]", "not a JSON array"),
    ] {
        let refused = rows(bytes).unwrap_err();
        assert!(refused.contains(sentence), "{refused}");
    }
    for (bytes, row) in [
        (
            &b"name,city\nAnn,K\0ln\n"[..],
            "line 2: city: the cell has the control character U+0000",
        ),
        (
            b"name\nx\n\na,b\n",
            "line 4: it has 2 cells, and the header has 1",
        ),
        (
            b"{\"a\": \"x\\u001b\"}\n",
            "line 1: \"a\": the value has the control character U+001B",
        ),
        (
            b"{\"a\": [\"x\\u0000\"]}\n",
            "line 1: \"a\": the value has the control character U+0000",
        ),
        (
            b"{\"e-mail\": 1, \"Email\": 2}\n",
            "line 1: Email: the object has it twice",
        ),
        // A value may be a secret.
        (
            b"{\"a\": 1}\n\"hunter2\"\n",
            "line 2: it is not a JSON object: it is another value",
        ),
    ] {
        let (_, rows) = rows(bytes).unwrap();
        assert_eq!(rows.last().unwrap(), &[row]);
    }
}

#[test]
fn a_second_header_is_no_row() {
    let (_, rows) = rows(b"id,name\n1,name\nID, Name \n").unwrap();
    assert_eq!(rows[0], ["1", "name"]);
    assert_eq!(rows[1], ["line 3: it repeats the names of the columns"]);
}

#[test]
fn an_array_of_objects_is_read_like_lines_of_objects() {
    let lines = rows(b"{\"a\": \"x\", \"b\": 1.50}\n{\"a\": null}\n").unwrap();
    let array = b"[\n  {\"a\": \"x\", \"b\": 1.50},\n  {\n\"a\": null}]";
    assert_eq!(rows(array).unwrap(), lines);
    let table = read(array).unwrap();
    let found: Vec<_> = table.records.iter().map(|record| record.line).collect();
    assert_eq!((found, table.unit), (vec![2, 3], "line"));
    let one_line = read(b"[{\"a\": 1}, 2,\n{\"a\": 3}]").unwrap();
    let found: Vec<_> = one_line.records.iter().map(|record| record.line).collect();
    assert_eq!((found, one_line.unit), (vec![1, 2, 3], "row"));
    assert!(read(b"[]").unwrap().records.is_empty());
    // Objects may spell the name of a column in several ways.
    let spelled = read(b"{\"E-mail\": 1, \"id\": 2}\n{\"ID\": 3, \"email\": 4}\n").unwrap();
    let cells = |record: &Record| record.cells.iter().map(|(index, _)| *index).collect();
    let cells: Vec<Vec<usize>> = spelled.records.iter().map(cells).collect();
    assert_eq!(cells, [[0, 1], [1, 0]]);
    // A header as some databases write it.
    assert_eq!(rows(b"[id],[name]\n1,A\n").unwrap().0, ["[id]", "[name]"]);
}

#[test]
fn an_identifier_has_no_character_that_is_not_seen() {
    for text in ["ann@acme.example", "Ann Lee", "u-7", "müller@acme.example"] {
        assert!(check_identifier(text).is_ok(), "{text}");
    }
    for text in [
        "ann\u{200b}@acme.example",
        "a\u{a0}b",
        "\u{feff}u-7",
        "u\u{ad}7",
        "a\tb",
        // Another spelling of ü.
        "mu\u{308}ller@acme.example",
    ] {
        assert!(check_identifier(text).is_err(), "{text:?}");
    }
}

#[cfg(feature = "xlsx")]
mod workbooks {
    use std::io::{Cursor, Read as _, Write as _};

    use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook, Worksheet};

    use super::*;

    fn workbook(fill: impl Fn(&mut Worksheet)) -> Workbook {
        let mut workbook = Workbook::new();
        fill(workbook.add_worksheet());
        workbook
    }

    #[test]
    fn cells_are_read_as_text_if_their_text_is_known() {
        let date = |text: &str| ExcelDateTime::parse_from_str(text).unwrap();
        let mut book = workbook(|sheet| {
            let day = Format::new().set_num_format("dd.mm.yyyy");
            let time = Format::new().set_num_format("yyyy-mm-dd hh:mm");
            // Two lines above the header are empty.
            sheet
                .write_row(2, 0, ["text", "number", "flag", "day", "time", "part"])
                .unwrap();
            sheet.write(3, 0, "Köln").unwrap();
            sheet.write(3, 1, 999_999_999_999_999.0).unwrap();
            sheet.write(3, 2, true).unwrap();
            sheet
                .write_with_format(3, 3, date("2026-02-01"), &day)
                .unwrap();
            sheet
                .write_with_format(3, 4, date("2026-02-01T08:30:00"), &time)
                .unwrap();
            sheet.write(3, 5, 1.5).unwrap();
            sheet.write(5, 1, 1e15).unwrap();
            sheet
                .write(6, 1, Formula::new("=1/0").set_result("#DIV/0!"))
                .unwrap();
            sheet.write(7, 9, "beyond").unwrap();
        });
        let table = read(&book.save_to_buffer().unwrap()).unwrap();
        assert_eq!(table.columns[0].line, 3);
        let lines: Vec<_> = table.records.iter().map(|record| record.line).collect();
        assert_eq!(lines, [4, 6, 7, 8]);
        let cell =
            |row: usize, column: usize, wanted| table.records[row].cells[column].1.text(wanted);
        for (column, wanted, expected) in [
            (0, Wanted::Text, "Köln"),
            (1, Wanted::Text, "999999999999999"),
            (2, Wanted::Text, "true"),
            (3, Wanted::Time, "2026-02-01"),
            (4, Wanted::Time, "2026-02-01T08:30:00"),
            (5, Wanted::Number, "1.5"),
        ] {
            assert_eq!(cell(0, column, wanted).unwrap(), expected);
        }
        assert!(cell(0, 3, Wanted::Text).unwrap_err().contains("is a date"));
        assert!(
            cell(0, 5, Wanted::Text)
                .unwrap_err()
                .contains("a number with a fraction")
        );
        assert!(
            cell(1, 1, Wanted::Text)
                .unwrap_err()
                .contains("more digits than Excel keeps")
        );
        assert!(
            cell(2, 1, Wanted::Text)
                .unwrap_err()
                .contains("an error of a formula")
        );
        assert_eq!(
            table.records[3].problem.as_deref(),
            Some("it has 10 cells, and the header has 6")
        );
    }

    #[test]
    fn integers_are_read_as_their_format_shows_them() {
        for (number, format, expected) in [
            (17, "0000", Some("0017")),
            (12_345, "0000", Some("12345")),
            (17, "0", Some("17")),
            (17, "General", Some("17")),
            (1_700, "#,##0.00 [$€-407]", Some("1700")),
            (17, "0.00", Some("17")),
            (17, "0 [$€-400]", Some("17")),
            (17, "[$-409]0000", Some("0017")),
            (17, "0;-0;;@", Some("17")),
            (49_123, "000-000", None),
            (17, "\"P\"0000", None),
            (-17, "0000", None),
        ] {
            let mut book = workbook(|sheet| {
                sheet.write(0, 0, "id").unwrap();
                let format = Format::new().set_num_format(format);
                sheet.write_with_format(1, 0, number, &format).unwrap();
            });
            let table = read(&book.save_to_buffer().unwrap()).unwrap();
            let read = table.records[0].cells[0].1.text(Wanted::Text);
            assert_eq!(
                read.as_deref().ok(),
                expected,
                "{number} as {format}: {read:?}"
            );
        }
    }

    #[test]
    fn formulas_without_a_result_are_refused() {
        let mut book = workbook(|sheet| {
            sheet.write_row(0, 0, ["sso_id", "tags"]).unwrap();
            for (row, result) in [(1, "none"), (2, "nil"), (3, "emea")] {
                sheet.write(row, 0, format!("p{row}")).unwrap();
                let formula = Formula::new("=\"a\"").set_result(result);
                sheet.write(row, 1, formula).unwrap();
            }
        });
        let changes = [("<v>none</v>", ""), ("<v>nil</v>", "<v></v>")];
        let bytes = replaced(&book.save_to_buffer().unwrap(), &changes);
        let table = read(&bytes).unwrap();
        let tags = |row: usize| {
            let (_, value) = &table.records[row].cells[1];
            value.text(Wanted::Text)
        };
        assert!(tags(0).unwrap_err().contains("has no result"));
        assert_eq!(tags(1).unwrap(), "");
        assert_eq!(tags(2).unwrap(), "emea");
    }

    /// A workbook with other text in its sheets.
    fn replaced(book: &[u8], changes: &[(&str, &str)]) -> Vec<u8> {
        let mut parts = zip::ZipArchive::new(Cursor::new(book)).unwrap();
        let mut changed = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for index in 0..parts.len() {
            let mut part = parts.by_index(index).unwrap();
            let mut content = Vec::new();
            part.read_to_end(&mut content).unwrap();
            let name = part.name().unwrap().into_owned();
            if name.contains("/worksheets/") {
                let mut sheet = String::from_utf8(content).unwrap();
                for (from, to) in changes {
                    assert!(sheet.contains(from), "{sheet}");
                    sheet = sheet.replace(from, to);
                }
                content = sheet.into_bytes();
            }
            let options = zip::write::SimpleFileOptions::default();
            changed.start_file(name, options).unwrap();
            changed.write_all(&content).unwrap();
        }
        changed.finish().unwrap().into_inner()
    }

    #[test]
    fn merged_cells_are_refused() {
        let mut book = workbook(|sheet| {
            sheet.write_row(0, 0, ["user", "course"]).unwrap();
            sheet.write_column(1, 0, ["l1", "l2"]).unwrap();
            let merged = sheet.merge_range(1, 1, 2, 1, "c1", &Format::new());
            merged.unwrap();
        });
        let refused = rows(&book.save_to_buffer().unwrap()).unwrap_err();
        assert!(refused.contains("line 2: cells are merged"), "{refused}");
    }

    #[test]
    fn one_sheet_is_read() {
        let mut book = workbook(|sheet| {
            sheet.write_row(0, 0, ["name"]).unwrap();
        });
        book.add_worksheet();
        let hidden = book.add_worksheet().set_hidden(true);
        hidden.write(0, 0, "x").unwrap();
        assert_eq!(rows(&book.save_to_buffer().unwrap()).unwrap().0, ["name"]);
        book.add_worksheet()
            .set_name("Old")
            .unwrap()
            .write(0, 0, "x")
            .unwrap();
        let refused = rows(&book.save_to_buffer().unwrap()).unwrap_err();
        assert!(
            refused.contains("several sheets with cells: Sheet1, Old"),
            "{refused}"
        );
    }
}
