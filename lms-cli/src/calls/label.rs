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

/// The address of the tenant: a question about a deletion says where it happens.
pub(crate) fn tenant(lms: &Lms) -> &str {
    address(lms.base_url())
}

/// A base URL without its scheme and the path of the API. It has another path if tenants share a host.
pub(crate) fn address(url: &str) -> &str {
    let address = url.split_once("://").map_or(url, |(_, rest)| rest);
    let address = address.trim_end_matches('/');
    let address = address.strip_suffix("/api/v1").unwrap_or(address);
    address.trim_end_matches('/')
}

/// The question before a change: the command, the tenant with the profile, and the objects or their number.
pub(crate) fn question(session: &Session, command: &str, about: &str) -> String {
    let tenant = tenant(&session.lms);
    match &session.profile {
        Some(profile) => format!("{command} at {tenant} (profile {profile}): {about}?"),
        None => format!("{command} at {tenant}: {about}?"),
    }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn tenants_on_one_host_have_different_addresses() {
        assert_eq!(address("https://a.example:8443"), "a.example:8443");
        assert_eq!(address("https://lms.example/acme/"), "lms.example/acme");
        assert_eq!(
            address("https://lms.example/acme/api/v1"),
            "lms.example/acme"
        );
    }
}
