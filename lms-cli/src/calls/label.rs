//! The names of objects and tenants in questions to a person.

use lms_ext::Lms;

use crate::{resolve::object::Object, session::Session};

/// A person by name, id and address, and any other object by name and id, such as `Fire safety (c1)`.
pub(crate) fn of(id: &str, object: Option<&Object>) -> String {
    let text = |field| object.and_then(|object| object.text(field));
    let mut texts = [text("name"), text("person"), Some(id), text("email")]
        .into_iter()
        .flatten();
    let first = texts.next().unwrap_or_default();
    match texts.collect::<Vec<_>>() {
        others if others.is_empty() => first.to_owned(),
        others => format!("{first} ({})", others.join(", ")),
    }
}

/// The host and port of the tenant: a question about a deletion says where it happens.
pub(crate) fn tenant(lms: &Lms) -> &str {
    host(lms.base_url())
}

/// The host of a base URL, with its port.
pub(crate) fn host(url: &str) -> &str {
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    url.split('/').next().unwrap_or(url)
}

/// The question before a change: the command, the tenant with the profile, and the objects or their number.
pub(crate) fn question(session: &Session, command: &str, about: &str) -> String {
    let tenant = tenant(&session.lms);
    match &session.profile {
        Some(profile) => format!("{command} at {tenant} (profile {profile}): {about}?"),
        None => format!("{command} at {tenant}: {about}?"),
    }
}
