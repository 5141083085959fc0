//! What a person gets to see of an error.

use std::error::Error as StdError;

use lms_ext::Error;

use crate::answers::CANARY;

/// Panics when an error, or one that it comes from, shows one of the secrets that its request carried, or something of
/// the body where it must not.
pub(crate) fn assert_discreet(error: &(dyn StdError + 'static), carried: &[&str]) {
    let mut next = Some(error);
    while let Some(error) = next {
        let short = format!("{error}\n{error:?}\n{error:#?}");
        // With `{:#}` the message of the tenant is there, which is the body's; what a success holds is nobody's.
        let asked_for = match error.downcast_ref::<Error>() {
            Some(error) if error.body().is_some() => Some(format!("{error:#}")),
            Some(error) => {
                assert_without(&format!("{error:#}"), &[CANARY]);
                None
            }
            None => None,
        };
        assert_without(&short, carried);
        assert_without(&short, &[CANARY]);
        assert_without(&asked_for.unwrap_or_default(), carried);
        next = error.source();
    }
}

/// Panics when a text holds one of these.
pub(crate) fn assert_without(text: &str, marks: &[&str]) {
    for mark in marks {
        assert!(!text.contains(mark), "{mark} is shown:\n{text}");
    }
}

/// Panics when what an error says of itself does not fit together.
pub(crate) fn assert_consistent(error: &Error) {
    assert!(!error.to_string().is_empty());
    if let Some(message) = error.message() {
        assert!(!message.is_empty() && message.chars().count() <= 300);
        assert!(!message.chars().any(char::is_control), "{message:?}");
    }
    if let Some(body) = error.body() {
        assert!(body.as_bytes().len() <= 64 * 1024);
        assert!(error.message().is_none() || body.json().is_some());
    }
    assert!(
        !(error.is_retryable() && error.is_ambiguous()),
        "what may have been done is not to be done again: {error}"
    );
    assert!(error.attempts() <= 4, "{error}");
}
