//! Decides how long no token is requested after a refresh has failed.

use std::time::Duration;

use tokio::time::Instant;

use crate::error::{Error, is_transient};

/// Time after a refusal without `Retry-After` in which no token is requested. Short, because the cause may be corrected
/// at the server.
const REFUSAL_PAUSE: Duration = Duration::from_secs(10);

/// Longest `Retry-After` of the token endpoint; a longer one is shortened to this.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// The error of the last refresh, for the tasks that waited for it and for calls during the pause after it.
#[derive(Debug)]
pub(super) struct RefreshFailure {
    pub(super) error: Error,
    /// The number of the refresh.
    pub(super) refresh: u64,
    at: Instant,
    /// Until when no token is requested.
    until: Instant,
}

impl RefreshFailure {
    /// The failure of a refresh, which was `early` if there was a valid token.
    pub(super) fn new(error: Error, refresh: u64, early: bool) -> Self {
        let mut pause = error.retry_after().unwrap_or_default().min(MAX_RETRY_AFTER);
        // An early refresh is postponed anyway, and its failure must not outlast the token.
        if !early && pause.is_zero() && is_refusal(&error) {
            pause = REFUSAL_PAUSE;
        }
        let at = Instant::now();
        Self {
            error,
            refresh,
            at,
            until: at + pause,
        }
    }

    /// The error for a call during the pause.
    pub(super) fn remembered(&self) -> Option<Error> {
        let now = Instant::now();
        let left = self.until.saturating_duration_since(now);
        if left.is_zero() {
            return None;
        }
        let seconds = left.as_millis().div_ceil(1000);
        let age = (now - self.at).as_secs();
        let error = self.error.clone().with_note(format!(
            "remembered for {age} s; no token is requested for another {seconds} s"
        ));
        Some(match error.retry_after() {
            Some(_) => error.with_retry_after(left),
            None => error,
        })
    }
}

/// Returns `true` if the next request would probably get the same response.
fn is_refusal(error: &Error) -> bool {
    let status = error.status();
    error.is_unauthenticated()
        || status.is_some_and(|status| status == 429 || !is_transient(status))
}
