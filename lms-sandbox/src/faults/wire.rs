//! Faults in the transmission of a response.
//!
//! The body is replaced by one that arrives in chunks, breaks off, or is shorter than its `Content-Length`. Only the
//! server can close a connection without a response: it does so for a response marked [`Aborted`].

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::Frame;
use tokio::time::Sleep;

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
        if !self.disturbs_body() {
            return response;
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
        let body = DisturbedBody {
            rest: bytes,
            chunk,
            pause,
            waiting: Waiting::No,
            breaks,
        };
        Response::from_parts(parts, Body::new(body))
    }

    /// Returns `true` if an effect changes how the body is sent.
    fn disturbs_body(&self) -> bool {
        self.any(|effect| {
            matches!(
                effect,
                Effect::BadJson { .. }
                    | Effect::LongLength { .. }
                    | Effect::Trickle { .. }
                    | Effect::Drop {
                        at: DropPoint::Body
                    }
            )
        })
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

/// A body that is sent in chunks and may break off at its end.
struct DisturbedBody {
    rest: Bytes,
    chunk: usize,
    pause: Duration,
    waiting: Waiting,
    breaks: bool,
}

/// The state of a wait before the next chunk.
enum Waiting {
    No,
    /// One poll, so that the previous chunk is sent before an error or an early end.
    Once,
    Until(Pin<Box<Sleep>>),
}

impl hyper::body::Body for DisturbedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut self.waiting {
            Waiting::No => {}
            Waiting::Once => {
                self.waiting = Waiting::No;
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            Waiting::Until(sleep) => ready!(sleep.as_mut().poll(context)),
        }
        self.waiting = Waiting::No;
        if self.rest.is_empty() {
            let broken = || Err(io::Error::other("the fault plan closed the connection"));
            return Poll::Ready(self.breaks.then(broken));
        }
        let size = self.chunk.min(self.rest.len());
        let chunk = self.rest.split_to(size);
        self.waiting = if self.pause.is_zero() {
            Waiting::Once
        } else {
            Waiting::Until(Box::pin(tokio::time::sleep(self.pause)))
        };
        Poll::Ready(Some(Ok(Frame::data(chunk))))
    }
}
