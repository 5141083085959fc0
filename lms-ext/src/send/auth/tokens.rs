//! The token of a client: fresh, stale or expired, and how a call replaces it.
//!
//! A token is refreshed before it expires, so that no request arrives with an expired one. The refresh window is a share
//! of the lifetime: with a window of minutes, every request would fetch one of this service's short-lived tokens.
//!
//! Without a known lifetime, a token is used until the server rejects it. A lifetime of less than a second, also zero or
//! negative, counts as unknown: otherwise every token would expire before its first use.
//!
//! The call that needs a token fetches it, one call at a time. After a failure, no token is requested for a while.

use std::{
    collections::VecDeque,
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use reqwest::header::HeaderValue;
use tokio::{
    sync::{Mutex, MutexGuard},
    time::{Instant, timeout_at},
};

use super::{Token, TokenFile, TokenProvider, bearer_header};
use crate::{
    error::{Error, ErrorKind, is_transient},
    send::{metrics, timeouts::after},
};

const MAX_REFRESH_WINDOW: Duration = Duration::from_secs(30);
const MIN_LIFETIME: Duration = Duration::from_secs(1);
const MIN_REFRESH_PAUSE: Duration = Duration::from_secs(1);

/// Time after which a call stops refreshing a token that is still valid.
const MAX_EARLY_REFRESH: Duration = Duration::from_secs(10);

/// Time after a refusal without `Retry-After` in which no token is requested. Short, because the cause may be corrected
/// at the server.
const REFUSAL_PAUSE: Duration = Duration::from_secs(10);

/// Longest `Retry-After` of the token endpoint; a longer one is shortened to this.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// Number of rejected tokens after which a client forgets the oldest.
const MAX_REJECTED: usize = 16;

/// The token of an attempt.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    pub(crate) header: HeaderValue,
    /// The number of the token. The token endpoint may issue the same text again.
    generation: u64,
}

/// The token of a client, and how it is replaced.
#[derive(Debug)]
pub(crate) struct Tokens {
    provider: Arc<dyn TokenProvider>,
    file: Option<TokenFile>,
    /// Never locked during a wait.
    current: RwLock<Current>,
    /// Counts refreshes, failed ones included.
    refreshes: AtomicU64,
    /// Locked by the call that refreshes.
    refresh: Mutex<Option<RefreshFailure>>,
}

#[derive(Debug)]
struct Current {
    token: Option<HeaderValue>,
    refresh_at: Instant,
    expires_at: Instant,
    /// Counts tokens, so that a late 401 of an old token does not invalidate a newer one.
    generation: u64,
    /// The last tokens that the server rejected. A file that cannot be written still holds one of them.
    rejected: VecDeque<HeaderValue>,
}

impl Current {
    /// The token until this time.
    fn until(&self, end: Instant) -> Option<Bearer> {
        let header = self.token.as_ref().filter(|_| Instant::now() < end)?;
        Some(Bearer {
            header: header.clone(),
            generation: self.generation,
        })
    }

    /// Postpones the next early refresh by a quarter of the remaining lifetime, at least by a second and by `at_least`.
    /// With 30 s left that allows about ten tries.
    fn postpone_refresh(&mut self, at_least: Duration) {
        let now = Instant::now();
        let left = self.expires_at.saturating_duration_since(now);
        let pause = (left / 4).max(MIN_REFRESH_PAUSE).max(at_least);
        // Not beyond the expiry, where every call needs a new token.
        self.refresh_at = now + pause.min(left);
    }
}

impl Tokens {
    pub(crate) fn new(provider: Arc<dyn TokenProvider>, file: Option<TokenFile>) -> Self {
        let now = Instant::now();
        Self {
            provider,
            file,
            current: RwLock::new(Current {
                token: None,
                refresh_at: now,
                expires_at: now,
                generation: 0,
                rejected: VecDeque::new(),
            }),
            refreshes: AtomicU64::new(0),
            refresh: Mutex::new(None),
        }
    }

    /// Number of tokens that were fetched or loaded so far.
    pub(crate) fn generation(&self) -> u64 {
        self.read().generation
    }

    /// The current token if it is fresh.
    pub(crate) fn fresh(&self) -> Option<Bearer> {
        let current = self.read();
        current.until(current.refresh_at)
    }

    /// The current token unless it is expired.
    fn valid(&self) -> Option<Bearer> {
        let current = self.read();
        current.until(current.expires_at)
    }

    /// Returns the current token, or a new one.
    ///
    /// The caller stops waiting at `deadline`. Refreshing a token that is still valid stops earlier, so that the call
    /// has time left to use it.
    pub(crate) async fn bearer(&self, deadline: Instant) -> Result<Bearer, Error> {
        match (self.fresh(), self.valid()) {
            (Some(fresh), _) => return Ok(fresh),
            (None, Some(stale)) => {
                let Ok(lock) = self.refresh.try_lock() else {
                    return Ok(stale);
                };
                self.refresh_early(lock, deadline).await;
            }
            (None, None) => {}
        }
        self.valid_or_new().await
    }

    /// Removes a token that the server rejected, unless it has been replaced since.
    pub(crate) fn invalidate(&self, rejected: &Bearer) {
        let mut current = self.write();
        if current.generation != rejected.generation || current.token.take().is_none() {
            return;
        }
        current.rejected.push_back(rejected.header.clone());
        if current.rejected.len() > MAX_REJECTED {
            current.rejected.pop_front();
        }
        drop(current);
        tracing::debug!(target: "lms_ext", "the server rejected a token that had not expired; fetching a new one");
    }

    /// Refreshes a token that is still valid; after a failure, the next try is postponed.
    async fn refresh_early(
        &self,
        mut lock: MutexGuard<'_, Option<RefreshFailure>>,
        deadline: Instant,
    ) {
        // Another call may have refreshed it before this one got the lock.
        if self.fresh().is_some() || self.valid().is_none() {
            return;
        }
        let now = Instant::now();
        let limit = {
            let mut current = self.write();
            // Before the try, so that it also counts when this call is dropped meanwhile.
            current.postpone_refresh(Duration::ZERO);
            now + ((current.expires_at.min(deadline) - now) / 2).min(MAX_EARLY_REFRESH)
        };
        let refreshed = timeout_at(limit, self.refresh(&mut lock)).await;
        let timed_out = |_| Err(Error::new(ErrorKind::Token, "timed out"));
        if let Err(error) = refreshed.unwrap_or_else(timed_out) {
            tracing::warn!(
                target: "lms_ext",
                %error,
                "could not refresh the token; the current one is used until it expires"
            );
            let asked = error.retry_after().unwrap_or_default();
            self.write().postpone_refresh(asked);
        }
    }

    /// Returns a valid token, from the call that refreshes or as that call.
    async fn valid_or_new(&self) -> Result<Bearer, Error> {
        let before = self.refreshes.load(Ordering::Relaxed);
        loop {
            if let Some(bearer) = self.valid() {
                return Ok(bearer);
            }
            let mut lock = self.refresh.lock().await;
            if let Some(bearer) = self.valid() {
                return Ok(bearer);
            }
            if let Some(failure) = &*lock {
                // An error that occurred during the wait is also the result of this call: fifty calls with wrong
                // credentials send one request, not fifty.
                if failure.refresh > before {
                    return Err(failure.error.clone());
                }
                if let Some(error) = failure.remembered() {
                    return Err(error);
                }
            }
            self.refresh(&mut lock).await?;
        }
    }

    /// Replaces the token by one from the file or the provider.
    async fn refresh(&self, last: &mut Option<RefreshFailure>) -> Result<(), Error> {
        let early = self.valid().is_some();
        let result = match self.load() {
            Some(token) => self.install(&token),
            None => self.fetch().await,
        };
        let refresh = self.refreshes.fetch_add(1, Ordering::Relaxed) + 1;
        let failure = |error: &Error| RefreshFailure::new(error.clone(), refresh, early);
        *last = result.as_ref().err().map(failure);
        result
    }

    async fn fetch(&self) -> Result<(), Error> {
        let token = self.provider.token().await?;
        self.install(&token)?;
        if let Some(file) = &self.file {
            file.store(&token);
        }
        tracing::debug!(target: "lms_ext", "fetched a token");
        metrics::token();
        Ok(())
    }

    /// Loads the token in the file if it is another than the current one, valid for longer, and was not rejected.
    fn load(&self) -> Option<Token> {
        let token = self.file.as_ref()?.load()?;
        let header = bearer_header(token.secret()).ok()?;
        let current = self.read();
        let left = current.expires_at.saturating_duration_since(Instant::now());
        let is_better = current.token.as_ref().is_none_or(|known| {
            *known != header && token.lifetime().is_none_or(|lifetime| lifetime > left)
        });
        (is_better && !current.rejected.contains(&header)).then_some(token)
    }

    /// Sets a token whose lifetime starts now.
    fn install(&self, token: &Token) -> Result<(), Error> {
        let header = bearer_header(token.secret())?;
        let lifetime = token.lifetime().filter(|known| *known >= MIN_LIFETIME);
        let lifetime = lifetime.unwrap_or(Duration::MAX);
        let now = Instant::now();
        let mut current = self.write();
        current.generation += 1;
        current.token = Some(header);
        current.expires_at = after(now, lifetime);
        current.refresh_at = after(now, lifetime - refresh_window(lifetime));
        Ok(())
    }

    // Each write is a few assignments that cannot panic, so the state is consistent even if the lock is poisoned.
    fn read(&self) -> RwLockReadGuard<'_, Current> {
        self.current.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Current> {
        self.current.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Time before its expiry at which a token is refreshed: 30 s or a fifth of its lifetime, whichever is shorter, less a
/// random fifth of that, so that clients that started together do not refresh together.
fn refresh_window(lifetime: Duration) -> Duration {
    let window = (lifetime / 5).min(MAX_REFRESH_WINDOW);
    window.mul_f64(1.0 - 0.2 * fastrand::f64())
}

/// The error of the last refresh, for the tasks that waited for it and for calls during the pause after it.
#[derive(Debug)]
struct RefreshFailure {
    error: Error,
    /// The number of the refresh.
    refresh: u64,
    /// Until when no token is requested.
    until: Instant,
}

impl RefreshFailure {
    /// The failure of a refresh, which was `early` if there was a valid token.
    fn new(error: Error, refresh: u64, early: bool) -> Self {
        let mut pause = error.retry_after().unwrap_or_default().min(MAX_RETRY_AFTER);
        // An early refresh is postponed anyway, and its failure must not outlast the token.
        if !early && pause.is_zero() && is_refusal(&error) {
            pause = REFUSAL_PAUSE;
        }
        Self {
            error,
            refresh,
            until: Instant::now() + pause,
        }
    }

    /// The error for a call during the pause.
    fn remembered(&self) -> Option<Error> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        let seconds = left.as_millis().div_ceil(1000);
        let note = format!("remembered; no token is requested for another {seconds} s");
        let error = self.error.clone().with_note(note);
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
