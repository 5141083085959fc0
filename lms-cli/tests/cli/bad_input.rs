//! Mistakes in the arguments: the exit code and the sentence of each, and that nothing is sent.

use crate::program::{demo_program, table};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_mistake_is_explained_and_nothing_is_sent() {
    let (sandbox, program) = demo_program().await;
    let cases = r"
        courses get --limit 2 => hint: usage: lms courses get [OPTIONS] <ID>; see `lms courses get --help`\n
         => a command is missing
        export learners --to out --columns email => --columns: there is no field email\nhint: the fields are collection, 
        mirror --to sqlite:t.db --columns email => there is no field email
        api DELETE /enrolments --yes => the request may delete more than intended; set one of them\n
        course list => unrecognized subcommand 'course'
        courses lst => hint: some similar subcommands exist: 'ls', 'list'; see `lms courses --help`\n
        courses get => <ID>
        courses get c1 c2 => hint: usage: lms courses get [OPTIONS] <ID>; see `lms courses get --help`\n
        courses list --nam x => error: unexpected argument '--nam' found\nhint: 
        courses get .. => empty or a dot segment
        courses get '' => empty or a dot segment
        courses list --archived=maybe => invalid value 'maybe' for '--archived[=<BOOL>]'
        courses list --archived false => hint: write the value of a flag after =, for example --published=false
        learners edit l1 --clear surname => surname cannot be cleared, because the service requires it
        me --base-url http://acme.example => exposes secrets on the network; use https://\n
        courses list --limit 0 => invalid value '0' for '--limit <N>'
        learners list --order-direction UP => [possible values: ASC, DESC]
        courses list -o xml => invalid value 'xml'
        courses list --columns id,nam => --columns: there is no field nam
        courses list --jq '.a |' => --jq: the filter is not valid
        courses list --jq . -o csv => --jq prints JSON
        courses add => courses add needs --name
        courses add --name x --display-priority high => write a number such as 1.5
        courses edit c1 --pass-mark 1.5 => write an integer of at most 64 bits
        courses edit c1 => courses edit needs a field to change
        courses edit c1 --clear nam => nam is not a field that can be edited
        courses add --body missing.json => --body: could not read missing.json
        learners edit l1 --password hunter2 => other users of this machine see arguments
        enrolments rm => enrolments rm needs --user, --course or both
        enrolments rm --user ' ' --yes => is empty
        enrolments add --user '' --course c1 => --user is empty; nothing was sent
        enrolments list --user '' => --user is empty
        courses duplicate '' => --course is empty
        learners edit l1 --tag a --tag '' => --tag is empty
        verify sqlite:missing.db => there is no mirror in missing.db
        profile add gg --base-url https://gg.example --client-id 1 --credential-command true --time-zone Europe/Berln => --time-zone: 
        export tags --to out --format parquet --compression gzip => --compression is for CSV and NDJSON
        api GTE /courses/c1 => GTE is not a method
    ";
    let with_stdin = r#"
        courses add --body - => [1] => --body: it is not a JSON object
        courses add --body - --name - => {} => are both read from stdin
        enrolments add --if-not-exists --body - => {"user": "l1", "course": " "} => --course is empty
        enrolments add --body - => {"user": "l1", "course": " "} => course is empty
        api POST /enrolments --body - => {"user": "", "course": "c1"} => user is empty; nothing was sent
    "#;
    program.assert_failures(2, cases);
    for [arguments, stdin, sentence] in table(with_stdin) {
        program
            .run_with(&arguments, &stdin)
            .assert_failure(2, &sentence);
    }
    let secret = program.run("learners edit l1 --password hunter2");
    assert!(!secret.stderr.contains("hunter2"), "{secret:?}");
    assert!(sandbox.requests().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dangerous_request_by_path_is_refused() {
    let (sandbox, program) = demo_program().await;
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
        ran.assert_failure(2, "");
    }
    assert!(sandbox.requests().unwrap().is_empty());
}
