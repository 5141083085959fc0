//! The message in the body of an error response.

use serde_json::Value;

use super::redact::RequestSecrets;

/// Number of bytes after which the body of an error response is truncated.
pub(crate) const MAX_ERROR_BODY_BYTES: usize = 64 * 1024;

/// The usual keys of a message, the most specific first.
const KEYS: [&str; 9] = [
    "message",
    "detail",
    "error_description",
    "error_message",
    "description",
    "title",
    "reason",
    "error",
    "errors",
];

/// Number of characters after which a message is truncated.
const MAX_CHARS: usize = 300;

/// The message in an error body, on one line.
///
/// The shape of error bodies is not documented. The usual shapes are tried: a string, an object with one of the usual keys,
/// the same one level down, an array of any of these.
pub(super) fn find_message(body: &[u8], secrets: &RequestSecrets) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    // Before it is shortened, which would leave a part of a secret.
    let text = secrets.redact(in_value(&value, 3)?);
    let line: String = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let cut: String = line.chars().take(MAX_CHARS).collect();
    (!cut.is_empty()).then_some(cut)
}

fn in_value(value: &Value, depth: usize) -> Option<&str> {
    if depth == 0 {
        return None;
    }
    match value {
        Value::String(text) => Some(text),
        Value::Array(list) => list.iter().find_map(|value| in_value(value, depth)),
        Value::Object(map) => KEYS
            .iter()
            .filter_map(|key| map.get(*key))
            .find_map(|value| in_value(value, depth - 1))
            .or_else(|| {
                // `{"email": ["is taken"]}`: a member for each field.
                map.values()
                    .filter(|value| value.is_array())
                    .find_map(|value| in_value(value, depth - 1))
            }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RequestSecrets;

    fn find(body: &[u8]) -> Option<String> {
        super::find_message(body, &RequestSecrets::default())
    }

    #[test]
    fn a_message_is_found_in_the_usual_shapes() {
        for (body, expected) in [
            (r#"{"message":"no such learner"}"#, Some("no such learner")),
            (
                r#"{"error":{"code":"x","message":"no such learner"}}"#,
                Some("no such learner"),
            ),
            (
                r#"{"error":"invalid_client","error_description":"unknown client"}"#,
                Some("unknown client"),
            ),
            (r#"{"error":"invalid_client"}"#, Some("invalid_client")),
            (r#"{"errors":[{"detail":"too long"}]}"#, Some("too long")),
            (r#"{"errors":["too long"]}"#, Some("too long")),
            (r#"{"email":["is taken"]}"#, Some("is taken")),
            (
                r#"{"title":"Bad Request","status":400}"#,
                Some("Bad Request"),
            ),
            (r#""plain text""#, Some("plain text")),
            (r#"{"message":"two\n lines\u0000"}"#, Some("two lines")),
            (r#"{"message":""}"#, None),
            (r#"{"code":7}"#, None),
            ("<html><h1>503</h1></html>", None),
            ("", None),
            ("{\"message\":\"cut", None),
            ("[[[[[[\"deep\"]]]]]]", Some("deep")),
            (r#"{"error":{"error":{"message":"deep"}}}"#, None),
            (r#"{"a":[{"b":[{"c":["deep"]}]}]}"#, None),
        ] {
            assert_eq!(find(body.as_bytes()).as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn invalid_utf_8_has_no_message() {
        assert_eq!(find(b"\xff\xfe{}"), None);
    }

    #[test]
    fn a_long_message_is_shortened() {
        let body = format!("{{\"message\":\"{}\"}}", "é".repeat(1000));
        assert_eq!(find(body.as_bytes()).unwrap().chars().count(), 300);
    }
}
