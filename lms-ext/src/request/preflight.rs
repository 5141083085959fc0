//! What is refused before anything is sent.
//!
//! Two mistakes cost more than an error message. An id that is empty or holds a dot segment addresses
//! something else than was meant: `DELETE /courses/..` is `DELETE /`. And `DELETE /enrolments` without a
//! filter may end every enrolment of the tenant: what it does is not documented (§4).

use reqwest::{Request, Url};

use super::base_url::BaseUrl;
use crate::{error::Error, values::OperationInfo};

/// Checks that a request goes where its operation says and nowhere else.
pub(crate) fn check(
    base: &BaseUrl,
    operation: &OperationInfo,
    request: &Request,
    scope: Scope,
) -> Result<(), Error> {
    let url = request.url();
    let path = path_below(base, url);
    if path.is_none() && url.origin() != base.url().origin() {
        return Err(Error::usage(
            "the request does not go to the tenant that this client is for",
        ));
    }
    if !path.is_some_and(|path| matches(operation.path, path)) {
        return Err(Error::usage(format!(
            "a parameter of the path {} is empty or holds a dot segment; give the id of one object",
            operation.path
        )));
    }
    if scope == Scope::Required && operation.id == "delete_enrolment" && !is_scoped(url) {
        return Err(Error::usage(
            "delete_enrolment without a user and without a course, or with an empty one, may end more enrolments than were meant; name one of them, or use unenrol()",
        ));
    }
    Ok(())
}

/// Whether a delete of enrolments must name a learner or a course.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scope {
    #[default]
    Required,
    /// The caller knows that it reaches every enrolment, and has counted them.
    Whole,
}

/// The path of an address below the base; `None` when it is not below.
///
/// A URL is written in one way only, so one that begins as the base does has its scheme, host, port and
/// path. Comparing origins part by part would copy the hosts of both.
fn path_below<'a>(base: &BaseUrl, url: &'a Url) -> Option<&'a str> {
    let rest = url.as_str().strip_prefix(base.as_str())?;
    let end = rest.bytes().position(|byte| matches!(byte, b'?' | b'#'));
    rest.get(..end.unwrap_or(rest.len()))
}

/// Whether a path has the segments of its template, each parameter being one segment that is not empty.
fn matches(template: &str, path: &str) -> bool {
    let mut segments = segments_of(path);
    let same = segments_of(template).all(|expected| match segments.next() {
        Some(found) if expected.starts_with(b"{") => !found.is_empty(),
        Some(found) => found == expected,
        None => false,
    });
    same && segments.next().is_none()
}

/// By bytes, which are cheaper to look for than characters: this is done for every request.
fn segments_of(path: &str) -> impl Iterator<Item = &[u8]> {
    path.as_bytes().split(|byte| *byte == b'/')
}

/// Whether there is a filter, and none that is empty: one of two that is would name more than was meant.
fn is_scoped(url: &Url) -> bool {
    let mut filters = url
        .query_pairs()
        .filter(|(name, _)| name == "user" || name == "course")
        .map(|(_, value)| !value.trim().is_empty())
        .peekable();
    filters.peek().is_some() && filters.all(|filled| filled)
}
