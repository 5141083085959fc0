//! How does an answer travel badly?
//!
//! The server lets an answer go out as it is; here its body is put in the place of one that comes in pieces, stops,
//! or is shorter than its length says. Closing a connection without an answer is the server's to do: the response
//! that asks for it carries a mark.

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

use super::effect::{BadJson, DropPoint, Effect};
use super::verdict::Verdict;

/// Marks a response in whose place the connection is to be closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Severed;

/// A response that is never sent.
pub(super) fn severed() -> Response {
    let mut response = Response::new(Body::empty());
    response.extensions_mut().insert(Severed);
    response
}

impl Verdict {
    /// The answer as it is to travel.
    pub(crate) async fn send(&self, response: Response) -> Response {
        if self.drops(DropPoint::After) {
            return severed();
        }
        if !self.spoils() {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        // A body that is in memory arrives at once and whole.
        let mut bytes = body
            .collect()
            .await
            .map(http_body_util::Collected::to_bytes)
            .unwrap_or_default();
        if bytes.is_empty() {
            return if self.drops(DropPoint::Body) {
                severed()
            } else {
                Response::from_parts(parts, Body::empty())
            };
        }
        if parts.status == StatusCode::OK {
            bytes = self.bad_json(bytes);
        }
        let missing: u64 = self
            .all(|chosen| match chosen.effect() {
                Effect::LongLength { extra } => Some(*extra),
                _ => None,
            })
            .sum();
        let pace = self
            .all(|chosen| match chosen.effect() {
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
        let (chunk, pause) = pace.unwrap_or((usize::MAX, Duration::ZERO));
        let body = SpoiledBody {
            rest: bytes,
            chunk,
            pause,
            waiting: Waiting::No,
            breaks,
        };
        Response::from_parts(parts, Body::new(body))
    }

    /// Whether any effect is about the body as it travels.
    fn spoils(&self) -> bool {
        self.holds_any(|effect| {
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
        self.all(|chosen| match chosen.effect() {
            Effect::BadJson { how } => Some(*how),
            _ => None,
        })
        .fold(bytes, |bytes, how| match how {
            BadJson::Cut => bytes.slice(..bytes.len() / 2),
            BadJson::Garbage => [bytes.as_ref(), b"}]<!-- -->"].concat().into(),
        })
    }
}

/// A body that comes in pieces and may break off at its end.
struct SpoiledBody {
    rest: Bytes,
    chunk: usize,
    pause: Duration,
    waiting: Waiting,
    breaks: bool,
}

/// What a body does before its next piece.
enum Waiting {
    No,
    /// Lets what was sent go out: an error or an early end would overtake it.
    Once,
    Until(Pin<Box<Sleep>>),
}

impl hyper::body::Body for SpoiledBody {
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
            let broken = || {
                Err(io::Error::other(
                    "the connection is closed, as the fault plan says",
                ))
            };
            return Poll::Ready(self.breaks.then(broken));
        }
        let size = self.chunk.min(self.rest.len());
        let piece = self.rest.split_to(size);
        self.waiting = if self.pause.is_zero() {
            Waiting::Once
        } else {
            Waiting::Until(Box::pin(tokio::time::sleep(self.pause)))
        };
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }
}
