//! Reading request bodies: the media type, the size limit and the time limit.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body as _;

use super::limits::Limits;
use crate::api::problem::Problem;

/// Reads the JSON body of a request, without parsing it.
pub(super) async fn read_json(request: Request, limits: &Limits) -> Result<Bytes, Problem> {
    let (parts, body) = request.into_parts();
    check_content_type(&parts.headers)?;
    read(body, limits).await
}

fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
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

async fn read(body: Body, limits: &Limits) -> Result<Bytes, Problem> {
    // Before any of it is read, because a client with `Expect: 100-continue` then does not send it.
    if body.size_hint().lower() > limits.max_body_bytes as u64 {
        return Err(Problem::too_large(limits.max_body_bytes));
    }
    let limited = Limited::new(body, limits.max_body_bytes).collect();
    match tokio::time::timeout(limits.body_timeout, limited).await {
        Err(_) => Err(Problem::body_timeout()),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(Problem::too_large(limits.max_body_bytes))
        }
        Ok(Err(error)) => Err(Problem::malformed(
            "bad_body",
            format!("the request body is incomplete: {error}"),
        )),
    }
}
