//! Taking out of what a tenant says what it was told in confidence.
//!
//! An error body is the tenant's own, and some repeat the request that they complain about, password
//! included. What a person is shown of it goes through here first: every secret that the request carried
//! is replaced. The body itself stays as it came, for those who ask for it.

use std::fmt;

use reqwest::{
    Request,
    header::{HeaderMap, HeaderValue, LOCATION},
};
use serde_json::Value;

use crate::values::{Secret, bearer_token};

/// Members that hold a secret, wherever in a body they are (§2).
const NAMES: [&str; 5] = [
    "password",
    "client_secret",
    "access_token",
    "refresh_token",
    "code",
];

/// The secrets that a request carried.
#[derive(Clone, Default)]
pub(crate) struct RequestSecrets {
    /// The header that the token was in: most requests carry nothing else, and this costs them no copy.
    bearer: Option<HeaderValue>,
    /// Those in the body.
    found: Vec<Secret>,
}

impl RequestSecrets {
    /// Those in the body of `request`, and the token that went with it in the header `bearer`.
    pub(crate) fn by(request: &Request, bearer: Option<&HeaderValue>) -> Self {
        let body = request.body().and_then(|body| body.as_bytes());
        let body = body.and_then(|bytes| serde_json::from_slice(bytes).ok());
        let mut found = Vec::new();
        if let Some(body) = body {
            collect(&body, &mut found);
        }
        Self {
            bearer: bearer.cloned(),
            found,
        }
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        self.bearer
            .iter()
            .map(bearer_token)
            .chain(self.found.iter().map(Secret::expose))
            .filter(|secret| !secret.is_empty())
    }

    /// `text` without them.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut all: Vec<_> = self.all().collect();
        // The longer ones first, so that none is left in pieces because another one is a part of it.
        all.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        all.into_iter().fold(text.to_owned(), |text, secret| {
            text.replace(secret, "<hidden>")
        })
    }

    /// Whether `text` repeats one.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.all().any(|secret| text.contains(secret))
    }

    /// Whether the address `text` repeats one in its host, which is in lower case.
    pub(crate) fn is_in_host(&self, text: &str) -> bool {
        self.all()
            .any(|secret| text.contains(&secret.to_ascii_lowercase()))
    }

    /// Marks the headers that repeat one, so that `Debug` does not show them, and the target of a redirect,
    /// which may hold those of others. A header whose name repeats one is taken out: names are always shown.
    pub(crate) fn redact_headers(&self, headers: &mut HeaderMap) {
        // Every answer is searched, and most headers are too short to hold what is looked for.
        let shortest = self.all().map(str::len).min().unwrap_or(usize::MAX);
        for (name, value) in headers.iter_mut() {
            let bytes = value.as_bytes();
            let repeats = || bytes.len() >= shortest && self.is_in(&String::from_utf8_lossy(bytes));
            if name == LOCATION || repeats() {
                value.set_sensitive(true);
            }
        }
        let telling: Vec<_> = headers
            .keys()
            .filter(|name| name.as_str().len() >= shortest && self.is_in(name.as_str()))
            .cloned()
            .collect();
        for name in telling {
            headers.remove(name);
        }
    }
}

fn collect(value: &Value, found: &mut Vec<Secret>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if NAMES.contains(&name.as_str()) => {
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
    fn secrets_are_taken_out_and_the_rest_stays() {
        for (body, token, text, expected) in [
            (
                r#"{"password":"hunter2"}"#,
                None,
                "'hunter2' is too short: hunter2",
                "'<hidden>' is too short: <hidden>",
            ),
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
            ("no JSON", None, "no JSON", "no JSON"),
        ] {
            let secrets = secrets(body, token);
            assert_eq!(secrets.redact(text), expected, "{body}");
        }
    }

    #[test]
    fn a_header_that_repeats_a_secret_is_not_shown() {
        let headers = [
            ("x-said", "you sent t0ken"),
            ("x-t0ken-seen", "1"),
            ("location", "/elsewhere"),
            ("x-short", "t0k"),
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
        assert!(shown.contains("t0k"), "{shown}");
        assert_eq!(headers.len(), 3);
    }

    #[test]
    fn what_was_carried_is_not_shown() {
        let secrets = secrets(r#"{"password":"hunter2"}"#, Some("t0ken"));
        assert_eq!(format!("{secrets:?}"), "<2 hidden>");
    }
}
