//! The address of a request.
//!
//! All addresses of a client begin with the same one, so that one is parsed once, and only the path is parsed for each
//! request. What comes out is what parsing the whole would give.

use std::fmt::{self, Write as _};

use reqwest::Url;

/// How much room is made for what comes after the beginning; more is made when it is needed.
const USUAL_PATH: usize = 64;

/// The address that those of all requests begin with.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// `None` when it is not written as a URL is, and addresses have to be parsed as a whole.
    url: Option<Url>,
    /// Where its path begins.
    path: usize,
}

impl Base {
    /// Parses the beginning of all addresses, which has no slash at its end.
    pub(crate) fn new(text: &str) -> Self {
        let url = Url::parse(text).ok().filter(|url| {
            // Its parts are then as long as they are in the text.
            url.has_host()
                && url.query().is_none()
                && url.fragment().is_none()
                && url.as_str().trim_end_matches('/') == text
        });
        let path = url
            .as_ref()
            .map_or(0, |url| url.as_str().len() - url.path().len());
        Self { url, path }
    }

    /// Parses the address that begins with this one, which `text` is, and ends with `rest`.
    ///
    /// # Errors
    ///
    /// As for a request to that address.
    pub(crate) fn address(
        &self,
        client: &reqwest::Client,
        text: &str,
        rest: fmt::Arguments<'_>,
    ) -> reqwest::Result<Url> {
        let mut whole = String::with_capacity(text.len() + USUAL_PATH);
        whole.push_str(text);
        // A text takes all that is written to it.
        let _ = whole.write_fmt(rest);
        match &self.url {
            // What follows these is no path.
            Some(base) if !whole.bytes().any(|byte| matches!(byte, b'?' | b'#')) => {
                let mut url = base.clone();
                url.set_path(&whole[self.path..]);
                Ok(url)
            }
            _ => match Url::parse(&whole) {
                Ok(url) => Ok(url),
                // The only way to the error that a request would fail with.
                Err(_) => Ok(client.get(whole).build()?.url().clone()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::transport::encode_path;

    #[test]
    fn an_address_is_what_parsing_the_whole_of_it_gives() {
        let client = reqwest::Client::new();
        for base in [
            "https://acme.example",
            "https://acme.example/api/v1",
            "HTTPS://ACME.example:443/api/v1",
            "http://127.0.0.1:8080/api/v1",
            "http://[::1]:8080/a b/v1",
            "https://user:word@acme.example/api/v1",
            "https://acme.example/api/../v1",
            "https://acme.example/api?tenant=a",
        ] {
            let known = Base::new(base);
            for rest in [
                "",
                "/learners",
                "/learners/l1",
                "/a%2Fb",
                "/é",
                "/a/../b",
                "/a?b=c",
                "/a#b",
            ] {
                let text = format!("{base}{rest}");
                let address = known
                    .address(&client, base, format_args!("{rest}"))
                    .unwrap();
                assert_eq!(address, Url::parse(&text).unwrap(), "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_address_is_refused_as_it_is_by_a_request() {
        let client = reqwest::Client::new();
        for base in ["", "acme.example", "https://[", "/api/v1"] {
            let text = format!("{base}/learners");
            let refused = Base::new(base)
                .address(&client, base, format_args!("/learners"))
                .unwrap_err();
            let expected = client.get(&text).build().unwrap_err();
            assert_eq!(refused.to_string(), expected.to_string(), "{base}");
        }
    }

    proptest! {
        #[test]
        fn so_is_that_of_any_id(id in any::<String>()) {
            let base = "https://acme.example/api/v1";
            let text = format!("{base}/learners/{}", encode_path(&id));
            let address = Base::new(base)
                .address(&reqwest::Client::new(), base, format_args!("/learners/{}", encode_path(&id)))
                .unwrap();
            prop_assert_eq!(address, Url::parse(&text).unwrap());
        }
    }
}
