//! Reads JSON as text, so that no value of the service changes or fails a run.
//!
//! `serde_json::Value` rounds numbers, and cannot hold `1e400`, half of a surrogate pair, or arrays nested more than
//! 127 deep. This scanner therefore splits an item into the texts of its fields. It is not recursive, so the stack does
//! not limit the depth. It expects valid JSON, which serde_json has checked before. For other input, it returns wrong
//! texts and does not panic.

use std::borrow::Cow;

use lms_client::operation::OBJECT_SECRETS;
use serde::Deserialize;

/// Maximum depth of nested values, after which a value is kept as text. Databases and parsers have limits from 128 on.
const MAX_DEPTH: usize = 100;

/// Parts of the names of fields that hold secrets, in lower case.
const PARTS: [&str; 5] = ["password", "secret", "token", "credential", "private_key"];

/// Returns `true` if a field with this name, which has no column, is never extracted. Only its name says so, because the document of
/// the client may declare more secrets than that of the collections: a program can generate the client alone from a tenant's own.
pub(super) fn is_secret(field: &str) -> bool {
    is_declared(field) || {
        let field = field.to_ascii_lowercase();
        PARTS.iter().any(|part| field.contains(part))
    }
}

/// Returns `true` if the document of the client declares a field with this name as a secret.
pub(super) fn is_declared(field: &str) -> bool {
    let mut declared = OBJECT_SECRETS.iter();
    declared.any(|secret| secret.eq_ignore_ascii_case(field))
}

/// The fields of an object, each with the text of its name, in quotes, and of its value. `None` for other JSON.
pub(crate) fn fields(json: &str) -> Option<impl Iterator<Item = (&str, &str)>> {
    let mut rest = json.trim_ascii_start().strip_prefix('{')?;
    Some(std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_ascii_start();
        if !rest.starts_with('"') {
            return None;
        }
        let (name, after) = split_value(rest);
        let after = after.trim_ascii_start().strip_prefix(':')?;
        let (value, after) = split_value(after.trim_ascii_start());
        rest = after;
        Some((name, value))
    }))
}

/// Splits off the first value of a text that begins with one.
fn split_value(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let end = match bytes.first() {
        Some(b'"') => string_end(bytes, 0),
        Some(b'{' | b'[') => container_end(bytes),
        _ => text
            .find([',', '}', ']', ':', ' ', '\n', '\r', '\t'])
            .unwrap_or(text.len()),
    };
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The position after the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(rest) = bytes.get(at..)
        && let Some(next) = memchr::memchr2(b'"', b'\\', rest)
    {
        if rest[next] == b'"' {
            return at + next + 1;
        }
        // The escaped character is not the end.
        at += next + 2;
    }
    bytes.len()
}

/// The position after the array or object at the start.
fn container_end(bytes: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// The text that a JSON string stands for. `None` for other JSON, and for text that cannot be kept as such: half of a
/// surrogate pair is no character, and databases and many programs cannot hold U+0000.
pub(crate) fn text(json: &str) -> Option<Cow<'_, str>> {
    let quoted = json.strip_prefix('"')?.strip_suffix('"')?;
    if !quoted.contains('\\') {
        return Some(Cow::Borrowed(quoted));
    }
    let text: String = serde_json::from_str(json).ok()?;
    (!text.contains('\0')).then_some(Cow::Owned(text))
}

/// The bytes of a string. Those of half of a surrogate pair are not UTF-8.
#[derive(Deserialize)]
#[serde(transparent)]
struct Bytes<'a>(#[serde(borrow)] Cow<'a, [u8]>);

/// The name of a field. Parts that are no characters are left out, so it is only good for comparisons.
pub(super) fn name(json: &str) -> Cow<'_, str> {
    let quoted = json.trim_matches('"');
    if !quoted.contains('\\') {
        return Cow::Borrowed(quoted);
    }
    match serde_json::from_str(json) {
        Ok(Bytes(bytes)) => {
            let text = String::from_utf8_lossy(&bytes);
            Cow::Owned(text.replace(char::REPLACEMENT_CHARACTER, ""))
        }
        Err(_) => Cow::Borrowed(quoted),
    }
}

/// An array or object without the white space between its tokens and without fields that hold secrets, at any depth. All
/// other text stays as it is. Also returns the depth of nesting: 1 for a container of plain values.
fn compact(json: &str) -> (String, usize) {
    let mut out = String::with_capacity(json.len());
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut rest = json;
    loop {
        rest = rest.trim_ascii_start();
        let Some(byte) = rest.bytes().next() else {
            return (out, deepest);
        };
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                // The member after the comma was a secret.
                if out.ends_with(',') {
                    out.pop();
                }
            }
            b',' | b':' => {}
            _ => {
                let (token, after) = split_value(rest);
                if after.trim_ascii_start().starts_with(':') && is_secret(&name(token)) {
                    rest = after_value(after);
                    continue;
                }
                out.push_str(token);
                // A byte that no token begins with, in text that is not JSON.
                rest = if token.is_empty() { "" } else { after };
                continue;
            }
        }
        out.push(char::from(byte));
        rest = &rest[1..];
    }
}

/// Skips the value of a field and the comma after it.
fn after_value(text: &str) -> &str {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(':').unwrap_or(text).trim_ascii_start();
    let (_, rest) = split_value(text);
    let rest = rest.trim_ascii_start();
    rest.strip_prefix(',').unwrap_or(rest)
}

/// The [compact] text of an array or object for a column. `None` if it is nested too deep.
pub(super) fn container(json: &str) -> Option<String> {
    let (text, depth) = compact(json);
    (depth <= MAX_DEPTH).then_some(text)
}

/// A value of any kind for `_extra`: as it was received, or the text of its JSON as a string if `_extra`, which is an object
/// around it, would be nested too deep.
pub(super) fn kept(json: &str) -> Cow<'_, str> {
    if !json.starts_with(['{', '[']) {
        return Cow::Borrowed(json);
    }
    let (text, depth) = compact(json);
    Cow::Owned(if depth < MAX_DEPTH {
        text
    } else {
        serde_json::Value::from(text).to_string()
    })
}

/// A number that a double-precision float has exactly this value of when it is written with as few digits as possible. `None`
/// for a number that would be rounded, and for a negative zero, which databases do not keep.
pub(super) fn exact_float(number: &str) -> Option<f64> {
    let float: f64 = number.parse().ok()?;
    let exact = float.is_finite() && decimal(number)? == decimal(&format!("{float:e}"))?;
    (exact && !(float == 0.0 && float.is_sign_negative())).then_some(float)
}

/// A decimal number, so that those which are equal have the same parts: the sign, the digits without zeros at either end, and the
/// power of ten of the last digit.
fn decimal(number: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let unsigned = mantissa.strip_prefix('-');
    let mantissa = unsigned.unwrap_or(mantissa);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let trimmed = digits.trim_end_matches('0');
    if trimmed.is_empty() {
        return Some((unsigned.is_some(), String::new(), 0));
    }
    let zeros = i64::try_from(digits.len() - trimmed.len()).ok()?;
    let scale = zeros - i64::try_from(fraction.len()).ok()?;
    let exponent = exponent.checked_add(scale)?;
    Some((unsigned.is_some(), trimmed.to_owned(), exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_the_texts_of_an_object() {
        let json = "\n{ \"a\" :1e400,\"b\\\"\\\\\":\"}\\\"\" , \"c\":{\"d\":[{}, \"]\"]}\t}";
        let found: Vec<_> = fields(json).unwrap().collect();
        let expected = [
            ("\"a\"", "1e400"),
            ("\"b\\\"\\\\\"", "\"}\\\"\""),
            ("\"c\"", "{\"d\":[{}, \"]\"]}"),
        ];
        assert_eq!(found, expected);
        assert_eq!(fields("{}").unwrap().count(), 0);
        assert!(fields("[1]").is_none() && fields("null").is_none());
    }

    #[test]
    fn text_that_is_not_json_ends_without_a_panic() {
        for text in [
            "{", "{\"a", "{\"a\\", "{\"a\":", "{\"a\":[", "{a}", "}", "[1", "é:é", "\"é\\",
        ] {
            let found = fields(text).map_or(0, Iterator::count);
            assert!(found <= 1, "{text}");
            compact(text);
            name(text);
        }
    }

    #[test]
    fn compact_json_is_as_it_was_received_without_white_space_and_secrets() {
        for (json, expected) in [
            (
                "[ 1.50 , 1e400,\n\"\\ud800 x\" , -0.0 ]",
                "[1.50,1e400,\"\\ud800 x\",-0.0]",
            ),
            (
                "{\"b\": {}, \"a\": [], \"b\": 12345678901234567890123}",
                "{\"b\":{},\"a\":[],\"b\":12345678901234567890123}",
            ),
            ("{\"a\": 1, \"password\": {\"b\": [2]}}", "{\"a\":1}"),
            (
                "{\"token\": 1 , \"a\": [{\"x_secret\": 1}, {\"pass\\u0077ord\": 1, \"b\": \"token\"}]}",
                "{\"a\":[{},{\"b\":\"token\"}]}",
            ),
            ("{\"pass\\u0077ord\\ud800\": 1}", "{}"),
        ] {
            let text = compact(json).0;
            assert_eq!(text, expected, "{json}");
            assert_eq!(compact(&text).0, text);
        }
    }

    #[test]
    fn values_that_are_nested_too_deep_are_kept_as_text() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(container(&nested(MAX_DEPTH)), Some(nested(MAX_DEPTH)));
        assert_eq!(container(&nested(MAX_DEPTH + 1)), None);
        assert_eq!(kept(&nested(MAX_DEPTH - 1)), nested(MAX_DEPTH - 1));
        assert_eq!(
            kept(&nested(MAX_DEPTH)),
            format!("\"{}\"", nested(MAX_DEPTH))
        );
        // Written values can be read again.
        let extra = |depth| format!("{{\"a\":{}}}", kept(&nested(depth)));
        for depth in [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1] {
            assert_eq!(container(&extra(depth)), Some(extra(depth)));
        }
        let secret = format!("{{\"a\":{},\"password\":1}}", nested(MAX_DEPTH));
        assert!(!kept(&secret).contains("password"));
        let deep = nested(1_000_000);
        let object = format!("{{\"a\":{deep}}}");
        assert_eq!(
            fields(&object).unwrap().next(),
            Some(("\"a\"", deep.as_str()))
        );
    }
}
