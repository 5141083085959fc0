//! Reading request bodies: the media type and the size limit.

use std::error::Error as _;

use axum::body::{self, Body, Bytes};
use axum::http::{HeaderMap, header};
use http_body_util::LengthLimitError;
use hyper::body::Body as _;

use crate::api::problem::Problem;

/// Number of bytes after which a body is refused with 413.
const MAX_BYTES: usize = 1 << 20;

/// Reads a whole body.
pub(super) async fn read(body: Body) -> Result<Bytes, Problem> {
    // Before any of it is read, because a client with `Expect: 100-continue` then does not send it.
    if body.size_hint().lower() > MAX_BYTES as u64 {
        return Err(Problem::too_large(MAX_BYTES));
    }
    body::to_bytes(body, MAX_BYTES).await.map_err(|error| {
        let is_too_large =
            |source: &&(dyn std::error::Error + 'static)| source.is::<LengthLimitError>();
        match error.source().filter(is_too_large) {
            Some(_) => Problem::too_large(MAX_BYTES),
            None => Problem::malformed(
                "bad_body",
                format!("the request body is incomplete: {error}"),
            ),
        }
    })
}

/// 415 unless the headers announce JSON.
pub(super) fn check_is_json(headers: &HeaderMap) -> Result<(), Problem> {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let media_type = content_type
        .and_then(|value| value.split(';').next())
        .map(|media_type| media_type.trim().to_ascii_lowercase());
    let is_json = media_type.is_some_and(|media_type| {
        media_type == "application/json"
            || (media_type.starts_with("application/") && media_type.ends_with("+json"))
    });
    if is_json {
        Ok(())
    } else {
        Err(Problem::not_json(content_type))
    }
}
