//! Decodes a response body, and says where it could not be decoded.
//!
//! A valid body is parsed once. Only when that fails, blank fields are left out, and the JSON path is determined. The error
//! names the path and the expected type. It never contains a value, which may be personal or secret.

use std::{borrow::Cow, io};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;

use super::{blanks::Blanks, json_path};
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
            without_blanks(body, error, &mut retry)?;
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

/// Reads a body, which cannot be decoded, until it can be, or until no blank field is the cause.
#[cold]
fn without_blanks(
    body: &[u8],
    mut error: serde_json::Error,
    read: &mut dyn FnMut(&[u8]) -> serde_json::Result<()>,
) -> Result<(), Error> {
    let mut text = Cow::Borrowed(body);
    let mut blanks = Blanks::default();
    while let Some(shorter) = blanks.leave_out(body, &text, &error) {
        match read(&shorter) {
            Ok(()) => return Ok(()),
            // It was there, and must not be blank.
            Err(next) if is_missing(&next, blanks.last()) => break,
            Err(next) => (error, text) = (next, Cow::Owned(shorter)),
        }
    }
    Err(explain(&text, &error))
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
    match json_path::path(body, error.line(), error.column()) {
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
        ] {
            let error = error::<types::LearnerList>(body);
            assert!(error.to_string().contains(expected), "{body:?}: {error}");
        }
        let error = decode::<types::Tag>(b"{\"name\": \"M\xfcller\"}").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotJson);
        assert!(error.to_string().contains("not in UTF-8"), "{error}");
    }
}
