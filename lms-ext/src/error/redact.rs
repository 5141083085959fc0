//! Redacts request secrets that a response echoes.
//!
//! Some services echo the request that they reject, including its password. So a secret of the request is replaced in
//! everything that is shown of a response, also when it is escaped (`encoded.rs`). [`ErrorBody`](super::ErrorBody) keeps the bytes as received.

use std::{fmt, sync::Arc};

use lms_client::operation::SECRET_PROPERTIES;
use reqwest::{
    Request,
    header::{HeaderMap, HeaderValue, LOCATION},
};
use serde_json::Value;

use super::encoded;
use crate::values::{Secret, bearer_token};

/// A secret of at least this many bytes is found inside words, too. A shorter one is likely to be a part of other
/// words.
const LONG: usize = 8;

/// Words of error messages. If one of them is a secret as well, it is redacted only in quotes.
const COMMON: [&str; 14] = [
    "client", "code", "email", "empty", "expired", "invalid", "missing", "password", "secret",
    "short", "token", "unknown", "user", "wrong",
];

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
    /// The secrets in the body of `request`, and the token in the header `bearer`.
    pub(crate) fn by(request: &Request, bearer: Option<&HeaderValue>) -> Self {
        let body = request.body().and_then(|body| body.as_bytes());
        let body = body.and_then(|bytes| serde_json::from_slice(bytes).ok());
        let mut in_body = Vec::new();
        if let Some(body) = body {
            collect(&body, &mut in_body);
        }
        Self {
            bearer: bearer.cloned(),
            in_body,
            ..Self::default()
        }
    }

    /// Adds the token that the server rejected before, and the client secret.
    pub(crate) fn and(
        mut self,
        rejected: Option<&HeaderValue>,
        client: Option<&Arc<Secret>>,
    ) -> Self {
        self.rejected = rejected.cloned();
        self.client = client.cloned();
        self
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

    /// `text` with each secret replaced.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut all: Vec<_> = self.all().collect();
        // Longest first: a secret may be a part of another.
        all.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        all.into_iter().fold(text.to_owned(), |mut text, secret| {
            let mut from = 0;
            while let Some((at, end)) = find(&text, secret, from) {
                text.replace_range(at..end, HIDDEN);
                from = at + HIDDEN.len();
            }
            text
        })
    }

    /// Whether `text` contains a secret.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.all().any(|secret| find(text, secret, 0).is_some())
    }

    /// Whether the host of the URL `text`, which is in lower case, contains a secret.
    pub(crate) fn is_in_host(&self, text: &str) -> bool {
        self.all()
            .any(|secret| text.contains(&secret.to_ascii_lowercase()))
    }

    /// Marks headers that contain a secret as sensitive, and `Location`, which may hold secrets of others. Removes a
    /// header whose name contains a secret, since `Debug` always shows names.
    pub(crate) fn redact_headers(&self, headers: &mut HeaderMap) {
        let secrets: Vec<_> = self.all().collect();
        let echoes = |text: &[u8]| {
            encoded::possible(text, &secrets) && self.is_in(&String::from_utf8_lossy(text))
        };
        for (name, value) in headers.iter_mut() {
            if name == LOCATION || echoes(value.as_bytes()) {
                value.set_sensitive(true);
            }
        }
        let echoing: Vec<_> = headers
            .keys()
            .filter(|name| echoes(name.as_str().as_bytes()))
            .cloned()
            .collect();
        for name in echoing {
            headers.remove(name);
        }
    }
}

const HIDDEN: &str = "<hidden>";

/// Where `text` contains `secret`, at or after `from`: anywhere if it is long, as a word of its own if it is short. The
/// start and the end.
fn find(text: &str, secret: &str, mut from: usize) -> Option<(usize, usize)> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_quote = |c: char| "'\"`‘’“”".contains(c);
    while let Some((at, end)) = encoded::find(text, secret, from) {
        let before = text[..at].chars().next_back();
        let after = text[end..].chars().next();
        let is_secret = if COMMON.contains(&secret) {
            before.is_some_and(is_quote) && after.is_some_and(is_quote)
        } else {
            secret.len() >= LONG
                || !(before.is_some_and(in_word) && secret.starts_with(in_word)
                    || after.is_some_and(in_word) && secret.ends_with(in_word))
        };
        if is_secret {
            return Some((at, end));
        }
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

fn collect(value: &Value, found: &mut Vec<Secret>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if SECRET_PROPERTIES.contains(&name.as_str()) => {
                        found.push(Secret::from(text.as_str()));
                    }
                    _ => collect(value, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, found)),
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
        RequestSecrets::by(&request, bearer.as_ref())
    }

    #[test]
    fn secrets_are_redacted_and_the_rest_is_kept() {
        for (body, token, text, expected) in [
            (
                r#"[{"a":[{"client_secret":"s1","code":"c1"}]}]"#,
                Some("t1"),
                "s1 c1 t1 x",
                "<hidden> <hidden> <hidden> x",
            ),
            (
                r#"{"password":"abc","refresh_token":"xabcx"}"#,
                None,
                "xabcx abc",
                "<hidden> <hidden>",
            ),
            (r#"{"password":""}"#, None, "as it is", "as it is"),
            (
                r#"{"email":"a@b.example"}"#,
                None,
                "a@b.example",
                "a@b.example",
            ),
            (r#"{"password":null}"#, None, "null", "null"),
            ("not JSON", None, "not JSON", "not JSON"),
        ] {
            let secrets = secrets(body, token);
            assert_eq!(secrets.redact(text), expected, "{body}");
        }
    }

    #[test]
    fn a_short_secret_is_redacted_as_a_word_and_a_long_one_anywhere() {
        for (secret, text, expected) in [
            (
                "hunter2",
                "'hunter2' is too short: hunter2",
                "'<hidden>' is too short: <hidden>",
            ),
            (
                "hunter2",
                "hunter22 hunter2_ xhunter2",
                "hunter22 hunter2_ xhunter2",
            ),
            ("hunter-2", "xhunter-2x", "x<hidden>x"),
            (
                "s",
                "secret is=s, (s) ésé",
                "secret is=<hidden>, (<hidden>) ésé",
            ),
            ("a-a", "xa-a-a", "xa-<hidden>"),
            ("é", "é été", "<hidden> été"),
            ("!!", "no!!", "no<hidden>"),
            (
                "wrong",
                "client_secret is missing or wrong",
                "client_secret is missing or wrong",
            ),
            ("wrong", "'wrong is wrong'", "'wrong is wrong'"),
            (
                "wrong",
                "the secret 'wrong' is wrong",
                "the secret '<hidden>' is wrong",
            ),
        ] {
            let body = serde_json::json!({ "password": secret }).to_string();
            assert_eq!(secrets(&body, None).redact(text), expected, "{secret}");
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
