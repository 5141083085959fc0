//! Faults in the transmission of a response.
//!
//! The body is replaced by one that arrives in chunks, breaks off, or is shorter than its `Content-Length`. Only the
//! server can close a connection without a response: it does so for a response marked [`Aborted`].

use std::io;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::stream::{self, Stream};
use http_body_util::BodyExt;

use super::chosen::ChosenFaults;
use super::effect::{BadJson, DropPoint, Effect};

/// Marks a response that must not be sent: the server closes the connection instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aborted;

/// A response that is not sent.
pub(super) fn aborted() -> Response {
    let mut response = Response::new(Body::empty());
    response.extensions_mut().insert(Aborted);
    response
}

impl ChosenFaults {
    /// The response as it is to be sent.
    pub(crate) async fn transmit(&self, response: Response) -> Response {
        if self.drops(DropPoint::After) {
            return aborted();
        }
        let (mut parts, body) = response.into_parts();
        // The body is in memory, so this does not fail.
        let mut bytes = body
            .collect()
            .await
            .map(http_body_util::Collected::to_bytes)
            .unwrap_or_default();
        if bytes.is_empty() {
            return if self.drops(DropPoint::Body) {
                aborted()
            } else {
                Response::from_parts(parts, Body::empty())
            };
        }
        if parts.status == StatusCode::OK {
            bytes = self.bad_json(bytes);
        }
        let missing: u64 = self
            .apply_each(|fault| match fault.effect() {
                Effect::LongLength { extra } => Some(*extra),
                _ => None,
            })
            .sum();
        let trickle = self
            .apply_each(|fault| match fault.effect() {
                Effect::Trickle { chunk, pause } => Some((*chunk, *pause)),
                _ => None,
            })
            .next();
        let length = missing.saturating_add(bytes.len() as u64);
        parts
            .headers
            .insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        let breaks = self.drops(DropPoint::Body);
        if breaks {
            bytes.truncate(bytes.len() / 2);
        }
        let (chunk, pause) = trickle.unwrap_or((usize::MAX, Duration::ZERO));
        let body = Body::from_stream(in_chunks(bytes, chunk, pause, breaks));
        Response::from_parts(parts, body)
    }

    fn bad_json(&self, bytes: Bytes) -> Bytes {
        self.apply_each(|fault| match fault.effect() {
            Effect::BadJson { how } => Some(*how),
            _ => None,
        })
        .fold(bytes, |bytes, how| match how {
            BadJson::Cut => bytes.slice(..bytes.len() / 2),
            BadJson::Garbage => [bytes.as_ref(), b"}]<!-- -->"].concat().into(),
        })
    }
}

/// A body that is sent in chunks with a pause after each, and may break off at its end.
fn in_chunks(
    rest: Bytes,
    chunk: usize,
    pause: Duration,
    breaks: bool,
) -> impl Stream<Item = io::Result<Bytes>> {
    stream::unfold((Some(rest), true), move |(rest, is_first)| async move {
        let mut rest = rest?;
        if !is_first && pause.is_zero() {
            // The previous chunk is sent before an error or an early end.
            tokio::task::yield_now().await;
        } else if !is_first {
            tokio::time::sleep(pause).await;
        }
        if rest.is_empty() {
            let broken = || io::Error::other("the fault plan closed the connection");
            return breaks.then(|| (Err(broken()), (None, false)));
        }
        let next = rest.split_to(chunk.min(rest.len()));
        Some((Ok(next), (Some(rest), false)))
    })
}
