//! How much of a body is read, and for how long.
//!
//! A tenant, or whoever sits in front of it, may send more than fits into memory, or stop sending without
//! closing. The size is counted after decompression, so a small answer that unfolds into a large one is
//! stopped as well.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use crate::limits::after;

/// How much of the body of an error is kept.
pub(crate) const LARGEST_ERROR: usize = 64 * 1024;

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
    let Some(first) = next(response, idle, end).await? else {
        return Ok(Bytes::new());
    };
    if first.len() > largest {
        return Err(BodyFailure::TooLarge);
    }
    let Some(second) = next(response, idle, end).await? else {
        // The usual case for a small answer: one chunk, no copy.
        return Ok(first);
    };
    // What a header promises is not worth more memory than a large page.
    let room = promised.min(LARGEST_GUESS).max(first.len() + second.len());
    let mut whole = BytesMut::with_capacity(room);
    whole.extend_from_slice(&first);
    whole.extend_from_slice(&second);
    while whole.len() <= largest {
        match next(response, idle, end).await? {
            Some(chunk) => whole.extend_from_slice(&chunk),
            None => return Ok(whole.freeze()),
        }
    }
    Err(BodyFailure::TooLarge)
}

/// Reads the first [`LARGEST_ERROR`] bytes of a body, or what comes of them before it stalls or breaks.
pub(crate) async fn read_start(response: &mut Response, idle: Duration, end: Instant) -> Bytes {
    let mut start = BytesMut::new();
    while start.len() < LARGEST_ERROR {
        match next(response, idle, end).await {
            Ok(Some(chunk)) => start.extend_from_slice(&chunk),
            Ok(None) | Err(_) => break,
        }
    }
    start.truncate(LARGEST_ERROR);
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
