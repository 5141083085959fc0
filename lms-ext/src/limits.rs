//! How long anything may take, and how large it may be.

use std::time::Duration;

use tokio::time::Instant;

/// The limits of one call.
///
/// Set for a whole client with [`LmsBuilder::limits`](crate::LmsBuilder::limits), and for one call with
/// [`CallOptions::limits`](crate::CallOptions::limits). Each has an [error
/// kind](crate::ErrorKind) of its own, and the message of an error names the limit that ran out and its
/// value. The limit on making a connection belongs to the connections that all calls share:
/// [`LmsBuilder::connect_timeout`](crate::LmsBuilder::connect_timeout).
///
/// ```
/// use std::time::Duration;
/// use lms_ext::Limits;
///
/// let hasty = Limits::default()
///     .attempt(Duration::from_secs(5))
///     .call(Duration::from_secs(20));
/// assert_eq!(hasty.idle, Limits::default().idle);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// From sending one attempt to the end of its answer: 60 s.
    pub attempt: Duration,
    /// Between two pieces of a body: 15 s.
    pub idle: Duration,
    /// The whole call, with its waits and repeats, the wait for a token, and that for its turn: 3 minutes.
    pub call: Duration,
    /// The largest body that is read, in bytes after decompression: 64 MiB.
    pub body: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            attempt: Duration::from_secs(60),
            idle: Duration::from_secs(15),
            call: Duration::from_secs(180),
            body: 64 * 1024 * 1024,
        }
    }
}

impl Limits {
    /// From sending one attempt to the end of its answer.
    #[must_use]
    pub fn attempt(mut self, limit: Duration) -> Self {
        self.attempt = limit;
        self
    }

    /// Between two pieces of a body.
    #[must_use]
    pub fn idle(mut self, limit: Duration) -> Self {
        self.idle = limit;
        self
    }

    /// The whole call.
    #[must_use]
    pub fn call(mut self, limit: Duration) -> Self {
        self.call = limit;
        self
    }

    /// The largest body that is read, in bytes after decompression.
    #[must_use]
    pub fn body(mut self, bytes: usize) -> Self {
        self.body = bytes;
        self
    }
}

/// `start + time`, or as good as never when that cannot be counted.
pub(crate) fn after(start: Instant, time: Duration) -> Instant {
    let century = Duration::from_secs(100 * 365 * 86_400);
    start + time.min(century)
}

/// A limit in words, e.g. `60 s` or `0.25 s`.
pub(crate) fn time(limit: Duration) -> String {
    format!("{} s", limit.as_secs_f64())
}

/// A limit in words, e.g. `64 MiB` or `1000 bytes`.
pub(crate) fn size(bytes: usize) -> String {
    const MIB: usize = 1024 * 1024;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        format!("{} MiB", bytes / MIB)
    } else {
        format!("{bytes} bytes")
    }
}
