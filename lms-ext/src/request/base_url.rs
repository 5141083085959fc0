//! Validates the base URL, and the URL of each request.
//!
//! A base URL comes from a settings page, an environment variable or a ticket, in many spellings. Unambiguous ones are
//! accepted. For others, the error names a valid form before any request is sent.
//!
//! An id that is empty or a dot segment addresses another path: `DELETE /courses/..` is `DELETE /`. And a deletion by
//! filters may delete everything without one. The effect of `DELETE /enrolments` alone is not documented
//! (`lms-client/src/service.md`, Enrolments).

use reqwest::{Method, Url};

use crate::{error::Error, values::OperationInfo};

/// The path of the API below the base URL (`lms-client/src/service.md`, Versioning).
const API: &str = "/api/v1";

/// The URL of the API, with `/api/v1` and without a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaseUrl(Url);

impl BaseUrl {
    /// `plain_http` allows it to other hosts than loopback.
    pub(crate) fn parse(text: &str, plain_http: bool) -> Result<Self, Error> {
        let text = text.trim();
        let refuse = |reason: &str| Err(Error::usage(format!("the base URL {reason}")));
        if text.is_empty() {
            return refuse("is empty; write it like https://acme.example");
        }
        if !text.contains("://") {
            return refuse("has no scheme; write it like https://acme.example");
        }
        let Ok(mut url) = Url::parse(text) else {
            return refuse("is not a URL; write it like https://acme.example");
        };
        if !matches!(url.scheme(), "https" | "http") {
            return refuse("must start with https://");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse(
                "contains a user name or password; remove them, and pass the client id and secret to client_credentials()",
            );
        }
        if url.query().is_some() || url.fragment().is_some() {
            return refuse("contains a query or a fragment; remove what follows the path");
        }
        if url.scheme() == "http" && !plain_http && !is_loopback(&url) {
            return refuse(
                "is plain http, which exposes secrets on the network; use https://, or call allow_plain_http() if the network is trusted",
            );
        }
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix(API).unwrap_or(path).trim_end_matches('/');
        url.set_path(&format!("{path}{API}"));
        Ok(Self(url))
    }

    /// The prefix of the URL of each request.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    pub(crate) fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }

    /// Checks that the URL of a request is that of its operation.
    pub(super) fn check(&self, operation: &OperationInfo, url: &Url) -> Result<(), Error> {
        let path = self.path_below(url);
        if path.is_none() && url.origin() != self.0.origin() {
            return Err(Error::usage(
                "the request is for another server than the client",
            ));
        }
        // The path is normalized, so it has no dot segments.
        let is_filled = |path: &str| {
            path.starts_with('/') && segments_of(path).skip(1).all(|segment| !segment.is_empty())
        };
        if operation.path.is_empty() && path.is_some_and(is_filled) {
            return Ok(());
        }
        if !path.is_some_and(|path| matches(operation.path, path)) {
            return Err(Error::usage(format!(
                "a parameter of the path {} is empty or a dot segment; give the id of one object",
                operation.path
            )));
        }
        let filters = operation.query_parameters;
        if deletes_by_filter(operation) && !is_scoped(filters, url) {
            return Err(Error::usage(format!(
                "without `{}`, or with an empty one, the request may delete more than intended; set one of them",
                filters.join("` and `")
            )));
        }
        Ok(())
    }

    /// The path of a URL below this one; `None` if it is not below.
    ///
    /// URLs are normalized, so a common prefix is a common scheme, host, port and path. Comparing origins would copy both
    /// hosts.
    fn path_below<'a>(&self, url: &'a Url) -> Option<&'a str> {
        let is_below = url.as_str().starts_with(self.as_str());
        is_below.then(|| url.path().get(self.0.path().len()..))?
    }
}

fn is_loopback(url: &Url) -> bool {
    // The host of a `Url` keeps the brackets of IPv6.
    let host = url.host_str().unwrap_or_default();
    host == "localhost"
        || host.ends_with(".localhost")
        || host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
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

/// Returns `true` if only filters say what an operation deletes.
fn deletes_by_filter(operation: &OperationInfo) -> bool {
    operation.method == Method::DELETE
        && operation.path_parameters.is_empty()
        && !operation.query_parameters.is_empty()
}

/// Returns `true` if there is a filter, and no empty one.
fn is_scoped(filters: &[&str], url: &Url) -> bool {
    let mut filters = url
        .query_pairs()
        .filter(|(name, _)| filters.contains(&&**name))
        .map(|(_, value)| !value.trim().is_empty())
        .peekable();
    filters.peek().is_some() && filters.all(|filled| filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_spellings_end_with_one_api_path() {
        for (text, expected) in [
            ("https://acme.example", "https://acme.example/api/v1"),
            ("https://acme.example/", "https://acme.example/api/v1"),
            ("https://acme.example/api/v1", "https://acme.example/api/v1"),
            (
                "https://acme.example/api/v1/",
                "https://acme.example/api/v1",
            ),
            ("https://acme.example//", "https://acme.example/api/v1"),
            (
                "https://acme.example/eu/lms",
                "https://acme.example/eu/lms/api/v1",
            ),
            (
                "https://acme.example/eu/api/v1/",
                "https://acme.example/eu/api/v1",
            ),
            ("  https://acme.example\n", "https://acme.example/api/v1"),
            (
                "HTTPS://ACME.example:8443",
                "https://acme.example:8443/api/v1",
            ),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api/v1"),
            ("http://[::1]:8080/", "http://[::1]:8080/api/v1"),
            ("http://localhost", "http://localhost/api/v1"),
            ("http://ACME.localhost", "http://acme.localhost/api/v1"),
        ] {
            let address = BaseUrl::parse(text, false).unwrap();
            assert_eq!(address.as_str(), expected, "{text:?}");
        }
    }

    #[test]
    fn errors_say_what_to_write() {
        for (text, advice) in [
            ("", "https://acme.example"),
            ("acme.example", "no scheme"),
            ("acme.example:443", "no scheme"),
            ("//acme.example", "no scheme"),
            ("ftp://acme.example", "https://"),
            ("https://", "not a URL"),
            ("https://id:secret@acme.example", "client_credentials()"),
            ("https://id@acme.example", "client_credentials()"),
            ("https://acme.example?x=1", "query"),
            ("https://acme.example/#top", "fragment"),
            ("http://acme.example", "allow_plain_http()"),
            ("http://127.0.0.1.acme.example", "allow_plain_http()"),
            ("http://acmelocalhost", "allow_plain_http()"),
            ("http://localhost.acme.example", "allow_plain_http()"),
        ] {
            let error = BaseUrl::parse(text, false).unwrap_err();
            assert!(error.is_usage(), "{text:?}");
            assert!(error.to_string().contains(advice), "{text:?}: {error}");
            assert!(!error.to_string().contains("secret@"), "{error}");
        }
    }

    #[test]
    fn plain_http_to_other_hosts_is_opt_in() {
        let address = BaseUrl::parse("http://lms.internal", true).unwrap();
        assert_eq!(address.as_str(), "http://lms.internal/api/v1");
    }
}
