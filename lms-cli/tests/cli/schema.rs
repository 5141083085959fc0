//! `lms schema`: the output of commands matches their JSON Schema.

use std::collections::BTreeSet;

use jsonschema::Validator;
use lms_sandbox::Sandbox;
use serde_json::{Value, json};

use crate::program::{Program, demo_program, fault};

/// The description of all commands.
struct Described(Value);

impl Described {
    fn of(program: &Program) -> Self {
        Self(program.json("schema"))
    }

    /// The names of the commands that print JSON.
    fn commands(&self) -> BTreeSet<String> {
        let commands = self.0["commands"].as_array().unwrap().iter();
        let with_json = commands.filter(|command| {
            !command["output"].is_null() && command["output"]["contentMediaType"].is_null()
        });
        with_json
            .map(|command| command["command"].as_str().unwrap().to_owned())
            .collect()
    }

    /// A validator for a schema of the description.
    fn validator(&self, schema: &Value) -> Validator {
        let root = json!({ "$defs": self.0["$defs"], "allOf": [schema] });
        jsonschema::validator_for(&root).unwrap()
    }

    /// The commands of operations with the examples that the sandbox has, which succeed in this order.
    fn examples(&self) -> Vec<(String, String)> {
        let commands = self.0["commands"].as_array().unwrap();
        let all = lms_sandbox::Operation::ALL.iter().flat_map(|operation| {
            let id = operation.id().to_lowercase();
            let has_id = move |command: &&Value| {
                let known = command["operation"].as_str().unwrap_or_default();
                known.replace('_', "") == id
            };
            let commands = commands.iter().filter(has_id);
            commands.map(|command| {
                let name = command["command"].as_str().unwrap().to_owned();
                (name, arguments(command, operation.example()))
            })
        });
        all.collect()
    }

    fn output(&self, command: &str) -> Validator {
        let commands = self.0["commands"].as_array().unwrap();
        let found = commands.iter().find(|known| known["command"] == command);
        self.validator(&found.unwrap_or_else(|| panic!("{command}"))["output"])
    }
}

/// The arguments of a command that sends the request of an example.
fn arguments(command: &Value, example: lms_sandbox::Example) -> String {
    let known = &command["arguments"]["properties"];
    let query = example.query.into_iter();
    let query = query.map(|(name, value)| (name.to_owned(), value.into()));
    let body = example.body.unwrap_or_default();
    let body = body.as_object().cloned().unwrap_or_default();
    let mut words: Vec<String> = example.path.into_iter().map(str::to_owned).collect();
    for (name, value) in query.chain(body) {
        if known.get(name.to_uppercase()).is_none() {
            words.push(format!("--{}", name.replace('_', "-")));
        }
        words.extend(value.as_str().map(str::to_owned));
    }
    if known.get("--yes").is_some() {
        words.push("--yes".to_owned());
    }
    words.join(" ")
}

fn check(validator: &Validator, value: &Value, what: &str) {
    let problems: Vec<_> = validator
        .iter_errors(value)
        .map(|error| error.to_string())
        .collect();
    assert!(problems.is_empty(), "{what}: {problems:?} in {value:#}");
}

/// The commands, each with the arguments of a run after those of the examples of operations.
const RUNS: &str = r"
    courses duplicate => c1 --name Copy --wait
    topic-progress list => --limit 5
    api => GET /courses/c1
    api => GET /courses --paginate
    schema => me
    profile add => acme --base-url https://acme.example --client-id 1 --credential-command true
    profile list
    profile check
    doctor
    export => tags,courses --to out
    verify => out
    mirror => tags,learners --to sqlite:tenant.db --first-run-changes
    learners edit => l2 --surname Jones
    learners rm => l4 --yes
    mirror => learners --to sqlite:tenant.db
    verify => sqlite:tenant.db
    changes => --mirror sqlite:tenant.db
    mirror => courses,topics,learners,enrolments,topic_progress,course_completions --to sqlite:tenant.db
    report list
    report completions => --mirror sqlite:tenant.db
    report status => --mirror sqlite:tenant.db
    report overdue => --mirror sqlite:tenant.db
    report expiring => --mirror sqlite:tenant.db --within 3650d
    report inactive => --mirror sqlite:tenant.db
    report duplicates => --mirror sqlite:tenant.db
    report required => --mirror sqlite:tenant.db --rules training.toml
    report leavers => --mirror sqlite:tenant.db --against people.csv
    report page => --mirror sqlite:tenant.db --rules training.toml --to page.html
    remind => --mirror sqlite:tenant.db --rules training.toml --after 1d --to reminders.csv
    status => --mirror sqlite:tenant.db
    import init => hr.csv --to hr.toml
    import plan => hr.csv --map hr.toml --to plan.json
    import apply => plan.json --yes
    history
    history => show 1
    undo => 1 --to undo.json
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_sends_its_operation_and_prints_what_its_schema_says() {
    // Not all tenants leave out absent fields, and many have fields of their own.
    let (sandbox, program) = demo_program().await;
    fault(&sandbox, "all: always: nulls");
    fault(&sandbox, "all: always: extra-fields");
    program.write("people.csv", "id\nl1\n");
    program.write(
        "training.toml",
        "[[required]]\nname = \"Fire\"\ncourses = [\"c1\"]\n",
    );
    program.write(
        "hr.csv",
        "id,email,firstname,surname\n7,jo@acme.example,Jo,Kim\n",
    );
    let described = Described::of(&program);
    let mut missing = described.commands();
    // Their mirror needs thousands of requests.
    for report in ["report expiring-records", "report dossier"] {
        missing.remove(report);
    }
    let runs = RUNS.lines().map(str::trim).filter(|run| !run.is_empty());
    let runs = runs.map(|run| run.split_once(" => ").unwrap_or((run, "")));
    let examples = described.examples();
    let examples = examples
        .iter()
        .map(|(command, arguments)| (command.as_str(), arguments.as_str()));
    for (command, arguments) in examples.chain(runs) {
        let line = format!("{command} {arguments}");
        missing.remove(command);
        let ran = program.run(&line).exits(0);
        if !ran.stdout.is_empty() {
            let value = serde_json::from_str(&ran.stdout).unwrap();
            check(&described.output(command), &value, &line);
        }
    }
    let taps = missing
        .extract_if(.., |command| command.starts_with("tap "))
        .count();
    assert_eq!(
        (missing, taps),
        (BTreeSet::new(), 5),
        "add a run of the command"
    );
    let sent = sandbox.requests().unwrap().into_iter();
    let sent = sent.filter_map(|request| request.operation);
    let sent: BTreeSet<_> = sent
        .map(|operation| operation.id().to_lowercase())
        .collect();
    let all = lms_ext::OPERATIONS.iter();
    let all: BTreeSet<_> = all.map(|operation| operation.id.replace('_', "")).collect();
    assert_eq!(sent, all, "no command sends the operation");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_messages_of_taps_are_as_their_schemas_say() {
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    let program = Program::new();
    program.write_tap_config(&sandbox);
    program.write_airbyte_catalog("tags");
    let described = Described::of(&program);
    let taps = described
        .commands()
        .into_iter()
        .filter(|command| command.starts_with("tap "));
    for command in taps {
        let validator = described.output(&command);
        let mut lines = vec![command.clone()];
        match command.as_str() {
            "tap airbyte spec" => {}
            "tap airbyte read" => lines[0] += " --config config.json --catalog catalog.json",
            _ => lines[0] += " --config config.json",
        }
        if command == "tap singer" {
            lines.push(format!("{} --discover", lines[0]));
        }
        for line in lines {
            let ran = program.run(&line).exits(0);
            for message in ran.stdout.lines() {
                check(&validator, &serde_json::from_str(message).unwrap(), &line);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_and_dry_runs_are_as_their_schemas_say() {
    let sandbox = Sandbox::builder().demo().start().await.unwrap();
    fault(&sandbox, "listTags: always: status 503");
    let program = Program::of(&sandbox);
    let described = Described::of(&program);
    let error = described.validator(&described.0["error"]);
    for line in [
        "courses get nope",
        "courses lst",
        "courses rm c1",
        "tags list",
        "verify nothing",
    ] {
        let ran = program.run(&format!("{line} -o json"));
        assert_ne!(ran.code, 0, "{line}");
        check(&error, &serde_json::from_str(&ran.stderr).unwrap(), line);
    }
    let dry_run = described.validator(&described.0["dry_run"]);
    for line in [
        "courses add --name x",
        "courses rm c1",
        "courses edit c1 --name x --clear description",
        "enrolments rm --course c1",
        "api POST /courses",
    ] {
        check(&dry_run, &program.json(&format!("{line} --dry-run")), line);
    }
}

/// A schema that accepts everything would prove nothing.
#[test]
fn the_schemas_refuse_what_is_not_the_output() {
    let described = Described::of(&Program::new());
    for (command, wrong) in [
        ("export", json!([{ "collection": "tags", "rows": "many" }])),
        ("mirror", json!([{ "inserted": true }])),
        ("changes", json!([{ "position": "1-90ab" }])),
        ("verify", json!({ "intact": true })),
        ("profile list", json!([{ "name": 1 }])),
        ("profile check", json!([{ "check": "service" }])),
        ("doctor", json!([{ "state": "bad" }])),
        ("courses get", json!({ "published": "yes" })),
        ("courses list", json!([{ "id": 1 }])),
        ("tap singer", json!({ "type": "OTHER" })),
        ("tap airbyte read", json!({})),
    ] {
        assert!(!described.output(command).is_valid(&wrong), "{command}");
    }
    assert!(
        !described
            .validator(&described.0["error"])
            .is_valid(&json!({ "kind": "x" }))
    );
    assert!(
        !described
            .validator(&described.0["dry_run"])
            .is_valid(&json!({ "dry_run": true }))
    );
}
