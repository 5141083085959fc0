//! Builds programs that depend on the crates of this workspace.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A cargo without the settings of the cargo that runs this test.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    for variable in ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
        cargo.env_remove(variable);
    }
    cargo
}

pub(crate) fn workspace() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders
        .find(|folder| folder.join("Cargo.lock").exists())
        .unwrap()
        .to_owned()
}

/// Builds a program called `name` with `LMS_CLIENT_DOCUMENT` set to `document`, and runs it. In `dependencies`, `WORKSPACE`
/// stands for the path of this workspace.
pub(crate) fn run(name: &str, dependencies: &str, main: &str, document: &Path) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let workspace = workspace();
    let dependencies = dependencies.replace("WORKSPACE", workspace.to_str().unwrap());
    fs::create_dir(path.join("src")).unwrap();
    fs::write(path.join("src/main.rs"), main).unwrap();
    fs::copy(workspace.join("Cargo.lock"), path.join("Cargo.lock")).unwrap();
    let manifest = format!(
        r#"
        [package]
        name = "{name}"
        edition = "2024"

        [dependencies]
        {dependencies}

        # As in the workspace, so that its compiled dependencies are reused.
        [profile.dev]
        debug = "line-tables-only"
        [profile.dev.package]
        libsqlite3-sys = {{ opt-level = 1 }}
        lms-sandbox = {{ opt-level = 1 }}
        rustls-pki-types = {{ opt-level = 1 }}
        [profile.dev.build-override]
        debug = "line-tables-only"

        [workspace]
        "#
    );
    fs::write(path.join("Cargo.toml"), manifest).unwrap();
    cargo()
        .current_dir(path)
        .args(["run", "--quiet", "--target-dir"])
        .arg(target())
        .env("LMS_CLIENT_DOCUMENT", document)
        .output()
        .unwrap()
}

/// The target directory of the workspace.
pub(crate) fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

/// The standard output of a program that succeeded.
pub(crate) fn stdout(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}
