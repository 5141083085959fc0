//! Decides whether the current token of a client is fresh, stale or expired. Every call reads it before each attempt.
//!
//! A token is refreshed before it expires, so that no request arrives with an expired one. The refresh window is a share
//! of the lifetime: with a window of minutes, every request would fetch one of this service's short-lived tokens.
//!
//! Without a known lifetime, a token is used until the server rejects it. A lifetime of less than a second, also zero or
//! negative, counts as unknown: otherwise every token would expire before its first use.

use std::{
    collections::VecDeque,
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    time::Duration,
};

use reqwest::header::HeaderValue;
use tokio::time::Instant;

const MAX_REFRESH_WINDOW: Duration = Duration::from_secs(30);
const MIN_LIFETIME: Duration = Duration::from_secs(1);
const MIN_REFRESH_PAUSE: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug)]
struct Expiry {
    refresh_at: Instant,
    expires_at: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    Fresh,
    /// Valid, and due for a refresh.
    Stale {
        expires_at: Instant,
    },
    Expired,
}

/// Time before its expiry at which a token is refreshed: 30 s or a fifth of its lifetime, whichever is shorter, less a
/// random fifth of that, so that clients that started together do not refresh together.
fn refresh_window(lifetime: Duration) -> Duration {
    let window = (lifetime / 5).min(MAX_REFRESH_WINDOW);
    window.mul_f64(1.0 - 0.2 * fastrand::f64())
}

/// Number of rejected tokens after which a client forgets the oldest.
const MAX_REJECTED: usize = 16;

/// The token of an attempt.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    pub(crate) header: HeaderValue,
    /// The number of the token. The token endpoint may issue the same text again.
    generation: u64,
}

/// The current token, if there is one. Never locked during a wait.
#[derive(Debug, Default)]
pub(super) struct CurrentToken(RwLock<State>);

#[derive(Debug, Default)]
struct State {
    token: Option<HeaderValue>,
    /// `None` if the lifetime of the token is not known.
    expiry: Option<Expiry>,
    /// Counts tokens, so that a late 401 of an old token does not invalidate a newer one.
    generation: u64,
    /// The last tokens that the server rejected. A file that cannot be written still holds one of them.
    rejected: VecDeque<HeaderValue>,
}

impl CurrentToken {
    pub(super) fn get(&self) -> Option<(Bearer, Freshness)> {
        let state = self.read();
        let bearer = Bearer {
            header: state.token.clone()?,
            generation: state.generation,
        };
        let now = Instant::now();
        let freshness = match state.expiry {
            Some(Expiry { expires_at, .. }) if now >= expires_at => Freshness::Expired,
            Some(expiry) if now >= expiry.refresh_at => Freshness::Stale {
                expires_at: expiry.expires_at,
            },
            _ => Freshness::Fresh,
        };
        Some((bearer, freshness))
    }

    /// Number of tokens so far.
    pub(super) fn generation(&self) -> u64 {
        self.read().generation
    }

    /// Sets a token whose lifetime starts now.
    pub(super) fn set(&self, header: HeaderValue, lifetime: Option<Duration>) {
        let now = Instant::now();
        let lifetime = lifetime.filter(|lifetime| *lifetime >= MIN_LIFETIME);
        let mut state = self.write();
        state.generation += 1;
        state.token = Some(header);
        state.expiry = lifetime.and_then(|lifetime| {
            // A time that overflows counts as never.
            let expires_at = now.checked_add(lifetime)?;
            let refresh_at = expires_at - refresh_window(lifetime);
            Some(Expiry {
                refresh_at,
                expires_at,
            })
        });
    }

    /// Postpones the next early refresh by a quarter of the remaining lifetime, at least by a second and by `at_least`.
    /// With 30 s left that allows about ten tries.
    pub(super) fn postpone_refresh(&self, at_least: Duration) {
        if let Some(expiry) = &mut self.write().expiry {
            let now = Instant::now();
            let left = expiry.expires_at.saturating_duration_since(now);
            let pause = (left / 4).max(MIN_REFRESH_PAUSE).max(at_least);
            // Not beyond the expiry, where every call needs a new token.
            expiry.refresh_at = now + pause.min(left);
        }
    }

    /// Removes a token that the server rejected, unless it has been replaced since.
    pub(super) fn reject(&self, rejected: &Bearer) {
        let mut state = self.write();
        if state.generation != rejected.generation || state.token.take().is_none() {
            return;
        }
        state.rejected.push_back(rejected.header.clone());
        if state.rejected.len() > MAX_REJECTED {
            state.rejected.pop_front();
        }
        drop(state);
        tracing::debug!(target: "lms_ext", "the server rejected a token that had not expired; fetching a new one");
    }

    /// Returns `true` if another token is valid for longer, and was not rejected.
    pub(super) fn is_worse_than(&self, header: &HeaderValue, lifetime: Option<Duration>) -> bool {
        let state = self.read();
        let is_worse = match (&state.token, state.expiry) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(token), Some(expiry)) => {
                let left = expiry.expires_at.saturating_duration_since(Instant::now());
                token != header && lifetime.is_none_or(|lifetime| lifetime > left)
            }
        };
        is_worse && !state.rejected.contains(header)
    }

    // Each write is a few assignments that cannot panic, so the state is consistent even if the lock is poisoned.
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn clients_that_started_together_do_not_refresh_together() {
        let windows: std::collections::HashSet<_> =
            (0..100).map(|_| refresh_window(300 * SECOND)).collect();
        assert!(windows.len() > 50, "{}", windows.len());
        let range = 24 * SECOND..=30 * SECOND;
        assert!(windows.iter().all(|window| range.contains(window)));
    }
}
