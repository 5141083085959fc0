//! `cargo xtask api`: what the crates offer, as text that is read in a review.
//!
//! A function that is gone, or takes something else, breaks those who depend on us, and does not show in a diff of
//! three hundred lines. So the public interface is kept in docs/api, where the change is a line of its own, and `--check`
//! fails when the two differ.
//!
//! rustdoc says as JSON what is public and cargo-public-api puts it in lines; [`outline`] makes them readable.

mod outline;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};

use crate::regen;

/// What is looked at: the crate, the features beside its default ones, and where it is written.
const CRATES: [(&str, &str); 3] = [
    ("lms-client", "chrono,jiff,time"),
    ("lms-ext", "chrono,jiff,time"),
    ("lms-sandbox", ""),
];

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail with a diff when the public interface is not the one in docs/api.
    #[arg(long)]
    check: bool,
    /// The root of the workspace; by default the one this program was built in.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/.."), hide_default_value = true)]
    root: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = &arguments
        .root
        .canonicalize()
        .with_context(|| format!("there is no workspace at {}", arguments.root.display()))?;
    let mut report = String::new();
    for (package, features) in CRATES {
        let name = format!("docs/api/{package}.txt");
        let path = root.join(&name);
        let found = fs::read_to_string(&path).unwrap_or_default();
        let wanted = outline::of(&listing(root, package, features)?);
        if found == wanted {
            println!("unchanged  {name}");
        } else if arguments.check {
            regen::difference(&mut report, &name, &found, &wanted);
        } else {
            fs::write(&path, wanted).with_context(|| format!("cannot write {}", path.display()))?;
            println!("written    {name}");
        }
    }
    if !report.is_empty() {
        bail!(
            "the public interface is not the one in docs/api:\n\n{report}\nif that is meant, run `cargo xtask api`, commit what it writes, and say in CHANGELOG.md what breaks"
        );
    }
    Ok(())
}

/// The lines of cargo-public-api.
fn listing(root: &Path, package: &str, features: &str) -> anyhow::Result<String> {
    let cargo = crate::cargo();
    let metadata = output(
        Command::new(&cargo)
            .args(["metadata", "--locked", "--no-deps", "--format-version=1"])
            .current_dir(root),
    )?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"]
        .as_str()
        .context("cargo does not say where it builds")?;
    output(
        Command::new(&cargo)
            .args(["rustdoc", "--quiet", "--locked", "--lib", "--package"])
            .args([package, "--features", features, "--"])
            .args(["-Zunstable-options", "--output-format=json"])
            .env("RUSTDOC", root.join(".ci/unstable-rustdoc"))
            .current_dir(root),
    )?;
    let json = format!("{target}/doc/{}.json", package.replace('-', "_"));
    output(
        Command::new(root.join(".ci/tool"))
            .args(["public-api", "-s", "--color=never", "--rustdoc-json"])
            .arg(json)
            .current_dir(root),
    )
}

fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&output.stderr).trim_end()
        );
    }
    Ok(String::from_utf8(output.stdout)?)
}
