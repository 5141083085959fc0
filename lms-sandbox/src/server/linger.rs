//! Reading what the client still sends after its request was rejected.
//!
//! If a server closes a connection with unread data, the operating system resets it, and a client that sends its whole
//! body before it reads never sees the response. So the rest is read and discarded, up to a limit.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncReadExt};

/// How much is discarded before the connection is closed.
const MAX_BYTES: u64 = 256 << 20;

/// A request body that discards the rest when it is dropped.
#[derive(Debug)]
pub(super) struct Lingering<G: Send + 'static> {
    /// `None` when there is nothing left to discard.
    body: Option<Incoming>,
    /// The client sends the body only when the server asks for it, which it does when the body is first polled.
    awaited: bool,
    timeout: Duration,
    /// Held until the end.
    guard: Option<G>,
}

impl<G: Send + 'static> Lingering<G> {
    /// Discards the rest for at most `timeout`. `awaited`: the request has `Expect: 100-continue`.
    pub(super) fn new(body: Incoming, awaited: bool, timeout: Duration, guard: G) -> Self {
        Self {
            body: Some(body).filter(|body| !body.is_end_stream()),
            awaited,
            timeout,
            guard: Some(guard),
        }
    }
}

impl<G: Send + Unpin + 'static> Body for Lingering<G> {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.awaited = false;
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let frame = std::task::ready!(Pin::new(&mut *body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) || body.is_end_stream() {
            self.body = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl<G: Send + 'static> Drop for Lingering<G> {
    fn drop(&mut self) {
        let Some(mut body) = self.body.take().filter(|_| !self.awaited) else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (guard, timeout) = (self.guard.take(), self.timeout);
        runtime.spawn(async move {
            let discard = async {
                let mut discarded = 0;
                while let Some(Ok(frame)) = body.frame().await {
                    discarded += frame.data_ref().map_or(0, |data| data.len() as u64);
                    if discarded > MAX_BYTES {
                        break;
                    }
                }
            };
            // The connection is closed in either case.
            let _ = tokio::time::timeout(timeout, discard).await;
            drop(guard);
        });
    }
}

/// Discards what arrives, until the client closes the connection.
pub(super) async fn discard(stream: impl AsyncRead + Unpin, timeout: Duration) {
    let mut rest = stream.take(MAX_BYTES);
    let mut buffer = vec![0; 16 * 1024];
    let discard = async {
        while rest.read(&mut buffer).await? > 0 {}
        io::Result::Ok(())
    };
    // The connection is closed in any case.
    let _ = tokio::time::timeout(timeout, discard).await;
}
