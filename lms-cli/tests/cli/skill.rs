//! The page for AI assistants, and pseudonyms for people.

use std::{collections::BTreeSet, fs, os::unix::fs::PermissionsExt as _};

use serde_json::{Value, json};

use crate::program::{Program, assert_members, demo_program};

#[test]
fn the_page_is_short_and_names_what_exists() {
    let program = Program::new();
    let page = program.run("skill").exits(0).stdout;
    assert!(page.split_whitespace().count() <= 250);
    program.run("skill install").exits(0);
    assert_eq!(program.read(".agents/skills/lms/SKILL.md"), page);
    program.run("skill install --to other").exits(0);
    assert_eq!(program.read("other/lms/SKILL.md"), page);
    // Every option in the page is in the help of a command that the page has.
    let commands = [
        "learners list",
        "learners edit",
        "import plan",
        "import apply",
        "report dossier",
        "mirror",
    ];
    let helps: String = commands
        .map(|command| program.run(&format!("{command} --help")).stdout)
        .concat();
    let words = page.split(|c: char| c.is_whitespace() || c == '`' || c == ',');
    let options: BTreeSet<&str> = words
        .filter(|word| word.starts_with("--") && word.len() > 3)
        .collect();
    assert!(options.len() > 8, "{options:?}");
    for option in options {
        assert!(option == "--help" || helps.contains(option), "{option}");
    }
    for example in ["help", "doctor --help", "schema tags list", "report list"] {
        program.run(example).exits(0);
    }
}

/// The tasks of an assistant: it sees no person, and its arguments mean people.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::too_many_lines, reason = "each task needs the one before")]
async fn an_assistant_works_with_pseudonyms() {
    let (_sandbox, program) = demo_program().await;
    program.json("mirror all --to sqlite:tenant.db");
    let people = program.json("learners list");
    let people = people.as_array().unwrap();
    let secrets: BTreeSet<&str> = people
        .iter()
        .flat_map(|person| {
            ["firstname", "surname", "email", "username", "phone_number"]
                .map(|field| person[field].as_str())
        })
        .flatten()
        .filter(|text| text.len() > 3)
        .collect();
    assert!(secrets.len() > 100);
    let run = |arguments: &str, code: i32| {
        let ran = program
            .run(&format!("{arguments} --pseudonyms"))
            .exits(code);
        let words = |text: &str| -> BTreeSet<String> {
            let words = text.split(|c: char| !(c.is_alphanumeric() || "@.+-_".contains(c)));
            words.map(str::to_owned).collect()
        };
        for word in words(&ran.stdout).union(&words(&ran.stderr)) {
            assert!(
                !secrets.contains(word.as_str()),
                "{arguments}: {word}: {ran:?}"
            );
        }
        ran.stdout
    };
    let listed: Value = serde_json::from_str(&run("learners list -o json", 0)).unwrap();
    let [one, two] = [&listed[0], &listed[1]];
    let email = one["email"].as_str().unwrap();
    assert!(email.ends_with("@pseudonym.invalid"), "{email}");
    assert_ne!(one["email"], two["email"]);
    assert_members(
        one,
        &json!({ "id": people[0]["id"], "created": people[0]["created"] }),
    );

    // In later runs, it is the same, and means the person.
    let found: Value = serde_json::from_str(&run(&format!("learners find {email}"), 0)).unwrap();
    assert_eq!(&found, one);
    let name = format!(
        "{} {}",
        two["firstname"].as_str().unwrap(),
        two["surname"].as_str().unwrap()
    );
    run(&format!("learners get '{name}'"), 0);
    run(&format!("enrolments list --user {email} -o csv"), 0);
    run(&format!("learners list --jq .email --email {email}"), 0);
    run("learners list -o table --limit 5", 0);
    run("report status --mirror sqlite:tenant.db -o csv", 0);
    run("report duplicates --mirror sqlite:tenant.db", 0);
    run(
        "report overdue --mirror sqlite:tenant.db --group-by email",
        0,
    );
    run("api GET /learners --paginate -v", 0);
    // The nearest names are those of people.
    let near = format!("{}x", people[0]["email"].as_str().unwrap());
    let ran = program
        .run(&format!("learners get {near} --pseudonyms"))
        .exits(3);
    assert!(
        !ran.stderr.contains(
            people[0]["email"]
                .as_str()
                .unwrap()
                .split('@')
                .next()
                .unwrap()
        ),
        "{ran:?}"
    );

    for refused in [
        "export tags --to out",
        "learners edit l1 --surname x --dry-run",
        "report status --mirror sqlite:tenant.db --to status.xlsx",
    ] {
        let ran = program.run(&format!("{refused} --pseudonyms"));
        ran.assert_failure(2, "--pseudonyms is for commands that print what they read");
    }
    let file = program.path().join(".local/state/lms/pseudonyms.json");
    assert_eq!(
        fs::metadata(file).unwrap().permissions().mode() & 0o777,
        0o600
    );
}
