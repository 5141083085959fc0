//! A real terminal: tables, prompts, hidden secrets, and Ctrl-C.

use rexpect::{
    reader::Options,
    session::{PtySession, spawn_with_options},
};
use serde_json::json;

use crate::program::{Program, assert_members, demo, demo_program, fault, table};

fn spawn(program: &Program, arguments: &str) -> PtySession {
    let mut command = program.command(arguments);
    command.env("TERM", "xterm").env("COLUMNS", "80");
    // Long enough for the slowest machine; it ends a test that waits in vain.
    spawn_with_options(command, Options::new().timeout_ms(Some(60_000))).unwrap()
}

/// The output of a shell command line on a terminal.
fn shell(program: &Program, line: &str) -> String {
    let mut command = program.other("sh");
    command.args(["-c", line]).env("TERM", "xterm");
    let options = Options::new().timeout_ms(Some(60_000));
    let mut session = spawn_with_options(command, options).unwrap();
    session.exp_eof().unwrap()
}

fn code(session: &PtySession) -> i32 {
    match session.process().wait().unwrap() {
        rexpect::process::WaitStatus::Exited(_, code) => code,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_gets_a_table_that_fits() {
    let (_sandbox, program) = demo_program().await;
    let text = shell(
        &program,
        "stty rows 24 cols 80; lms learners list --limit 5",
    );
    assert!(text.contains("\u{1b}[1mID"), "{text}");
    assert!(
        text.lines()
            .filter(|line| !line.starts_with("columns left out: "))
            .all(|line| line.chars().count() <= 80 + 8),
        "{text}"
    );
}

/// As git does; what is said about all tables is said once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_gets_long_tables_from_a_pager_and_the_columns_left_out_once() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    let list = "lms learners list --limit 3";
    let screen = "stty rows 3 cols 80; export PAGER='sed s/^/paged:/'";
    // Some shells replace themselves by their last command, which would then have another parent.
    let paged = shell(&program, &format!("{screen}; {list}; {list}; true"));
    assert_eq!(paged.matches("paged:").count(), 8, "{paged}");
    assert_eq!(paged.matches("columns left out: ").count(), 1, "{paged}");
    for more in ["--no-pager", "-o json", "--accessible", "> list"] {
        let plain = shell(&program, &format!("{screen}; {list} {more}"));
        assert!(!plain.contains("paged:"), "{more}: {plain}");
    }
    let short = shell(&program, &format!("{screen}; lms learners list --limit 1"));
    assert!(
        short.contains("l1 ") && !short.contains("paged:"),
        "{short}"
    );
    // A pager that ends at once is no error, and a program that is not there no pager.
    for pager in ["true", "no-such-program"] {
        let ended = shell(
            &program,
            &format!("{screen}; PAGER={pager} {list} 2> errors; cat errors; echo code $?"),
        );
        assert!(ended.contains("code 0"), "{ended}");
        assert_eq!(ended.contains("l1 "), pager != "true", "{ended}");
    }
}

/// Nothing is said by color, hyperlinks or movement: without the escape sequences of bold text, the words are all there is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_gets_no_escape_sequence_but_bold_and_none_with_no_color() {
    let (_sandbox, program) = demo_program().await;
    for line in [
        "lms tags list",
        "lms courses get c1",
        "lms courses get nope",
        "lms courses list --nam x",
        "lms courses list --help",
    ] {
        let plain = shell(&program, &format!("NO_COLOR=1 {line}"));
        assert!(!plain.contains('\u{1b}'), "{line}: {plain:?}");
        let bold = shell(&program, line);
        let words = bold.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
        assert_eq!(words, plain);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_screen_reader_gets_names_with_values_and_no_bar() {
    let (_sandbox, program) = demo_program().await;
    let by_option = program.run("tags list --accessible -o table --limit 2");
    assert!(
        by_option.stdout.starts_with("id: g1\n"),
        "{}",
        by_option.stdout
    );
    assert!(!by_option.stdout.contains("  "), "{}", by_option.stdout);
    let program = program.with("LMS_ACCESSIBLE", "1");
    let args = "export tags learners --to all --color never";
    let text = spawn(&program, args).exp_eof().unwrap();
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(text.contains("learners: "), "{text}");
    assert!(text.contains(" %)"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delete_asks_and_only_yes_deletes() {
    let (_sandbox, program) = demo_program().await;
    for (answer, expected, left) in [("n", 130, 0), ("", 130, 0), ("y", 0, 3)] {
        let mut session = spawn(&program, "courses rm c1");
        session.exp_string("courses rm at 127.0.0.1:").unwrap();
        session.exp_string(": Fire safety (c1)?").unwrap();
        session.exp_string("[y/N]").unwrap();
        session.send_line(answer).unwrap();
        session.exp_eof().unwrap();
        assert_eq!(code(&session), expected, "{answer:?}");
        assert_eq!(program.run("courses get c1").code, left);
    }
    let session = spawn(&program, "courses rm c2 --no-input");
    assert_eq!(code(&session), 130);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_asked_for_and_not_shown() {
    let sandbox = demo().await;
    let program = Program::new();
    let add = format!(
        "profile add acme --base-url {} --client-id {}",
        sandbox.base_url(),
        sandbox.client_id()
    );
    let mut session = spawn(&program, &add);
    session.exp_string("the client secret: ").unwrap();
    session.send_line(sandbox.client_secret()).unwrap();
    let text = session.exp_eof().unwrap();
    assert!(!text.contains(sandbox.client_secret()), "{text}");
    assert_eq!(code(&session), 0);
    program.run("me").exits(0);
}

/// A command waits for a response, a server, changes or the user, and nothing that was not confirmed is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_ends_a_command_that_waits() {
    let cases = r#"
        getCourse: always: delay 10min => courses get c1 => => error: cancelled
        me: always: status 503 => export tags --to out => trying again for several minutes =>
        => changes --mirror sqlite:t.db --follow -o ndjson => "sequence":9, => as --since
        => courses rm c1 => [y/N] => cancelled; nothing was sent
        => enrolments rm --user l1 => [y/N] => cancelled; nothing was sent
        => learners edit l1 --password - => password: => cancelled; nothing was sent
    "#;
    for [rule, arguments, shown, said] in table(cases) {
        let (sandbox, program) = demo_program().await;
        if arguments.starts_with("changes") {
            program.json("mirror tags --to sqlite:t.db --first-run-changes");
        }
        if !rule.is_empty() {
            fault(&sandbox, &rule);
        }
        let mut session = spawn(&program, &arguments);
        // A command that shows nothing has sent its request once it has a token.
        while shown.is_empty() && sandbox.requests().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        session.exp_string(&shown).unwrap();
        session.send_control('c').unwrap();
        let text = session.exp_eof().unwrap();
        assert!(text.contains(&said), "{arguments}: {text}");
        assert_eq!(code(&session), 130, "{arguments}");
        let sent = sandbox.requests().unwrap();
        let is_write = |method: &str| matches!(method, "DELETE" | "PUT");
        assert!(!sent.iter().any(|request| is_write(request.method.as_str())));
    }
}

/// Each row that was sent is counted and has a result, and the same command continues with the others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_counts_the_rows_of_a_file_and_says_how_to_continue() {
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "addCourse: nth 2: delay 10min");
    program.write("c.csv", "name\nA\nB\nC\nD\n");
    let add = "courses add --from c.csv --concurrency 1";
    let mut session = spawn(&program, add);
    while !program.sends(2) {
        tokio::task::yield_now().await;
    }
    session.send_control('c').unwrap();
    let text = session.exp_eof().unwrap();
    let results = program.read("c.courses-add.csv");
    let rows: Vec<_> = results.lines().skip(1).collect();
    assert_eq!(rows.len(), 4, "{results}");
    assert!(rows[2].starts_with("C,not sent,"), "{results}");
    assert!(rows[0].starts_with("A,added,"), "{results}");
    assert!(rows[1].starts_with("B,ambiguous,"), "{results}");
    assert!(text.contains("added 1, ambiguous 1, not sent 2"), "{text}");
    assert!(text.contains("c.courses-add.csv has the results"), "{text}");
    assert!(text.contains("the same command continues"), "{text}");
    assert_eq!(code(&session), 130);
}

/// The progress of a list goes to stderr when stdout is a file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_is_shown_on_the_terminal_and_not_in_the_file() {
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "listLearners: nth 3: delay 1s");
    let file = program.path().join("out.json");
    let text = shell(&program, "lms learners list --page-size 200 > out.json");
    assert!(text.contains("of 650 read"), "{text:?}");
    let written: Vec<serde_json::Value> =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(written.len(), 650);
}

/// Ctrl-C stops a job at a checkpoint, and the next run of the same command resumes there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_stops_a_job_at_a_checkpoint() {
    for job in [
        "export learners --to out",
        "mirror learners --to sqlite:tenant.db",
    ] {
        let (sandbox, program) = demo_program().await;
        fault(&sandbox, "listLearners: nth 3: delay 10min");
        let command = format!("{job} --page-size 100");
        let mut session = spawn(&program, &command);
        session.exp_string("200 of 650 rows").unwrap();
        session.send_control('c').unwrap();
        let text = session.exp_eof().unwrap();
        assert!(
            text.contains("run the same command again to resume"),
            "{text}"
        );
        assert_eq!(code(&session), 130);
        sandbox.faults().clear();
        let again = program.json(&command);
        assert_members(&again[0], &json!({ "complete": true, "resumes": 1 }));
    }
}

/// Each frame of a bar is true and fits in a line, whether or not the service says how many rows there are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_progress_of_a_job_is_true_at_any_time() {
    let (_sandbox, program) = demo_program().await;
    let names = "topic_progress,course_completions,tags";
    let text = shell(
        &program,
        &format!(
            "stty rows 24 cols 80; lms export {names} --to out -q > /dev/null; lms export {names} --to again > /dev/null"
        ),
    );
    let frames: Vec<_> = text
        .split(['\r', '\u{1b}'])
        .filter(|frame| frame.contains(" rows"))
        .collect();
    assert!(!frames.is_empty(), "{text}");
    // The first byte of the characters of a bar.
    let bars = text
        .split(['\r', '\u{1b}'])
        .filter(|frame| frame.contains('\u{e2}'));
    let wordless: Vec<_> = bars.filter(|frame| !frames.contains(frame)).collect();
    assert!(wordless.is_empty(), "{wordless:?}");
    for frame in frames {
        let frame = frame.trim_start_matches("[2K").trim_end();
        // The bytes of a character are read as one character each.
        let width = frame
            .chars()
            .filter(|c| !('\u{80}'..='\u{bf}').contains(c))
            .count();
        assert!(width <= 80, "{frame}");
        let (before, _) = frame.split_once(" rows").unwrap();
        let words: Vec<_> = before.split(' ').collect();
        // Only this list has a count.
        let counted = words[words.len() - 2] == "of";
        assert_eq!(words.contains(&"topic_progress:"), counted, "{frame}");
        if let [.., done, "of", total] = words[..] {
            let [done, total] = [done, total].map(|count| count.parse::<u64>().unwrap());
            assert!(done <= total, "{frame}");
        }
    }
}

/// Text of the service cannot change the display of a terminal in any format.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_format_passes_control_characters_to_a_terminal() {
    let (_sandbox, program) = demo_program().await;
    program.json("courses edit c1 --name a\u{1b}]0;owned\u{7}b\u{9b}2Jc\u{202e}d");
    for format in [
        "-o csv --columns name",
        "-o json",
        "-o ndjson",
        "-o table --columns name",
        "--jq .name",
        "--jq '[.name] | @csv'",
    ] {
        let text = shell(
            &program,
            &format!("lms courses get c1 --color never {format}"),
        );
        assert!(
            text.contains('a') && text.contains("owned"),
            "{format}: {text:?}"
        );
        assert!(
            !text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
            "{format}: {text:?}"
        );
    }
    // A pipe gets the text as it is.
    let name = program.run("courses get c1 --jq .name").stdout;
    assert!(name.contains('\u{1b}'), "{name:?}");
}
