//! The operations of a client, as builders.

use progenitor_client::ClientInfo as _;
use reqwest::Url;

use crate::Client;

/// The operations of one tenant. Each is a method that returns a [builder](crate::requests).
///
/// `T` decides what awaiting a builder does: it is a [`Policy`](crate::policy::Policy), as in `lms_ext::Lms`. The
/// documentation of the methods below assumes that. The requests are those of the methods of [`Client`]; see
/// [`Operation::prepare`](crate::operation::Operation::prepare).
#[derive(Clone, Debug)]
pub struct Operations<T = ()> {
    client: Client,
    /// Builds the requests, below [`PLACE`] and the path of the base URL.
    builder: Client,
    /// `None` if no path can be added to it.
    base: Option<Url>,
    transport: T,
}

/// Stands for scheme and host in the URLs that progenitor's methods build. A URL is parsed for each request, of which a real
/// host takes the larger part.
const PLACE: &str = "x://x";

impl<T> Operations<T> {
    /// The operations of a client, whose base URL is the URL of the API, including `/api/v1`.
    ///
    /// If the base URL is not valid, every request fails with an error.
    pub fn new(mut client: Client, transport: T) -> Self {
        let base_url = &mut client.baseurl;
        base_url.truncate(base_url.trim_end_matches('/').len());
        // A path after a query would be a part of the query.
        let is_base = |url: &Url| {
            let rest = [url.query(), url.fragment(), url.password()];
            url.has_host() && url.username().is_empty() && rest == [None; 3]
        };
        let base = Url::parse(base_url).ok().filter(is_base);
        let path = base.as_ref().map_or("", Url::path).trim_end_matches('/');
        Self {
            builder: Client {
                baseurl: format!("{PLACE}{path}"),
                client: client.client.clone(),
            },
            base,
            client,
            transport,
        }
    }

    /// The raw client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The URL of the API, without a trailing slash.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.client.baseurl()
    }

    /// The transport, which sends the requests.
    #[must_use]
    pub fn transport(&self) -> &T {
        &self.transport
    }

    pub(crate) fn builder(&self) -> &Client {
        &self.builder
    }

    pub(crate) fn base(&self) -> Option<&Url> {
        self.base.as_ref()
    }
}

#[cfg(test)]
#[cfg(not(feature = "tenant-document"))]
mod tests {
    use super::*;
    use crate::operation::Operation as _;

    #[test]
    fn a_base_url_without_a_place_for_paths_is_the_error_of_a_request() {
        let operations =
            |base: &str| Operations::new(Client::new_with_client(base, reqwest::Client::new()), ());
        for base in [
            "",
            "acme.example",
            "https://[",
            "/api/v1",
            "https://acme.example/api?tenant=a",
            "https://acme.example/#top",
            "https://id:secret@acme.example",
        ] {
            let error = operations(base).get_course("c1").prepare().unwrap_err();
            assert!(error.to_string().contains("base URL"), "{base:?}: {error}");
        }
        for base in ["https://acme.example/api/v1", "http://[::1]:8080/api/v1//"] {
            let request = operations(base)
                .get_course("a/b")
                .prepare()
                .unwrap()
                .request;
            let expected = format!("{}/courses/a%2Fb", base.trim_end_matches('/'));
            assert_eq!(request.url().as_str(), expected);
        }
    }
}
