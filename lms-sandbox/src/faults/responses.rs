//! Responses that a fault sends instead of the service.

use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::chosen::ChosenFaults;
use super::effect::{DropPoint, Effect, ErrorBody, LimitHeaders, RetryAfter};
use super::wire::aborted;
use crate::api::problem::Problem;

impl ChosenFaults {
    /// Adds the headers of the rate limits that faults announce.
    pub(crate) fn announce(&self, mut response: Response) -> Response {
        if response.status().is_success() {
            let limits = self.apply_each(|fault| match fault.effect() {
                Effect::AnnounceLimit {
                    left,
                    seconds,
                    form,
                } => Some((*left, *seconds, *form)),
                _ => None,
            });
            for (left, seconds, form) in limits {
                let headers = response.headers_mut();
                let (remaining, reset) = match form {
                    LimitHeaders::Structured => {
                        let limit = format!("\"default\";r={left};t={seconds}");
                        let policy = format!("\"default\";q={left};w={seconds}");
                        for (name, value) in [("ratelimit", limit), ("ratelimit-policy", policy)] {
                            headers.extend(
                                value.parse().ok().map(|value: HeaderValue| {
                                    (HeaderName::from_static(name), value)
                                }),
                            );
                        }
                        continue;
                    }
                    LimitHeaders::Separate => ("ratelimit-remaining", "ratelimit-reset"),
                    LimitHeaders::Prefixed => ("x-ratelimit-remaining", "x-ratelimit-reset"),
                };
                headers.insert(remaining, left.into());
                headers.insert(reset, seconds.into());
            }
        }
        response
    }

    /// The response to send at `now` without running the operation, if a fault has one.
    pub(crate) fn response(&self, now: Duration) -> Option<Response> {
        let fault = self.responding()?;
        fault.set_applied();
        Some(match fault.effect() {
            Effect::RefuseToken => {
                let message = "the token was rejected, although it has not expired; get a new one from POST /oauth/token";
                Problem::unauthorized("invalid_token", message)
                    .about("Authorization")
                    .into_response()
            }
            Effect::RateLimited { retry_after, .. } | Effect::RateLimit { retry_after, .. } => {
                rate_limited(*retry_after, fault.wait, now)
            }
            Effect::Status { code, body } => error(*code, *body),
            Effect::Redirect { code, location } => redirect(*code, location),
            Effect::Drop {
                at: DropPoint::Before,
            } => aborted(),
            _ => return None,
        })
    }
}

fn rate_limited(retry_after: RetryAfter, wait: Duration, now: Duration) -> Response {
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

/// An HTTP date, at most the end of the year 9999, after which the format has none.
fn date(seconds: u64) -> Option<HeaderValue> {
    const MAX: u64 = 253_402_300_799;
    let time = UNIX_EPOCH + Duration::from_secs(seconds.min(MAX));
    HeaderValue::from_str(&httpdate::fmt_http_date(time)).ok()
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

/// The error page of a gateway whose upstream server does not respond.
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
