//! Responses of the service as text.
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
//! A line `%%` separates two responses. A response is a status, headers, an empty line and a body; text that does not begin
//! with a digit is the body of a 200. `{token}`, `{secret}` and `{password}` stand for the secrets of the client, and
//! `{canary}` for text that only the body contains.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};

/// The token of the client; in lower case, so that it is unchanged inside a host name.
pub(crate) const TOKEN: &str = "tkn-7f3a9c51e2";
/// The client secret.
pub(crate) const SECRET: &str = "sct-b84d06f19a";
/// The password of a new learner.
pub(crate) const PASSWORD: &str = "pwd-5e20c7d88b";
/// Text that only the body contains.
pub(crate) const CANARY: &str = "cny-91d4aa03f6";

/// The most responses; more would test nothing new.
const MOST: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct CannedResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Bytes,
}

impl CannedResponse {
    /// Returns a 200 with this body.
    pub(crate) fn of(body: impl Into<Bytes>) -> Self {
        Self {
            status: StatusCode::OK,
            headers: Vec::new(),
            body: body.into(),
        }
    }
}

/// Reads bytes as responses, at least one.
pub(crate) fn responses(input: &[u8]) -> Vec<CannedResponse> {
    split(input, b"\n%%\n").take(MOST).map(response).collect()
}

/// Splits `text` at `mark`.
pub(crate) fn split<'a>(text: &'a [u8], mark: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.windows(mark.len()).position(|found| found == mark);
        rest = end.map(|end| &text[end + mark.len()..]);
        Some(end.map_or(text, |end| &text[..end]))
    })
}

fn response(text: &[u8]) -> CannedResponse {
    if !text.first().is_some_and(u8::is_ascii_digit) {
        return CannedResponse::of(filled(text, CANARY));
    }
    let (head, body) = match text.windows(2).position(|found| found == b"\n\n") {
        Some(end) => (&text[..end], &text[end + 2..]),
        None => (text, &[][..]),
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    let status = lines
        .next()
        .and_then(|line| StatusCode::from_bytes(line.get(..3)?).ok())
        // hyper handles informational responses.
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
    CannedResponse {
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
