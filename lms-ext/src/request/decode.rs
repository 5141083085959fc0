//! Reading an answer, and saying where it could not be read.
//!
//! The answer is parsed once. Only when that fails is the place looked for, so a good answer pays nothing for a
//! telling error. The error names the place and what was expected there; it never repeats a value, which may be
//! personal or secret.
//!
//! The place is found [from its line and column](place), or by reading once more with a reader that keeps
//! [track](path_by_rereading) of it. That one is exact for every type, and compiled for every type; so it is for the caller's.

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::json_path;
use crate::{
    error::{Error, ErrorKind},
    send::retry::{Outcome, classify},
    values::OperationInfo,
};

/// Finds the path to what could not be read.
pub(crate) type PathOf = fn(&[u8], &serde_json::Error) -> String;

/// Reads `body` as a `T`.
pub(crate) fn decode<T: DeserializeOwned>(body: &Bytes, path_of: PathOf) -> Result<T, Error> {
    // Checking the whole text once is cheaper than every string in it by itself: a fifth of the work when
    // few fields are read. What is no UTF-8 fails only where it is read.
    let read = match std::str::from_utf8(body) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(body),
    };
    read.map_err(|error| describe(body, &error, path_of))
}

/// The path to what cannot be read as one of the service's own types.
#[cold]
pub(crate) fn path_at_offset(body: &[u8], error: &serde_json::Error) -> String {
    json_path::path(body, error.line(), error.column())
}

/// The path to what cannot be read as a `T`, whatever that is.
#[cold]
pub(crate) fn path_by_rereading<T: DeserializeOwned>(body: &[u8], _: &serde_json::Error) -> String {
    let reader = &mut serde_json::Deserializer::from_slice(body);
    match serde_path_to_error::deserialize::<_, T>(reader) {
        Err(error) => error.path().to_string(),
        // The value was whole and something followed it.
        Ok(_) => String::new(),
    }
}

/// Why serde_json could not read `body`, where the type is not known any more.
#[cold]
pub(crate) fn explain(body: &[u8], error: &serde_json::Error) -> Error {
    describe(body, error, path_at_offset)
}

fn describe(body: &[u8], error: &serde_json::Error, path_of: PathOf) -> Error {
    let detail = match error.classify() {
        _ if body.is_empty() => "the answer has no body".to_owned(),
        Category::Eof => "the answer ends too early".to_owned(),
        Category::Syntax | Category::Io => format!(
            "the answer is no JSON (line {}, column {})",
            error.line(),
            error.column()
        ),
        Category::Data => match expected(&error.to_string()) {
            Some(expected) => format!("the answer cannot be read: {expected}"),
            None => "the answer cannot be read".to_owned(),
        },
    };
    let explained = Error::new(ErrorKind::Decode, detail);
    // Where the type does not fit, the path leads through its own fields, or through a map that the caller
    // chose. What is no JSON may end anywhere, below a member that nobody described too, whose name is the
    // tenant's: an address, for example.
    if error.classify() != Category::Data {
        return explained;
    }
    match path_of(body, error) {
        path if matches!(path.as_str(), "" | ".") => explained,
        path => explained.with_path(path),
    }
}

/// The part of serde's message that speaks of the type and not of the value.
fn expected(message: &str) -> Option<String> {
    // Only at the start: further on it would be a part of a value that reads like it.
    if let Some(name) = message.strip_prefix("missing field `") {
        let end = name.find('`')?;
        return Some(format!("missing field `{}`", &name[..end]));
    }
    let start = message.rfind(", expected ")? + ", ".len();
    let rest = &message[start..];
    let end = rest.find(" at line ").unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

/// What it means that a success cannot be read.
///
/// It may be the tenant's, and a change have been made; it may be a proxy's, and nothing.
pub(crate) fn unreadable(operation: &OperationInfo, error: Error) -> Error {
    if classify(operation, Outcome::Unusable).maybe_processed {
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
        let body = Bytes::copy_from_slice(body.as_bytes());
        let [error, other] = [path_at_offset, path_by_rereading::<T>].map(|path_of| {
            decode::<T>(&body, path_of)
                .err()
                .unwrap_or_else(|| panic!("{body:?} was read"))
        });
        assert_eq!(error.to_string(), other.to_string());
        error
    }

    #[test]
    fn the_place_is_named_and_the_value_is_not() {
        let body = r#"{"items":[{"id":"a"},{"id":"b","archived":"hunter2"}]}"#;
        let error = error::<types::LearnerList>(body);
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert_eq!(error.json_path(), Some("items[1].archived"));
        let text = format!("{error} {error:?} {error:#}");
        assert!(text.contains("expected a boolean"), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }

    #[test]
    fn an_integer_that_is_none_is_named_without_its_text() {
        let error = error::<types::Record>(r#"{"file_size":"12 MB hunter2"}"#);
        assert_eq!(error.json_path(), Some("file_size"));
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }

    #[test]
    fn a_value_that_reads_like_a_message_is_not_repeated() {
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
    fn the_name_of_a_member_that_nobody_described_is_not_shown() {
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
    fn what_is_missing_is_named() {
        let error = error::<types::Tag>("{}");
        assert!(
            error.to_string().contains("missing field `name`"),
            "{error}"
        );
    }

    #[test]
    fn other_faults_are_told_apart() {
        for (body, expected) in [
            ("", "no body"),
            ("{\"items\": [", "ends too early"),
            ("<html>", "no JSON"),
            ("{} trailing", "no JSON"),
            ("[]", "cannot be read"),
        ] {
            let error = error::<types::LearnerList>(body);
            assert!(error.to_string().contains(expected), "{body:?}: {error}");
        }
    }
}
