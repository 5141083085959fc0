//! The exercise of CONTRIBUTING.md, in a copy of the workspace: add an operation, a list and a field.
//!
//! After each change, a compile error or a failing test must name the next file to change, until all tests of the workspace
//! pass.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test stops here"
)]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

/// A change of one file: the first text is replaced by the second.
type Edit = (&'static str, &'static str, &'static str);

/// The command that fails before a step of the exercise, and the step.
struct Step {
    /// Arguments of cargo. The command fails, and names every file of `edits` in its output.
    fails: &'static [&'static str],
    edits: &'static [Edit],
}

/// A version of the copy's own. To cargo, a package of the same name and version is the same in every workspace: in a shared
/// target folder, it would take what the copy compiled for this workspace's.
const VERSION: [Edit; 1] = [(
    "Cargo.toml",
    concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\""),
    concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "+copy\""),
)];

/// An operation with a path parameter, a list, and a field of a schema that exists.
const DOCUMENT: [Edit; 3] = [
    (
        "spec/openapi.yaml",
        "  # OAuth and test\n\n  /oauth/token:",
        r##"  /badges/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string, format: tag-id } }
    get:
      operationId: getBadge
      responses:
        "200":
          description: The badge.
          content: { application/json: { schema: { $ref: "#/components/schemas/Badge" } } }

  /badges:
    get:
      operationId: listBadges
      responses:
        "200":
          description: All badges.
          content: { application/json: { schema: { $ref: "#/components/schemas/BadgeList" } } }

  # OAuth and test

  /oauth/token:"##,
    ),
    (
        "spec/openapi.yaml",
        "    Tag:\n      type: object\n",
        r##"    Badge:
      type: object
      properties:
        id: { type: string, format: tag-id }
        name: { type: string }

    BadgeList:
      type: object
      properties:
        items: { type: array, items: { $ref: "#/components/schemas/Badge" } }

    Tag:
      type: object
"##,
    ),
    (
        "spec/openapi.yaml",
        "        color:\n          type: string\n",
        "        icon:\n          type: string\n        color:\n          type: string\n",
    ),
];

const STEPS: [Step; 2] = [
    Step {
        fails: &["check", "-p", "lms-sandbox"],
        edits: &[(
            "lms-sandbox/src/service/mod.rs",
            "        Operation::ListTags => tags::list,",
            r#"        Operation::ListTags => tags::list,
        Operation::GetBadge => |connection: &Connection, request: &ApiRequest<'_>| {
            let id = request.param(0)?;
            let kind = crate::api::id::Kind::Tag;
            let sql = "SELECT id, name FROM tags WHERE id = ?1";
            rows::first(connection, request, sql, [kind.parse(id)])?
                .ok_or_else(|| crate::api::problem::Problem::no_such(kind, id))
        },
        Operation::ListBadges => |connection: &Connection, request: &ApiRequest<'_>| {
            rows::all(connection, request, "SELECT * FROM tags ORDER BY id")
        },"#,
        )],
    },
    Step {
        fails: &["test", "-p", "lms-sandbox", "--lib", "tests::demo"],
        edits: &[(
            "lms-sandbox/src/api/example.rs",
            "            Self::GetTopic => &[\"t1\"],\n",
            "            Self::GetTopic => &[\"t1\"],\n            Self::GetBadge => &[\"g1\"],\n",
        )],
    },
];

/// The output of commands, which is written again and then reviewed.
const TRANSCRIPTS: [&str; 5] = ["test", "--workspace", "--test", "cli", "transcripts"];

fn edit(copy: &Path, edits: &[Edit]) {
    for (file, before, after) in edits {
        let path = copy.join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(before), "{file} has no {before:?}");
        fs::write(path, text.replacen(before, after, 1)).unwrap();
    }
}

#[test]
fn the_texts_that_the_exercise_changes_exist() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let edits = STEPS.iter().flat_map(|step| step.edits);
    for (file, before, _) in VERSION.iter().chain(&DOCUMENT).chain(edits) {
        let text = fs::read_to_string(workspace.join(file)).unwrap();
        assert!(text.contains(before), "{file} has no {before:?}");
    }
}

/// Runs cargo in the copy; returns whether it succeeded, and its output.
fn cargo(copy: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (bool, String) {
    let output = Command::new(env!("CARGO"))
        .current_dir(copy)
        // All tests of the copy run, but not all cases of each.
        .env_remove("LMS_TESTS")
        .envs(variables.iter().copied())
        .arg(arguments[0])
        .arg("--target-dir")
        // The compiled dependencies of this workspace are used: with `--workspace`, those of its tests.
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .args(&arguments[1..])
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

#[test]
#[ignore = "builds the workspace several times; `cargo xtask release-check` runs it"]
fn each_step_of_adding_an_operation_names_the_next() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path();
    let files = Command::new("git")
        .current_dir(workspace)
        .args(["ls-files", "-z"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let copied = Command::new("cp")
        .current_dir(workspace)
        .args(["--parents", "--target-directory"])
        .arg(copy)
        .args(
            String::from_utf8(files.wait_with_output().unwrap().stdout)
                .unwrap()
                .split_terminator('\0'),
        )
        .status()
        .unwrap();
    assert!(copied.success());

    edit(copy, &VERSION);
    edit(copy, &DOCUMENT);
    let regen = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["regen", "--root"])
        .arg(copy)
        .status()
        .unwrap();
    assert!(regen.success());
    for step in &STEPS {
        let (succeeded, output) = cargo(copy, step.fails, &[]);
        assert!(!succeeded, "{:?} succeeds", step.fails);
        for (file, ..) in step.edits {
            assert!(output.contains(file), "{file} is not named:\n{output}");
        }
        edit(copy, step.edits);
    }
    cargo(copy, &TRANSCRIPTS, &[("TRYCMD", "overwrite")]);
    let (succeeded, output) = cargo(copy, &["test", "--workspace", "--no-fail-fast"], &[]);
    assert!(succeeded, "{output}");
}
