//! How much of a body is read, and for how long.
//!
//! A tenant, or whoever sits in front of it, may send more than fits into memory, or stop sending without
//! closing. The size is counted after decompression, so a small answer that unfolds into a large one is
//! stopped as well.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use crate::{error::MAX_ERROR_BODY_BYTES, send::timeouts::after};

/// How much room is made for a body before it comes.
const LARGEST_GUESS: usize = 1024 * 1024;

/// Why a body was not read to its end.
#[derive(Debug)]
pub(crate) enum BodyFailure {
    /// Nothing came for as long as a pause may take.
    Stalled,
    /// The end that the caller set was reached.
    OutOfTime,
    TooLarge,
    Broken(reqwest::Error),
}

/// Reads a body to its end.
///
/// Gives up when nothing comes for `idle`, at `end`, and when there is more than `largest` bytes.
pub(crate) async fn read(
    response: &mut Response,
    largest: usize,
    idle: Duration,
    end: Instant,
) -> Result<Bytes, BodyFailure> {
    let promised = usize::try_from(response.content_length().unwrap_or(0)).unwrap_or(usize::MAX);
    if promised > largest {
        return Err(BodyFailure::TooLarge);
    }
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    while let Some(chunk) = next(response, idle, end).await? {
        if first.is_empty() {
            first = chunk;
        } else {
            if whole.is_empty() {
                // What a header promises is not worth more memory than a large page.
                let room = promised.min(LARGEST_GUESS);
                whole.reserve(room.max(first.len() + chunk.len()));
                whole.extend_from_slice(&first);
            }
            whole.extend_from_slice(&chunk);
        }
        if first.len().max(whole.len()) > largest {
            return Err(BodyFailure::TooLarge);
        }
        if response.content_length() == Some(0) {
            // Known to be whole, so that there is no need to wait for its end.
            break;
        }
    }
    // The usual case for a small answer is one chunk, which needs no copy.
    Ok(if whole.is_empty() {
        first
    } else {
        whole.freeze()
    })
}

/// Reads the first [`MAX_ERROR_BODY_BYTES`] bytes of a body, or what comes of them before it stalls or breaks.
pub(crate) async fn read_start(response: &mut Response, idle: Duration, end: Instant) -> Bytes {
    let mut start = BytesMut::new();
    while start.len() < MAX_ERROR_BODY_BYTES {
        match next(response, idle, end).await {
            Ok(Some(chunk)) => start.extend_from_slice(&chunk),
            Ok(None) | Err(_) => break,
        }
    }
    start.truncate(MAX_ERROR_BODY_BYTES);
    start.freeze()
}

async fn next(
    response: &mut Response,
    idle: Duration,
    end: Instant,
) -> Result<Option<Bytes>, BodyFailure> {
    let stalls = after(Instant::now(), idle);
    match timeout_at(stalls.min(end), response.chunk()).await {
        Ok(Ok(chunk)) => Ok(chunk),
        Ok(Err(error)) => Err(BodyFailure::Broken(error.without_url())),
        Err(_) if stalls < end => Err(BodyFailure::Stalled),
        Err(_) => Err(BodyFailure::OutOfTime),
    }
}
