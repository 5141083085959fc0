//! The shell blocks of the guide, run as one script for each page against a sandbox.

use crate::program::{Program, Ran, demo_program};

/// The text of all `sh` blocks of a page.
fn script(page: &str) -> String {
    let blocks = page.split("```sh\n").skip(1);
    blocks
        .filter_map(|block| block.split_once("```"))
        .map(|(code, _)| code)
        .collect()
}

/// Runs the script of a page in the folder of a program.
fn run(program: &Program, page: &str) -> Ran {
    let mut bash = program.other("bash");
    bash.args(["-euo", "pipefail", "-c", &script(page)]);
    Ran::of(bash.output().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_about_spreadsheets_is_a_script() {
    let (_sandbox, program) = demo_program().await;
    let page = include_str!("../../../docs/guide/from-a-spreadsheet.md");
    let ran = run(&program, page).exits(0);
    for line in [
        "added c13",
        "exit code 3",
        r#""kind":"not_found""#,
        "exit code 130",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {ran:?}");
    }
    ran.assert_stdout("surname,Smith,Jones");
    let enrolled = program.read("enrolled.csv");
    assert_eq!(enrolled.lines().count(), 1 + 3);
    let results = program.read("people.learners-add.csv");
    assert_eq!(results.matches(";added;").count(), 2, "{results}");
    program.run("learners find ben@acme.example").exits(0);
    program.run("courses get c13").exits(3);
    program.run("courses get c1").exits(0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commands_of_the_pages_about_jobs_run() {
    let (_sandbox, program) = demo_program().await;
    let pages = [
        (
            include_str!("../../../docs/guide/export-for-an-auditor.md"),
            r#""intact":true"#,
        ),
        (
            include_str!("../../../docs/guide/mirror-into-a-database.md"),
            r#""unchanged":650"#,
        ),
        (
            include_str!("../../../docs/guide/react-to-completions.md"),
            "learner.changed: ",
        ),
        // Adds people, so it is the last one.
        (
            include_str!("../../../docs/guide/hr-every-night.md"),
            r#""done": 3"#,
        ),
    ];
    for (page, expected) in pages {
        let ran = run(&program, page).exits(0);
        assert!(ran.stdout.contains(expected), "{expected}: {ran:?}");
    }
    assert!(program.path().join("audit.sha256").exists());
    let handled = program.read("handled");
    assert!(handled.starts_with("1-"), "{handled}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_about_reports_is_a_script() {
    let (_sandbox, program) = demo_program().await;
    let ran = run(&program, include_str!("../../../docs/guide/reports.md")).exits(0);
    ran.assert_stdout(r#""report":"duplicates""#);
    ran.assert_stdout(r#""courses":2"#);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_about_required_training_is_a_script() {
    let (_sandbox, program) = demo_program().await;
    let page = include_str!("../../../docs/guide/required-training.md");
    let ran = run(&program, page).exits(0);
    ran.assert_stdout(r#""requirement":"Fire safety for all""#);
    assert!(program.path().join("required.xlsx").exists());
    let enrolments = ran.stdout.matches(r#""action":"enrol""#).count();
    assert!(enrolments > 10, "{ran:?}");
}
