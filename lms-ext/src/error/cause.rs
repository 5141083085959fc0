//! Finds the cause of a failed connection.
//!
//! reqwest and hyper say "error sending request" and "client error (Connect)"; the cause is further down their chain of
//! sources. Types are compared where they are public, and texts where they are not.

use std::{error::Error as StdError, io, iter::successors};

/// Number of characters after which the text of another library is truncated.
const MAX_CHARS: usize = 200;

/// The cause of a failed connection: a known cause, or else the text of the deepest source.
pub(crate) fn connect_cause(error: &(dyn StdError + 'static)) -> String {
    let cause = known_cause(error).unwrap_or_else(|| text_of_innermost(error));
    if chain(error).any(is_of_proxy) {
        format!("the proxy cannot be reached: {cause}")
    } else {
        cause
    }
}

/// The cause, if it is one that the operating system or TLS names, or one of name resolution, a proxy or HTTP.
pub(crate) fn known_cause(error: &(dyn StdError + 'static)) -> Option<String> {
    chain(error).find_map(|error| {
        #[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
        if let Some(error) = error.downcast_ref() {
            return Some(tls::cause(error));
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            let kind = error.kind();
            if kind == io::ErrorKind::UnexpectedEof {
                return Some("the server closed the connection".to_owned());
            }
            // If it wraps another error, that error describes the cause.
            let text = error.get_ref().is_none().then(|| kind.to_string())?;
            return Some(text).filter(|text| !text.ends_with(" error"));
        }
        // The types of these are private to hyper and hyper-util.
        Some(match error.to_string().as_str() {
            "dns error" => {
                let text = text_of_innermost(error);
                // std's text has this prefix, which would repeat the message.
                let text = text.trim_start_matches("failed to lookup address information: ");
                format!("the host name was not resolved: {text}")
            }
            "invalid HTTP version parsed" => {
                "the response is not HTTP; if the port expects TLS, use an https:// base URL"
                    .to_owned()
            }
            "tunnel error: unsuccessful" => "the proxy refused the connection".to_owned(),
            "tunnel error: unexpected end of file" => "the proxy closed the connection".to_owned(),
            "tunnel error: proxy authorization required" => {
                "the proxy requires a user name and a password; add them to its URL".to_owned()
            }
            _ => return None,
        })
    })
}

fn is_of_proxy(error: &(dyn StdError + 'static)) -> bool {
    matches!(
        error.to_string().as_str(),
        "tunnel error: failed to create underlying connection" | "error connecting to socks proxy"
    )
}

/// The text of the last source, without words that look like a URL, a path or a query.
fn text_of_innermost(error: &(dyn StdError + 'static)) -> String {
    let text = chain(error).last().unwrap_or(error).to_string();
    let words = text.split_whitespace().map(|word| {
        if word.contains("://") {
            "<hidden: URL>"
        } else if word.starts_with('/') {
            "<hidden: path>"
        } else if word.contains('@') {
            "<hidden: address>"
        } else if word.contains('?') {
            "<hidden: query>"
        } else {
            word
        }
    });
    let line = words.collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_CHARS).collect()
}

/// An error and all that it comes from.
fn chain<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    successors(Some(error), |error| {
        let error: &'a (dyn StdError + 'static) = *error;
        match error.downcast_ref::<io::Error>() {
            // Its `source()` is the source of the error that it wraps.
            Some(error) => error.get_ref().map(|error| error as _),
            None => error.source(),
        }
    })
}

#[cfg(any(feature = "rustls", feature = "rustls-no-provider"))]
mod tls {
    use rustls::{CertificateError, Error};

    pub(super) fn cause(error: &Error) -> String {
        match error {
            Error::InvalidMessage(_) => {
                "the server does not speak TLS on this port; check the port of the base URL"
                    .to_owned()
            }
            Error::InvalidCertificate(error) => certificate(error),
            error => format!("the TLS handshake failed: {error}"),
        }
    }

    fn certificate(error: &CertificateError) -> String {
        match error {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "certificate expired".to_owned()
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "certificate not valid yet; check the clock of this machine".to_owned()
            }
            CertificateError::UnknownIssuer => {
                "certificate not trusted: no known authority issued it; add a private authority's root with configure_http()"
                    .to_owned()
            }
            // Names the host that was expected and those that the certificate is for.
            CertificateError::NotValidForNameContext { .. } => error.to_string(),
            error => format!("certificate not valid: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_another_library_is_shown_without_urls_and_shortened() {
        let text = format!(
            "odd  thing\nat https://a.example/x?y /home/me jo@acme.example ?q=1 {}",
            "long ".repeat(100)
        );
        let shown = connect_cause(&io::Error::other(text));
        let start =
            "odd thing at <hidden: URL> <hidden: path> <hidden: address> <hidden: query> long ";
        assert!(shown.starts_with(start), "{shown}");
        assert_eq!(shown.chars().count(), MAX_CHARS);
    }
}
