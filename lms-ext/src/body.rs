//! How much of a body is read, and for how long.
//!
//! A tenant, or whoever sits in front of it, may send more than fits into memory, or stop sending without
//! closing. The size is counted after decompression, so a small answer that unfolds into a large one is
//! stopped as well.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tokio::time::timeout;

/// Why a body was not read to its end.
#[derive(Debug)]
pub(crate) enum BodyFailure {
    Stalled,
    TooLarge,
    Broken(reqwest::Error),
}

/// Reads a body to its end.
///
/// Gives up when nothing comes for `idle`, or when there is more than `largest` bytes.
pub(crate) async fn read(
    mut response: Response,
    largest: usize,
    idle: Duration,
) -> Result<Bytes, BodyFailure> {
    let promised = usize::try_from(response.content_length().unwrap_or(0)).unwrap_or(usize::MAX);
    if promised > largest {
        return Err(BodyFailure::TooLarge);
    }
    let mut next = async || match timeout(idle, response.chunk()).await {
        Err(_) => Err(BodyFailure::Stalled),
        Ok(Err(error)) => Err(BodyFailure::Broken(error.without_url())),
        Ok(Ok(chunk)) => Ok(chunk),
    };
    let Some(first) = next().await? else {
        return Ok(Bytes::new());
    };
    let Some(second) = next().await? else {
        // The usual case for a small answer: one chunk, no copy.
        return if first.len() > largest {
            Err(BodyFailure::TooLarge)
        } else {
            Ok(first)
        };
    };
    let mut whole = BytesMut::with_capacity(promised.max(first.len() + second.len()));
    whole.extend_from_slice(&first);
    whole.extend_from_slice(&second);
    while whole.len() <= largest {
        match next().await? {
            Some(chunk) => whole.extend_from_slice(&chunk),
            None => return Ok(whole.freeze()),
        }
    }
    Err(BodyFailure::TooLarge)
}
