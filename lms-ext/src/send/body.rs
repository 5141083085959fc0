//! Reads a response body, within a size limit and a read timeout.
//!
//! A server or a proxy may send more than fits into memory, or stop sending without closing the connection. Bytes are
//! counted after decompression, so that a small compressed body cannot expand into a large one.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use super::{
    raw_response::Failure,
    retry::Outcome,
    timeouts::{after, in_seconds, size},
};
use crate::error::{Error, ErrorKind, MAX_ERROR_BODY_BYTES};

/// The most memory that is reserved because of a `Content-Length`: about a large page.
const MAX_RESERVED: usize = 1024 * 1024;

/// `None` when the attempt or the call timed out, whose error only the caller knows.
type Result<T> = std::result::Result<T, Option<Failure>>;

/// Reads a whole body of at most `limit` bytes, until `end`, with at most `read_timeout` between two chunks.
pub(crate) async fn read(
    response: &mut Response,
    limit: usize,
    read_timeout: Duration,
    end: Instant,
) -> Result<Bytes> {
    let too_large = || {
        let limit = size(limit);
        let detail =
            format!("the response body exceeds the limit of {limit}; raise `max_body_bytes`");
        Err(Some(Failure::new(
            Outcome::Unusable,
            Error::new(ErrorKind::BodyTooLarge, detail),
        )))
    };
    let announced = usize::try_from(response.content_length().unwrap_or(0)).unwrap_or(usize::MAX);
    if announced > limit {
        return too_large();
    }
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    while let Some(chunk) = next(response, read_timeout, end).await? {
        if first.is_empty() {
            first = chunk;
        } else {
            if whole.is_empty() {
                let room = announced.min(MAX_RESERVED);
                whole.reserve(room.max(first.len() + chunk.len()));
                whole.extend_from_slice(&first);
            }
            whole.extend_from_slice(&chunk);
        }
        if first.len().max(whole.len()) > limit {
            return too_large();
        }
        if response.content_length() == Some(0) {
            // Complete, so there is no need to poll once more for the end.
            break;
        }
    }
    // A small body usually is a single chunk, which needs no copy.
    Ok(if whole.is_empty() {
        first
    } else {
        whole.freeze()
    })
}

/// Reads the first [`MAX_ERROR_BODY_BYTES`] bytes of a body, or as many as arrive before it stalls or breaks off.
pub(crate) async fn read_start(
    response: &mut Response,
    read_timeout: Duration,
    end: Instant,
) -> Bytes {
    let mut start = BytesMut::new();
    while start.len() < MAX_ERROR_BODY_BYTES {
        match next(response, read_timeout, end).await {
            Ok(Some(chunk)) => start.extend_from_slice(&chunk),
            Ok(None) | Err(_) => break,
        }
    }
    start.truncate(MAX_ERROR_BODY_BYTES);
    start.freeze()
}

async fn next(
    response: &mut Response,
    read_timeout: Duration,
    end: Instant,
) -> Result<Option<Bytes>> {
    let stalled = after(Instant::now(), read_timeout);
    let error = match timeout_at(stalled.min(end), response.chunk()).await {
        Ok(Ok(chunk)) => return Ok(chunk),
        Ok(Err(error)) => {
            let detail = "the connection broke before the end of the response body";
            Error::new(ErrorKind::Connection, detail).with_source(error.without_url())
        }
        Err(_) if stalled < end => {
            let timeout = in_seconds(read_timeout);
            let detail =
                format!("read timeout of {timeout} exceeded while reading the response body");
            Error::new(ErrorKind::BodyStalled, detail)
        }
        Err(_) => return Err(None),
    };
    Err(Some(Failure::new(Outcome::Lost, error)))
}
