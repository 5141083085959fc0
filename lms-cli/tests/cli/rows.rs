//! `--from FILE`: files as spreadsheets write them, rows that fail, and runs that are killed.

use std::{collections::BTreeSet, fs, process::Stdio};

use lms_sandbox::{Operation, json};

use crate::program::{Program, demo, demo_program};

/// The program is killed again and again, and every second time its results are gone, as after a power cut. At the end,
/// there is one learner for each row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_killed_continues_without_a_second_learner() {
    let kills = match std::env::var("LMS_TESTS").as_deref() {
        Ok("full") => 200,
        _ => 10,
    };
    let (sandbox, program) = demo_program().await;
    let mut text = "firstname,surname,email\n".to_owned();
    let people = 10 * kills;
    for number in 0..people {
        text += &format!("A,B,person{number}@acme.example\n");
    }
    program.write("people.csv", &text);
    let add = "learners add --from people.csv --generate-password";
    let sent = || sandbox.requests_to(Operation::AddLearner).unwrap().len();
    for kill in 0..kills {
        let until = sent() + kill * 7 % 11;
        let mut command = program.command(add);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        while sent() < until && child.try_wait().unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        child.kill().unwrap();
        let killed = child.wait().unwrap();
        let results = program.path().join("people.learners-add.csv");
        if killed.code().is_none() && kill % 2 == 1 && results.exists() {
            fs::remove_file(results).unwrap();
        }
    }
    program.run(add).exits(0);
    let learners = program.json("learners list");
    let emails: Vec<_> = learners
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|learner| learner["email"].as_str())
        .filter(|email| email.starts_with("person"))
        .collect();
    assert_eq!(emails.len(), people);
    assert_eq!(emails.iter().collect::<BTreeSet<_>>().len(), people);
    let results = program.read("people.learners-add.csv");
    assert_eq!(results.lines().count(), people + 1, "{results}");
    assert!(!results.contains(",sent,"), "{results}");
}

/// The form of a spreadsheet does not change what is sent, and the results are CSV that the same command continues.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workbooks_arrays_and_other_encodings_are_read_like_csv() {
    let (_sandbox, program) = demo_program().await;
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet
        .write_row(0, 0, ["name", "suggested_duration"])
        .unwrap();
    sheet.write_row(1, 0, ["Café A", "1 h"]).unwrap();
    sheet.write(2, 0, "Café B").unwrap();
    sheet.write(2, 1, 90).unwrap();
    program.write("a.xlsx", book.save_to_buffer().unwrap());
    let utf16 = "\u{feff}name\tsuggested_duration\r\nCafé C\t2 h\r\n".encode_utf16();
    program.write(
        "b.csv",
        utf16.flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
    );
    program.write("c.csv", b"name\nCaf\xe9 D\n");
    program.write(
        "d.json",
        "[{\"name\": \"Café E\"},\n {\"name\": \"Café F\"}]",
    );
    for (file, results, row) in [
        ("a.xlsx", "a.courses-add.csv", "\nCafé B,90,added,"),
        ("b.csv", "b.courses-add.csv", "\nCafé C\t2 h\tadded\t"),
        ("c.csv", "c.courses-add.csv", "\nCafé D,added,"),
        (
            "d.json",
            "d.courses-add.json",
            "{\"name\":\"Café F\",\"lms_status\":\"added\"",
        ),
    ] {
        for _ in 0..2 {
            program.run(&format!("courses add --from {file}")).exits(0);
        }
        let written = program.read(results);
        assert!(written.contains(row), "{written}");
    }
    let courses = program.run("courses list --jq 'select(.name | startswith(\"Café\")) | .name'");
    assert_eq!(courses.stdout.lines().count(), 6, "{courses:?}");
}

/// The first pages of a list are not the list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_found_behind_the_first_pages() {
    let sandbox = demo().await;
    let mut ids = Vec::new();
    for number in 0..700 {
        let learner = json!({
            "firstname": format!("First{number}"), "surname": format!("Last{number}"),
            "email": format!("person{number}@acme.example"), "username": format!("user{number}"),
        });
        ids.push(sandbox.seed().add_learner(&learner).unwrap());
    }
    let program = Program::of(&sandbox);
    let found = program.json("learners get 'first699 LAST699'");
    assert_eq!(found["id"], ids[699].as_str());
    program.write(
        "rows.csv",
        "course,user\nc1,user697\nc1,user698\nc1,user699\n",
    );
    let ran = program
        .run("enrolments add --from rows.csv --dry-run -o ndjson")
        .exits(0);
    for id in &ids[697..] {
        ran.assert_stdout(id.as_str());
    }
}
