//! Limits on a connection: the size of request heads, and the time for writing.
//!
//! hyper checks the size of a head only now and then, and its response to a head that is too large has no body. So the
//! bytes are counted here, before hyper reads them.
//!
//! A client that disappeared, or that never reads, would block the response and hold its connection forever; so writing
//! has a timeout.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf, Take};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use super::connections::Activity;
use super::limits::Limits;
use crate::api::problem::Problem;

/// The longest request line: hyper rejects a longer address.
const MAX_LINE_BYTES: u64 = 65_534;

/// A stream on which reading a head that is too large fails, and so does a write that makes no progress for too long.
#[derive(Debug)]
pub(super) struct LimitedStream {
    /// Its limit is how many more bytes the head may have.
    stream: Take<TcpStream>,
    limits: Limits,
    activity: Arc<Activity>,
    /// The number of the request that the head is for.
    request: u64,
    in_request_line: bool,
    rejected: bool,
    /// Set while a write makes no progress.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl LimitedStream {
    pub(super) fn new(stream: TcpStream, limits: Limits, activity: Arc<Activity>) -> Self {
        let mut limited = Self {
            stream: stream.take(0),
            limits,
            activity,
            request: 0,
            in_request_line: true,
            rejected: false,
            deadline: None,
        };
        limited.expect_head();
        limited
    }

    fn expect_head(&mut self) {
        self.request = self.activity.requests();
        self.in_request_line = true;
        let max_bytes = self.limits.max_head_bytes as u64;
        self.stream.set_limit(max_bytes.min(MAX_LINE_BYTES));
    }

    /// The stream and the error, if a head was too large.
    pub(super) fn into_rejected(self) -> Option<(TcpStream, Problem)> {
        let max_bytes = self.limits.max_head_bytes;
        let problem = if self.in_request_line {
            Problem::address_too_long(max_bytes.min(usize::from(u16::MAX) - 1))
        } else {
            Problem::head_too_large(max_bytes)
        };
        self.rejected.then(|| (self.stream.into_inner(), problem))
    }

    fn or_timeout<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let timeout = self.limits.write_timeout;
        let sleep = self
            .deadline
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        sleep
            .as_mut()
            .poll(context)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for LimitedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.activity.is_busy() {
            // What arrives is a body.
            return Pin::new(self.stream.get_mut()).poll_read(context, buffer);
        }
        if self.request != self.activity.requests() {
            self.expect_head();
        }
        if self.stream.limit() == 0 {
            self.rejected = true;
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let new = buffer.filled().get(filled..).unwrap_or_default();
        if self.in_request_line && new.contains(&b'\n') {
            self.in_request_line = false;
            let max_bytes = self.limits.max_head_bytes as u64;
            let beyond_line = max_bytes.saturating_sub(MAX_LINE_BYTES);
            let limit = self.stream.limit() + beyond_line;
            self.stream.set_limit(limit);
        }
        read
    }
}

impl AsyncWrite for LimitedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(self.stream.get_mut()).poll_write(context, bytes);
        self.or_timeout(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(self.stream.get_mut()).poll_write_vectored(context, buffers);
        self.or_timeout(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.get_ref().is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.stream.get_mut()).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.stream.get_mut()).poll_shutdown(context)
    }
}
