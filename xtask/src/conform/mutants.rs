//! `cargo xtask conform --mutants`: tests the checks themselves.
//!
//! The document or the sandbox is changed in one place, and at least one check must fail on every such mutant. Mutants of
//! the sandbox are made by a proxy in front of it. The control is not changed and must pass.

use std::time::Instant;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::{
    checks::Check,
    concurrently::concurrently,
    context::{Context, Target},
    document::Document,
    mitmproxy::Proxy,
};

/// The mutant without a change.
const CONTROL: &str = "control";

/// The faster checks. openapi-generator's Rust client would be compiled again for every mutant of the document.
const CHECKS: [&str; 4] = [
    "schemathesis",
    "prism-proxy",
    "peer-python",
    "peer-typescript",
];

/// A change at a JSON pointer.
enum Change {
    None,
    /// Sets the value to this JSON.
    Set(&'static str, &'static str),
    /// Renames the last key of the pointer.
    Rename(&'static str, &'static str),
    Remove(&'static str),
}

const DOCUMENT: [(&str, Change); 13] = [
    (CONTROL, Change::None),
    (
        "int64 of limits becomes an integer",
        Change::Set(
            "/components/schemas/LearnerList/properties/limit",
            r#"{"type": "integer", "format": "int64"}"#,
        ),
    ),
    (
        "limit parameter becomes an integer that is at least 1000",
        Change::Set(
            "/components/parameters/Limit/schema",
            r#"{"type": "integer", "minimum": 1000}"#,
        ),
    ),
    (
        "a learner must have a phone number",
        Change::Set(
            "/components/schemas/Learner/required",
            r#"["phone_number"]"#,
        ),
    ),
    (
        "an enrolment can be added without a course",
        Change::Set("/components/schemas/AddEnrolment/required", r#"["user"]"#),
    ),
    (
        "adding a course needs a description",
        Change::Set(
            "/components/schemas/AddCourse/required",
            r#"["name", "description"]"#,
        ),
    ),
    (
        "a path is renamed",
        Change::Rename("/paths/~1tags", "/labels"),
    ),
    (
        "a field of a response changes its type",
        Change::Set(
            "/components/schemas/Course/properties/published",
            r#"{"type": "string"}"#,
        ),
    ),
    (
        "items become an object",
        Change::Set(
            "/components/schemas/EnrolmentList/properties/items",
            r#"{"type": "object"}"#,
        ),
    ),
    (
        "a filter takes other values",
        Change::Set(
            "/paths/~1learners/get/parameters/7/schema/enum",
            r#"["up", "down"]"#,
        ),
    ),
    (
        "a learner is edited with PATCH",
        Change::Rename("/paths/~1learners~1{id}/put", "patch"),
    ),
    (
        "a deletion responds with 204",
        Change::Set(
            "/paths/~1courses~1{id}/delete/responses",
            r#"{"204": {"description": "Gone."}}"#,
        ),
    ),
    (
        "test needs a token",
        Change::Remove("/paths/~1test/get/security"),
    ),
];

impl Change {
    fn apply(&self, document: &mut Document) -> anyhow::Result<()> {
        let (Self::Set(pointer, _) | Self::Rename(pointer, _) | Self::Remove(pointer)) = self
        else {
            return Ok(());
        };
        let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
        let parent = document
            .0
            .pointer_mut(parent)
            .and_then(Value::as_object_mut)
            .with_context(|| format!("no {parent:?} in the document; adapt mutants.rs"))?;
        let key = key.replace("~1", "/");
        if let Self::Set(_, json) = self {
            parent.insert(key, serde_json::from_str(json)?);
            return Ok(());
        }
        let removed = parent
            .remove(&key)
            .with_context(|| format!("no {pointer:?} in the document; adapt mutants.rs"))?;
        if let Self::Rename(_, name) = self {
            parent.insert((*name).to_owned(), removed);
        }
        Ok(())
    }
}

/// Changes of the responses of the sandbox, made by tests/conform/mutate.py.
const SANDBOX: [&str; 18] = [
    CONTROL,
    "integer-for-text",
    "text-for-flag",
    "nameless-topics",
    "date-without-zone",
    "null-list",
    "object-for-list",
    "no-id",
    "never-more",
    "created",
    "no-content",
    "server-error",
    "html-refusal",
    "ignores-auth",
    "ignores-filters",
    "ignores-cursor",
    "accepts-anything",
    "forgets-deletes",
];

/// Runs the checks on all mutants with `text` in their names, and on the controls.
pub(crate) fn run(context: &Context<'_>, text: &str) -> anyhow::Result<()> {
    let selected = |name: &str| name == CONTROL || name.contains(text);
    let mut errors = Vec::new();
    let mut mutants = 0;
    for (name, change) in DOCUMENT.iter().filter(|(name, _)| selected(name)) {
        mutants += usize::from(*name != CONTROL);
        let mut document = context.document.clone();
        change.apply(&mut document)?;
        let mutant = Context {
            document,
            ..*context
        };
        test(&mut errors, "document", name, |check| {
            let tenant = mutant.sandbox()?;
            (Check::named(check)?.run)(&mutant, &Target::direct(&tenant))
        });
    }
    for name in SANDBOX.into_iter().filter(|name| selected(name)) {
        mutants += usize::from(name != CONTROL);
        test(&mut errors, "sandbox", name, |check| {
            let tenant = context.sandbox()?;
            let proxy = Proxy::start(context, "mutate.py", ("MUTANT", name), &tenant.url)?;
            let target = Target {
                url: &proxy.url,
                direct_url: &tenant.url,
                control_url: &tenant.control_url,
            };
            (Check::named(check)?.run)(context, &target)
        });
    }
    if !errors.is_empty() {
        bail!("the checks failed their test:\n  {}", errors.join("\n  "));
    }
    println!("all {mutants} mutants failed a check, and both controls passed");
    Ok(())
}

/// Runs all checks on a mutant concurrently, and prints which failed.
fn test(
    errors: &mut Vec<String>,
    kind: &str,
    mutant: &str,
    run: impl Fn(&str) -> anyhow::Result<String> + Sync,
) {
    let started = Instant::now();
    let results = concurrently(&CHECKS, CHECKS.len(), |check| run(check));
    let mut failed = Vec::new();
    for (check, result) in CHECKS.into_iter().zip(results) {
        match result {
            Ok(_) => {}
            Err(error) if mutant == CONTROL => {
                errors.push(format!("{kind}: {check} failed on the control: {error:#}"));
            }
            Err(_) => failed.push(check),
        }
    }
    if failed.is_empty() && mutant != CONTROL {
        errors.push(format!("{kind}: no check failed on {mutant:?}"));
    }
    println!(
        "{kind:9} {mutant:58} {:>4.0} s  {}",
        started.elapsed().as_secs_f64(),
        if failed.is_empty() {
            "–".to_owned()
        } else {
            failed.join(", ")
        }
    );
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_change_applies_to_the_document() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let document = Document::read(root).unwrap();
        for (name, change) in &DOCUMENT {
            let mut mutant = document.clone();
            change.apply(&mut mutant).unwrap();
            assert_eq!(mutant.0 == document.0, *name == CONTROL, "{name}");
        }
        let order = "/paths/~1learners/get/parameters/7/name";
        assert_eq!(document.0.pointer(order).unwrap(), "order_direction");
    }
}
