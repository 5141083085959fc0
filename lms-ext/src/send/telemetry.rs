//! What an operator sees of a call, under the names that OpenTelemetry has for HTTP clients.
//!
//! Every call is a span, and every attempt is a span inside it:
//!
//! | span | level | fields |
//! |---|---|---|
//! | `call` | info | `otel.name` (the operation), `otel.kind` = `internal`, `url.template`, `http.request.method`, `lms.attempts`, `error.type` |
//! | `attempt` | info | `otel.name` (method and template), `otel.kind` = `client`, `http.request.method`, `url.template`, `server.address`, `server.port`, `http.request.resend_count`, `http.response.status_code`, `error.type`, `otel.status_code` |
//!
//! Waits before a repeat and waits for a turn are events at level debug, the throttle's work at level info,
//! and the fetching of tokens at debug. Ids, filters, cursors, bodies and tokens are in none of them: the
//! path is there as its template, and the query is not there at all.
//!
//! Without a subscriber a span is a load and a comparison: nothing is formatted or allocated.

use std::time::Duration;

use reqwest::Request;
use tracing::{Span, debug, field::Empty, info, info_span};

use crate::{error::ErrorKind, values::OperationInfo};

/// The span of a call, from its start to its end.
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

/// The span of one attempt, `resent` others having come before it.
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

/// Records the outcome of an attempt on its span: the status of the response, if there was one, and the kind of the
/// error, if there was none.
pub(crate) fn record_attempt(span: &Span, status: Option<u16>, error: Option<ErrorKind>) {
    if span.is_disabled() {
        return;
    }
    if let Some(status) = status {
        span.record("http.response.status_code", status);
    }
    record_error(span, status, error);
}

/// Records the outcome of a call on its span, in the same terms.
pub(crate) fn record_call(
    span: &Span,
    attempts: u32,
    status: Option<u16>,
    error: Option<ErrorKind>,
) {
    if span.is_disabled() {
        return;
    }
    span.record("lms.attempts", attempts);
    record_error(span, status, error);
}

fn record_error(span: &Span, status: Option<u16>, error: Option<ErrorKind>) {
    match (error, status) {
        (Some(kind), _) => span.record("error.type", kind.name()),
        (None, Some(status)) if !(200..300).contains(&status) => {
            span.record("error.type", status.to_string())
        }
        _ => return,
    };
    span.record("otel.status_code", "ERROR");
}

/// An attempt is followed by another after a wait.
pub(crate) fn waits(wait: Duration, attempts: u32) {
    debug!(target: "lms_ext", wait_s = wait.as_secs_f64(), attempts, "waiting before the next attempt");
}

/// An attempt had to wait for its turn.
pub(crate) fn delayed(waited: Duration) {
    debug!(target: "lms_ext", waited_s = waited.as_secs_f64(), "waited for a turn");
}

/// The tenant has slowed the client down.
pub(crate) fn braked(rate: f64, pause: Duration) {
    info!(
        target: "lms_ext",
        requests_per_second = rate,
        pause_s = pause.as_secs_f64(),
        "the tenant has had too much: all calls of this client slow down"
    );
}

/// The tenant has not slowed the client down for a while.
pub(crate) fn released() {
    info!(target: "lms_ext", "the tenant keeps up again: calls of this client go at full speed");
}
