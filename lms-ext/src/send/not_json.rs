//! Recognizes the body of a success that is not JSON, such as the HTML page of a proxy.
//!
//! Such a body usually is not the service's, and a retry may get another one. Only the first and the last byte are looked
//! at, because the whole body is parsed later: a page costs nothing extra.

use serde::de::IgnoredAny;

/// What is wrong with `body`, if it does not begin or end like JSON. An empty body is not looked at.
pub(super) fn defect(body: &[u8]) -> Option<&'static str> {
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
