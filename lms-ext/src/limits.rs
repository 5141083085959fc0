//! How long anything may take, and how large it may be.

use std::time::Duration;

/// The limits of one call.
///
/// Set for a whole client with [`LmsBuilder::limits`](crate::LmsBuilder::limits), and for one call with
/// [`CallOptions::limits`](crate::CallOptions::limits). Each has an [error
/// kind](crate::ErrorKind) of its own, so an error says which one ran out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// From sending one attempt to the end of its answer: 60 s.
    pub attempt: Duration,
    /// Between two pieces of a body: 15 s.
    pub idle: Duration,
    /// The whole call, with its waits and repeats: 3 minutes.
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
