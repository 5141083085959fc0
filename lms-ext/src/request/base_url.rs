//! Which addresses a tenant may have.
//!
//! A base address comes from a settings page, an environment variable or a ticket, and in as many
//! spellings. What can be understood without doubt is accepted; the rest is refused with the spelling to
//! use instead, before anything is sent to it.

use reqwest::Url;

use crate::error::Error;

/// Where the version of the API lives below the base address (§9).
const API: &str = "/api/v1";

/// The address of a tenant's API, `…/api/v1` included and without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaseUrl(Url);

impl BaseUrl {
    pub(crate) fn parse(text: &str, plain_http: PlainHttp) -> Result<Self, Error> {
        let text = text.trim();
        let refuse = |reason: &str| Err(Error::usage(format!("the base address {reason}")));
        if text.is_empty() {
            return refuse("is empty; write it like https://acme.example");
        }
        if !text.contains("://") {
            return refuse("has no scheme; write it like https://acme.example");
        }
        let Ok(mut url) = Url::parse(text) else {
            return refuse("is no URL; write it like https://acme.example");
        };
        if !matches!(url.scheme(), "https" | "http") {
            return refuse("must start with https://");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse(
                "holds a user name or password; leave them out and give the client id and secret to client_credentials()",
            );
        }
        if url.query().is_some() || url.fragment().is_some() {
            return refuse("holds a query or a fragment; leave out what follows the path");
        }
        if url.scheme() == "http" && plain_http == PlainHttp::LoopbackOnly && !is_loopback(&url) {
            return refuse(
                "is plain http, which shows secrets to everyone on the way; write https://, or call allow_plain_http() if the network is yours",
            );
        }
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix(API).unwrap_or(path).trim_end_matches('/');
        url.set_path(&format!("{path}{API}"));
        Ok(Self(url))
    }

    /// The address as a prefix of all others.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The address as a URL; its path is a prefix of that of every request.
    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    pub(crate) fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }
}

/// Whether unencrypted addresses are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainHttp {
    LoopbackOnly,
    Anywhere,
}

fn is_loopback(url: &Url) -> bool {
    // `Url` keeps the brackets of an IPv6 host.
    let host = url.host_str().unwrap_or_default();
    host == "localhost"
        || host.ends_with(".localhost")
        || host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_spellings_end_in_one_api_path() {
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
            let address = BaseUrl::parse(text, PlainHttp::LoopbackOnly).unwrap();
            assert_eq!(address.as_str(), expected, "{text:?}");
        }
    }

    #[test]
    fn refused_spellings_say_what_to_write() {
        for (text, advice) in [
            ("", "https://acme.example"),
            ("acme.example", "no scheme"),
            ("acme.example:443", "no scheme"),
            ("//acme.example", "no scheme"),
            ("ftp://acme.example", "https://"),
            ("https://", "no URL"),
            ("https://id:secret@acme.example", "client_credentials()"),
            ("https://id@acme.example", "client_credentials()"),
            ("https://acme.example?x=1", "query"),
            ("https://acme.example/#top", "fragment"),
            ("http://acme.example", "allow_plain_http()"),
            ("http://127.0.0.1.acme.example", "allow_plain_http()"),
            ("http://acmelocalhost", "allow_plain_http()"),
            ("http://localhost.acme.example", "allow_plain_http()"),
        ] {
            let error = BaseUrl::parse(text, PlainHttp::LoopbackOnly).unwrap_err();
            assert!(error.is_usage(), "{text:?}");
            assert!(error.to_string().contains(advice), "{text:?}: {error}");
            assert!(!error.to_string().contains("secret@"), "{error}");
        }
    }

    #[test]
    fn plain_http_elsewhere_is_a_choice() {
        let address = BaseUrl::parse("http://lms.internal", PlainHttp::Anywhere).unwrap();
        assert_eq!(address.as_str(), "http://lms.internal/api/v1");
    }
}
