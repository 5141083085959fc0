//! Turns the errors of generated builders into messages that name the parameter and say what to do.

use std::borrow::Cow;

/// A readable form of a builder's error. An unknown error is shown as it is.
pub(crate) fn describe(message: &str) -> Cow<'_, str> {
    match message.strip_prefix("body is not valid: ") {
        Some(reason) => missing(reason, " in the body")
            .unwrap_or_else(|| format!("in the body, {reason}"))
            .into(),
        None => missing(message, "").map_or(Cow::Borrowed(message), Cow::Owned),
    }
}

/// The error of a value that was not set, or was set to `None`.
fn missing(message: &str, place: &str) -> Option<String> {
    // Only bodies have this one.
    if let Some(name) = message.strip_prefix("no value supplied for ") {
        return Some(to_set(name, " in the body"));
    }
    let name = message
        .strip_suffix(" was not initialized")
        .or_else(|| message.strip_suffix(" has no value"))?;
    Some(to_set(name, place))
}

fn to_set(name: &str, place: &str) -> String {
    format!("{name} is missing{place}; set it with .{name}(…)")
}
