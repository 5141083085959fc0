//! What a builder complains of, in words that name the parameter and say what to do.
//!
//! The generated builders speak as a compiler would: ``conversion to `:: std :: string :: String` for user
//! failed``. All their complaints are of five shapes, which are read here. What is of none of them is
//! shown as it is.

use std::borrow::Cow;

/// A builder's complaint, made readable.
pub(crate) fn describe(complaint: &str) -> Cow<'_, str> {
    missing_parameter(complaint)
        .or_else(|| body(complaint))
        .or_else(|| field(complaint))
        .or_else(|| parameter(complaint))
        .map_or(Cow::Borrowed(complaint), Cow::Owned)
}

/// `user was not initialized`
fn missing_parameter(complaint: &str) -> Option<String> {
    let name = complaint.strip_suffix(" was not initialized")?;
    Some(format!("{name} is missing; set it with .{name}(…)"))
}

/// ``conversion to `AddLearner` for body failed: no value supplied for firstname``
fn body(complaint: &str) -> Option<String> {
    let (_, reason) = complaint.split_once(" for body failed: ")?;
    Some(field(reason).unwrap_or_else(|| format!("the body cannot be made: {reason}")))
}

/// The same without what is in front, as a body that was put together in the call says it:
/// `no value supplied for firstname`, `error converting supplied value for limit: …`
fn field(reason: &str) -> Option<String> {
    if let Some(name) = reason.strip_prefix("no value supplied for ") {
        return Some(format!(
            "{name} is missing in the body; set it with .{name}(…)"
        ));
    }
    let (name, why) = reason
        .strip_prefix("error converting supplied value for ")?
        .split_once(": ")?;
    Some(format!(
        "{name} in the body cannot be made of what was given: {why}"
    ))
}

/// ``conversion to `bool` for archived failed``
fn parameter(complaint: &str) -> Option<String> {
    let (kind, rest) = complaint
        .strip_prefix("conversion to `")?
        .split_once("` for ")?;
    let name = rest.strip_suffix(" failed")?;
    let wanted = match kind.replace(' ', "").as_str() {
        "::std::string::String" => "a text",
        "::std::vec::Vec<::std::string::String>" => "a list of texts",
        "bool" => "true or false",
        "crate::wire::Int64" => "a whole number",
        _ => "one of the values that the service knows",
    };
    Some(format!(
        "{name} cannot be made of what was given; give {wanted}"
    ))
}
