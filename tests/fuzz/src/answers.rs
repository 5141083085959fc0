//! The text that stands for what a tenant answers.
//!
//! ```text
//! 503
//! retry-after: 3
//!
//! busy
//! %%
//! {"items": [{"id": "a"}], "more": false}
//! ```
//!
//! A line of `%%` is between two answers. One begins with a status, then come headers, an empty line and the body; what
//! does not begin with a digit is the body of a 200. `{token}`, `{secret}` and `{password}` stand for what the client
//! sent, and `{canary}` in a body for something that only the body holds.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};

/// The token that a client here carries; in lower case, so that a host in which it is repeated shows it as it is.
pub(crate) const TOKEN: &str = "tkn-7f3a9c51e2";
/// The client secret with which it fetches tokens.
pub(crate) const SECRET: &str = "sct-b84d06f19a";
/// The password that it sets.
pub(crate) const PASSWORD: &str = "pwd-5e20c7d88b";
/// What nobody but the body says.
pub(crate) const CANARY: &str = "cny-91d4aa03f6";

/// More than that is no other case.
const MOST: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Bytes,
}

impl Answer {
    /// A 200 with this body.
    pub(crate) fn of(body: impl Into<Bytes>) -> Self {
        Self {
            status: StatusCode::OK,
            headers: Vec::new(),
            body: body.into(),
        }
    }
}

/// Reads any bytes as answers; there is one at least.
pub(crate) fn answers(input: &[u8]) -> Vec<Answer> {
    split(input, b"\n%%\n").take(MOST).map(answer).collect()
}

/// The parts of `text` between which there is `mark`.
pub(crate) fn split<'a>(text: &'a [u8], mark: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.windows(mark.len()).position(|found| found == mark);
        rest = end.map(|end| &text[end + mark.len()..]);
        Some(end.map_or(text, |end| &text[..end]))
    })
}

fn answer(text: &[u8]) -> Answer {
    if !text.first().is_some_and(u8::is_ascii_digit) {
        return Answer::of(filled(text, CANARY));
    }
    let (head, body) = match text.windows(2).position(|found| found == b"\n\n") {
        Some(end) => (&text[..end], &text[end + 2..]),
        None => (text, &[][..]),
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    let status = lines
        .next()
        .and_then(|line| StatusCode::from_bytes(line.get(..3)?).ok())
        // What only tells of an answer to come never gets as far as the client.
        .filter(|status| !status.is_informational())
        .unwrap_or(StatusCode::OK);
    let headers = lines
        .filter_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            let name = HeaderName::from_bytes(&line[..colon]).ok()?;
            let value = filled(line[colon + 1..].trim_ascii(), "");
            Some((name, HeaderValue::from_bytes(&value).ok()?))
        })
        .collect();
    Answer {
        status,
        headers,
        body: filled(body, CANARY).into(),
    }
}

fn filled(text: &[u8], canary: &str) -> Vec<u8> {
    [
        ("{token}", TOKEN),
        ("{secret}", SECRET),
        ("{password}", PASSWORD),
        ("{canary}", canary),
    ]
    .into_iter()
    .fold(text.to_vec(), |text, (name, value)| {
        split(&text, name.as_bytes())
            .collect::<Vec<_>>()
            .join(value.as_bytes())
    })
}
