//! Completions as statements of xAPI 1.0, which learning record stores read.

use clap::{Arg, builder::PossibleValuesParser};
use serde_json::{Value, json, value::RawValue};
use sha2::{Digest as _, Sha256};

use crate::{args::text, selection};

/// The report that can be written as statements.
pub(super) const REPORT: &str = "completions";

pub(super) fn option() -> Arg {
    text(
        "as",
        "FORMAT",
        "Print statements of xAPI for a learning record store, a line each",
    )
    .value_parser(PossibleValuesParser::new(["xapi"]))
    .conflicts_with_all(["columns", "output", "jq", "to"])
    .conflicts_with_all(selection::TENANTS)
}

/// A statement that a learner completed a course; `None` without the time, for which a store would take its own.
pub(super) fn statement(tenant: &str, row: &RawValue) -> Option<Value> {
    let row: Value = serde_json::from_str(row.get()).ok()?;
    let text = |name: &str| row[name].as_str().filter(|text| !text.is_empty());
    let (learner, course) = (text("learner")?, text("course")?);
    let completion = text("completion").unwrap_or_default();
    let mut statement = json!({
        "id": id(&format!("{tenant} {completion} {learner} {course}")),
        "actor": {
            "objectType": "Agent",
            "account": { "homePage": tenant, "name": learner },
        },
        "verb": {
            "id": "http://adlnet.gov/expapi/verbs/completed",
            "display": { "en-US": "completed" },
        },
        "object": {
            "objectType": "Activity",
            "id": format!("{tenant}/courses/{course}"),
            "definition": { "type": "http://adlnet.gov/expapi/activities/course" },
        },
        "result": { "completion": true },
        "timestamp": text("completed_at")?,
    });
    let names: Vec<&str> = ["firstname", "surname"]
        .into_iter()
        .filter_map(text)
        .collect();
    if !names.is_empty() {
        statement["actor"]["name"] = names.join(" ").into();
    }
    if let Some(name) = text("course_name") {
        // The service does not say in which language a name is.
        statement["object"]["definition"]["name"] = json!({ "und": name });
    }
    Some(statement)
}

/// A UUID that is always the same for a completion, so that a store keeps one statement of it.
fn id(completion: &str) -> String {
    let hash = Sha256::digest(completion);
    let mut bytes = hash.first_chunk::<16>().copied().unwrap_or_default();
    // Version 8 of RFC 9562: how the bits are made is our own choice.
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}
