//! Refreshes the token: by the call that needs it, one call at a time. After a failure, no token is requested for a while.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Mutex, MutexGuard},
    time::{Instant, timeout_at},
};

use super::{
    Token, TokenFile, TokenProvider, bearer_header,
    cached_token::{Bearer, CurrentToken, Freshness},
};
use crate::{
    error::{Error, ErrorKind, is_transient},
    send::metrics,
};

/// Time after which a call stops refreshing a token that is still valid.
const MAX_EARLY_REFRESH: Duration = Duration::from_secs(10);

/// The token of a client, and how it is replaced.
#[derive(Debug)]
pub(crate) struct Tokens {
    provider: Arc<dyn TokenProvider>,
    file: Option<TokenFile>,
    current: CurrentToken,
    /// Counts refreshes, failed ones included.
    refreshes: AtomicU64,
    /// Locked by the call that refreshes.
    refresh: Mutex<Option<RefreshFailure>>,
}

impl Tokens {
    pub(crate) fn new(provider: Arc<dyn TokenProvider>, file: Option<TokenFile>) -> Self {
        Self {
            provider,
            file,
            current: CurrentToken::default(),
            refreshes: AtomicU64::new(0),
            refresh: Mutex::new(None),
        }
    }

    /// Number of tokens that were fetched or loaded so far.
    pub(crate) fn generation(&self) -> u64 {
        self.current.generation()
    }

    /// The current token if it is fresh.
    pub(crate) fn fresh(&self) -> Option<Bearer> {
        let (bearer, freshness) = self.current.get()?;
        (freshness == Freshness::Fresh).then_some(bearer)
    }

    /// Returns the current token, or a new one.
    ///
    /// The caller stops waiting at `deadline`. Refreshing a token that is still valid stops earlier, so that the call
    /// has time left to use it.
    pub(crate) async fn bearer(&self, deadline: Instant) -> Result<Bearer, Error> {
        match self.current.get() {
            Some((bearer, Freshness::Fresh)) => return Ok(bearer),
            Some((bearer, Freshness::Stale { expires_at })) => {
                let Ok(lock) = self.refresh.try_lock() else {
                    return Ok(bearer);
                };
                self.refresh_early(lock, expires_at.min(deadline)).await;
            }
            Some((_, Freshness::Expired)) | None => {}
        }
        self.valid_or_new().await
    }

    /// Invalidates a token that the server rejected, unless it has been replaced since.
    pub(crate) fn invalidate(&self, rejected: &Bearer) {
        self.current.reject(rejected);
    }

    /// Refreshes a token that is still valid; after a failure, the next try is postponed.
    async fn refresh_early(&self, mut lock: MutexGuard<'_, Option<RefreshFailure>>, end: Instant) {
        // Another call may have refreshed it before this one got the lock.
        if !matches!(self.current.get(), Some((_, Freshness::Stale { .. }))) {
            return;
        }
        let now = Instant::now();
        let limit = now + ((end - now) / 2).min(MAX_EARLY_REFRESH);
        // Before the try, so that it also counts when this call is dropped meanwhile.
        self.current.postpone_refresh(Duration::ZERO);
        let refreshed = timeout_at(limit, self.refresh(&mut lock)).await;
        let timed_out = |_| Err(Error::new(ErrorKind::Token, "timed out"));
        if let Err(error) = refreshed.unwrap_or_else(timed_out) {
            tracing::warn!(
                target: "lms_ext",
                %error,
                "could not refresh the token; the current one is used until it expires"
            );
            let asked = error.retry_after().unwrap_or_default();
            self.current.postpone_refresh(asked);
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

    /// The current token unless it is expired.
    fn valid(&self) -> Option<Bearer> {
        let (bearer, freshness) = self.current.get()?;
        (freshness != Freshness::Expired).then_some(bearer)
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

    /// Loads the token in the file if it is better than the current one.
    fn load(&self) -> Option<Token> {
        let token = self.file.as_ref()?.load()?;
        let header = bearer_header(token.secret()).ok()?;
        let better = self.current.is_worse_than(&header, token.lifetime());
        better.then_some(token)
    }

    fn install(&self, token: &Token) -> Result<(), Error> {
        let header = bearer_header(token.secret())?;
        self.current.set(header, token.lifetime());
        Ok(())
    }
}

/// Time after a refusal without `Retry-After` in which no token is requested. Short, because the cause may be corrected
/// at the server.
const REFUSAL_PAUSE: Duration = Duration::from_secs(10);

/// Longest `Retry-After` of the token endpoint; a longer one is shortened to this.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

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
