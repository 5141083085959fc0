//! Turns the errors of generated builders into messages that name the parameter and say what to do.
//!
//! A generated builder's error reads ``conversion to `:: std :: string :: String` for user failed``. There are five
//! patterns. An error that matches none is shown as it is.

use std::borrow::Cow;

/// A readable form of a builder's error.
pub(crate) fn describe(message: &str) -> Cow<'_, str> {
    missing_parameter(message)
        .or_else(|| body(message))
        .or_else(|| field(message))
        .or_else(|| parameter(message))
        .map_or(Cow::Borrowed(message), Cow::Owned)
}

/// `user was not initialized`
fn missing_parameter(message: &str) -> Option<String> {
    let name = message.strip_suffix(" was not initialized")?;
    Some(format!("{name} is missing; set it with .{name}(…)"))
}

/// ``conversion to `AddLearner` for body failed: no value supplied for firstname``
fn body(message: &str) -> Option<String> {
    let (_, reason) = message.split_once(" for body failed: ")?;
    Some(field(reason).unwrap_or_else(|| format!("the body is not valid: {reason}")))
}

/// The same without the first part, from a body that is built in the call: `no value supplied for firstname`,
/// `error converting supplied value for limit: …`
fn field(reason: &str) -> Option<String> {
    if let Some(name) = reason.strip_prefix("no value supplied for ") {
        return Some(format!(
            "{name} is missing in the body; set it with .{name}(…)"
        ));
    }
    let (name, why) = reason
        .strip_prefix("error converting supplied value for ")?
        .split_once(": ")?;
    Some(format!("{name} in the body is not valid: {why}"))
}

/// ``conversion to `bool` for archived failed``
fn parameter(message: &str) -> Option<String> {
    let (kind, rest) = message
        .strip_prefix("conversion to `")?
        .split_once("` for ")?;
    let name = rest.strip_suffix(" failed")?;
    let wanted = match kind.replace(' ', "").as_str() {
        "::std::string::String" => "a string",
        "::std::vec::Vec<::std::string::String>" => "a list of strings",
        "bool" => "true or false",
        "crate::wire::Int64" => "a whole number",
        _ => "one of the documented values",
    };
    Some(format!("{name} is not valid; give {wanted}"))
}
