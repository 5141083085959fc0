//! Metrics of calls, requests and waits, for the recorder that the program installs with the crate `metrics`.
//!
//! Names, units and attributes follow OpenTelemetry's conventions for HTTP clients where there is one. Like spans, metrics
//! contain no id, no filter, no body and no token.

use std::time::Duration;

use metrics::{
    Label, Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use reqwest::Request;
use tokio::time::Instant;

use super::telemetry;
use crate::{error::Error, values::OperationInfo};

const REQUEST: &str = "http.client.request.duration";
const CALL: &str = "lms.client.call.duration";
const WAIT: &str = "lms.client.wait.duration";
const RETRIES: &str = "lms.client.retries";
const TOKENS: &str = "lms.client.tokens";
const ITEMS: &str = "lms.client.items";
const RATE: &str = "lms.client.throttled_rate";

/// Tells the installed recorder the units and the descriptions of all metrics of this crate.
///
/// Call it once, after the recorder is installed. Metrics are also recorded without it. Requires the feature `metrics`.
///
/// | metric | type, unit | attributes |
/// |---|---|---|
/// | `http.client.request.duration` | histogram, s | `http.request.method`, `url.template`, `server.address`, `server.port`, `http.response.status_code`, `error.type` |
/// | `lms.client.call.duration` | histogram, s | `lms.operation`, `error.type` |
/// | `lms.client.wait.duration` | histogram, s | `lms.wait.reason`: `concurrency`, `rate_limit`, `retry` or `token` |
/// | `lms.client.retries` | counter | `lms.operation` |
/// | `lms.client.tokens` | counter | none |
/// | `lms.client.items` | counter, items of streams | `lms.operation` |
/// | `lms.client.throttled_rate` | gauge, requests per second | `server.address`, `server.port` |
pub fn describe_metrics() {
    let seconds = Unit::Seconds;
    describe_histogram!(
        REQUEST,
        seconds,
        "One attempt to send a request, until the end of the response body"
    );
    describe_histogram!(CALL, seconds, "One call, with its retries and waits");
    describe_histogram!(WAIT, seconds, "Waits before a request is sent");
    describe_counter!(RETRIES, Unit::Count, "Requests that were sent again");
    describe_counter!(TOKENS, Unit::Count, "Tokens that were obtained");
    describe_counter!(ITEMS, Unit::Count, "Items of lists that were received");
    describe_gauge!(
        RATE,
        Unit::CountPerSecond,
        "The rate to which the server throttles the client; 0 if it does not"
    );
}

/// An attempt that left at `sent` ended; it followed `resent` others.
pub(super) fn attempt(
    operation: &'static OperationInfo,
    request: &Request,
    resent: u32,
    outcome: Result<u16, &Error>,
    absence_expected: bool,
    sent: Instant,
) {
    if resent > 0 {
        counter!(RETRIES, labels(operation)).increment(1);
    }
    let mut labels = server(request);
    labels.push(Label::new("http.request.method", operation.method.as_str()));
    labels.push(Label::from_static_parts("url.template", operation.path));
    if let Some(status) = outcome.map_or_else(Error::status, Some) {
        labels.push(Label::new("http.response.status_code", status.to_string()));
    }
    labels.extend(error_type(outcome, absence_expected));
    histogram!(REQUEST, labels).record(sent.elapsed());
}

/// A call ended.
pub(super) fn call(
    operation: &'static OperationInfo,
    outcome: Result<u16, &Error>,
    absence_expected: bool,
    started: Instant,
) {
    let mut labels = labels(operation);
    labels.extend(error_type(outcome, absence_expected));
    histogram!(CALL, labels).record(started.elapsed());
}

/// A request waits or has waited, for a reason in the table of [`describe_metrics`].
pub(crate) fn waited(reason: &'static str, duration: Duration) {
    histogram!(WAIT, "lms.wait.reason" => reason).record(duration);
}

/// A token was obtained.
pub(crate) fn token() {
    counter!(TOKENS).increment(1);
}

/// Items of a page were received by a stream.
pub(crate) fn items(operation: &'static OperationInfo, items: usize) {
    counter!(ITEMS, labels(operation)).increment(u64::try_from(items).unwrap_or(u64::MAX));
}

/// The rate to which the server throttles the client, if it does.
pub(super) fn throttled_rate(request: &Request, rate: impl FnOnce() -> Option<f64>) {
    gauge!(RATE, server(request)).set(rate().unwrap_or_default());
}

fn labels(operation: &'static OperationInfo) -> Vec<Label> {
    vec![Label::from_static_parts("lms.operation", operation.id)]
}

fn server(request: &Request) -> Vec<Label> {
    let url = request.url();
    let port = url.port_or_known_default().unwrap_or_default();
    vec![
        Label::new(
            "server.address",
            url.host_str().unwrap_or_default().to_owned(),
        ),
        Label::new("server.port", port.to_string()),
    ]
}

fn error_type(outcome: Result<u16, &Error>, absence_expected: bool) -> Option<Label> {
    let error = telemetry::error_type(outcome, absence_expected)?;
    Some(Label::new("error.type", error))
}
