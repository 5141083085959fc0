//! Decides which token a request carries, and when a token is replaced.
//!
//! Tokens expire within minutes ([Authentication](lms_client::service#authentication)), so a job of an hour uses dozens
//! of tokens, and many tasks need the next one at the same moment. The token is checked before every attempt, not once
//! per call, because a retry may follow minutes later:
//!
//! - A fresh token is used without waiting.
//! - A [stale](cached_token) one is refreshed by the first task that notices; the others keep using it. After a failed
//!   refresh, the old token is kept and the next try is postponed.
//! - Without a valid token, one task fetches a new one, and the others wait for its token or its error. If that task is
//!   dropped, the next one takes over.
//! - After the token endpoint has refused a request, no further one is sent until its `Retry-After` has passed, or for
//!   10 s: if every call tried wrong credentials, the account might be locked. Calls fail with the remembered error.
//!
//! There is no background task: the calls that need a token do the work.

mod cached_token;
mod provider;
mod token_file;

use std::{
    collections::VecDeque,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use reqwest::header::HeaderValue;
use tokio::{
    sync::{Mutex, MutexGuard},
    time::{Instant, timeout_at},
};

use crate::{
    error::{Error, ErrorKind, is_transient},
    values::Secret,
};
use cached_token::{CachedToken, Freshness};

pub(crate) use provider::FixedToken;
pub use provider::{Token, TokenFuture, TokenProvider};
pub(crate) use token_file::TokenFile;

/// Time after which a call stops refreshing a token that is still valid.
const MAX_EARLY_REFRESH: Duration = Duration::from_secs(10);

/// Time after a refusal without `Retry-After` in which no token is requested. Short, because the cause may be corrected
/// at the server.
const REFUSAL_PAUSE: Duration = Duration::from_secs(10);

/// Longest `Retry-After` of the token endpoint; a longer one is shortened to this.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// Number of rejected tokens after which a client forgets the oldest.
const MAX_REJECTED: usize = 16;

/// The current token of a client.
#[derive(Debug)]
pub(crate) struct Tokens {
    provider: Arc<dyn TokenProvider>,
    file: Option<TokenFile>,
    /// Read before every attempt of every call, and never locked during a wait.
    state: RwLock<State>,
    /// Locked by the task that refreshes.
    refresh: Mutex<Option<RefreshFailure>>,
}

#[derive(Debug, Default)]
struct State {
    token: Option<CachedToken>,
    /// Counts tokens, so that a late 401 of an old token does not invalidate a newer one.
    generation: u64,
    /// Counts refreshes, failed ones included.
    refreshes: u64,
    /// The last tokens that the server rejected. A file that cannot be written still holds one of them.
    rejected: VecDeque<HeaderValue>,
}

/// The error of the last refresh, for the tasks that waited for it and for calls during the pause after it.
#[derive(Debug)]
struct RefreshFailure {
    error: Error,
    refresh: u64,
    at: Instant,
    /// Until when no token is requested.
    until: Instant,
}

impl RefreshFailure {
    /// The error for a call during the pause.
    fn remembered(&self, now: Instant) -> Option<Error> {
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

/// The token of an attempt.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    pub(crate) header: HeaderValue,
    generation: u64,
}

impl Tokens {
    pub(crate) fn new(provider: Arc<dyn TokenProvider>, file: Option<TokenFile>) -> Self {
        Self {
            provider,
            file,
            state: RwLock::default(),
            refresh: Mutex::new(None),
        }
    }

    /// Returns the current token, or a new one.
    ///
    /// The caller stops waiting at `deadline`. Refreshing a token that is still valid stops earlier, so that the call
    /// has time left to use it.
    pub(crate) async fn bearer(&self, deadline: Instant) -> Result<Bearer, Error> {
        if let Some(bearer) = self.fresh() {
            return Ok(bearer);
        }
        if let Some((bearer, expires_at)) = self.stale() {
            let Ok(lock) = self.refresh.try_lock() else {
                return Ok(bearer);
            };
            self.refresh_early(lock, expires_at, deadline).await;
        }
        self.valid_or_new().await
    }

    /// Invalidates a token that the server rejected, unless it has been replaced since.
    pub(crate) fn invalidate(&self, rejected: &Bearer) {
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

    /// The current token if it is fresh.
    pub(crate) fn fresh(&self) -> Option<Bearer> {
        let (bearer, freshness) = self.current()?;
        (freshness == Freshness::Fresh).then_some(bearer)
    }

    /// The current token if it is stale, and when it expires.
    fn stale(&self) -> Option<(Bearer, Instant)> {
        match self.current()? {
            (bearer, Freshness::Stale { expires_at }) => Some((bearer, expires_at)),
            _ => None,
        }
    }

    /// The current token unless it is expired.
    fn valid(&self) -> Option<Bearer> {
        let (bearer, freshness) = self.current()?;
        (freshness != Freshness::Expired).then_some(bearer)
    }

    fn current(&self) -> Option<(Bearer, Freshness)> {
        let state = self.read();
        let token = state.token.as_ref()?;
        let bearer = Bearer {
            header: token.header.clone(),
            generation: state.generation,
        };
        Some((bearer, token.freshness(Instant::now())))
    }

    /// Refreshes a token that is still valid; after a failure, the next try is postponed.
    async fn refresh_early(
        &self,
        mut lock: MutexGuard<'_, Option<RefreshFailure>>,
        expires_at: Instant,
        deadline: Instant,
    ) {
        // Another task may have refreshed it before this one got the lock.
        if self.stale().is_none() {
            return;
        }
        let now = Instant::now();
        let time = (expires_at.min(deadline) - now) / 2;
        let limit = now + time.min(MAX_EARLY_REFRESH);
        // Before the try, so that it also counts when this call is dropped meanwhile.
        self.postpone_refresh(Duration::ZERO);
        let refreshed = timeout_at(limit, self.refresh(&mut lock)).await;
        let timed_out = |_| Err(Error::new(ErrorKind::Token, "timed out"));
        if let Err(error) = refreshed.unwrap_or_else(timed_out) {
            tracing::warn!(
                target: "lms_ext",
                %error,
                "could not refresh the token; the current one is used until it expires"
            );
            self.postpone_refresh(error.retry_after().unwrap_or_default());
        }
    }

    fn postpone_refresh(&self, at_least: Duration) {
        if let Some(token) = &mut self.write().token {
            token.postpone_refresh(Instant::now(), at_least);
        }
    }

    /// Returns a valid token, from the task that refreshes or as that task.
    async fn valid_or_new(&self) -> Result<Bearer, Error> {
        let before = self.read().refreshes;
        loop {
            if let Some(bearer) = self.valid() {
                return Ok(bearer);
            }
            let mut lock = self.refresh.lock().await;
            if let Some(bearer) = self.valid() {
                return Ok(bearer);
            }
            // An error that occurred during the wait is also the result of this task: fifty tasks with wrong
            // credentials send one request, not fifty.
            if let Some(failure) = &*lock
                && failure.refresh > before
            {
                return Err(failure.error.clone());
            }
            if let Some(error) = lock
                .as_ref()
                .and_then(|failure| failure.remembered(Instant::now()))
            {
                return Err(error);
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
        let refresh = {
            let mut state = self.write();
            state.refreshes += 1;
            state.refreshes
        };
        let now = Instant::now();
        *last = result.as_ref().err().map(|error| {
            let mut pause = error.retry_after().unwrap_or_default().min(MAX_RETRY_AFTER);
            // An early refresh is postponed anyway, and its failure must not outlast the token.
            if !early && pause.is_zero() && is_refusal(error) {
                pause = REFUSAL_PAUSE;
            }
            RefreshFailure {
                error: error.clone(),
                refresh,
                at: now,
                until: now + pause,
            }
        });
        result
    }

    async fn fetch(&self) -> Result<(), Error> {
        let token = self.provider.token().await?;
        self.install(&token)?;
        if let Some(file) = &self.file {
            file.store(&token);
        }
        tracing::debug!(target: "lms_ext", "fetched a token");
        #[cfg(feature = "metrics")]
        super::metrics::token();
        Ok(())
    }

    /// Loads the token in the file if it is better than the current one.
    fn load(&self) -> Option<Token> {
        let token = self.file.as_ref()?.load()?;
        let header = bearer_header(token.secret()).ok()?;
        let state = self.read();
        let better = !state.rejected.contains(&header)
            && state.token.as_ref().is_none_or(|current| {
                current.expires_before(&header, token.lifetime(), Instant::now())
            });
        better.then_some(token)
    }

    fn install(&self, token: &Token) -> Result<(), Error> {
        let token = CachedToken::new(bearer_header(token.secret())?, token.lifetime());
        let mut state = self.write();
        state.generation += 1;
        state.token = Some(token);
        Ok(())
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, State> {
        // Each write is a few assignments that cannot panic, so the state is consistent even if the lock is poisoned.
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The `Authorization` header for a token, marked as sensitive so that libraries do not print it.
pub(crate) fn bearer_header(token: &Secret) -> Result<HeaderValue, Error> {
    let token = token.expose();
    let valid = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    let header = valid
        .then(|| HeaderValue::try_from(format!("Bearer {token}")).ok())
        .flatten();
    let Some(mut header) = header else {
        let detail =
            "the token is empty or contains an invalid character, such as a space or a line break";
        return Err(Error::new(ErrorKind::Token, detail));
    };
    header.set_sensitive(true);
    Ok(header)
}
