//! Names of objects in place of ids: resolved or refused, everywhere.

use lms_sandbox::{Operation, Sandbox};
use serde_json::{Value, json};

use crate::program::{Program, demo, demo_program, table};

/// Commands with the id of an object, its name, and the line that shows the object.
const NAMES: &str = r"
    courses get => c1 => Fire safety => course Fire safety is c1\n
    courses get => c1 => FIRE  SAFETY => course FIRE  SAFETY is c1\n
    topics list --course => c1 => Fire safety => course Fire safety is c1\n
    enrolments list --course => c1 => Fire safety => course Fire safety is c1\n
    completions list --course => c1 => fire safety => course fire safety is c1\n
    learners list --signup-page => s1 => staff => signup page staff is s1\n
    learners list --tag => emea => EMEA => tag EMEA is emea\n
    learners list --tag emea --tag => remote => Remote => tag Remote is remote\n
    user-fields get => f1 => department => user field department is f1\n
    user-fields record l1 => f1 => Department => user field Department is f1\n
    user-fields record l1 => f1 => \u{20}department\u{20} => user field  department  is f1\n
    enrolments list --user => l1 => EMAIL => is l1\n
    learners get => l1 => EMAIL => is l1\n
    learners edit --surname Jones --dry-run => l1 => EMAIL => is l1\n
    enrolments add --dry-run --course c1 --user => l1 => USERNAME => is l1\n
    learners get => l1 => PERSON => is l1\n
    learners get => l1 => USERNAME => is l1\n
    courses edit --name x --dry-run => c2 => working at height => is c2\n
    courses rm --dry-run => c2 => Working at Height => is c2\n
    enrolments rm --dry-run --course => c1 => Fire safety => is c1\n
    enrolments add --dry-run --user l1 --course => c1 => Fire safety => is c1\n
    enrolments add --dry-run --if-not-exists --user l1 --course => c1 => Fire safety => is c1\n
    courses duplicate --dry-run => c1 => Fire safety => is c1\n
    learners add --dry-run --generate-password --firstname A --surname B --email a@b.example --course c2 --profiles-field p1 --signup-page s2 --tag emea --course => c1 => Fire safety => is c1\n
    learners add --dry-run --generate-password --firstname A --surname B --email a@b.example --profiles-field => p1 => warehouse => profile warehouse is p1\n
    learners add --dry-run --generate-password --if-not-exists --firstname A --surname B --email a@b.example --enrol => c1 => Fire safety => is c1\n
";

/// Commands with a name that no object has, and the error.
const UNKNOWN: &str = r"
    enrolments list --course 'Fire saftey' => there is no course Fire saftey; the nearest are Fire safety, Fire safety 2019
    enrolments list --course c99 => there is no course c99
    learners list --tag emeaa => there is no tag emeaa; the nearest is emea\n
    learners list --signup-page stafff => there is no signup page stafff; the nearest is staff\n
    topics list --course nope => there is no course nope\n
    enrolments add --course 'Fire saftey' --user l1 --dry-run => the nearest are Fire safety, Fire safety 2019
    enrolments add --course c1 --user l9999 --dry-run => there is no learner l9999
    enrolments rm --course 'Fire saftey' --yes => the nearest are Fire safety, Fire safety 2019
    courses rm 'Fire saftey' --yes => the nearest are Fire safety, Fire safety 2019
    courses get 'Fire saftey' => the nearest are Fire safety, Fire safety 2019
    courses get Fire => the nearest are Fire safety, Fire safety 2019
    enrolments rm --yes --user typo => there is no learner typo
    learners edit --surname x typo => there is no learner typo
    learners rm --yes typo@acme.example => there is no learner typo@acme.example
    learners find 'No One' => there is no learner No One
    learners add --generate-password --firstname A --surname B --email a@b.example --profiles-field typo => there is no profile typo
    export enrolments --to out --filter enrolments.course='Fire saftey' => the nearest are Fire safety, Fire safety 2019
    mirror enrolments --to sqlite:t.db --filter enrolments.course=c99 => there is no course c99
";

/// Requests for one object or a list of objects since the last call.
fn lookups(sandbox: &Sandbox) -> Vec<String> {
    let requests = sandbox.take_requests().unwrap();
    let requests = requests
        .iter()
        .filter(|request| !request.path.contains("oauth"));
    requests
        .map(|request| format!("{} {}", request.method, request.path))
        .collect()
}

/// The same command with an id and with a name, in every place that takes one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_as_good_as_the_id_and_the_object_is_shown() {
    let (_sandbox, program) = demo_program().await;
    let ann = program.json("learners get l1");
    let text = |name: &str| ann[name].as_str().unwrap().to_owned();
    let person = format!("{} {}", text("firstname"), text("surname"));
    let (email, username) = (text("email").to_uppercase(), text("username"));
    let of_ann = [
        ("EMAIL", email),
        ("PERSON", person.clone()),
        ("USERNAME", username),
    ];
    for [command, id, name, line] in table(NAMES) {
        let name = of_ann
            .iter()
            .find(|(word, _)| name == *word)
            .map_or(name, |(_, value)| value.clone());
        let by_id = program.run(&format!("{command} {id}")).exits(0);
        let is_shown = |line: &str| line.ends_with(&format!(" is {id}"));
        assert!(!by_id.stderr.lines().any(is_shown), "{by_id:?}");
        assert!(by_id.stdout.len() > 3, "{by_id:?}");
        let by_name = program.run(&format!("{command} '{name}'")).exits(0);
        assert_eq!(by_name.stdout, by_id.stdout, "{command} {name}");
        by_name.assert_stderr(&line);
    }
    let found = program.json(&["learners", "find", &person.to_lowercase()]);
    assert_eq!(found["id"], "l1");
}

/// An answer without rows would be that there is nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_no_object_has_is_refused_with_the_nearest_before_anything_is_sent() {
    let (sandbox, program) = demo_program().await;
    program.assert_failures(3, UNKNOWN);
    for operation in [
        Operation::ListEnrolments,
        Operation::ListTopics,
        Operation::AddEnrolment,
        Operation::DeleteEnrolment,
        Operation::DeleteCourse,
        Operation::AddLearner,
        Operation::EditLearner,
        Operation::DeleteLearner,
    ] {
        assert!(
            sandbox.requests_to(operation).unwrap().is_empty(),
            "{operation:?}"
        );
    }
    assert!(!program.path().join("out/enrolments.csv").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_of_several_objects_lists_them_and_an_id_comes_before_a_name() {
    let sandbox = demo().await;
    sandbox.seed().add_course("Fire safety").unwrap();
    sandbox.seed().add_course("c2").unwrap();
    let program = Program::of(&sandbox);
    let ran = program.run("enrolments list --course 'fire safety'");
    ran.assert_failure(
        2,
        "fire safety is the name of more than one course: c1 (Fire safety); c13 (Fire safety)\n",
    );
    let ann = program.json("learners get l1")["email"].clone();
    let ann = ann.as_str().unwrap();
    program.json(&format!("learners edit l2 --username {ann}"));
    for write in [
        "enrolments rm --yes --user",
        "enrolments add --course c1 --user",
        "learners edit --surname x",
        "learners rm --yes",
    ] {
        program
            .run(&format!("{write} {ann}"))
            .assert_failure(2, "of more than one");
    }
    let course = program.json("courses get c2");
    assert_eq!(course["name"], "Working at height");
    let ran = program
        .run("enrolments add --user l1 --course c2 --dry-run")
        .exits(0);
    ran.assert_stdout("\"course\":\"c2\"");
}

/// A tag comes into being when it is set, and selects nobody before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tag_that_is_set_may_be_new_and_is_shown() {
    let (_sandbox, program) = demo_program().await;
    let tags = |ran: &str| {
        let learner: Value = serde_json::from_str(ran).unwrap();
        learner["tags"].clone()
    };
    let ran = program
        .run("learners edit l1 --tag emeaa --tag EMEA")
        .exits(0);
    ran.assert_stderr("the tag emeaa is new; the nearest is emea\n");
    ran.assert_stderr("tag EMEA is emea\n");
    assert_eq!(tags(&ran.stdout), json!(["emeaa", "emea"]));
    let ran = program
        .run("learners edit l1 --add-tag EMEAA --remove-tag Emea")
        .exits(0);
    assert_eq!(tags(&ran.stdout), json!(["emeaa"]));
    let ran = program.run("learners edit l1 --remove-tag nosuch").exits(0);
    ran.assert_stderr("there is no tag nosuch");
}

/// Each name of a file is looked up once, and a file with many costs the list.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_column_of_names_costs_one_list() {
    let (sandbox, program) = demo_program().await;
    let mut rows = "course,user\n".to_owned();
    for number in 1..=40 {
        let course = ["Fire safety", "c2", "First aid at work", "fire  SAFETY"][number % 4];
        rows += &format!("{course},l{number}\n");
    }
    program.write("rows.csv", &rows);
    program.run("me").exits(0);
    lookups(&sandbox);
    let command = "enrolments add --if-not-exists --from rows.csv -o json";
    let ran = program.run(command).exits(0);
    ran.assert_stderr("course Fire safety is c1\n");
    let lookups = lookups(&sandbox);
    let of = |start: &str| {
        lookups
            .iter()
            .filter(|line| line.starts_with(start))
            .count()
    };
    assert_eq!(
        (of("GET /api/v1/courses"), of("GET /api/v1/learners")),
        (1, 4),
        "{lookups:?}"
    );
    program.write("rows.csv", rows.replace("c2,l1\n", "c22,l1\n"));
    let ran = program.run("enrolments add --if-not-exists --results r.csv --from rows.csv");
    ran.assert_failure(2, "line 2, there is no course c22");
}

/// Scripts pass ids, and should not pay for names.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_costs_one_request_at_most() {
    let (sandbox, program) = demo_program().await;
    program.run("me").exits(0);
    for (command, expected) in [
        ("courses get c1", &["GET /api/v1/courses/c1"][..]),
        ("learners get l1", &["GET /api/v1/learners/l1"]),
        (
            "enrolments list --course c1 --limit 1",
            &["GET /api/v1/courses/c1", "GET /api/v1/enrolments"],
        ),
        ("enrolments list --limit 1", &["GET /api/v1/enrolments"]),
        (
            "enrolments add --course c1 --user l1 --dry-run",
            &["GET /api/v1/courses/c1", "GET /api/v1/learners/l1"],
        ),
    ] {
        lookups(&sandbox);
        program.run(command).exits(0);
        assert_eq!(lookups(&sandbox), expected, "{command}");
    }
    // A tag is a name, which costs the list.
    program.run("learners list --tag emea --limit 1").exits(0);
    assert!(
        lookups(&sandbox)
            .ends_with(&["GET /api/v1/tags", "GET /api/v1/learners"].map(str::to_owned))
    );
    let help = program.run("enrolments list --help").exits(0);
    help.assert_stdout("the id of a course costs a request, and a name the list of all");
}

/// A report and a query of one's own are given the id.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_parameter_of_a_report_is_the_id_of_the_object_that_it_names() {
    let sandbox = demo().await;
    let learner = json!({
        "firstname": "Zed", "surname": "Ypsilon", "email": "zed@acme.example", "tags": ["Blue"],
    });
    let zed = sandbox.seed().add_learner(&learner).unwrap();
    let program = Program::of(&sandbox);
    program.json("mirror learners,courses,enrolments,signup_pages --to sqlite:t.db");
    program.write(
        "own.sql",
        "-- title: t\n-- needs: learners, courses, signup_pages\n-- parameter: course course: c\n-- parameter: who learner: l\n\
         -- parameter: tag tag: t\n-- parameter: page signup_page: p\n-- columns: course, who, tag, page\n\
         SELECT :course AS course, :who AS who, :tag AS tag, :page AS page\n",
    );
    let own = |settings: &str| {
        program.run(&format!(
            "report --file own.sql --mirror sqlite:t.db -o ndjson {settings}"
        ))
    };
    let ran =
        own("--set 'course=Fire safety' --set 'who=zed ypsilon' --set tag=BLUE --set page=Staff")
            .exits(0);
    let row: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        row,
        json!({ "course": "c1", "who": zed, "tag": "Blue", "page": "s1" })
    );
    ran.assert_stderr("course Fire safety is c1\n");
    own("--set 'course=Fire saftey'")
        .assert_failure(3, "the nearest are Fire safety, Fire safety 2019");
    own("--set tag=blu").assert_failure(3, "there is no tag blu; the nearest is Blue");
}

/// What the service says of a text that cannot be an id is not documented: only a server that fails ends the search.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_the_service_rejects_as_an_id_is_still_a_name() {
    let sandbox = demo().await;
    let lifting = sandbox.seed().add_course("Lifting").unwrap();
    let program = Program::of(&sandbox);
    for (status, code) in [(400, 0), (404, 0), (422, 0), (500, 8)] {
        let rule = format!("getCourse: always: status {status}");
        sandbox.faults().add(&*rule).unwrap();
        let ran = program.run("enrolments add --user l1 --course Lifting --dry-run");
        sandbox.faults().clear();
        assert_eq!(ran.code == 0, code == 0, "{status}: {ran:?}");
        assert_eq!(ran.stdout.contains(lifting.as_str()), code == 0, "{ran:?}");
    }
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

/// A table for people has names; everything else keeps the ids, and costs no requests for names.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_shows_names_instead_of_ids() {
    let (sandbox, program) = demo_program().await;
    let rows = program.json("enrolments list --limit 3");
    let row = &rows[0];
    let (course, user) = (
        row["course"].as_str().unwrap(),
        row["user"].as_str().unwrap(),
    );
    let course = program.json(&format!("courses get {course}"))["name"].clone();
    let learner = program.json(&format!("learners get {user}"));
    let _ = sandbox.take_requests().unwrap();
    let table = program.run("enrolments list --limit 3 -o table").exits(0);
    for text in [&course, &learner["firstname"], &learner["surname"]] {
        table.assert_stdout(text.as_str().unwrap());
    }
    table.assert_stdout("LEARNER");
    assert!(sandbox.take_requests().unwrap().len() < 9);
    let chosen = program.run("enrolments list --limit 3 --columns course,user -o table");
    chosen.exits(0).assert_stdout(user);
    assert_eq!(sandbox.take_requests().unwrap().len(), 1);
}
