//! Reads a response body, within a size limit and a read timeout.
//!
//! A server or a proxy may send more than fits into memory, or stop sending without closing the connection. Bytes are
//! counted after decompression, so that a small compressed body cannot expand into a large one.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use crate::{error::MAX_ERROR_BODY_BYTES, send::timeouts::after};

/// The most memory that is reserved because of a `Content-Length`: about a large page.
const MAX_RESERVED: usize = 1024 * 1024;

/// Why a body was not read to its end.
#[derive(Debug)]
pub(crate) enum BodyFailure {
    /// The read timeout was exceeded.
    Stalled,
    /// The attempt or the call timed out.
    OutOfTime,
    TooLarge,
    Broken(reqwest::Error),
}

/// Reads a whole body of at most `limit` bytes, until `end`, with at most `read_timeout` between two chunks.
pub(crate) async fn read(
    response: &mut Response,
    limit: usize,
    read_timeout: Duration,
    end: Instant,
) -> Result<Bytes, BodyFailure> {
    let announced = usize::try_from(response.content_length().unwrap_or(0)).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(BodyFailure::TooLarge);
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
            return Err(BodyFailure::TooLarge);
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
) -> Result<Option<Bytes>, BodyFailure> {
    let stalled = after(Instant::now(), read_timeout);
    match timeout_at(stalled.min(end), response.chunk()).await {
        Ok(Ok(chunk)) => Ok(chunk),
        Ok(Err(error)) => Err(BodyFailure::Broken(error.without_url())),
        Err(_) if stalled < end => Err(BodyFailure::Stalled),
        Err(_) => Err(BodyFailure::OutOfTime),
    }
}
