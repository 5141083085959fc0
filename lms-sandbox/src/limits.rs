//! How much may a client ask of the server?

use std::time::Duration;

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
    /// How many connections are served at once; more wait to be accepted. 1,024 by default.
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
