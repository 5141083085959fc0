//! Responses that a fault sends instead of the service.

use std::time::{Duration, UNIX_EPOCH};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::chosen::ChosenFaults;
use super::effect::{DropPoint, Effect, ErrorBody, RetryAfter};
use super::wire::aborted;
use crate::api::problem::Problem;

impl ChosenFaults {
    /// Adds the headers of the rate limits that faults announce.
    pub(crate) fn announce(&self, mut response: Response) -> Response {
        if !response.status().is_success() {
            return response;
        }
        let limits = self.apply_each(|fault| match fault.effect() {
            Effect::AnnounceLimit { left, seconds } => Some((left, seconds)),
            _ => None,
        });
        for (left, seconds) in limits {
            let limit = format!("\"default\";r={left};t={seconds}");
            let policy = format!("\"default\";q={left};w={seconds}");
            for (name, value) in [("ratelimit", limit), ("ratelimit-policy", policy)] {
                set(&mut response, HeaderName::from_static(name), &value);
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
    match retry_after {
        RetryAfter::Absent => {}
        RetryAfter::Seconds => {
            set(
                &mut response,
                header::RETRY_AFTER,
                &whole_seconds(wait).to_string(),
            );
        }
        RetryAfter::Date => {
            let at = whole_seconds(now.saturating_add(wait));
            set(&mut response, header::DATE, &date(now.as_secs()));
            set(&mut response, header::RETRY_AFTER, &date(at));
        }
    }
    response
}

/// Sets a header, unless the value is not valid in one.
fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_secs()
        .saturating_add(u64::from(time.subsec_nanos() > 0))
}

/// An HTTP date, at most the end of the year 9999, after which the format has none.
fn date(seconds: u64) -> String {
    const MAX: u64 = 253_402_300_799;
    let time = UNIX_EPOCH + Duration::from_secs(seconds.min(MAX));
    httpdate::fmt_http_date(time)
}

fn error(code: u16, body: ErrorBody) -> Response {
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = Response::new(match body {
        ErrorBody::Json => return Problem::planned(status).into_response(),
        ErrorBody::Html => Body::from(page(status)),
        ErrorBody::Empty => Body::empty(),
    });
    *response.status_mut() = status;
    if body == ErrorBody::Html {
        set(
            &mut response,
            header::CONTENT_TYPE,
            "text/html; charset=utf-8",
        );
    }
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
    set(&mut response, header::LOCATION, location);
    response
}
