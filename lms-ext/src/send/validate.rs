//! Validates the body of a success before it is decoded.
//!
//! - **The number of objects and values.** A body within its size limit can take a hundred times its size in memory:
//!   `{},{},…` as learners, or `[],[],…` as JSON values. Both are therefore counted first. Most bodies are too short for
//!   too many, and are not counted.
//! - **The first and the last byte of JSON**, in a response to a read. The HTML page of a proxy is usually not the
//!   service's response, and a retry may get another one. Nothing else is checked, because the entire body is parsed
//!   later.

use serde::de::IgnoredAny;

use super::{raw_response::AttemptFailure, retry::AttemptOutcome};
use crate::{
    error::{Error, ErrorKind},
    values::OperationInfo,
};

/// Fails if the body of a success cannot be that of the operation.
pub(super) fn validate(
    operation: &OperationInfo,
    body: &[u8],
    max_body_bytes: usize,
) -> Result<(), AttemptFailure> {
    let max_objects = (max_body_bytes / BYTES_PER_OBJECT).max(MIN_OBJECTS);
    if exceeds(body, max_objects) {
        let detail = format!(
            "the response contains more than {max_objects} objects, or 20 times as many values; request smaller pages, or raise `max_body_bytes`"
        );
        let error = Error::new(ErrorKind::BodyTooLarge, detail);
        return Err(AttemptFailure::new(AttemptOutcome::Unusable, error));
    }
    if operation.is_read()
        && let Some(defect) = defect(body)
    {
        let error = Error::new(ErrorKind::NotJson, defect);
        return Err(AttemptFailure::new(AttemptOutcome::NotJson, error));
    }
    Ok(())
}

/// Bytes of the largest body for each of which a body may contain an object.
const BYTES_PER_OBJECT: usize = 1280;

/// Number of objects that a body may contain in any case.
const MIN_OBJECTS: usize = 10_000;

/// Number of values that a body may contain for each object that it may contain. Lists and members count as values.
const VALUES_PER_OBJECT: usize = 20;

/// Returns `true` if a JSON body contains more than `max_objects` objects, or more than 20 times as many values.
fn exceeds(body: &[u8], max_objects: usize) -> bool {
    // `{},` is the shortest object. A body that is too short for the objects is too short for the values.
    if body.len() / 3 < max_objects {
        return false;
    }
    let (mut objects, mut separators) = (0, 0);
    let mut at = 0;
    while let Some(byte) = body.get(at) {
        match byte {
            b'{' => objects += 1,
            b',' => separators += 1,
            b'"' => {
                at = end_of_string(body, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    objects > max_objects || separators >= max_objects.saturating_mul(VALUES_PER_OBJECT)
}

/// The position after the string that starts at `start`.
fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = text.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    text.len()
}

/// The defect of a `body` that does not begin or end like JSON. An empty body is not checked.
fn defect(body: &[u8]) -> Option<&'static str> {
    let body = body.trim_ascii();
    let end = match body.first()? {
        b'{' => b'}',
        b'[' => b']',
        // Anything else is short if it is JSON, and otherwise ends the parser soon.
        _ if serde_json::from_slice::<IgnoredAny>(body).is_ok() => return None,
        _ => return Some(NOT_JSON),
    };
    match body.last() {
        Some(last) if *last == end => None,
        // More than JSON, or less.
        Some(b'>') => Some(NOT_JSON),
        _ => Some("the response body ends too early"),
    }
}

const NOT_JSON: &str = "the response is not JSON";

#[cfg(test)]
mod tests {
    use super::*;

    fn list(item: &str, count: usize) -> Vec<u8> {
        format!("[{}]", vec![item; count].join(",")).into_bytes()
    }

    #[test]
    fn objects_and_values_are_counted_outside_of_strings() {
        assert!(!exceeds(&list("{}", 100), 100));
        assert!(exceeds(&list("{}", 101), 100));
        assert!(exceeds(&list(r#"{"a": "\"{"}"#, 101), 100));
        assert!(!exceeds(&list(r#""{,{,{,\"{,\\""#, 500), 100));
        for value in ["0", "[]", "\"\""] {
            assert!(!exceeds(&list(value, 2000), 100), "{value}");
            assert!(exceeds(&list(value, 2001), 100), "{value}");
        }
        let members: Vec<_> = (0..2001).map(|n| format!("\"{n}\":0")).collect();
        assert!(exceeds(
            format!("{{{}}}", members.join(",")).as_bytes(),
            100
        ));
        assert!(!exceeds(&list("{}", 100_000), usize::MAX));
    }

    #[test]
    fn what_is_not_json_is_counted_without_an_end() {
        for body in ["", "\"", "\"\\", "{\"{", "\u{0}"] {
            assert!(!exceeds(body.as_bytes(), 1), "{body:?}");
        }
    }

    #[test]
    fn only_a_body_that_begins_and_ends_like_json_has_no_defect() {
        for body in [
            "",
            "  \n",
            "{}",
            " {\"a\": [1]}\n",
            "[]",
            "\"text\"",
            "-1.5e3",
            "true",
            "null",
        ] {
            assert_eq!(defect(body.as_bytes()), None, "{body:?}");
        }
        for body in [
            "<html></html>",
            "\u{feff}{}",
            "busy",
            "nul",
            "tenant {}",
            "{}}]<!-- -->",
            "\u{1f}\u{8b}",
        ] {
            assert_eq!(defect(body.as_bytes()), Some(NOT_JSON), "{body:?}");
        }
        for body in ["{", "[{}", "{\"items\": [{}]"] {
            let defect = defect(body.as_bytes());
            assert_eq!(defect, Some("the response body ends too early"), "{body:?}");
        }
    }
}
