//! `cargo xtask regen`: writes all generated files.
//!
//! All of them are generated before the first is written, and each is replaced in one step. An invalid document or an
//! interrupted run thus leaves no half-written file.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use lms_codegen::Document;
use similar::TextDiff;

/// The document that the code is generated from, as named in notices and messages.
const SOURCE: &str = "spec/openapi.yaml";

/// Maximum number of lines of a diff that `--check` shows.
const DIFF_LINES: usize = 40;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing; fail with a diff when a generated file is stale.
    #[arg(long)]
    check: bool,
    /// Root of the workspace; by default the one that cargo runs xtask in.
    #[arg(long, default_value_os_t = crate::workspace::root(), hide_default_value = true)]
    root: PathBuf,
}

/// A generated file.
struct Output {
    path: &'static str,
    text: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let outputs = generate(&arguments.root)?;
    if arguments.check {
        check(&arguments.root, &outputs)
    } else {
        write(&arguments.root, &outputs)
    }
}

fn generate(root: &Path) -> anyhow::Result<Vec<Output>> {
    let read = |path: &str| {
        let path = root.join(path);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let document = Document::parse(&read(SOURCE)?).context(SOURCE)?;
    if let Some(note) = document.notes().first() {
        bail!("{SOURCE}: {note}");
    }
    let readme = |path: &'static str, manifest: &str| {
        let text = crate::features::readme(&read(path)?, &read(manifest)?);
        anyhow::Ok(Output {
            path,
            text: text.context(path)?,
        })
    };
    Ok(vec![
        readme("lms-client/README.md", "lms-client/Cargo.toml")?,
        readme("lms-cli/README.md", "lms-cli/Cargo.toml")?,
        readme("lms-ext/README.md", "lms-ext/Cargo.toml")?,
        readme("lms-sandbox/README.md", "lms-sandbox/Cargo.toml")?,
        readme("lms-sync/README.md", "lms-sync/Cargo.toml")?,
        Output {
            path: "spec/openapi.json",
            text: lms_codegen::openapi_json(&document),
        },
        // progenitor's output, as it is.
        Output {
            path: "lms-client/src/raw.rs",
            text: lms_codegen::raw_client(&document, SOURCE).context(SOURCE)?,
        },
        Output {
            path: "lms-client/src/facade.rs",
            text: lms_codegen::facade(&document, SOURCE).context(SOURCE)?,
        },
        Output {
            path: "lms-sync/src/collection/generated.rs",
            text: lms_codegen::collections(&document, SOURCE).context(SOURCE)?,
        },
        Output {
            path: "lms-sandbox/src/api/generated.rs",
            text: lms_codegen::sandbox(&document, SOURCE).context(SOURCE)?,
        },
        Output {
            path: "lms-cli/src/operations/generated.rs",
            text: lms_codegen::commands(&document, SOURCE).context(SOURCE)?,
        },
        Output {
            path: "lms-cli/src/operations/schemas.json",
            text: lms_codegen::command_schemas(&document),
        },
        Output {
            path: "lms-client/tests/common/types.rs",
            text: types(&lms_codegen::openapi_json(&document))?,
        },
    ])
}

/// A macro for tests of all types.
fn types(document: &str) -> anyhow::Result<String> {
    let document: serde_json::Value = serde_json::from_str(document)?;
    let schemas = document["components"]["schemas"].as_object();
    // In the same order whatever features serde_json has.
    let names: BTreeSet<_> = schemas
        .into_iter()
        .flat_map(serde_json::Map::keys)
        .collect();
    let names: String = names
        .iter()
        .map(|name| format!("            {name},\n"))
        .collect();
    Ok(format!(
        "// @generated from {SOURCE} by `cargo xtask regen`. Do not edit.\n\n/// Calls a macro with the names of all types.\n\
         macro_rules! with_all_types {{\n    ($macro:ident) => {{\n        $macro!(\n{names}        )\n    }};\n}}\n"
    ))
}

fn write(root: &Path, outputs: &[Output]) -> anyhow::Result<()> {
    for output in outputs {
        let path = root.join(output.path);
        if current(&path)?.as_deref() == Some(output.text.as_str()) {
            println!("unchanged  {}", output.path);
        } else {
            replace(&path, &output.text)
                .with_context(|| format!("cannot write {}", path.display()))?;
            println!("written    {}", output.path);
        }
    }
    Ok(())
}

/// Writes to a temporary file and renames it, so that readers see either the old text or the new.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let temporary = path.with_extension("regen-tmp");
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&temporary, text)?;
    fs::rename(&temporary, path)?;
    Ok(())
}

fn check(root: &Path, outputs: &[Output]) -> anyhow::Result<()> {
    let mut report = String::new();
    for output in outputs {
        let path = root.join(output.path);
        let found = current(&path)?.unwrap_or_default();
        if found != output.text {
            diff(&mut report, output.path, &found, &output.text);
        }
    }
    if !report.is_empty() {
        bail!(
            "generated files are stale:\n\n{report}\nrun `cargo xtask regen` and commit what it writes"
        );
    }
    println!("all {} generated files are up to date", outputs.len());
    Ok(())
}

/// Adds the first lines of a diff to a report.
pub(crate) fn diff(report: &mut String, path: &str, found: &str, expected: &str) {
    let diff = TextDiff::from_lines(found, expected)
        .unified_diff()
        .context_radius(2)
        .header(&format!("{path} (current)"), &format!("{path} (expected)"))
        .to_string();
    let total = diff.lines().count();
    for line in diff.lines().take(DIFF_LINES) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(report, "{line}");
    }
    if total > DIFF_LINES {
        let _ = writeln!(report, "… and {} more lines", total - DIFF_LINES);
    }
}

/// The content of a file; `None` when it does not exist.
fn current(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}
