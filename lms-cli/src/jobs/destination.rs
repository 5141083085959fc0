//! The destination of a tenant's data, in which `{profile}` is replaced by the name of the profile.

use crate::{context::Context, failure::Failure, profile::config::is_plain};

/// The placeholder for the name of the profile.
const PROFILE: &str = "{profile}";

/// Returns `true` if a destination has a place for the name of the profile.
pub(super) fn has_profile(text: &str) -> bool {
    text.contains(PROFILE)
}

/// Refuses a placeholder that is not [`PROFILE`], which would be a part of the name.
pub(super) fn check_placeholders(text: &str) -> Result<(), Failure> {
    let rest = text.replace(PROFILE, "");
    let other = rest.find('{').map(|start| &rest[start..]);
    let other = other.and_then(|other| Some(&other[..=other.find('}')?]));
    other.map_or(Ok(()), |other| {
        Err(Failure::usage(format!(
            "{other} is not a placeholder; the only one is {PROFILE}"
        )))
    })
}

/// Refuses a text that is hardly the name of a folder: an option without its value, or a URL with a mistake.
pub(super) fn check_folder(text: &str) -> Result<(), Failure> {
    let scheme = text.split_once(':').filter(|_| !text.contains("://"));
    match (text, scheme) {
        ("" | "-", _) => Err(Failure::usage(format!("--to {text:?} is not a folder"))),
        (_, Some((scheme @ ("s3" | "gs" | "az"), _))) => {
            let message = format!("--to {text}: a URL begins with {scheme}://");
            Err(Failure::usage(message).advice(format!("for example: {scheme}://bucket/folder")))
        }
        _ => Ok(()),
    }
}

/// A destination with the name of the profile in its place.
pub(super) fn with_profile(context: &Context, text: &str) -> Result<String, Failure> {
    check_placeholders(text)?;
    if !has_profile(text) {
        return Ok(text.to_owned());
    }
    let name = profile(context, &format!("{PROFILE} in the destination"))?;
    Ok(text.replace(PROFILE, checked(name)?))
}

/// The name of the profile, which `what` needs.
pub(super) fn profile<'a>(context: &'a Context, what: &str) -> Result<&'a str, Failure> {
    let name = context.profile.as_deref();
    name.ok_or_else(|| Failure::usage(format!("{what} needs --profile or --profiles")))
}

/// The folder or URL of a tenant: below the given one if several tenants share it.
pub(super) fn folder(context: &Context, text: &str) -> Result<String, Failure> {
    match &context.tenant {
        Some(name) if !has_profile(text) => {
            Ok(format!("{}/{}", text.trim_end_matches('/'), checked(name)?))
        }
        _ => with_profile(context, text),
    }
}

/// Refuses a name, from an edited configuration, that is more than one part of a path or of a URL.
pub(super) fn checked(name: &str) -> Result<&str, Failure> {
    if is_plain(name) {
        return Ok(name);
    }
    Err(Failure::usage(format!(
        "the profile {name:?} cannot be a part of a destination; use letters, digits, - and _ in its name"
    )))
}
