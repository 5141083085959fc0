//! Hides texts of a response that repeat a secret of the request.
//!
//! Some services echo the request that they reject, including its password. A text of a response is therefore shown only
//! if it contains no secret of this client and this request, neither as it is nor after the escapes of JSON and HTML,
//! percent-encoding and form encoding are removed, also from each other. [`Error::body`](super::Error::body) has the
//! bytes as received.

use std::{borrow::Cow, fmt, sync::Arc};

use lms_client::operation::SECRET_PROPERTIES;
use percent_encoding::percent_decode_str;
use reqwest::{
    Request,
    header::{HeaderMap, HeaderValue, LOCATION},
};
use serde_json::Value;

use crate::values::Secret;

/// Replacement for a text that contains a secret of this name.
pub(super) fn hidden(name: &str) -> String {
    format!("<hidden: {name}>")
}

/// The secrets of a call: those that its requests carried, and the client secret.
#[derive(Clone, Default)]
pub(crate) struct RequestSecrets {
    /// The header with the token. Most requests carry no other secret, and this needs no copy of it.
    bearer: Option<HeaderValue>,
    /// The header with the token that the server rejected before.
    rejected: Vec<HeaderValue>,
    /// With the names of their fields.
    in_body: Vec<(&'static str, Secret)>,
    client: Option<Arc<Secret>>,
}

impl RequestSecrets {
    /// The secrets in the body of `request`, the token in the header `bearer`, the tokens that the server rejected before,
    /// and the client secret.
    pub(crate) fn in_request(
        request: &Request,
        bearer: Option<&HeaderValue>,
        rejected: &[HeaderValue],
        client: Option<&Arc<Secret>>,
    ) -> Self {
        let body = request.body().and_then(|body| body.as_bytes());
        let body = body.and_then(|bytes| serde_json::from_slice(bytes).ok());
        let mut in_body = Vec::new();
        if let Some(body) = body {
            collect(&body, None, &mut in_body);
        }
        Self {
            bearer: bearer.cloned(),
            rejected: rejected.to_vec(),
            in_body,
            client: client.cloned(),
        }
    }

    /// All secrets, with their names.
    fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let tokens = self.bearer.iter().chain(&self.rejected).map(bearer_token);
        let in_body = self.in_body.iter();
        let client = self.client.iter().map(|secret| secret.expose());
        tokens
            .map(|token| ("token", token))
            .chain(in_body.map(|(name, secret)| (*name, secret.expose())))
            .chain(client.map(|secret| ("client_secret", secret)))
            .filter(|(_, secret)| !secret.is_empty())
    }

    /// The name of a secret that `text` contains. Case is ignored, because host and header names are in lower case.
    fn found_in(&self, text: &str) -> Option<&'static str> {
        let texts = decodings(text);
        let mut all = self.all();
        let found = all.find(|(_, secret)| {
            let secret = secret.to_ascii_lowercase();
            texts.iter().any(|text| {
                let unknown = text.contains(UNKNOWN);
                text.contains(&secret) || unknown && fold(text).contains(&fold(&secret))
            })
        });
        found.map(|(name, _)| name)
    }

    /// Returns `true` if `text` contains a secret.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.found_in(text).is_some()
    }

    /// `text`, unless it contains a secret; the name of that secret then.
    pub(crate) fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.found_in(text) {
            Some(name) => hidden(name).into(),
            None => text.into(),
        }
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

/// Number of encodings within each other that are removed.
const DEPTH: usize = 3;

/// The ways to remove an encoding from a text in lower case.
const DECODERS: [fn(&str) -> String; 4] = [unescape_json, unescape_html, percent_decode, |text| {
    percent_decode(&text.replace('+', " "))
}];

/// A text, and all texts that it may encode, in lower case.
fn decodings(text: &str) -> Vec<String> {
    let mut texts = vec![text.to_ascii_lowercase()];
    let mut done = 0;
    for _ in 0..DEPTH {
        for index in std::mem::replace(&mut done, texts.len())..texts.len() {
            for decode in DECODERS {
                // A code may stand for a letter in upper case.
                let decoded = decode(&texts[index]).to_ascii_lowercase();
                if !texts.contains(&decoded) {
                    texts.push(decoded);
                }
            }
        }
    }
    texts
}

/// Stands for a character that could not be decoded.
const UNKNOWN: char = char::REPLACEMENT_CHARACTER;

/// A text with `UNKNOWN` for everything but ASCII letters and digits.
fn fold(text: &str) -> String {
    let known = |c: char| {
        if c.is_ascii_alphanumeric() {
            c
        } else {
            UNKNOWN
        }
    };
    text.chars().map(known).collect()
}

fn percent_decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// `text` without HTML's character references. Names other than XML's five become `UNKNOWN`.
fn unescape_html(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain += before;
        let end = after.find(|c: char| c != '#' && !c.is_ascii_alphanumeric());
        let reference = end.and_then(|end| Some((&after[..end], after[end..].strip_prefix(';')?)));
        let (c, after) = match reference {
            Some((name, after)) if !name.is_empty() => (referenced(name), after),
            _ => ('&', after),
        };
        plain.push(c);
        rest = after;
    }
    plain + rest
}

/// The character of a reference in lower case: `amp`, `#38` or `#x26`.
fn referenced(name: &str) -> char {
    let code = name
        .strip_prefix('#')
        .and_then(|code| match code.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => code.parse().ok(),
        });
    match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => code.and_then(char::from_u32).unwrap_or(UNKNOWN),
    }
}

/// `text` without JSON's escapes.
fn unescape_json(text: &str) -> String {
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
    String::from_utf16_lossy(&units)
}

/// Adds the texts of a value in the secret property `of`, and of the secret properties in it.
fn collect(value: &Value, of: Option<&'static str>, found: &mut Vec<(&'static str, Secret)>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let mut known = SECRET_PROPERTIES.iter().copied();
                collect(
                    value,
                    of.or_else(|| known.find(|known| known == name)),
                    found,
                );
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, of, found)),
        Value::String(text) => {
            found.extend(of.map(|name| (name, Secret::from(text.as_str()))));
        }
        _ => {}
    }
}

impl fmt::Debug for RequestSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} hidden>", self.all().count())
    }
}

#[cfg(test)]
mod tests;
