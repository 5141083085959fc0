//! Timeouts of a call, of one attempt and between two chunks of a body.

use std::time::Duration;

use tokio::time::Instant;

use crate::error::{Error, ErrorKind};

/// The timeouts of a call.
///
/// Set for a client with [`LmsBuilder::timeouts`](crate::LmsBuilder::timeouts), and for one call with
/// [`CallOptions::timeouts`](crate::CallOptions::timeouts). Each has its own [error kind](crate::ErrorKind), and the
/// error message names the timeout and its value. The timeout for opening a connection belongs to the connection pool,
/// which all calls share: [`LmsBuilder::connect_timeout`](crate::LmsBuilder::connect_timeout).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// For one attempt, from sending the request to the end of the response body. Default: 60 s.
    pub attempt: Duration,
    /// Between two chunks of a response body. Default: 15 s.
    pub read: Duration,
    /// For the entire call: all attempts and the waits between them, the wait for a token, and the waits for the [other
    /// calls](crate::LmsBuilder::max_concurrent) and the [rate](crate::LmsBuilder::max_per_second). Default: 3 minutes.
    pub call: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            attempt: Duration::from_secs(60),
            read: Duration::from_secs(15),
            call: Duration::from_secs(180),
        }
    }
}

impl Timeouts {
    /// Sets the timeout of one attempt, from sending the request to the end of the response body.
    #[must_use]
    pub fn attempt(mut self, timeout: Duration) -> Self {
        self.attempt = timeout;
        self
    }

    /// Sets the timeout between two chunks of a response body.
    #[must_use]
    pub fn read(mut self, timeout: Duration) -> Self {
        self.read = timeout;
        self
    }

    /// Sets the timeout of the entire call.
    #[must_use]
    pub fn call(mut self, timeout: Duration) -> Self {
        self.call = timeout;
        self
    }
}

/// `start + time`, at most a century later, so that it cannot overflow.
pub(crate) fn after(start: Instant, time: Duration) -> Instant {
    let century = Duration::from_secs(100 * 365 * 86_400);
    start + time.min(century)
}

/// Formats a timeout for a message, e.g. `60 s` or `0.25 s`.
pub(crate) fn in_seconds(timeout: Duration) -> String {
    format!("{} s", timeout.as_secs_f64())
}

/// The error of an attempt that exceeded its timeout; `waiting` names the activity.
pub(crate) fn attempt_timeout(timeouts: &Timeouts, waiting: &str) -> Error {
    let timeout = in_seconds(timeouts.attempt);
    let detail = format!("attempt timeout of {timeout} exceeded {waiting}");
    Error::new(ErrorKind::AttemptTimeout, detail)
}

/// The error of a call that exceeded its timeout.
pub(crate) fn call_timeout(timeouts: &Timeouts, waiting: &str) -> Error {
    let timeout = in_seconds(timeouts.call);
    let detail = format!("call timeout of {timeout} exceeded {waiting}");
    Error::new(ErrorKind::DeadlineExceeded, detail)
}
