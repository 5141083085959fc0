//! `--from FILE`: files as spreadsheets write them, rows that fail, and runs that are killed.

use std::{collections::BTreeSet, fs, process::Stdio};

use lms_sandbox::{Operation, Sandbox};
use serde_json::{Value, json};

use crate::program::{Program, Ran, assert_members, demo_program, fault, table};

/// As a German spreadsheet saves it: a byte order mark, semicolons, other line ends, quotes, and a line break in a cell.
const PEOPLE: &str = "\u{feff}Vorname;surname;E-mail;tag;Abteilung\r\n\
    Ann;\"Bell; \"\"the first\"\"\";ann@acme.example;\"emea, lead\";\"Sales\r\nNorth\"\r\n\
    ;;;;\r\n\
    Bän;Fine; ben@acme.example ;;IT\r\n";

const MAP: &str = "--map Vorname=firstname --map E-mail=email --map Abteilung=";

/// Runs a command with a file of this text.
fn run(program: &Program, command: &str, file: &str, text: &str) -> Ran {
    program.write(file, text);
    program.run(&format!("{command} --from {file}"))
}

fn writes(sandbox: &Sandbox) -> usize {
    let requests = sandbox.requests().unwrap();
    let writes = requests.iter().filter(|request| {
        request.method != "GET" && request.operation != Some(Operation::GetToken)
    });
    writes.count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_of_a_spreadsheet_are_added_tagged_and_enrolled_once() {
    let (sandbox, program) = demo_program().await;
    let add = "learners add --if-not-exists --generate-password --enrol c1,c2 --add-tag 2027";
    let ran = run(&program, &format!("{add} {MAP}"), "people.csv", PEOPLE).exits(0);
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_members(&summary, &json!({ "rows": 2, "added": 2 }));
    let ann = program.json("learners get ann@acme.example");
    assert_members(
        &ann,
        &json!({ "surname": "Bell; \"the first\"", "tags": ["emea", "lead", "2027"] }),
    );
    let ben = program.json("learners get ben@acme.example");
    assert_members(&ben, &json!({ "firstname": "Bän", "surname": "Fine" }));
    let enrolled = program.json("enrolments list --user ben@acme.example");
    assert_eq!(enrolled.as_array().unwrap().len(), 2);

    // The results have the rows as they were written.
    let results = program.read("people.learners-add.csv");
    assert!(
        results.starts_with("\u{feff}Vorname;surname;E-mail;tag;Abteilung;lms_status;"),
        "{results}"
    );
    assert!(results.contains("\"Bell; \"\"the first\"\"\""), "{results}");
    assert!(results.contains("\"Sales\r\nNorth\";added;"), "{results}");
    let before = writes(&sandbox);
    for more in ["", " --resume"] {
        let add = format!("{add} {MAP}{more}");
        let again = run(&program, &add, "people.csv", PEOPLE).exits(0);
        again.assert_stderr("nothing to do: every row ended well in an earlier run");
        again.assert_stderr("added 2; 2 of them in an earlier run");
    }
    let other = run(
        &program,
        &format!("{add} {MAP} --results other.csv"),
        "people.csv",
        PEOPLE,
    );
    let summary: Value = serde_json::from_str(&other.stdout).unwrap();
    assert_eq!(summary["existed"], 2, "{other:?}");
    assert_eq!(writes(&sandbox), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_sent_while_a_row_is_not_valid() {
    let (sandbox, program) = demo_program().await;
    let cases = r#"
        courses add => name,published\nA,true\n,maybe\n => line 3, published: "maybe" is not a flag; write true or false
        courses add => name,published\r\nA,true\r\n\r\nB,maybe\r\n => line 4, published: "maybe" is not a flag; write true or false
        courses add => name,description\n,x\n => line 2, name: there is no value
        courses add => nme\nA\n => line 1, nme: nme is not an option of the command; the nearest is name
        # The first name: no name is near enough to be proposed.
        learners add --generate-password => Vorname\nA\n => line 1, Vorname: Vorname is not an option of the command\nhint: add the option of each column after its =, or leave the column out: --map Vorname=;
        courses add --map A=created => A\nx\n => --map A=created: created is not an option of the command
        courses add => name,description\nA,"x\nB,y\n => line 2: the quote of a cell is not closed
        courses add => name,description\nA,"x\nB,"y"\n => line 2: a cell has text after its closing quote
        courses add => name,description\nA, "x, y"\n => line 2: a cell has a space before its quote
        courses add => name\nA,B\n => line 2, it has 2 cells, and the header has 1
        courses add => name,Name\nA,B\n => line 1: name and Name are the same column
        courses add --map Titel=name => name,Titel\nA,B\n => line 1, Titel: another column stands for the same option: name
        courses add => {"name": "A", "desc": {"a": 1}, "description": {"a": 1}, "Nme": 1}\n => line 1, desc: desc is not an option of the command\n  line 1, Nme: Nme is not an option of the command; the nearest is name\nhint: add the option of each column after its =, or leave the column out: --map desc= --map Nme=name;
        courses add => {"name": "A", "description": {"a": 1}}\n => line 1, description: the value is a list or an object
        courses rm --yes => id\nc1\u{200b}\n => line 2, id: the cell has the invisible character U+200B
        learners edit => id,password\nl1,hunter2,x\n => line 2, it has 3 cells, and the header has 2
        courses add =>  => the file is empty
        courses add => {"name": "A"}\n{"nam": 1}\n => line 2, nam: nam is not an option of the command; the nearest is name
        courses edit => id,pass_mark\nc1,1.5\n => line 2, pass_mark: write an integer
        courses edit => id\nc1\n => line 2, courses edit needs a field to change
        courses rm --yes => id\n..\n => line 2, 
        learners edit => E-Mail,surname\ntomas.lopez5@example.org,Bell\n => pass --map 'E-Mail=id'
        courses edit => {"name": "A"}\n => courses edit: the file has no column id
        learners add --generate-password => firstname,surname,email,enrol\na,b,a@b.example,c1\n => line 2, enrol: requires --if-not-exists
        learners add --generate-password => firstname,surname,email,add-tag\na,b,a@b.example,x\n => line 2, add-tag: requires --if-not-exists
        enrolments add --course c1 => user\nl1\ntypo\n => line 3, there is no learner typo
        enrolments rm --yes => user,course\nl1,\n => line 2, course: the cell is empty
        learners add --generate-password => firstname,surname,email\na,b,a@b.example\nc,d,A@b.example \n => line 3, the same learner as in line 2
        learners edit => id,surname\nl5,A\nl1,B\ntomas.lopez5@example.org,C\n => line 4, the same learner as in line 2
        enrolments add --course c1 => user\nl1\nl1\n => line 3, the same enrolment as in line 2
        courses add => sep=;\r\nname;published\r\nA;maybe\r\n => line 3, published: 
        courses add => sep=|\nnme|x\n => line 2, nme: 
        learners add --if-not-exists --enrol typo --generate-password => firstname,surname,email\na,b,a@b.example\n => line 2, there is no course typo
    "#;
    for [command, text, sentence] in table(cases) {
        run(&program, &command, "rows.txt", &text).assert_failure(2, &sentence);
    }
    program.write("people.xlsx", b"PK\x03\x04\x14\0");
    let ran = program.run("courses add --from people.xlsx");
    ran.assert_failure(2, "save it as .xlsx or as \"CSV UTF-8\"");
    assert_eq!(writes(&sandbox), 0);
    run(
        &program,
        "courses add --skip-invalid",
        "rows.csv",
        "name,published\nA,true\nB,maybe\n",
    )
    .exits(8);
    assert_eq!(writes(&sandbox), 1);
    assert!(
        program
            .read("rows.courses-add.csv")
            .contains("B,maybe,invalid,,")
    );
}

/// A person knows a learner by email address, and a spreadsheet has names as people write them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_columns_ignore_case_and_separators_and_a_row_without_values_changes_nothing() {
    let (sandbox, program) = demo_program().await;
    let text = "E Mail,First Name,PHONE-NUMBER\ntomas.lopez5@example.org,Tom,\nl1,,\n";
    let ran = run(
        &program,
        "learners edit --map 'E Mail=id'",
        "edits.csv",
        text,
    )
    .exits(0);
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_members(&summary, &json!({ "changed": 1, "unchanged": 1 }));
    assert_eq!(writes(&sandbox), 1);
    let text = "First_Name,SURNAME,E-Mail,Room,Floor\nA,B,a@b.example,1,2\n";
    run(
        &program,
        "learners add --generate-password --map '*='",
        "new.csv",
        text,
    )
    .exits(0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dry_run_shows_each_row_and_writes_nothing() {
    let (sandbox, program) = demo_program().await;
    let text = "id,surname,phone_number\nl1,Jones,\nl2,,123\n";
    let ran = run(&program, "learners edit --dry-run", "rows.csv", text);
    let plans: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let tomas = program.json("learners get l1");
    let [first, last, email] =
        ["firstname", "surname", "email"].map(|name| tomas[name].as_str().unwrap());
    let name = format!("{first} {last}");
    let fields = json!([{ "field": "surname", "from": last, "to": "Jones" }]);
    assert_members(
        &plans[0],
        &json!({ "line": 2, "learner": "l1", "name": name, "action": "edit", "fields": fields }),
    );
    assert_eq!(plans[1]["fields"][0]["field"], "phone_number");
    let cleared = run(
        &program,
        "learners edit --dry-run --empty-is clear",
        "rows.csv",
        "id,surname,phone_number\nl1,Jones,\n",
    );
    let plans: Value = serde_json::from_str(&cleared.stdout).unwrap();
    assert_eq!(plans[0]["fields"].as_array().unwrap().len(), 2, "{plans}");
    let table = run(
        &program,
        "learners edit --dry-run -o table",
        "rows.csv",
        text,
    );
    table.assert_stdout(&format!(
        "dry run: changed 2\n~ {name} (line 2, l1)\n    surname  {last} → Jones\n~ "
    ));
    let csv = run(&program, "learners edit --dry-run -o csv", "rows.csv", text);
    csv.assert_stdout(&format!(
        "key,line,name,learner,situation,action,field,from,to\n,2,{name},l1,named,edit,surname,{last},Jones\n"
    ));
    // A person who is in the file twice may be enrolled in two courses.
    let twice = run(
        &program,
        "learners add --if-not-exists --generate-password --dry-run -o table",
        "rows.csv",
        &format!(
            "firstname,surname,email,enrol\nA,B,a@b.example,c1\nA,B,a@b.example,c2\n{first},X,{email},c3\n"
        ),
    );
    twice.assert_stdout(
        "dry run: added 1, enrolled 2\n+ A B (line 2)\n    email  a@b.example\n    enrol  Fire safety (c1)\n",
    );
    let course = program.json("courses get c3")["name"].clone();
    twice.assert_stdout(&format!(
        "\n~ {first} X (line 4, l1)\n    course  {} (c3)\n? {first} X (line 4): enrolled: kept: surname",
        course.as_str().unwrap()
    ));
    assert_eq!(writes(&sandbox), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_are_read_from_stdin_and_removals_are_confirmed() {
    let (_sandbox, program) = demo_program().await;
    let rows = "{\"name\": \"A\", \"published\": false, \"display_priority\": 1.50}\n\n{\"name\": \"B\"}\n";
    program
        .run_with("courses add --from - --results r.ndjson", rows)
        .exits(0);
    let results = program.read("r.ndjson");
    let first: Value = serde_json::from_str(results.lines().next().unwrap()).unwrap();
    assert_members(&first, &json!({ "name": "A", "lms_status": "added" }));
    assert!(results.contains("\"display_priority\":1.50"), "{results}");
    let id = first["lms_id"].as_str().unwrap();
    let file = format!("id\n{id}\n");
    let asked = run(&program, "courses rm", "old.csv", &file);
    asked.assert_failure(130, "courses rm for 1 row of old.csv at 127.0.0.1:");
    asked.assert_stderr(&format!(": A ({id})?"));
    let planned = run(&program, "courses rm --dry-run", "old.csv", &file).exits(0);
    planned.assert_stderr("dry run: removed 1");
    run(&program, "courses rm --yes", "old.csv", &file).exits(0);
    program.run(&format!("courses get {id}")).exits(3);
    let leavers = "user,course\nl1,c1\nl1,c12\n";
    run(&program, "enrolments rm --yes", "leavers.csv", leavers).exits(0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_exit_code_says_whether_every_row_ended_well() {
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "addDuplicateCourse: nth 2: status 422");
    let text = "course,name\nc1,A\nc3,B\nc2,C\n";
    let command = "courses duplicate --concurrency 1";
    let ran = run(&program, command, "clients.csv", text).exits(8);
    sandbox.faults().clear();
    ran.assert_stderr("line 3: ");
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_members(&summary, &json!({ "added": 2, "failed": 1 }));

    // A course cannot be looked up, so it is not sent twice.
    fault(&sandbox, "addCourse: first 1: drop after");
    run(&program, "courses add", "courses.csv", "name\nA\n").exits(7);
    sandbox.faults().clear();
    run(&program, "courses add --resume", "courses.csv", "name\nA\n").exits(7);
    assert_eq!(sandbox.requests_to(Operation::AddCourse).unwrap().len(), 1);

    fault(&sandbox, "addCourse: always: status 401");
    run(&program, "courses add", "more.csv", "name\nA\nB\n").exits(8);
    sandbox.faults().clear();
    run(&program, "courses add --resume", "more.csv", "name\nA\nB\n").exits(0);
}

/// A row that failed is corrected in the input, and the same command sends that row alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_corrected_row_is_sent_when_the_run_is_resumed() {
    let (sandbox, program) = demo_program().await;
    let command = "courses duplicate --concurrency 1";
    fault(&sandbox, "addDuplicateCourse: nth 2: status 422");
    run(&program, command, "c.csv", "course,name\nc1,A\nc3,B\n").exits(8);
    sandbox.faults().clear();
    run(
        &program,
        &format!("{command} --resume"),
        "c.csv",
        "course,name\nc1,A\nc2,B\n",
    )
    .exits(0);
    let copies = sandbox.requests_to(Operation::AddDuplicateCourse).unwrap();
    assert_eq!(copies.len(), 3);
    assert!(!program.read("c.courses-duplicate.csv").contains("c3"));
    let other = run(
        &program,
        &format!("{command} --resume"),
        "c.csv",
        "course,name,published\nc1,A,true\n",
    );
    other.assert_failure(2, "does not have the results of such rows");
}

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

/// Options add to the lists that rows have, and do not replace them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tags_of_the_command_are_added_to_those_of_a_row() {
    let (_sandbox, program) = demo_program().await;
    let new = "firstname,surname,email,tag,add-tag\nA,B,a@b.example,emea,\nC,D,c@d.example,,own\n";
    let add = "learners add --if-not-exists --generate-password --add-tag 2027";
    run(&program, add, "new.csv", new).exits(0);
    let edit = "learners edit --add-tag late --remove-tag emea";
    run(
        &program,
        edit,
        "edit.csv",
        "id,tag\na@b.example,\"emea,lead\"\nc@d.example,\n",
    )
    .exits(0);
    for (email, expected) in [
        ("a@b.example", json!(["lead", "late"])),
        ("c@d.example", json!(["own", "2027", "late"])),
    ] {
        let learner = program.json(&format!("learners get {email}"));
        let sorted = |tags: &Value| {
            let mut tags: Vec<_> = tags
                .as_array()
                .unwrap()
                .iter()
                .map(Value::to_string)
                .collect();
            tags.sort();
            tags
        };
        assert_eq!(sorted(&learner["tags"]), sorted(&expected));
    }
}

/// A file may have secrets, unlike arguments; the results and a dry run do not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_of_rows_are_sent_and_not_repeated() {
    let (sandbox, program) = demo_program().await;
    for (file, text) in [
        ("p.csv", "id,Kennwort\nl1,hunter2 hunter2\n"),
        (
            "p.ndjson",
            "{\"id\": \"l1\", \"Kennwort\": \"hunter2 hunter2\"}\n",
        ),
    ] {
        for more in ["--dry-run", ""] {
            let map = format!("--map Kennwort=password {more}");
            let ran = run(&program, &format!("learners edit {map}"), file, text).exits(0);
            assert!(!format!("{ran:?}").contains("hunter2"), "{ran:?}");
        }
        // Whether only a password has changed is not in the results.
        let again = run(
            &program,
            "learners edit --map Kennwort=password",
            file,
            text,
        );
        again.assert_failure(2, "but not their secrets");
        let results = file.replace("p.", "p.learners-edit.");
        assert!(!program.read(&results).contains("hunter2"));
    }
    let edits = sandbox.requests_to(Operation::EditLearner).unwrap();
    assert_eq!(edits.len(), 2);

    // Rows that cannot be read, and a column that is left out.
    for (file, text) in [
        ("q.csv", "id,surname,password\nl1,A,B,hunter2\nl2,C,\n"),
        (
            "q.ndjson",
            "{\"id\": \"l1\", \"password\": \"hunter2\"\n\"hunter2\"\n{\"id\": \"l2\", \"surname\": \"C\", \"password\": \"hunter2\"}\n",
        ),
    ] {
        let edit = "learners edit --map password= --skip-invalid";
        let ran = run(&program, edit, file, text).exits(8);
        let results = program.read(&file.replace("q.", "q.learners-edit."));
        assert!(
            !format!("{ran:?}{results}").contains("hunter2"),
            "{ran:?}\n{results}"
        );
        assert!(results.contains("line "), "{results}");
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_owner_can_read_the_results() {
    use std::os::unix::fs::PermissionsExt as _;
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "addCourse: first 1: status 400");
    for _ in 0..2 {
        run(&program, "courses add", "rows.csv", "name\nA\n");
        let found = fs::metadata(program.path().join("rows.courses-add.csv")).unwrap();
        assert_eq!(found.permissions().mode() & 0o777, 0o600);
    }
    assert!(program.read("rows.courses-add.csv").contains("A,added,"));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_follow_no_link() {
    let (sandbox, program) = demo_program().await;
    let victim = program.path().join("victim");
    fs::write(&victim, "mine").unwrap();
    let link = |name: &str| {
        std::os::unix::fs::symlink(&victim, program.path().join(name)).unwrap();
    };
    link("rows.courses-add.csv.new");
    run(&program, "courses add", "rows.csv", "name\nA\n").exits(0);
    assert!(program.read("rows.courses-add.csv").contains("A,added,"));

    link("linked.csv");
    let more = "--resume --results linked.csv";
    let ran = run(
        &program,
        &format!("courses add {more}"),
        "rows.csv",
        "name\nB\n",
    )
    .exits(2);
    ran.assert_stderr("is not a file");
    assert_eq!(writes(&sandbox), 1);
    assert_eq!(program.read("victim"), "mine");
}
