//! The examples in the help of the commands run as they are written.

use std::{fs, os::unix::fs::PermissionsExt as _};

use lms_sandbox::Sandbox;
use serde_json::{Value, json};

use crate::program::{Program, Ran, demo_program};

/// The commands that do something, with their examples. `report` is one, and has commands below it.
fn leaves(program: &Program, words: &str, found: &mut Vec<(String, Vec<String>)>) {
    let help = program.run(&format!("{words} --help")).stdout;
    let bare = help.replace("[default: ", "");
    assert!(
        !bare.contains("default: "),
        "a default without brackets: {help}"
    );
    let mut inner: Vec<&str> = section(&help, "Commands:")
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    if words.is_empty() {
        // The overview of `lms` has groups of commands.
        let groups = help
            .lines()
            .skip_while(|line| !line.starts_with("Resources"));
        let groups = groups.take_while(|line| !line.is_empty());
        inner = groups
            .flat_map(str::split_whitespace)
            .filter(|word| word.starts_with(|first: char| first.is_lowercase()) && *word != "help")
            .collect();
    }
    if inner.is_empty() || words == "report" {
        let examples = section(&help, "Examples:").map(|line| line.trim().to_owned());
        found.push((words.to_owned(), examples.collect()));
    }
    for name in inner {
        leaves(program, format!("{words} {name}").trim(), found);
    }
}

/// The lines below a heading.
fn section<'a>(help: &'a str, heading: &str) -> impl Iterator<Item = &'a str> {
    let mut lines = help.lines();
    lines.by_ref().find(|line| line.starts_with(heading));
    lines.take_while(|line| line.starts_with("  "))
}

/// Runs an example in a shell, and answers a question for a secret.
fn run(program: &Program, example: &str) -> Ran {
    let mut shell = program.other("sh");
    shell
        .args(["-c", example])
        .stdin(fs::File::open(program.path().join("secret.txt")).unwrap());
    Ran::of(shell.output().unwrap())
}

/// The file of a `--from`: its row has the values of the example before.
fn rows_of(example: &str) -> String {
    let print = format!("printf '%s\\n' {example}");
    let words = std::process::Command::new("sh")
        .args(["-c", &print])
        .output()
        .unwrap();
    let words = String::from_utf8(words.stdout).unwrap();
    let mut columns = Vec::new();
    let command: Vec<_> = example.split(' ').skip(1).take(2).collect();
    let help = Program::new().run(&format!("{} --help", command.join(" ")));
    let arguments = section(&help.stdout, "Arguments:").filter(|line| line.starts_with("  ["));
    let mut positional = arguments.map(|line| line.trim().trim_matches(['[', ']']).to_lowercase());
    let mut words = words.lines().map(str::to_owned).skip(3);
    while let Some(word) = words.next() {
        match word.strip_prefix("--") {
            Some("dry-run" | "yes" | "if-not-exists") => {}
            Some(option) => columns.push((option.to_owned(), words.next().unwrap())),
            None => columns.push((positional.next().unwrap(), word)),
        }
    }
    let (names, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    format!("{}\n{}\n", names.join(","), values.join(","))
}

/// A tenant with all that the examples name, and a folder with their files.
async fn prepared() -> (Sandbox, Program) {
    let (sandbox, program) = demo_program().await;
    let ran = |line: &str| {
        let ran = run(&program, line).exits(0);
        ran.stdout
    };
    let write = |name: &str, text: &str| program.write(name, text);
    write("secret.txt", sandbox.client_secret());
    let mode = fs::Permissions::from_mode(0o600);
    fs::set_permissions(program.path().join("secret.txt"), mode).unwrap();
    write("course.json", r#"{"name":"First aid"}"#);
    write("people.csv", "email\njo@acme.example\n");
    write(
        "training.toml",
        "[[required]]\nname = \"Fire\"\ncourses = [\"Fire safety\"]\n",
    );
    write(
        "people.sql",
        "-- title: T\n-- needs: learners\n-- parameter: surname\n-- columns: id\n\
         SELECT id FROM learners WHERE surname = :surname",
    );
    write("state.json", "[]");
    program.write_tap_config(&sandbox);
    let found = ran("lms tap airbyte discover --config config.json");
    let found: Value = serde_json::from_str(&found).unwrap();
    let mut streams = found["catalog"]["streams"].as_array().unwrap().iter();
    let tags = streams.find(|stream| stream["name"] == "tags");
    let configured = json!({ "streams": [{
        "stream": tags, "sync_mode": "full_refresh", "destination_sync_mode": "overwrite",
    }] });
    write("configured.json", &configured.to_string());
    (sandbox, program)
}

/// Makes what examples of reads and jobs need.
fn fill(program: &Program) {
    for line in [
        "lms learners add --firstname Jo --surname Jones --email jo@acme.example",
        "lms courses duplicate c1 --wait",
        "lms mirror all --to sqlite:tenant.db",
        "lms export tags --to export",
        "lms profile add acme --base-url $LMS_BASE_URL --client-id $LMS_CLIENT_ID --secret-file secret.txt",
    ] {
        run(program, line).exits(0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_has_two_to_four_examples_that_run() {
    let mut commands = Vec::new();
    leaves(&Program::new(), "", &mut commands);
    assert!(commands.len() > 40, "{commands:?}");
    let (_sandbox, reads) = prepared().await;
    fill(&reads);
    let mut failures = Vec::new();
    for (name, examples) in &commands {
        assert!((2..=4).contains(&examples.len()), "{name}: {examples:?}");
        let is_write = examples[0].contains("--dry-run");
        let own = match is_write {
            true => Some(prepared().await),
            false => None,
        };
        let program = own.as_ref().map_or(&reads, |(_, program)| program);
        for example in examples {
            if let Some((_, file)) = example.split_once("--from ") {
                let file = file.split(' ').next().unwrap();
                program.write(file, rows_of(&examples[0]));
            }
            let ran = run(program, example);
            // An id of a kind that the examples do not know is `ID`, which the demo data does not have.
            let is_unknown = example.contains(" ID") && ran.code == 3;
            if ran.code != 0 && !is_unknown {
                failures.push(format!("{example}: {} {}", ran.code, ran.stderr));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
