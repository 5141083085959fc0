//! Decodes a response body, and says where it could not be decoded.
//!
//! A valid body is parsed once. Only when that fails, blank fields are left out, and the JSON path is determined. The error
//! names the path and the expected type. It never contains a value, which may be personal or secret.

use std::{borrow::Cow, io};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;

use super::json::{self, Step};
use crate::{
    error::{Error, ErrorKind},
    send::retry::{AttemptOutcome, classify},
    values::OperationInfo,
};

/// Decodes `body` as a `T`. A field that is `null` or blank is absent if its type has no such value.
pub(crate) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    match read(body) {
        Ok(value) => Ok(value),
        Err(error) => {
            let mut value = None;
            let mut retry = |text: &[u8]| read(text).map(|read| value = Some(read));
            without_blank_fields(body, error, &mut retry)?;
            // `retry` has stored it.
            value.ok_or_else(|| Error::new(ErrorKind::Decode, "the response cannot be decoded"))
        }
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> serde_json::Result<T> {
    // Validating UTF-8 once for the whole text is cheaper than for each string: up to a fifth of the work when few fields
    // are read. Every program compiles the reader of each of its types, so there is one.
    let text = std::str::from_utf8(body);
    let text = text.map_err(|error| serde_json::Error::io(io::Error::other(error)))?;
    serde_json::from_str(text)
}

/// Number of fields that may be blank: a map may have any number of keys.
const MOST_BLANK: usize = 64;

/// Reads a body, which cannot be decoded, until it can be, or until no blank field is the cause.
///
/// A service may write `null` or a blank text where it has no value. The types of the service are strict, and so are a
/// caller's own. The field at which decoding stopped is therefore left out of all objects of the list, if it is blank there.
///
/// Decoding stops at the first object of a list in most cases. Until it gets beyond that object, the rest of the body is copied
/// unread: a body with blanks everywhere is decoded once, and scanned once more as text.
#[cold]
fn without_blank_fields(
    body: &[u8],
    mut error: serde_json::Error,
    read: &mut dyn FnMut(&[u8]) -> serde_json::Result<()>,
) -> Result<(), Error> {
    let Ok(body) = str::from_utf8(body) else {
        return Err(explain(body, &error));
    };
    let (mut text, mut searched) = (Cow::Borrowed(body), 0);
    let mut blank: Vec<Vec<Step>> = Vec::new();
    let is_json = error.is_data() && serde_json::from_str::<IgnoredAny>(body).is_ok();
    while is_json && error.is_data() && blank.len() < MOST_BLANK {
        let at = json::offset(&text, error.line(), error.column());
        let steps = json::steps(&text, at);
        let Some(Step::Member(name)) = steps.last() else {
            break;
        };
        let name = name.clone();
        if !blank.iter().any(|known| json::is_same_field(known, &steps)) {
            // Decoding may have got beyond what was searched. All that was left out is counted, also if it is behind `at`.
            searched = searched.max(at + body.len() - text.len());
            blank.push(steps);
        } else if searched < body.len() {
            // A later object has the same blank fields.
            searched = body.len();
        } else {
            break;
        }
        let shorter = json::without_blanks(body, &blank, searched);
        if shorter.len() >= text.len() {
            break;
        }
        match read(shorter.as_bytes()) {
            Ok(()) => return Ok(()),
            // It was there, and must not be blank.
            Err(next) if is_missing(&next, &name) => break,
            Err(next) => (error, text) = (next, Cow::Owned(shorter)),
        }
    }
    Err(explain(text.as_bytes(), &error))
}

fn is_missing(error: &serde_json::Error, field: &str) -> bool {
    let text = error.to_string();
    text.starts_with(&format!("missing field `{field}`"))
}

/// Fails for a body that is neither empty nor JSON, such as the page of a proxy. A body that breaks off is accepted.
pub(crate) fn check_json(body: &[u8]) -> Result<(), Error> {
    match serde_json::from_slice::<IgnoredAny>(body) {
        Err(error) if !error.is_eof() => Err(explain(body, &error)),
        _ => Ok(()),
    }
}

/// The reason why serde_json could not decode `body`.
#[cold]
fn explain(body: &[u8], error: &serde_json::Error) -> Error {
    // If the rest of the body is no JSON, that is the reason.
    let invalid = serde_json::from_slice::<IgnoredAny>(body).err();
    let error = invalid.as_ref().unwrap_or(error);
    // serde_json counts this as a syntax error. A retry would get the same response.
    let too_deep = error.to_string().starts_with("recursion limit exceeded");
    let detail = match error.classify() {
        _ if body.is_empty() => "the response has no body".to_owned(),
        _ if too_deep => "the response is nested deeper than 127 levels".to_owned(),
        Category::Eof => "the response body ends too early".to_owned(),
        Category::Io => "the response is not JSON: it is not in UTF-8".to_owned(),
        Category::Syntax => format!(
            "the response is not JSON (line {}, column {})",
            error.line(),
            error.column()
        ),
        Category::Data => match expected(&error.to_string()) {
            Some(expected) => format!("the response cannot be decoded: {expected}"),
            None => "the response cannot be decoded".to_owned(),
        },
    };
    let kind = match error.classify() {
        Category::Data => ErrorKind::Decode,
        _ if too_deep => ErrorKind::Decode,
        _ => ErrorKind::NotJson,
    };
    let explained = Error::new(kind, detail);
    // Where the type does not match, the path consists of the type's fields, or of keys of a map that the caller chose.
    // Invalid JSON may be anywhere, also below an undocumented member, whose name may be personal data.
    if error.classify() != Category::Data {
        return explained;
    }
    let text = str::from_utf8(body).unwrap_or_default();
    let at = json::offset(text, error.line(), error.column());
    match json::path(&json::steps(text, at)) {
        path if path.is_empty() => explained,
        path => explained.with_path(path),
    }
}

/// The part of serde's message that describes the type and not the value.
fn expected(message: &str) -> Option<String> {
    // Only at the start: elsewhere it may be part of a value.
    for fault in ["missing field", "duplicate field"] {
        if let Some(name) = message
            .strip_prefix(fault)
            .and_then(|rest| rest.strip_prefix(" `"))
        {
            let end = name.find('`')?;
            return Some(format!("{fault} `{}`", &name[..end]));
        }
    }
    let start = message.rfind(", expected ")? + ", ".len();
    let rest = &message[start..];
    let end = rest.find(" at line ").unwrap_or(rest.len());
    let null = if message.starts_with("invalid type: null,") {
        "found null, "
    } else {
        ""
    };
    Some(format!("{null}{}", &rest[..end]))
}

/// The error for a success that cannot be decoded: ambiguous for a write, because the response may be the service's, after
/// a change, or a proxy's, without one.
pub(crate) fn undecodable(operation: &OperationInfo, error: Error) -> Error {
    if classify(operation, AttemptOutcome::Unusable).maybe_processed {
        error.into_ambiguous()
    } else {
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lms_client::types;

    fn error<T: DeserializeOwned>(body: &str) -> Error {
        let error = decode::<T>(body.as_bytes()).err();
        error.unwrap_or_else(|| panic!("{body:?} was decoded"))
    }

    #[test]
    fn a_value_that_looks_like_a_message_of_serde_is_not_shown() {
        for value in [
            "missing field `hunter2`",
            "x, expected hunter2",
            "hunter2 at line 1",
        ] {
            let body = serde_json::json!({ "archived": value }).to_string();
            let error = error::<types::Learner>(&body);
            let text = format!("{error} {error:?} {error:#}");
            assert!(text.contains("expected a boolean"), "{text}");
            assert!(!text.contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn the_name_of_an_undocumented_member_is_not_shown() {
        for body in [
            r#"{"hunter2": [1,}"#,
            r#"{"by_email": {"hunter2": {"a""#,
            r#"{"items": [{"hunter2": tru}]}"#,
        ] {
            let error = error::<types::LearnerList>(body);
            let text = format!("{error} {error:?} {error:#}");
            assert!(!text.contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn json_that_is_nested_too_deep_is_not_worth_a_retry() {
        let body = "[".repeat(200) + &"]".repeat(200);
        let error = error::<serde_json::Value>(&body);
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert!(!error.is_retryable());
        assert!(error.to_string().contains("nested deeper"), "{error}");
    }

    #[test]
    fn each_defect_of_a_body_has_a_message() {
        for (body, expected) in [
            ("", "no body"),
            ("{\"items\": [", "ends too early"),
            ("<html>", "not JSON"),
            ("{\"items\": []} trailing", "not JSON"),
            ("[]", "cannot be decoded"),
            // The type of a value does not match either.
            ("{\"items\": 5, \"more\": ", "ends too early"),
        ] {
            let error = error::<types::LearnerList>(body);
            assert!(error.to_string().contains(expected), "{body:?}: {error}");
        }
        let error = decode::<types::Tag>(b"{\"name\": \"M\xfcller\"}").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotJson);
        assert!(error.to_string().contains("not in UTF-8"), "{error}");
    }
}

#[cfg(test)]
mod blanks {
    use std::cell::Cell;

    use serde::{Deserialize, Deserializer};
    use serde_json::json;

    use super::decode;

    thread_local! {
        static READ: Cell<usize> = const { Cell::new(0) };
    }

    /// An item that counts how often one is read.
    #[derive(Debug, Deserialize, PartialEq)]
    struct Item {
        #[serde(deserialize_with = "counted")]
        number: u32,
        #[serde(default)]
        a: bool,
        #[serde(default)]
        b: Vec<u8>,
        c: Option<f64>,
        text: String,
        inner: Option<Box<Item>>,
    }

    fn counted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        READ.set(READ.get() + 1);
        u32::deserialize(deserializer)
    }

    fn read(body: &str) -> Vec<Item> {
        decode(body.as_bytes()).unwrap_or_else(|error| panic!("{body}: {error}"))
    }

    #[test]
    fn blank_fields_are_absent_in_a_callers_own_type() {
        let items = read(
            r#"[ {"a" : "" , "number": 1,"text":"", "b":null, "c":" \n", "inner": {"number":2,"b":"","text":" ","a":null}},
                {"number":3, "text":"x", "\u0061": null, "c": 1.5, "inner": ""} ]"#,
        );
        let inner = items[0].inner.as_deref().unwrap();
        assert_eq!((items[0].a, items[0].c, &*items[0].text), (false, None, ""));
        assert_eq!((inner.number, &*inner.text), (2, " "));
        assert_eq!((items[1].number, items[1].c), (3, Some(1.5)));
        assert!(items[1].inner.is_none());
    }

    #[test]
    fn blanks_everywhere_are_decoded_once() {
        let item = r#"{"number":7,"a":"","b":null,"c":"","text":""}"#;
        let body = format!("[{}]", vec![item; 200].join(","));
        READ.set(0);
        assert_eq!(read(&body).len(), 200);
        // Each of the three fields is found in the first item, and again in the second.
        assert!(READ.get() <= 200 + 2 * 3, "{}", READ.get());
    }

    #[test]
    fn a_field_that_is_not_blank_is_no_reason_to_decode_again() {
        let body = r#"[ { "number" : 7 , "a" : "no" , "text" : "" } ]"#;
        READ.set(0);
        assert!(decode::<Vec<Item>>(body.as_bytes()).is_err());
        assert_eq!(READ.get(), 1);
    }

    #[test]
    fn what_is_not_blank_fails_at_its_own_place() {
        for (body, path, reason) in [
            (
                json!([{"number": 1, "a": "", "text": "", "b": ""}, {"number": 2, "a": "no", "text": ""}]),
                "[1].a",
                "boolean",
            ),
            (
                json!([{"number": 1, "a": "", "text": null}]),
                "[0].text",
                "found null, expected a string",
            ),
            (
                json!([{"number": 1, "a": ""}]),
                "[0]",
                "missing field `text`",
            ),
            (
                json!([{"number": 1, "b": [null], "text": ""}]),
                "[0].b[0]",
                "found null",
            ),
        ] {
            let error = decode::<Vec<Item>>(body.to_string().as_bytes()).unwrap_err();
            assert_eq!(error.json_path(), Some(path), "{body}");
            assert!(error.to_string().contains(reason), "{body}: {error}");
        }
    }

    #[test]
    fn a_body_that_breaks_off_after_a_blank_is_an_error() {
        let whole = r#"[{"number":1,"a":"","text":"x","inner":{"number":2,"a":"","text":""}}]"#;
        for end in 1..whole.len() {
            assert!(
                decode::<Vec<Item>>(&whole.as_bytes()[..end]).is_err(),
                "{end}"
            );
        }
        assert_eq!(read(whole).len(), 1);
    }

    #[test]
    fn a_blank_is_not_left_out_of_what_is_no_json() {
        // Without the blank, each would be JSON.
        for body in [
            r#"[{"a":"" "number":1,"text":""}]"#,
            r#"[{"a":"","number":1,"text":""},{,"a":""}]"#,
        ] {
            let error = decode::<Vec<Item>>(body.as_bytes()).unwrap_err();
            assert!(error.to_string().contains("not JSON"), "{body}: {error}");
        }
    }

    #[test]
    fn more_fields_than_any_type_has_are_not_searched() {
        let keys = (0..200).map(|key| format!(r#""k{key}":"""#));
        let body = format!("{{{}}}", keys.collect::<Vec<_>>().join(","));
        type Map = std::collections::BTreeMap<String, bool>;
        assert!(decode::<Map>(body.as_bytes()).is_err());
    }
}
