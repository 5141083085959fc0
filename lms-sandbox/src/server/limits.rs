//! Limits on what a client may use of the server: connections, bytes and time.

use std::time::Duration;

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
    /// How many connections are open at once, at least 1. 1,024 by default.
    ///
    /// For a further one, a connection without a request in flight is closed: first those that never sent a request,
    /// then the one that has been idle longest. If all are busy, the further one waits to be accepted.
    pub max_connections: usize,
    /// How many connections one IP address may have open at once, at least 1. 896 by default.
    ///
    /// For a further one, a connection of that address is closed, as for [`max_connections`](Self::max_connections). If
    /// all of them are busy, the further one is closed.
    pub max_connections_per_peer: usize,
    /// The largest request head in bytes, at least 8 KiB; a larger one gets 431, or 414 if its first line alone is too
    /// long or longer than 65,534 bytes. A head with more than 100 header fields gets 431 too. 64 KiB by default.
    pub max_head_bytes: usize,
    /// How long a new connection may take to send its first request head; then it is closed. 20 s by default.
    pub first_head_timeout: Duration,
    /// How long a connection may take to send a complete request head after the previous response; then it is closed.
    /// 120 s by default, which is longer than HTTP clients usually keep idle connections.
    pub head_timeout: Duration,
    /// The largest request body in bytes; a larger one gets 413. 1 MiB by default.
    ///
    /// What a client still sends after a request was rejected is read and discarded, up to 256 MiB and for
    /// [`body_timeout`](Self::body_timeout), so that a client that sends the whole body first gets the response.
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
            max_connections_per_peer: 896,
            max_head_bytes: 64 * 1024,
            first_head_timeout: Duration::from_secs(20),
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
        for (name, connections) in [
            ("max_connections", self.max_connections),
            ("max_connections_per_peer", self.max_connections_per_peer),
        ] {
            if connections == 0 {
                let message = format!("limits.{name} is 0; set it to 1 or more");
                return Err(SandboxError::setting(message));
            }
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
            first_head_timeout: self.first_head_timeout.min(MAX_TIMEOUT),
            head_timeout: self.head_timeout.min(MAX_TIMEOUT),
            body_timeout: self.body_timeout.min(MAX_TIMEOUT),
            write_timeout: self.write_timeout.min(MAX_TIMEOUT),
            ..self
        }
    }
}
