//! `import`, `history` and `undo`: from a spreadsheet of HR to the tenant and back.

use std::{fs, process::Stdio, time::Duration};

use lms_sandbox::Sandbox;
use serde_json::json;

use crate::program::{self, Program, assert_members, demo_program, fault};

const RULES: &str = r#"
[[rules]]
when = { Abteilung = "Lager" }
tags = ["warehouse"]
courses = ["c1"]
[create]
generate_password = true
send_email = false
[leavers]
gone_after = "0d"
tag = "left"
"#;

/// A first mapping for a file, with rules.
fn mapping(program: &Program, file: &str) {
    program
        .run(&format!("import init {file} --to first.toml"))
        .exits(0);
    let first = program.read("first.toml");
    program.write("mapping.toml", format!("{first}{RULES}"));
}

/// As a German spreadsheet saves it.
fn people(rows: &[&str]) -> Vec<u8> {
    let text = format!(
        "Personalnummer;Vorname;Nachname;E-Mail;Abteilung\r\n{}\r\n",
        rows.join("\r\n")
    );
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect()
}

const ROWS: [&str; 2] = [
    "0017;Jürgen;Groß;juergen@acme.example;Lager",
    "0018;Zoë;Kim;zoe@acme.example;Einkauf",
];

/// A plan that is applied in part, at another tenant, or after the tenant has changed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_apply_says_what_is_left_and_what_to_do_about_it() {
    let (_sandbox, program) = demo_program().await;
    let other = Sandbox::builder()
        .demo()
        .tenant_id("t2")
        .start()
        .await
        .unwrap();
    let other = Program::of(&other);
    let plan = "import plan people.csv --map mapping.toml --to plan.json";
    for program in [&program, &other] {
        program.write("people.csv", people(&ROWS));
        mapping(program, "people.csv");
        program.json(plan);
    }
    let first = program
        .run("import apply plan.json --yes --limit 1")
        .exits(0);
    first.assert_stderr("1 step left; to continue: lms import apply plan.json\n");
    let foreign = program.path().join("plan.json");
    fs::remove_dir_all(other.path().join(".local/state/lms")).unwrap();
    let refused = other.run(&format!("import apply {} --yes", foreign.display()));
    refused.assert_failure(2, "the plan is for the tenant ");
    // The ledger of the other tenant stays usable.
    other.json(plan);
    other.json("import apply plan.json --yes");

    program.json("import apply plan.json --yes");
    let row = ROWS[1].replace("Kim", "Kim-Moss");
    program.write("people.csv", people(&[ROWS[0], &row]));
    program.json(plan);
    let email = row.split(';').nth(3).unwrap();
    program.json(&format!("learners edit {email} --surname Other"));
    let conflict = program.run("import apply plan.json --yes").exits(8);
    conflict.assert_stderr("edit conflict: surname is \"Other\"");
    conflict.assert_stderr("what is not as the plan expects needs a new plan");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_fail_are_written_in_the_form_of_the_input_and_sent_again() {
    let (sandbox, program) = demo_program().await;
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (row, cells) in [
        [
            "Employee ID",
            "First name",
            "Last name",
            "E-mail",
            "Abteilung",
        ],
        ["0017", "Ann", "Lee", "ann.new@acme.example", "Lager"],
        ["0018", "Ben", "Moss", "ben.new@acme.example", ""],
    ]
    .into_iter()
    .enumerate()
    {
        sheet
            .write_row(u32::try_from(row).unwrap(), 0, cells)
            .unwrap();
    }
    program.write("people.xlsx", book.save_to_buffer().unwrap());
    mapping(&program, "people.xlsx");
    program.json("import plan people.xlsx --map mapping.toml --to plan.json");
    fault(&sandbox, "addLearner: nth 2: status 400");
    let failed = program.run("import apply plan.json --yes --concurrency 1");
    assert_eq!(failed.code, 8, "{failed:?}");
    failed.assert_stderr("line 3, Ben Moss: create failed: ");
    let rows = program.read("plan.failed.csv");
    assert!(
        rows.starts_with("\u{feff}Employee ID,First name,Last name,E-mail,Abteilung,lms_error\n0018,Ben,Moss,ben.new@acme.example,,"),
        "{rows}"
    );
    assert_eq!(rows.lines().count(), 2);
    assert!(rows.contains("; the server said: "), "{rows}");
    sandbox.faults().clear();
    let applied = program.json("import apply plan.json --yes");
    assert_members(
        &applied,
        &json!({ "steps": { "done": 3 }, "failed_file": null }),
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs LibreOffice; release-check runs it"]
async fn libreoffice_reads_the_workbooks_of_plans_and_reports() {
    let (_sandbox, program) = demo_program().await;
    let rows = ["0017;Jürgen;=1+1;juergen@acme.example;Lager", ROWS[1]];
    program.write("people.csv", people(&rows));
    mapping(&program, "people.csv");
    for command in [
        "import plan people.csv --map mapping.toml",
        "report overdue",
    ] {
        let book = program.command(&format!("{command} -o xlsx")).output();
        program.write("book.xlsx", book.unwrap().stdout);
        let utf8 = "csv:Text - txt - csv (StarCalc):44,34,76";
        let mut office = program.other("soffice");
        office.args(["--headless", "--convert-to", utf8, "book.xlsx"]);
        assert!(office.output().unwrap().status.success());
        let expected = program.run(&format!("{command} -o csv")).exits(0).stdout;
        // LibreOffice writes a time as `2025-01-20 16:00:00`, and quotes other cells.
        let cells = |text: &str| {
            let text = text.replace("\r\n", "\n").replace('T', " ");
            text.replace("Z,", ",").replace('"', "")
        };
        assert_eq!(
            cells(&program.read("book.csv")),
            cells(&expected),
            "{command}"
        );
    }
}

/// Runs a command, and returns the largest number of megabytes that it had.
#[cfg(target_os = "linux")]
fn peak(program: &Program, arguments: &str) -> u64 {
    let mut command = program.command(arguments);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    let code = loop {
        peak = program::peak_memory(&child).max(peak);
        match child.try_wait().unwrap() {
            Some(code) => break code,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    assert!(code.success(), "{arguments}: {code}");
    peak
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; release-check runs it"]
async fn fifty_thousand_people_cost_little_memory_and_few_requests() {
    let (people, changed) = (50_000, 1_000);
    let sandbox = Sandbox::builder().start().await.unwrap();
    let mut rows = "Personalnummer,Vorname,Nachname,E-Mail,Abteilung\n".to_owned();
    for number in 0..people {
        let email = format!("p{number}@acme.example");
        let learner = json!({ "firstname": "Ann", "surname": "Lee", "email": email });
        sandbox.seed().add_learner(&learner).unwrap();
        let surname = if number < changed { "Kim" } else { "Lee" };
        rows += &format!("{number},Ann,{surname},{email},Lager\n");
    }
    let program = Program::of(&sandbox);
    program.write("people.csv", rows);
    program
        .run("import init people.csv --to mapping.toml")
        .exits(0);
    program
        .run("mirror learners,courses,enrolments --to sqlite:t.db")
        .exits(0);
    sandbox.clear_requests();
    let plan = "import plan people.csv --map mapping.toml --to plan.json -o table --mirror sqlite:t.db --max-age 1h";
    let planned = peak(&program, plan);
    let applied = peak(&program, "import apply plan.json --yes");
    let requests = sandbox.requests().unwrap().len();
    assert!(planned.max(applied) <= 150, "{planned} and {applied} MB");
    // A read and a write for each change, and little for anybody else.
    let most = changed * 205 / 100 + (people - changed) / 50;
    assert!(
        (2 * changed..=most).contains(&requests),
        "{requests} requests"
    );
    let surnames = program.run("learners list --jq 'select(.surname == \"Kim\") | .id'");
    assert_eq!(surnames.stdout.lines().count(), changed);
}
