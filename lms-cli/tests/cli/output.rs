//! Formats, columns and filters, and lists that end too early.

use lms_sandbox::Sandbox;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::program::{Program, demo, demo_program};

/// Text of the service cannot change the display of the terminal, nor add rows to CSV.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_text_stays_in_its_cell() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    let program = Program::of(&sandbox);
    let name = "a\u{1b}[31mb\u{9b}2J\n\"c\",d";
    program.json(&format!("courses add --name '{name}'"));
    let run = |format: &str| {
        program
            .run(&format!("courses list --columns name -o {format}"))
            .stdout
    };
    assert_eq!(run("table"), "NAME\na\u{fffd}[31mb\u{fffd}2J \"c\",d\n");
    assert_eq!(
        run("csv"),
        format!("name\n\"{}\"\n", name.replace('"', "\"\""))
    );
    assert!(!run("json").contains(['\u{1b}', '\u{9b}']));
}

/// Output that stays the same across minor versions. To write the expected output:
/// `TRYCMD=overwrite cargo test -p lms-cli transcripts`, then review the difference.
#[test]
fn the_output_is_as_in_the_transcripts() {
    let cases = trycmd::TestCases::new();
    cases
        .insert_var("[VERSION]", env!("CARGO_PKG_VERSION"))
        .unwrap();
    cases
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_CACHE_HOME", "/nonexistent")
        .env("COLUMNS", "100")
        .case("tests/transcripts/*.trycmd")
        .case("../docs/guide/command-line.md");
}

/// The options of CSV are those of every command, and a workbook has the same cells.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_open_in_spreadsheets_of_every_country() {
    use calamine::{Data, Reader as _, Xlsx};

    let (_sandbox, program) = demo_program().await;
    let courses = "courses list --limit 2 --columns id,name,published";
    let csv = program.run(&format!("{courses} -o csv --bom --csv-separator ;"));
    let lines: Vec<_> = csv.stdout.lines().collect();
    assert_eq!(
        lines[..2],
        ["\u{feff}id;name;published", "c1;Fire safety;true"]
    );
    let tabs = program.run(&format!("{courses} -o csv --csv-separator tab"));
    tabs.assert_stdout("c1\tFire safety\ttrue");
    let wrong = program.run(&format!("{courses} -o csv --csv-separator xx"));
    wrong.assert_failure(2, "write one of");

    let output = program
        .command(&format!("{courses} -o xlsx"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut book: Xlsx<_> =
        calamine::open_workbook_from_rs(std::io::Cursor::new(output.stdout)).unwrap();
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    let rows: Vec<_> = sheet.rows().collect();
    let text = |text: &str| Data::String(text.to_owned());
    assert_eq!(rows[0], [text("id"), text("name"), text("published")]);
    assert_eq!(rows[1], [text("c1"), text("Fire safety"), Data::Bool(true)]);
    assert_eq!(rows.len(), 3);
    program
        .run("courses list -o xlsx --jq .id")
        .assert_failure(2, "leave out --jq");
}

/// A part of an address is of no use.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_narrow_table_has_whole_email_addresses() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox).with("COLUMNS", "80");
    let table = program.run("learners list -o table --limit 30").stdout;
    let learners = program.json("learners list --limit 30");
    for learner in learners.as_array().unwrap() {
        let email = learner["email"].as_str().unwrap();
        assert!(table.contains(email), "{email}: {table}");
    }
}

/// An item that is no object would be a row without a value.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_that_is_no_object_is_no_row() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let _ = socket.read(&mut [0; 4096]).await;
            // The token, and the page.
            let body = r#"{"access_token": "t", "expires_in": 3600, "items": [{"id": "l1"}, null], "more": false}"#;
            let length = body.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            let _ = socket.write_all((head + body).as_bytes()).await;
        }
    });
    let program = Program::new()
        .with("LMS_BASE_URL", &url)
        .with("LMS_CLIENT_ID", "1")
        .with("LMS_CLIENT_SECRET", "x");
    let listed = program.run("learners list -o csv");
    listed.assert_failure(8, "a page has an item that is no object");
}
