//! How much a client may take of the server: connections, bytes and time.

use std::time::Duration;

use tokio::sync::Semaphore;

use crate::error::SandboxError;

/// Limits on the size and the duration of requests. Exceeding one fails that request or closes that connection; other
/// connections are not affected.
///
/// ```
/// # use std::time::Duration;
/// use lms_sandbox::{Limits, Sandbox};
/// let limits = Limits { max_body_bytes: 4096, body_timeout: Duration::from_secs(1), ..Limits::default() };
/// let builder = Sandbox::builder().limits(limits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many connections are served at once, at least 1; more wait to be accepted. 1,024 by default.
    pub max_connections: usize,
    /// The largest request head in bytes, at least 8 KiB; a larger one gets 431. 64 KiB by default.
    pub max_head_bytes: usize,
    /// How long a connection may take to send a complete request head, from when it opens or from the previous
    /// response; then it is closed. 120 s by default, which is longer than HTTP clients usually keep idle connections.
    pub head_timeout: Duration,
    /// The largest request body in bytes; a larger one gets 413. 1 MiB by default.
    pub max_body_bytes: usize,
    /// How long a request body may take to arrive; then the response is 408. 30 s by default.
    pub body_timeout: Duration,
    /// How long writing a response may make no progress, because the client does not read it; then the connection is
    /// closed. 30 s by default.
    pub write_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_connections: 1_024,
            max_head_bytes: 64 * 1024,
            head_timeout: Duration::from_secs(120),
            max_body_bytes: 1 << 20,
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
        }
    }
}

/// The smallest buffer that hyper accepts for a request head.
const MIN_HEAD_BYTES: usize = 8 * 1024;

/// The longest timeout, short enough to be added to any `Instant`.
const MAX_TIMEOUT: Duration = Duration::from_secs(10 * 365 * 86_400);

impl Limits {
    pub(crate) fn check(&self) -> Result<(), SandboxError> {
        if self.max_connections == 0 {
            return Err(SandboxError::setting(
                "limits.max_connections is 0; set it to 1 or more",
            ));
        }
        if self.max_head_bytes < MIN_HEAD_BYTES {
            return Err(SandboxError::setting(
                "limits.max_head_bytes is too small for a request head; set it to 8192 bytes or more",
            ));
        }
        Ok(())
    }

    /// The same limits, with each value capped at what the runtime can handle.
    pub(crate) fn capped(self) -> Self {
        Self {
            max_connections: self.max_connections.min(Semaphore::MAX_PERMITS),
            head_timeout: self.head_timeout.min(MAX_TIMEOUT),
            body_timeout: self.body_timeout.min(MAX_TIMEOUT),
            write_timeout: self.write_timeout.min(MAX_TIMEOUT),
            ..self
        }
    }
}
