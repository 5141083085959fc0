//! Mistakes in the arguments: the exit code and the sentence of each, and that nothing is sent.

use crate::program::{Program, demo};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
async fn each_mistake_is_explained_and_nothing_is_sent() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    let cases: [(&str, &str, i32, &str); 41] = [
        (
            "courses get --limit 2",
            "",
            2,
            "hint: usage: lms courses get [OPTIONS] <ID>; see `lms courses get --help`\n",
        ),
        ("", "", 2, "a command is missing"),
        (
            "export learners --to out --columns email",
            "",
            2,
            "--columns: there is no field email\nhint: the fields are collection, ",
        ),
        (
            "mirror --to sqlite:t.db --columns email",
            "",
            2,
            "there is no field email",
        ),
        (
            "api DELETE /enrolments --yes",
            "",
            2,
            "the request may delete more enrolments than intended; set one of them\n",
        ),
        ("course list", "", 2, "unrecognized subcommand 'course'"),
        (
            "courses lst",
            "",
            2,
            "hint: some similar subcommands exist: 'ls', 'list'; see `lms courses --help`\n",
        ),
        ("courses get", "", 2, "<ID>"),
        (
            "courses get c1 c2",
            "",
            2,
            "hint: usage: lms courses get [OPTIONS] <ID>; see `lms courses get --help`\n",
        ),
        (
            "courses list --nam x",
            "",
            2,
            "error: unexpected argument '--nam' found\nhint: ",
        ),
        ("courses get ..", "", 2, "empty or a dot segment"),
        ("courses get ''", "", 2, "empty or a dot segment"),
        (
            "courses list --archived=maybe",
            "",
            2,
            "invalid value 'maybe' for '--archived[=<BOOL>]'",
        ),
        (
            "courses list --archived false",
            "",
            2,
            "hint: write the value of a flag after =, for example --published=false",
        ),
        (
            "learners edit l1 --clear surname",
            "",
            2,
            "surname cannot be cleared, because the service requires it",
        ),
        (
            "me --base-url http://acme.example",
            "",
            2,
            "exposes secrets on the network; use https://\n",
        ),
        (
            "courses list --limit 0",
            "",
            2,
            "invalid value '0' for '--limit <N>'",
        ),
        (
            "learners list --order-direction UP",
            "",
            2,
            "[possible values: ASC, DESC]",
        ),
        ("courses list -o xml", "", 2, "invalid value 'xml'"),
        (
            "courses list --columns id,nam",
            "",
            2,
            "--columns: there is no field nam",
        ),
        (
            "courses list --jq '.a |'",
            "",
            2,
            "--jq: the filter is not valid",
        ),
        ("courses list --jq . -o csv", "", 2, "--jq prints JSON"),
        ("courses add", "", 2, "courses add needs --name"),
        (
            "courses add --name x --display-priority high",
            "",
            2,
            "write a number such as 1.5",
        ),
        (
            "courses edit c1 --pass-mark 1.5",
            "",
            2,
            "write an integer of at most 64 bits",
        ),
        (
            "courses edit c1",
            "",
            2,
            "courses edit needs a field to change",
        ),
        (
            "courses edit c1 --clear nam",
            "",
            2,
            "nam is not a field that can be edited",
        ),
        (
            "courses add --body -",
            "[1]",
            2,
            "--body: it is not a JSON object",
        ),
        (
            "courses add --body missing.json",
            "",
            2,
            "--body: could not read missing.json",
        ),
        (
            "courses add --body - --name -",
            "{}",
            2,
            "are both read from stdin",
        ),
        (
            "learners edit l1 --password hunter2",
            "",
            2,
            "other users of this machine see arguments",
        ),
        (
            "enrolments remove",
            "",
            2,
            "enrolments remove needs --user, --course or both",
        ),
        ("enrolments remove --user ' ' --yes", "", 2, "is empty"),
        (
            "enrolments add --user '' --course c1",
            "",
            2,
            "--user is empty; nothing was sent",
        ),
        (
            "enrolments add --if-not-exists --body -",
            r#"{"user": "l1", "course": " "}"#,
            2,
            "--course is empty",
        ),
        ("enrolments list --user ''", "", 2, "--user is empty"),
        ("courses duplicate ''", "", 2, "--course is empty"),
        (
            "enrolments add --body -",
            r#"{"user": "l1", "course": " "}"#,
            2,
            "course is empty",
        ),
        (
            "api POST /enrolments --body -",
            r#"{"user": "", "course": "c1"}"#,
            2,
            "user is empty; nothing was sent",
        ),
        ("learners edit l1 --tag a --tag ''", "", 2, "--tag is empty"),
        (
            "verify sqlite:missing.db",
            "",
            2,
            "there is no mirror in missing.db",
        ),
    ];
    for (arguments, stdin, code, sentence) in cases {
        let ran = program.run_with(arguments, stdin);
        ran.assert_failure(code, sentence);
        assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
    }
    assert!(sandbox.requests().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dangerous_request_by_path_is_refused() {
    let sandbox = demo().await;
    let program = Program::of(&sandbox);
    for arguments in [
        ["DELETE", "/enrolments"],
        ["DELETE", "/enrolments?user="],
        ["DELETE", "/Enrolments"],
        ["GET", "/courses/.."],
        ["GET", "https://evil.example/courses"],
        ["GET", "//evil.example"],
        ["POST", "/oauth/token"],
        ["TRACE", "/courses"],
        ["G T", "/courses"],
    ] {
        let ran = program.run(&["api", arguments[0], arguments[1], "--yes"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
    assert!(sandbox.requests().unwrap().is_empty());
}
