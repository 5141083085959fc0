//! Rejects dangerous requests before they are sent.
//!
//! An id that is empty or a dot segment addresses another path: `DELETE /courses/..` is `DELETE /`. And
//! `DELETE /enrolments` without a filter may delete all enrolments: its effect is not documented
//! (`spec/README.md`, Enrolments).

use reqwest::{Request, Url};

use super::base_url::BaseUrl;
use crate::{error::Error, values::OperationInfo};

/// Checks that a request goes to the path of its operation.
pub(crate) fn check(
    base: &BaseUrl,
    operation: &OperationInfo,
    request: &Request,
) -> Result<(), Error> {
    let url = request.url();
    let path = path_below(base, url);
    if path.is_none() && url.origin() != base.url().origin() {
        return Err(Error::usage(
            "the request is for another server than the client",
        ));
    }
    if operation.path.is_empty() && path.is_some_and(has_segments) {
        return Ok(());
    }
    if !path.is_some_and(|path| matches(operation.path, path)) {
        return Err(Error::usage(format!(
            "a parameter of the path {} is empty or a dot segment; give the id of one object",
            operation.path
        )));
    }
    if operation.id == "delete_enrolment" && !is_scoped(url) {
        return Err(Error::usage(
            "without a user and a course, or with an empty one, the request may delete more enrolments than intended; set one of them, or use unenrol()",
        ));
    }
    Ok(())
}

/// The path of a URL below the base URL; `None` if it is not below.
///
/// URLs are normalized, so a common prefix is a common scheme, host, port and path. Comparing origins would copy both
/// hosts.
fn path_below<'a>(base: &BaseUrl, url: &'a Url) -> Option<&'a str> {
    let rest = url.as_str().strip_prefix(base.as_str())?;
    let end = rest.bytes().position(|byte| matches!(byte, b'?' | b'#'));
    rest.get(..end.unwrap_or(rest.len()))
}

/// Returns `true` if a path has segments, none of them empty. It is normalized, so it has no dot segments.
fn has_segments(path: &str) -> bool {
    path.strip_prefix('/')
        .is_some_and(|rest| segments_of(rest).all(|segment| !segment.is_empty()))
}

/// Returns `true` if a path matches its template. A parameter matches one segment that is not empty.
pub(crate) fn matches(template: &str, path: &str) -> bool {
    let mut segments = segments_of(path);
    let same = segments_of(template).all(|expected| match segments.next() {
        Some(found) if expected.starts_with(b"{") => !found.is_empty(),
        Some(found) => found == expected,
        None => false,
    });
    same && segments.next().is_none()
}

/// Splits bytes, which is cheaper than splitting characters, since it is done for each request.
fn segments_of(path: &str) -> impl Iterator<Item = &[u8]> {
    path.as_bytes().split(|byte| *byte == b'/')
}

/// Returns `true` if there is a filter, and no empty one.
fn is_scoped(url: &Url) -> bool {
    let mut filters = url
        .query_pairs()
        .filter(|(name, _)| name == "user" || name == "course")
        .map(|(_, value)| !value.trim().is_empty())
        .peekable();
    filters.peek().is_some() && filters.all(|filled| filled)
}
