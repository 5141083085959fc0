//! The current token of a client. Every call reads it before each attempt.

use std::{
    collections::VecDeque,
    sync::{PoisonError, RwLock},
    time::Duration,
};

use reqwest::header::HeaderValue;
use tokio::time::Instant;

use super::cached_token::{CachedToken, Freshness};

/// Number of rejected tokens after which a client forgets the oldest.
const MAX_REJECTED: usize = 16;

/// The token of an attempt.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    pub(crate) header: HeaderValue,
    generation: u64,
}

/// The current token, if there is one. Never locked during a wait.
#[derive(Debug, Default)]
pub(super) struct CurrentToken(RwLock<State>);

#[derive(Debug, Default)]
struct State {
    token: Option<CachedToken>,
    /// Counts tokens, so that a late 401 of an old token does not invalidate a newer one.
    generation: u64,
    /// The last tokens that the server rejected. A file that cannot be written still holds one of them.
    rejected: VecDeque<HeaderValue>,
}

impl CurrentToken {
    pub(super) fn get(&self) -> Option<(Bearer, Freshness)> {
        // Each write is a few assignments that cannot panic, so the state is consistent even if the lock is poisoned.
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let token = state.token.as_ref()?;
        let bearer = Bearer {
            header: token.header.clone(),
            generation: state.generation,
        };
        Some((bearer, token.freshness(Instant::now())))
    }

    /// Number of tokens so far.
    pub(super) fn generation(&self) -> u64 {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .generation
    }

    pub(super) fn set(&self, token: CachedToken) {
        let mut state = self.write();
        state.generation += 1;
        state.token = Some(token);
    }

    /// Postpones the next early refresh.
    pub(super) fn postpone_refresh(&self, at_least: Duration) {
        if let Some(token) = &mut self.write().token {
            token.postpone_refresh(Instant::now(), at_least);
        }
    }

    /// Removes a token that the server rejected, unless it has been replaced since.
    pub(super) fn reject(&self, rejected: &Bearer) {
        let mut state = self.write();
        if state.token.is_none() || state.generation != rejected.generation {
            return;
        }
        state.token = None;
        state.rejected.push_back(rejected.header.clone());
        if state.rejected.len() > MAX_REJECTED {
            state.rejected.pop_front();
        }
        drop(state);
        tracing::debug!(target: "lms_ext", "the server rejected a token that had not expired; fetching a new one");
    }

    /// Returns `true` if another token is valid for longer, and was not rejected.
    pub(super) fn is_worse_than(&self, header: &HeaderValue, lifetime: Option<Duration>) -> bool {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        !state.rejected.contains(header)
            && state
                .token
                .as_ref()
                .is_none_or(|token| token.expires_before(header, lifetime, Instant::now()))
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
