//! Crates that depend on ours, as they would be written elsewhere: with features and a document of their own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// Cargo as a dependent would run it, not as a test of this workspace does.
pub fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    for variable in ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
        cargo.env_remove(variable);
    }
    cargo
}

pub fn workspace() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .canonicalize()
        .unwrap()
}

/// The folder that this workspace is built in.
pub fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

/// A program with these dependencies, in which `WORKSPACE` stands for the path of this workspace.
pub fn dependent(dependencies: &str, main: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let workspace = workspace();
    let dependencies = dependencies.replace("WORKSPACE", workspace.to_str().unwrap());
    fs::create_dir(path.join("src")).unwrap();
    fs::write(path.join("src/main.rs"), main).unwrap();
    fs::copy(workspace.join("Cargo.lock"), path.join("Cargo.lock")).unwrap();
    fs::write(
        path.join("Cargo.toml"),
        format!(
            r#"
            [package]
            name = "dependent"
            edition = "2024"

            [dependencies]
            {dependencies}

            # As in the workspace, whose compiled dependencies are then used again.
            [profile.dev]
            debug = "line-tables-only"
            [profile.dev.build-override]
            debug = "line-tables-only"

            [workspace]
            "#
        ),
    )
    .unwrap();
    folder
}

/// What a program wrote that ended well.
pub fn said(output: Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}
