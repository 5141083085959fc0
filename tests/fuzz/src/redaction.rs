//! The text of errors.

use std::error::Error as StdError;

use lms_ext::Error;
use serde::de::IgnoredAny;

use crate::responses::CANARY;

/// Panics when an error or one of its sources shows a secret of the request, or the body where it must not.
pub(crate) fn assert_redacted(error: &(dyn StdError + 'static), secrets: &[&str]) {
    let mut next = Some(error);
    while let Some(error) = next {
        let short = format!("{error}\n{error:?}\n{error:#?}");
        // `{:#}` contains the message of the service, which is part of an error body, but never the body of a 200.
        let alternate = match error.downcast_ref::<Error>() {
            Some(error) if error.body().is_some() => Some(format!("{error:#}")),
            Some(error) => {
                assert_without(&format!("{error:#}"), &[CANARY]);
                None
            }
            None => None,
        };
        assert_without(&short, secrets);
        assert_without(&short, &[CANARY]);
        assert_without(&alternate.unwrap_or_default(), secrets);
        next = error.source();
    }
}

/// Panics when the text contains one of `marks`.
pub(crate) fn assert_without(text: &str, marks: &[&str]) {
    for mark in marks {
        assert!(!text.contains(mark), "{mark} is shown:\n{text}");
    }
}

/// Panics when the properties of an error contradict each other.
pub(crate) fn assert_consistent(error: &Error) {
    assert!(!error.to_string().is_empty());
    if let Some(message) = error.message() {
        assert!(!message.is_empty() && message.chars().count() <= 300);
        assert!(!message.chars().any(char::is_control), "{message:?}");
    }
    if let Some(body) = error.body() {
        assert!(body.len() <= 64 * 1024);
        assert!(error.message().is_none() || serde_json::from_slice::<IgnoredAny>(body).is_ok());
    }
    assert!(
        !(error.is_retryable() && error.is_ambiguous()),
        "an ambiguous error must not be retryable: {error}"
    );
    assert!(error.attempts() <= 4, "{error}");
}
