//! What an operator sees of a call, under the names that OpenTelemetry has for HTTP clients.
//!
//! Every call is a span, and every attempt is a span inside it:
//!
//! | span | level | fields |
//! |---|---|---|
//! | `call` | info | `otel.name` (the operation), `otel.kind` = `internal`, `url.template`, `http.request.method`, `lms.attempts`, `error.type` |
//! | `attempt` | info | `otel.name` (method and template), `otel.kind` = `client`, `http.request.method`, `url.template`, `server.address`, `server.port`, `http.request.resend_count`, `http.response.status_code`, `error.type`, `otel.status_code` |
//!
//! Waits before a repeat and waits for a turn are events at level debug, the brake's work at level info,
//! and the fetching of tokens at debug. Ids, filters, cursors, bodies and tokens are in none of them: the
//! path is there as its template, and the query is not there at all.
//!
//! Without a subscriber a span is a load and a comparison: nothing is formatted or allocated.

use std::time::Duration;

use reqwest::Request;
use tracing::{Span, debug, field::Empty, info, info_span};

use crate::{
    Error,
    exchange::{Failure, Reply},
    operation::OperationInfo,
};

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

/// Writes on the span of an attempt how it ended.
pub(crate) fn attempted(span: &Span, outcome: &Result<Reply, Failure>) {
    if span.is_disabled() {
        return;
    }
    match outcome {
        Ok(reply) => {
            span.record("http.response.status_code", reply.status.as_u16());
            if !reply.status.is_success() {
                failed(span, reply.status.as_str());
            }
        }
        Err(failure) => {
            if let Some(status) = failure.error.status() {
                span.record("http.response.status_code", status);
            }
            failed(span, failure.error.kind().name());
        }
    }
}

/// Writes on the span of a call how it ended.
pub(crate) fn ended(span: &Span, result: &Result<Reply, Error>) {
    if span.is_disabled() {
        return;
    }
    match result {
        Ok(reply) => {
            span.record("lms.attempts", reply.attempts);
            if !reply.status.is_success() {
                failed(span, reply.status.as_str());
            }
        }
        Err(error) => {
            span.record("lms.attempts", error.attempts());
            failed(span, error.kind().name());
        }
    }
}

fn failed(span: &Span, kind: &str) {
    span.record("error.type", kind);
    span.record("otel.status_code", "ERROR");
}

/// An attempt is followed by another after a wait.
pub(crate) fn waits(wait: Duration, attempts: u32) {
    debug!(target: "lms_ext", wait_s = wait.as_secs_f64(), attempts, "waiting before the next attempt");
}

/// An attempt had to wait for its turn.
pub(crate) fn held_up(waited: Duration) {
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
