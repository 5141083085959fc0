//! Spans and events of calls, under OpenTelemetry's names for HTTP clients.
//!
//! Each call is a span, and each attempt is a span inside it. An `ensure_*` call has a span around its calls:
//!
//! | span | fields |
//! |---|---|
//! | `operation` | `otel.name` (such as `ensure_learner`), `otel.kind` = `internal`, `error.type`, `otel.status_code` |
//! | `call` | `otel.name` (the operation), `otel.kind` = `internal`, `http.request.method`, `url.template`, `lms.attempts`, `error.type`, `otel.status_code` |
//! | `attempt` | `otel.name` (method and template), `otel.kind` = `client`, `http.request.method`, `url.template`, `server.address`, `server.port`, `http.request.resend_count`, `http.response.status_code`, `error.type`, `otel.status_code` |
//!
//! | level | content |
//! |---|---|
//! | warn | tokens that could not be refreshed, token files that are ignored or cannot be written |
//! | info | spans, events of the adaptive throttle, waits of a second or longer before a retry |
//! | debug | other waits, token requests |
//! | trace | headers, in which secrets are hidden |
//!
//! None of them contains ids, filters, cursors, bodies or tokens: they have the path template in place of the URL.
//!
//! Without a subscriber, a span costs a load and a comparison: nothing is formatted or allocated.

use std::{borrow::Cow, fmt::Display, time::Duration};

use reqwest::{
    Request,
    header::{HeaderMap, SET_COOKIE},
};
use tracing::{Instrument as _, Level, Span, debug, enabled, field::Empty, info, info_span, trace};

use crate::{
    error::{Error, RequestSecrets},
    values::OperationInfo,
};

/// Runs an operation that consists of several calls, in a span of its own.
pub(crate) async fn in_operation<T>(
    name: &'static str,
    operation: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let span = info_span!(
        target: "lms_ext",
        "operation",
        otel.name = name,
        otel.kind = "internal",
        otel.status_code = Empty,
        error.r#type = Empty,
    );
    let result = operation.instrument(span.clone()).await;
    if let Err(error) = &result {
        record_outcome(&span, Err(error), false);
    }
    result
}

/// Creates the span of a call.
pub(crate) fn call(operation: &OperationInfo) -> Span {
    info_span!(
        target: "lms_ext",
        "call",
        otel.name = operation.id,
        otel.kind = "internal",
        otel.status_code = Empty,
        http.request.method = operation.method.as_str(),
        url.template = operation.path,
        lms.attempts = Empty,
        error.r#type = Empty,
    )
}

/// Creates the span of an attempt that follows `resent` others.
pub(crate) fn attempt(operation: &OperationInfo, request: &Request, resent: u32) -> Span {
    let url = request.url();
    let span = info_span!(
        target: "lms_ext",
        "attempt",
        otel.name = %format_args!("{} {}", operation.method, operation.path),
        otel.kind = "client",
        otel.status_code = Empty,
        http.request.method = operation.method.as_str(),
        url.template = operation.path,
        server.address = url.host_str(),
        server.port = url.port_or_known_default(),
        http.request.resend_count = Empty,
        http.response.status_code = Empty,
        error.r#type = Empty,
    );
    if resent > 0 {
        span.record("http.request.resend_count", resent);
    }
    span
}

/// Records the status or the error of a call or of an attempt on its span.
///
/// The span of a call has no field for the status, and ignores it.
pub(crate) fn record_outcome(span: &Span, outcome: Result<u16, &Error>, absence_expected: bool) {
    if span.is_disabled() {
        return;
    }
    if let Some(status) = outcome.map_or_else(Error::status, Some) {
        span.record("http.response.status_code", status);
    }
    if let Some(error) = error_type(outcome, absence_expected) {
        span.record("error.type", &*error);
        span.record("otel.status_code", "ERROR");
    }
}

/// The attribute `error.type`. With `absence_expected`, a 404 or 410 is no error.
pub(super) fn error_type(
    outcome: Result<u16, &Error>,
    absence_expected: bool,
) -> Option<Cow<'static, str>> {
    match outcome {
        Ok(200..=299) => None,
        Ok(404 | 410) if absence_expected => None,
        Ok(status) => Some(status.to_string().into()),
        Err(error) => Some(error.kind().name().into()),
    }
}

/// The headers of a request and of its response. `Debug` of a header map hides the values of sensitive headers.
pub(crate) fn headers(request: &HeaderMap, response: &HeaderMap, secrets: &RequestSecrets) {
    if !enabled!(target: "lms_ext", Level::TRACE) {
        return;
    }
    let [request, response] = [request, response].map(|headers| {
        let mut headers = headers.clone();
        secrets.redact_headers(&mut headers);
        for (name, value) in &mut headers {
            if name == SET_COOKIE {
                value.set_sensitive(true);
            }
        }
        headers
    });
    trace!(target: "lms_ext", ?request, ?response, "headers");
}

/// The shortest wait that a person notices: a program that shows events at level info says why it seems to do nothing.
const NOTICEABLE: Duration = Duration::from_secs(1);

/// A retry follows after `wait`, because of the outcome of an attempt.
pub(crate) fn waits(wait: Duration, attempts: u32, outcome: Result<u16, &Error>) {
    let cause: &dyn Display = match &outcome {
        Ok(status) => status,
        Err(error) => error,
    };
    let wait_s = wait.as_secs_f64();
    if wait >= NOTICEABLE {
        info!(target: "lms_ext", wait_s, attempts, %cause, "waiting before the next attempt");
    } else {
        debug!(target: "lms_ext", wait_s, attempts, %cause, "waiting before the next attempt");
    }
}

/// The rate limiter delayed an attempt.
pub(crate) fn delayed(waited: Duration) {
    debug!(target: "lms_ext", waited_s = waited.as_secs_f64(), "waited for the rate limiter");
}

/// The server throttled the client: all its calls pause, and then keep to the rate, unless the caller's is lower.
pub(crate) fn throttled(rate: Option<f64>, pause: Duration) {
    let pause_s = pause.as_secs_f64();
    let effect = match rate {
        Some(rate) => format!("at most {rate:.1} requests/s"),
        None => format!("nothing for {pause_s:.1} s"),
    };
    info!(target: "lms_ext", requests_per_second = rate, pause_s, "throttled by the server: sending {effect}");
}

/// The adaptive throttle switched itself off.
pub(crate) fn unthrottled() {
    info!(target: "lms_ext", "no longer throttled by the server: sending at full speed");
}
