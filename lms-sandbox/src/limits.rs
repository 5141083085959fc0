//! How much may a client ask of the server?

use std::time::Duration;

use tokio::sync::Semaphore;

use crate::error::SandboxError;

/// What a connection may take, in bytes and in time. What is beyond costs the connection or the request, and no one
/// else's.
///
/// ```
/// # use std::time::Duration;
/// use lms_sandbox::{Limits, Sandbox};
/// let limits = Limits { body: 4096, body_patience: Duration::from_secs(1), ..Limits::default() };
/// let builder = Sandbox::builder().limits(limits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many connections are served at once, 1 at least; more wait to be accepted. 1,024 by default.
    pub connections: usize,
    /// The longest request head in bytes; a longer one is answered with 431. 64 KiB by default, 8 KiB at least.
    pub head: usize,
    /// How long a connection may go without a complete request head, from its beginning or from the last answer;
    /// then it is closed. 120 s by default: longer than HTTP clients keep an idle connection, so that it is the
    /// client that lets go of it first.
    pub head_patience: Duration,
    /// The longest request body in bytes; a longer one is answered with 413. 1 MiB by default.
    pub body: usize,
    /// How long a request body may take to arrive; then the answer is 408. 30 s by default.
    pub body_patience: Duration,
    /// How long the client may leave an answer unread; then the connection is closed. 30 s by default.
    pub answer_patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1_024,
            head: 64 * 1024,
            head_patience: Duration::from_secs(120),
            body: 1 << 20,
            body_patience: Duration::from_secs(30),
            answer_patience: Duration::from_secs(30),
        }
    }
}

/// The least that the server can read a head into.
const SMALLEST_HEAD: usize = 8 * 1024;

/// Longer than any sandbox runs, and short enough to be counted from any moment.
const FOR_EVER: Duration = Duration::from_secs(10 * 365 * 86_400);

impl Limits {
    /// What can be served within, or why nothing can.
    pub(crate) fn check(&self) -> Result<(), SandboxError> {
        if self.connections == 0 {
            return Err(SandboxError::setting(
                "without a connection nothing can be served; set limits.connections to 1 or more",
            ));
        }
        if self.head < SMALLEST_HEAD {
            return Err(SandboxError::setting(
                "a request head needs room; set limits.head to 8192 bytes or more",
            ));
        }
        Ok(())
    }

    /// The same, no number of which is too large to work with.
    pub(crate) fn countable(self) -> Self {
        Self {
            connections: self.connections.min(Semaphore::MAX_PERMITS),
            head_patience: self.head_patience.min(FOR_EVER),
            body_patience: self.body_patience.min(FOR_EVER),
            answer_patience: self.answer_patience.min(FOR_EVER),
            ..self
        }
    }
}
