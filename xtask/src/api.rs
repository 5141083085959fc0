//! `cargo xtask api`: lists the public API of the crates in docs/api.
//!
//! A removed function or a changed type breaks dependents, and is easy to miss in a long diff. In docs/api it is a line
//! of its own, and `--check` fails until the list is up to date.
//!
//! rustdoc describes the API as JSON and the crate public-api lists it. [`simplify`] shortens the list.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};

use crate::regen;

const CRATES: [&str; 5] = [
    "lms-client",
    "lms-ext",
    "lms-plan",
    "lms-sandbox",
    "lms-sync",
];

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing; fail with a diff when docs/api is stale.
    #[arg(long)]
    check: bool,
    /// Root of the workspace; by default the one that cargo runs xtask in.
    #[arg(long, default_value_os_t = crate::workspace::root(), hide_default_value = true)]
    root: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = &arguments
        .root
        .canonicalize()
        .with_context(|| format!("no workspace at {}", arguments.root.display()))?;
    document(root)?;
    let target = crate::workspace::target_directory(root)?;
    let mut report = String::new();
    for package in CRATES {
        let name = format!("docs/api/{package}.txt");
        let path = root.join(&name);
        let found = fs::read_to_string(&path).unwrap_or_default();
        let expected = simplify(&listing(&target, package)?);
        if found == expected {
            println!("unchanged  {name}");
        } else if arguments.check {
            regen::diff(&mut report, &name, &found, &expected);
        } else {
            fs::write(&path, expected)
                .with_context(|| format!("cannot write {}", path.display()))?;
            println!("written    {name}");
        }
    }
    if !report.is_empty() {
        bail!(
            "docs/api is stale:\n\n{report}\nif the change is intended, run `cargo xtask api`, commit the result, and list breaking changes in CHANGELOG.md"
        );
    }
    Ok(())
}

/// Writes rustdoc's JSON of all crates, with the features that the workspace enables.
///
/// With an example among the targets, cargo takes the features of the builds for clippy and documentation, and with them the
/// checked dependencies.
fn document(root: &Path) -> anyhow::Result<()> {
    crate::workspace::output(
        Command::new(crate::workspace::cargo())
            .args(["doc", "--quiet", "--locked", "--no-deps", "--workspace"])
            .args(["--lib", "--example", "quickstart"])
            .env("RUSTDOC", root.join(".ci/unstable-rustdoc"))
            .env(
                "RUSTDOCFLAGS",
                "-D warnings -Zunstable-options --output-format=json",
            )
            .current_dir(root),
    )?;
    Ok(())
}

/// The items that rustdoc's JSON describes, one per line.
fn listing(target: &Path, package: &str) -> anyhow::Result<String> {
    let json = target.join(format!("doc/{}.json", package.replace('-', "_")));
    let api = public_api::Builder::from_rustdoc_json(&json)
        .omit_blanket_impls(true)
        .build()
        .with_context(|| format!("cannot read {}", json.display()))?;
    Ok(api.to_string())
}

/// Items that are dropped, by a part of their line before the arguments.
const DROPPED_ITEMS: &[&str] = &[
    // Setters of generated builders, which repeat the fields of their types.
    "::types::builder::",
];

/// Parts of lines that are dropped.
const DROPPED: &[&str] = &[
    // Auto traits. Lines such as `impl !core::marker::Sync for` stay.
    "core::marker::Freeze for ",
    " core::marker::Send for ",
    " core::marker::StructuralPartialEq for ",
    " core::marker::Sync for ",
    " core::marker::Unpin for ",
    " core::marker::UnsafeUnpin for ",
    "core::panic::unwind_safe::",
    // Methods of common traits. The `impl` lines stay.
    "::clone(&self) -> ",
    "::cmp(&self, ",
    "::eq(&self, ",
    "::fmt(&self, &mut core::fmt::Formatter",
    "::hash<__H",
    "::inline_schema() -> ",
    "::json_schema(&mut ",
    "::partial_cmp(&self, ",
    "::schema_id() -> ",
    "::schema_name() -> ",
    "(&self, __S) -> ",
    "(__D) -> ",
];

/// Shortens a list: drops lines that follow from others, repeated lines, and the modules of types of the standard library.
fn simplify(listing: &str) -> String {
    let mut seen = BTreeSet::new();
    listing
        .lines()
        .filter(|line| !is_dropped(line))
        // Items of the prelude are listed with the members of their types.
        .filter(|line| seen.insert(*line))
        .map(|line| without_std_modules(line) + "\n")
        .collect()
}

fn is_dropped(line: &str) -> bool {
    let item = line.split('(').next().unwrap_or(line);
    DROPPED.iter().any(|part| line.contains(part))
        || DROPPED_ITEMS.iter().any(|part| item.contains(part))
}

/// `Option<u8>` for `core::option::Option<u8>`.
fn without_std_modules(line: &str) -> String {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_of_path) {
        let (before, from) = rest.split_at(start);
        let (path, after) = from.split_at(from.find(|c| !is_of_path(c)).unwrap_or(from.len()));
        let is_std = ["core::", "alloc::", "std::"]
            .iter()
            .any(|krate| path.starts_with(krate));
        let name = path.rsplit("::").next().filter(|_| is_std);
        text.push_str(before);
        text.push_str(name.unwrap_or(path));
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_shortened_without_losing_what_can_break() {
        let listing = "\
pub struct lms_ext::Lms
impl lms_ext::Lms
pub fn lms_ext::Lms::name(&self) -> core::option::Option<&alloc::string::String>
impl core::clone::Clone for lms_ext::Lms
pub fn lms_ext::Lms::clone(&self) -> lms_ext::Lms
impl core::marker::Freeze for lms_ext::Lms
impl core::marker::Send for lms_ext::Lms
impl !core::marker::Sync for lms_ext::Lms
impl core::panic::unwind_safe::UnwindSafe for lms_ext::Lms
impl lms_ext::Lms
pub fn lms_ext::Lms::name(&self) -> core::option::Option<&alloc::string::String>
pub fn lms_ext::types::builder::Tag::id(self) -> Self
pub fn lms_ext::Lms::tag(&self, lms_ext::types::builder::Tag) -> bool
";
        let expected = "\
pub struct lms_ext::Lms
impl lms_ext::Lms
pub fn lms_ext::Lms::name(&self) -> Option<&String>
impl Clone for lms_ext::Lms
impl !Sync for lms_ext::Lms
pub fn lms_ext::Lms::tag(&self, lms_ext::types::builder::Tag) -> bool
";
        assert_eq!(simplify(listing), expected);
    }
}
