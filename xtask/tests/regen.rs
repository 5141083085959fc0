//! `cargo xtask regen` on copies of the workspace with various faults.

#![allow(clippy::unwrap_used, reason = "a failing test stops here")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

const SOURCE: &str = "spec/openapi.yaml";
/// The crates whose README has a table of features.
const WITH_FEATURES: [&str; 5] = [
    "lms-cli",
    "lms-client",
    "lms-ext",
    "lms-sandbox",
    "lms-sync",
];
const CLIENT: &str = "lms-client/src/raw.rs";
const GENERATED: [&str; 8] = [
    "spec/openapi.json",
    CLIENT,
    "lms-client/src/facade.rs",
    "lms-sync/src/collection/generated.rs",
    "lms-sandbox/src/api/generated.rs",
    "lms-cli/src/operations/generated.rs",
    "lms-cli/src/operations/schemas.json",
    "lms-client/tests/common/types.rs",
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder with the sources and nothing that is generated from them, except for the tables of features.
fn fresh() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("spec")).unwrap();
    fs::copy(workspace().join(SOURCE), folder.path().join(SOURCE)).unwrap();
    for crate_ in WITH_FEATURES {
        fs::create_dir(folder.path().join(crate_)).unwrap();
        for name in ["Cargo.toml", "README.md"] {
            let path = Path::new(crate_).join(name);
            fs::copy(workspace().join(&path), folder.path().join(&path)).unwrap();
        }
    }
    folder
}

fn regen(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["regen", "--root"])
        .arg(root)
        .args(arguments)
        .output()
        .unwrap()
}

fn edit(path: PathBuf, change: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, change(text)).unwrap();
}

/// All files in a folder with their contents.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), fs::read(path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_second_run_writes_nothing() {
    let folder = fresh();
    regen(folder.path(), &[]);
    let output = regen(folder.path(), &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    let all = GENERATED.len() + WITH_FEATURES.len();
    assert_eq!(text.matches("unchanged").count(), all, "{text}");
    assert!(regen(folder.path(), &["--check"]).status.success());
}

#[test]
fn a_check_shows_a_diff_and_writes_nothing() {
    let folder = fresh();
    regen(folder.path(), &[]);
    edit(folder.path().join(CLIENT), |text| {
        text.replace("List learners", "List pupils")
    });
    let before = files(folder.path());

    let output = regen(folder.path(), &["--check"]);

    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    for expected in [
        CLIENT,
        "-    /**List pupils",
        "+    /**List learners",
        "cargo xtask regen",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    assert!(text.lines().count() < 50, "{text}");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn the_documentation_of_a_call_prefers_functions_that_exist() {
    let client = fs::read_to_string(workspace().join("lms-client/src/facade.rs")).unwrap();
    let sources = files(&workspace().join("lms-ext/src"));
    let sources: String = sources
        .iter()
        .map(|(_, text)| String::from_utf8_lossy(text))
        .collect();
    let preferred = client.split("Prefer `lms.").skip(1);
    let preferred: Vec<_> = preferred
        .filter_map(|text| text.split('(').next())
        .collect();
    assert_eq!(preferred.len(), 7);
    for function in preferred {
        let exists = ["(", "<"].map(|next| sources.contains(&format!("fn {function}{next}")));
        assert!(exists.contains(&true), "{function}");
    }
}

#[test]
fn an_invalid_document_is_an_error_and_changes_no_file() {
    let folder = fresh();
    regen(folder.path(), &[]);
    edit(folder.path().join(SOURCE), |text| {
        text.replacen("operationId: editLearner", "operationId: getLearnerById", 1)
    });
    let before = files(folder.path());

    let output = regen(folder.path(), &[]);

    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(SOURCE), "{text}");
    assert!(text.contains("operationId"), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    assert_eq!(files(folder.path()), before);
}
