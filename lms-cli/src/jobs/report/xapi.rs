//! Completions as statements of xAPI 1.0, which learning record stores read.

use clap::{Arg, builder::PossibleValuesParser};
use lms_sync::{ColumnKind, Value};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use crate::args::text;

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
}

/// A statement that a learner completed a course; `None` without the time, for which a store would take its own.
pub(super) fn statement(
    tenant: &str,
    columns: &[(String, ColumnKind)],
    row: &[Value],
) -> Option<Json> {
    let text = |name: &str| {
        let (_, value) = columns
            .iter()
            .zip(row)
            .find(|((known, _), _)| known == name)?;
        match value {
            Value::Text(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            value => value.utc_text(),
        }
    };
    let (learner, course) = (text("learner")?, text("course")?);
    let mut actor = json!({
        "objectType": "Agent",
        "account": { "homePage": tenant, "name": learner },
    });
    let names: Vec<String> = ["firstname", "surname"]
        .into_iter()
        .filter_map(text)
        .collect();
    if !names.is_empty() {
        actor["name"] = names.join(" ").into();
    }
    let mut definition = json!({ "type": "http://adlnet.gov/expapi/activities/course" });
    if let Some(name) = text("course_name") {
        // The service does not say in which language a name is.
        definition["name"] = json!({ "und": name });
    }
    Some(json!({
        "id": id(&format!("{tenant} {} {learner} {course}", text("completion").unwrap_or_default())),
        "actor": actor,
        "verb": {
            "id": "http://adlnet.gov/expapi/verbs/completed",
            "display": { "en-US": "completed" },
        },
        "object": {
            "objectType": "Activity",
            "id": format!("{tenant}/courses/{course}"),
            "definition": definition,
        },
        "result": { "completion": true },
        "timestamp": text("completed_at")?,
    }))
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
