//! The names of objects and tenants in questions to a person.

use lms_ext::Lms;
use serde_json::value::RawValue;

use crate::{
    operations::lookup::{find, operation},
    resolve::object::{self, Object},
    session::Session,
};

/// The name of an object in brackets, such as ` (Ann Lee, ann@acme.example)`. Empty if it has none or cannot be read: the
/// question names the id in any case.
pub(crate) async fn of(lms: &Lms, resource: &str, path: &[&str]) -> String {
    read(lms, resource, path).await.unwrap_or_default()
}

/// The names of an object in brackets; empty if it has none.
pub(crate) fn names(object: &Object) -> String {
    let texts = ["name", "person", "email"].map(|field| object.text(field));
    let texts: Vec<_> = texts.into_iter().flatten().collect();
    match texts.is_empty() {
        true => String::new(),
        false => format!(" ({})", texts.join(", ")),
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

/// The tenant and the profile of a question, such as `acme.example (profile acme)`.
pub(crate) fn place(session: &Session) -> String {
    let tenant = tenant(&session.lms);
    match &session.profile {
        Some(profile) => format!("{tenant} (profile {profile})"),
        None => tenant.to_owned(),
    }
}

async fn read(lms: &Lms, resource: &str, path: &[&str]) -> Option<String> {
    let get = operation(find(resource, "get")?)?;
    let request = lms.raw_operation(get, path).ok()?;
    let object: Box<RawValue> = request.call_as().await.ok()?.value;
    Some(names(&object::of_item(&object)?))
}
