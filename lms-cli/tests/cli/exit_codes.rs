//! The exit code of a job that did not succeed is not 0, whatever happens to its output.

use std::{
    fs::{self, OpenOptions},
    process::Stdio,
};

use lms_sandbox::Sandbox;

use crate::program::{Arguments as _, Program, demo_program, fault};

/// The treatment of stdout.
#[derive(Clone, Copy, Debug)]
enum Output {
    Closed,
    Full,
    DeadReader,
}

const OUTPUTS: [Output; 3] = [Output::Closed, Output::Full, Output::DeadReader];

impl Output {
    /// Runs a command with this stdout; returns its exit code.
    fn run(self, program: &Program, arguments: &str) -> i32 {
        let mut command = match self {
            // Only a shell starts a program without stdout.
            Self::Closed => {
                let mut shell = program.other("sh");
                shell
                    .args(["-c", "exec lms \"$@\" >&-", "sh"])
                    .args(arguments.words());
                shell
            }
            Self::Full | Self::DeadReader => program.command(arguments),
        };
        command.stdin(Stdio::null()).stderr(Stdio::null());
        match self {
            Self::Closed => {}
            Self::Full => {
                command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
            }
            Self::DeadReader => {
                let (reader, writer) = std::io::pipe().unwrap();
                drop(reader);
                command.stdout(writer);
            }
        }
        command.status().unwrap().code().unwrap()
    }
}

const EXPORT: &str = "export learners,tags --to out --format ndjson";
const MIRROR: &str = "mirror learners,tags --to sqlite:tenant.db";
const TAP: &str = "tap singer --config config.json";
const AIRBYTE: &str = "tap airbyte read --config config.json --catalog catalog.json";

/// A program in whose folder every job ran, and the sandbox with a list that cannot be read to its end.
async fn prepared(complete_first: bool) -> (Sandbox, Program) {
    let (sandbox, program) = demo_program().await;
    program.write_tap_config(&sandbox);
    program.write_airbyte_catalog("learners");
    if complete_first {
        program.run(EXPORT).exits(0);
        program.run(MIRROR).exits(0);
    }
    fault(&sandbox, "listLearners: always: status 400");
    (sandbox, program)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_is_not_complete_never_ends_with_0() {
    let (_sandbox, program) = prepared(false).await;
    for output in OUTPUTS {
        for job in [EXPORT, MIRROR, TAP, AIRBYTE] {
            assert_ne!(output.run(&program, job), 0, "{output:?} {job:?}");
        }
    }
}

/// The first run did not complete, so `learners` has never been stored, although `tags` has.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_never_complete_never_verifies_with_0() {
    let (_sandbox, program) = prepared(false).await;
    program.run(EXPORT).exits(8);
    program.run(MIRROR).exits(8);
    for data in ["out", "sqlite:tenant.db"] {
        program.run(&format!("verify {data}")).exits(8);
        for output in OUTPUTS {
            assert_eq!(
                output.run(&program, &format!("verify {data}")),
                8,
                "{output:?} {data}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_data_never_verifies_with_0() {
    let (_sandbox, program) = prepared(true).await;
    let file = program.path().join("out/learners.ndjson");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("l1", "l2")).unwrap();
    program.sql(
        "tenant.db",
        "UPDATE learners SET surname = 'x' WHERE id = 'l1'",
    );
    for data in ["out", "sqlite:tenant.db"] {
        for output in OUTPUTS {
            assert_eq!(
                output.run(&program, &format!("verify {data}")),
                8,
                "{output:?} {data}"
            );
        }
    }
    // The same for a truncated manifest.
    let manifest = program.path().join("out/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    program
        .run("verify out")
        .assert_failure(8, "it was truncated or changed");
}

/// A full disk makes a success a failure; a reader that leaves does not, because only the files count.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_complete_job_ends_with_0_unless_its_result_cannot_be_printed() {
    let (sandbox, program) = demo_program().await;
    program.write_tap_config(&sandbox);
    program.write_airbyte_catalog("learners");
    for job in [EXPORT, MIRROR, "verify out", "verify sqlite:tenant.db"] {
        assert_eq!(Output::Closed.run(&program, job), 0, "{job:?}");
        assert_eq!(Output::DeadReader.run(&program, job), 0, "{job:?}");
        assert_eq!(Output::Full.run(&program, job), 1, "{job:?}");
    }
    // The output of a tap is its result.
    for tap in [TAP, AIRBYTE] {
        assert_ne!(Output::Full.run(&program, tap), 0);
        assert_ne!(Output::DeadReader.run(&program, tap), 0);
    }
}
