//! Hides texts of a response that repeat a secret of the request.
//!
//! Some services echo the request that they reject, including its password. A text of a response is therefore shown only
//! if it contains no secret of this client and this request, neither as it is nor after JSON's escapes or
//! percent-encoding are removed. [`Error::body`](super::Error::body) has the bytes as received.

use std::{borrow::Cow, fmt, sync::Arc};

use lms_client::operation::SECRET_PROPERTIES;
use percent_encoding::percent_decode_str;
use reqwest::{
    Request,
    header::{HeaderMap, HeaderValue, LOCATION},
};
use serde_json::Value;

use crate::values::Secret;

/// Replacement for a text that contains a secret.
pub(super) const HIDDEN: &str = "<hidden>";

/// The secrets of a call: those that its requests carried, and the client secret.
#[derive(Clone, Default)]
pub(crate) struct RequestSecrets {
    /// The header with the token. Most requests carry no other secret, and this needs no copy of it.
    bearer: Option<HeaderValue>,
    /// The header with the token that the server rejected before.
    rejected: Option<HeaderValue>,
    in_body: Vec<Secret>,
    client: Option<Arc<Secret>>,
}

impl RequestSecrets {
    /// The secrets in the body of `request`, the token in the header `bearer`, the token that the server rejected before,
    /// and the client secret.
    pub(crate) fn of(
        request: &Request,
        bearer: Option<&HeaderValue>,
        rejected: Option<&HeaderValue>,
        client: Option<&Arc<Secret>>,
    ) -> Self {
        let body = request.body().and_then(|body| body.as_bytes());
        let body = body.and_then(|bytes| serde_json::from_slice(bytes).ok());
        let mut in_body = Vec::new();
        if let Some(body) = body {
            collect(&body, false, &mut in_body);
        }
        Self {
            bearer: bearer.cloned(),
            rejected: rejected.cloned(),
            in_body,
            client: client.cloned(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        self.bearer
            .iter()
            .chain(&self.rejected)
            .map(bearer_token)
            .chain(self.in_body.iter().map(Secret::expose))
            .chain(self.client.iter().map(|secret| secret.expose()))
            .filter(|secret| !secret.is_empty())
    }

    /// Returns `true` if `text` contains a secret. Case is ignored, because host and header names are in lower case.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let plain = text.to_ascii_lowercase();
        let unescaped = unescape(&plain);
        let decoded = percent_decode_str(&plain).decode_utf8_lossy();
        let decoded = decoded.to_ascii_lowercase();
        self.all().any(|secret| {
            let secret = secret.to_ascii_lowercase();
            [&*plain, &unescaped, &decoded]
                .iter()
                .any(|text| text.contains(&secret))
        })
    }

    /// `text`, unless it contains a secret.
    pub(crate) fn redact<'a>(&self, text: &'a str) -> &'a str {
        if self.is_in(text) { HIDDEN } else { text }
    }

    /// Marks headers that contain a secret as sensitive, and `Location`, which may hold secrets of others. Removes a
    /// header whose name contains a secret, since `Debug` always shows names.
    pub(crate) fn redact_headers(&self, headers: &mut HeaderMap) {
        for (name, value) in headers.iter_mut() {
            if name == LOCATION || self.is_in(&String::from_utf8_lossy(value.as_bytes())) {
                value.set_sensitive(true);
            }
        }
        let echoing = headers.keys().filter(|name| self.is_in(name.as_str()));
        for name in echoing.cloned().collect::<Vec<_>>() {
            headers.remove(name);
        }
    }
}

/// The token in an `Authorization: Bearer …` header.
fn bearer_token(header: &HeaderValue) -> &str {
    let text = header.to_str().unwrap_or_default();
    text.strip_prefix("Bearer ").unwrap_or_default()
}

/// `text`, which is in lower case, without JSON's escapes.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let escaped = (c == '\\').then(|| rest.next()).flatten();
        let code = rest.as_str().get(..4).filter(|_| escaped == Some('u'));
        match (escaped, code.map(|code| u16::from_str_radix(code, 16))) {
            (_, Some(Ok(unit))) => {
                units.push(unit);
                rest = rest.as_str()[4..].chars();
            }
            (Some('n'), _) => units.push(u16::from(b'\n')),
            (Some('r'), _) => units.push(u16::from(b'\r')),
            (Some('t'), _) => units.push(u16::from(b'\t')),
            (escaped, _) => units.extend_from_slice(escaped.unwrap_or(c).encode_utf16(&mut [0; 2])),
        }
    }
    // An escape may stand for a letter in upper case.
    String::from_utf16_lossy(&units).to_ascii_lowercase().into()
}

/// Adds the texts of a value that is a `secret`, and of the secret properties in it.
fn collect(value: &Value, secret: bool, found: &mut Vec<Secret>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let secret = secret || SECRET_PROPERTIES.contains(&name.as_str());
                collect(value, secret, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, secret, found)),
        Value::String(text) if secret => found.push(Secret::from(text.as_str())),
        _ => {}
    }
}

impl fmt::Debug for RequestSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} hidden>", self.all().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::send::auth::bearer_header;
    use reqwest::{Method, Url};

    fn secrets(body: &str, token: Option<&str>) -> RequestSecrets {
        let url = Url::parse("https://acme.example").unwrap();
        let mut request = Request::new(Method::POST, url);
        *request.body_mut() = Some(body.to_owned().into());
        let bearer = token.map(|token| bearer_header(&Secret::from(token)).unwrap());
        RequestSecrets::of(&request, bearer.as_ref(), None, None)
    }

    #[test]
    fn a_text_with_a_secret_of_the_request_is_hidden_and_any_other_is_shown() {
        let nested = r#"[{"a":[{"client_secret":"s1","code":"c1"}]}]"#;
        for (body, token, text, hidden) in [
            (nested, Some("t1"), "you sent s1", true),
            (nested, Some("t1"), "(c1)", true),
            (r#"{"code":["c1",{"a":"c2"}]}"#, None, "c2", true),
            (nested, Some("t1"), "T1", true),
            (nested, Some("t1"), "as it is", false),
            (r#"{"password":""}"#, None, "as it is", false),
            (r#"{"email":"a@b.example"}"#, None, "a@b.example", false),
            (r#"{"password":null}"#, None, "null", false),
            ("not JSON", None, "not JSON", false),
        ] {
            let shown = secrets(body, token).redact(text);
            assert_eq!(shown, if hidden { HIDDEN } else { text }, "{body}: {text}");
        }
    }

    #[test]
    fn an_escaped_or_encoded_secret_is_found() {
        const SECRET: &str = "p/A&s\"s'ü<\\ 😀\n";
        let body = serde_json::json!({ "password": SECRET }).to_string();
        let secrets = secrets(&body, None);
        for text in [
            SECRET,
            r#"p\/A\u0026s\"s'\u00fc<\\ \ud83d\ude00\n"#,
            r#"\u0070/\u0041\u0026s\"s\u0027\u00FC\u003c\\ \uD83D\uDE00\u000A"#,
            "p%2fA%26s%22s%27%C3%BC%3C%5C%20%F0%9F%98%80%0A",
            "p%2FA&s%22s'%c3%bc%3c%5c%20%F0%9F%98%80%0a",
        ] {
            assert!(secrets.is_in(&format!("é\\x % {text}!")), "{text}");
        }
        for text in ["", r"\", r"\u", r"\u12", "%", "%2", "p/A&s"] {
            assert!(!secrets.is_in(text), "{text}");
        }
    }

    #[test]
    fn a_header_that_contains_a_secret_is_not_shown() {
        let headers = [
            ("x-said", "you sent t0ken"),
            ("x-t0ken-seen", "1"),
            ("location", "/elsewhere"),
            ("x-short", "t0k"),
            ("x-escaped", "a%20word"),
        ];
        let mut headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect();
        secrets("{}", Some("t0ken")).redact_headers(&mut headers);
        let shown = format!("{headers:?}");
        assert!(
            !shown.contains("t0ken") && !shown.contains("elsewhere"),
            "{shown}"
        );
        assert!(
            shown.contains("t0k") && shown.contains("a%20word"),
            "{shown}"
        );
        assert_eq!(headers.len(), 4);
    }

    #[test]
    fn debug_shows_no_secret() {
        let secrets = secrets(r#"{"password":"hunter2"}"#, Some("t0ken"));
        assert_eq!(format!("{secrets:?}"), "<2 hidden>");
    }
}
