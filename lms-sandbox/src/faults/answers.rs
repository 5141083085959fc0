//! What is answered in place of the service?

use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::effect::{DropPoint, Effect, ErrorBody, RetryAfter};
use super::verdict::Verdict;
use super::wire::severed;
use crate::problem::Problem;

impl Verdict {
    /// The answer to give at `now` in place of carrying the operation out, if there is to be one.
    pub(crate) fn answer(&self, now: Duration) -> Option<Response> {
        let chosen = self.in_place()?;
        chosen.done();
        Some(match chosen.effect() {
            Effect::RefuseToken => {
                let message = "the token is refused, though it has not expired; get a new one from POST /oauth/token";
                Problem::unauthorized("invalid_token", message)
                    .about("Authorization")
                    .into_response()
            }
            Effect::RateLimited { retry_after, .. } | Effect::RateLimit { retry_after, .. } => {
                too_many(*retry_after, chosen.wait(), now)
            }
            Effect::Status { code, body } => error(*code, *body),
            Effect::Redirect { code, location } => redirect(*code, location),
            Effect::Drop {
                at: DropPoint::Before,
            } => severed(),
            _ => return None,
        })
    }
}

fn too_many(retry_after: RetryAfter, wait: Duration, now: Duration) -> Response {
    let mut response = Problem::rate_limited().into_response();
    let headers = response.headers_mut();
    match retry_after {
        RetryAfter::Absent => {}
        RetryAfter::Seconds => {
            headers.insert(header::RETRY_AFTER, whole_seconds(wait).into());
        }
        RetryAfter::Date => {
            for (name, seconds) in [
                (header::DATE, now.as_secs()),
                (header::RETRY_AFTER, whole_seconds(now.saturating_add(wait))),
            ] {
                headers.extend(date(seconds).map(|date| (name, date)));
            }
        }
    }
    response
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_secs()
        .saturating_add(u64::from(time.subsec_nanos() > 0))
}

/// An HTTP date, of which there is none after the year 9999.
fn date(seconds: u64) -> Option<HeaderValue> {
    const LAST: u64 = 253_402_300_799;
    let moment = UNIX_EPOCH + Duration::from_secs(seconds.min(LAST));
    HeaderValue::from_str(&httpdate::fmt_http_date(moment)).ok()
}

fn error(code: u16, body: ErrorBody) -> Response {
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let (content_type, body) = match body {
        ErrorBody::Json => return Problem::planned(status).into_response(),
        ErrorBody::Html => (Some("text/html; charset=utf-8"), Body::from(page(status))),
        ErrorBody::Empty => (None, Body::empty()),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
        .headers_mut()
        .extend(content_type.map(|text| (header::CONTENT_TYPE, HeaderValue::from_static(text))));
    response
}

/// The page a gateway answers with when there is nothing behind it.
fn page(status: StatusCode) -> String {
    let reason = status.canonical_reason().unwrap_or("Error");
    let code = status.as_u16();
    format!(
        "<!DOCTYPE html>\n<html><head><title>{code} {reason}</title></head><body><h1>{reason}</h1>\
         <p>The server is temporarily unable to service your request.</p></body></html>\n"
    )
}

fn redirect(code: u16, location: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::TEMPORARY_REDIRECT);
    let location = HeaderValue::from_str(location).ok();
    response
        .headers_mut()
        .extend(location.map(|location| (header::LOCATION, location)));
    response
}
