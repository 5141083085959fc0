use super::*;

#[test]
fn a_line_that_a_killed_run_did_not_complete_spoils_no_later_one() {
    let csv = Form::Csv {
        delimiter: b',',
        bom: false,
    };
    for (form, written, cut) in [
        (
            csv,
            ["ann@acme.example", "bo@acme.example"],
            "\"cho@acme.exam",
        ),
        (
            Form::Ndjson,
            [r#"{"email":"ann"}"#, r#"{"email":"bo"}"#],
            r#"{"email":"ch"#,
        ),
    ] {
        let format = Format {
            form,
            header: vec!["email".to_owned()],
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let rows = written.map(|text| Row {
            written: vec![text.to_owned()],
            ..Row::default()
        });
        let sent = Ending {
            status: SENT.to_owned(),
            ..Ending::default()
        };
        for (row, rest) in rows.iter().zip([cut, ""]) {
            let mut results = Results::open(&path, &format, "acme").unwrap();
            results.append(row, &sent).unwrap();
            results.write(rest.as_bytes()).unwrap();
        }
        let mut results = Results::open(&path, &format, "acme").unwrap();
        let known = results.take_earlier(&rows);
        assert!(
            known
                .iter()
                .flatten()
                .filter(|ending| ending.is_in_doubt())
                .count()
                == 2,
            "{known:?}"
        );
    }
}
