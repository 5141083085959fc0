//! Which token a request carries, and when it is replaced.
//!
//! Tokens of this service live for minutes (§5), so a job of an hour uses dozens of them, and fifty tasks
//! notice at the same moment that the one they share is about to run out. The token is looked at before
//! every attempt, not every call, since an attempt may come minutes after the one before it:
//!
//! - A fresh token is read without waiting for anybody.
//! - One that is [due](cached_token) is renewed by whoever comes first; the others go on with it until the
//!   new one is there. When that renewal fails, the old token is kept and the next try comes after a pause.
//! - When there is none that works, one task fetches and all others wait for what it gets, be it a token or
//!   an error. If that task is dropped, the next one takes over.
//!
//! There is no task in the background: whoever needs a token does the work, so nothing goes on when no call
//! does.

mod cache;
mod cached_token;
mod file_cache;
mod provider;

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use reqwest::header::HeaderValue;
use tokio::{
    sync::{Mutex, MutexGuard},
    time::{Instant, timeout_at},
};

use crate::{
    error::{Error, ErrorKind},
    values::{Secret, bearer_token},
};
use cached_token::{CachedToken, Use};

pub(crate) use cache::Stored;
pub use cache::{TokenCache, TokenCacheFuture, TokenKey};
pub use file_cache::FileTokenCache;
pub(crate) use provider::FixedToken;
pub use provider::{Token, TokenFuture, TokenProvider};

/// The longest time that a call spends on renewing a token that still works.
const LONGEST_EARLY_RENEWAL: Duration = Duration::from_secs(10);

/// The tokens of one client: one at a time, replaced before it runs out.
#[derive(Debug)]
pub(crate) struct Tokens {
    provider: Arc<dyn TokenProvider>,
    stored: Option<Stored>,
    /// Read before every attempt of every call, and never held across a wait.
    known: RwLock<Known>,
    /// CachedToken by the one task that fetches.
    turn: Mutex<Option<Failure>>,
}

#[derive(Debug, Default)]
struct Known {
    cached: Option<CachedToken>,
    /// How many tokens there have been; it tells the refusal of an old one from that of the newest.
    generation: u64,
    /// How many renewals have ended, either way.
    renewals: u64,
    /// The last token that the tenant refused, which a cache may still hold.
    refused: Option<HeaderValue>,
}

/// Why the last renewal brought no token, for those who waited for it.
#[derive(Debug)]
struct Failure {
    error: Error,
    renewal: u64,
}

/// The token that an attempt carries; handed back when the tenant refuses it.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    pub(crate) header: HeaderValue,
    generation: u64,
}

impl Bearer {
    /// The token itself, without its `Bearer` prefix.
    fn secret(&self) -> Secret {
        Secret::from(bearer_token(&self.header))
    }
}

impl Tokens {
    pub(crate) fn new(provider: Arc<dyn TokenProvider>, stored: Option<Stored>) -> Self {
        Self {
            provider,
            stored,
            known: RwLock::default(),
            turn: Mutex::new(None),
        }
    }

    /// A token that is good for now: the one at hand, or a new one.
    ///
    /// `deadline` is the caller's, who gives up then by itself: renewing a token that still works is given
    /// up before, so that it never costs the call.
    pub(crate) async fn bearer(&self, deadline: Instant) -> Result<Bearer, Error> {
        if let Some(bearer) = self.fresh() {
            return Ok(bearer);
        }
        if let Some((bearer, expires_at)) = self.due() {
            // Who does not get the turn goes on with what there is.
            let Ok(turn) = self.turn.try_lock() else {
                return Ok(bearer);
            };
            self.renew_early(turn, expires_at, deadline).await;
        }
        self.usable_or_new(deadline).await
    }

    /// Forgets the token that was refused, unless it has been replaced since.
    pub(crate) async fn discard(&self, refused: &Bearer, deadline: Instant) {
        {
            let mut known = self.write();
            if known.cached.is_none() || known.generation != refused.generation {
                return;
            }
            known.cached = None;
            known.refused = Some(refused.header.clone());
        }
        tracing::debug!(target: "lms_ext", "the tenant refused the token before its time; a new one is fetched");
        if let Some(stored) = &self.stored {
            stored.remove(&refused.secret(), deadline).await;
        }
    }

    /// The token at hand, unless somebody should renew it.
    pub(crate) fn fresh(&self) -> Option<Bearer> {
        let known = self.read();
        let cached = known.cached.as_ref()?;
        matches!(cached.at(Instant::now()), Use::Fresh).then(|| known.bearer(cached))
    }

    /// The token that works and should be renewed, and when it ends.
    fn due(&self) -> Option<(Bearer, Instant)> {
        let known = self.read();
        let cached = known.cached.as_ref()?;
        match cached.at(Instant::now()) {
            Use::Due { expires_at } => Some((known.bearer(cached), expires_at)),
            Use::Fresh | Use::Over => None,
        }
    }

    /// The token at hand as long as it works.
    fn usable(&self) -> Option<Bearer> {
        let known = self.read();
        let cached = known.cached.as_ref()?;
        (!matches!(cached.at(Instant::now()), Use::Over)).then(|| known.bearer(cached))
    }

    /// Renews a token that still works; when that fails, the next try comes after a pause.
    async fn renew_early(
        &self,
        mut turn: MutexGuard<'_, Option<Failure>>,
        expires_at: Instant,
        deadline: Instant,
    ) {
        // Somebody may have renewed it between the look and the turn.
        if self.due().is_none() {
            return;
        }
        let now = Instant::now();
        let patience = (expires_at.min(deadline) - now) / 2;
        let limit = now + patience.min(LONGEST_EARLY_RENEWAL);
        // Before it is tried, so that a call that is dropped meanwhile leaves a pause too.
        self.postpone(Duration::ZERO);
        match timeout_at(limit, self.renew(&mut turn, limit)).await {
            Ok(Ok(fetched)) => {
                drop(turn);
                self.keep(fetched, deadline).await;
            }
            Ok(Err(error)) => {
                tracing::warn!(
                    target: "lms_ext",
                    error = %error,
                    "no new token could be had; the old one is used while it lasts"
                );
                self.postpone(error.retry_after().unwrap_or_default());
            }
            Err(_) => {
                tracing::warn!(target: "lms_ext", "a new token took too long; the old one is used while it lasts");
                self.postpone(Duration::ZERO);
            }
        }
    }

    fn postpone(&self, at_least: Duration) {
        if let Some(cached) = &mut self.write().cached {
            cached.postpone(Instant::now(), at_least);
        }
    }

    /// Waits for the one task that fetches, or is it.
    async fn usable_or_new(&self, deadline: Instant) -> Result<Bearer, Error> {
        let before = self.read().renewals;
        loop {
            if let Some(bearer) = self.usable() {
                return Ok(bearer);
            }
            let mut turn = self.turn.lock().await;
            if let Some(bearer) = self.usable() {
                return Ok(bearer);
            }
            // What another task was told while this one waited is this one's answer too: fifty tasks with
            // wrong credentials make one request and not fifty.
            if let Some(failure) = &*turn
                && failure.renewal > before
            {
                return Err(failure.error.share());
            }
            let fetched = self.renew(&mut turn, deadline).await?;
            // The others go on with it while it is kept.
            drop(turn);
            self.keep(fetched, deadline).await;
        }
    }

    /// Puts a kept token or a new one in place, all at once. Gives back a new one, to be kept.
    async fn renew(
        &self,
        turn: &mut Option<Failure>,
        deadline: Instant,
    ) -> Result<Option<Token>, Error> {
        let result = match self.kept(deadline).await {
            Some(token) => self.install(&token).map(|()| None),
            None => self.fetch().await.map(Some),
        };
        let renewal = {
            let mut known = self.write();
            known.renewals += 1;
            known.renewals
        };
        *turn = result.as_ref().err().map(|error| Failure {
            error: error.share(),
            renewal,
        });
        result
    }

    async fn fetch(&self) -> Result<Token, Error> {
        let token = self.provider.token().await?;
        self.install(&token)?;
        tracing::debug!(target: "lms_ext", "fetched a token");
        Ok(token)
    }

    /// Keeps a token for other processes.
    async fn keep(&self, fetched: Option<Token>, deadline: Instant) {
        if let (Some(stored), Some(token)) = (&self.stored, fetched) {
            stored.store(&token, deadline).await;
        }
    }

    /// A token that another process of ours left, if it is better than what is here.
    async fn kept(&self, deadline: Instant) -> Option<Token> {
        let token = self.stored.as_ref()?.load(deadline).await?;
        let header = bearer_header(token.secret()).ok()?;
        let known = self.read();
        let better = known.refused.as_ref() != Some(&header)
            && known.cached.as_ref().is_none_or(|cached| {
                cached.is_outlived_by(&header, token.lifetime(), Instant::now())
            });
        better.then_some(token)
    }

    fn install(&self, token: &Token) -> Result<(), Error> {
        let cached = CachedToken::new(bearer_header(token.secret())?, token.lifetime());
        let mut known = self.write();
        known.generation += 1;
        known.cached = Some(cached);
        Ok(())
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Known> {
        // Every change is a few assignments, so a panic elsewhere leaves nothing half done.
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn bearer(&self, cached: &CachedToken) -> Bearer {
        Bearer {
            header: cached.header().clone(),
            generation: self.generation,
        }
    }
}

/// The header that carries a token, marked so that nobody on its way prints it.
pub(crate) fn bearer_header(token: &Secret) -> Result<HeaderValue, Error> {
    let token = token.expose();
    let fits = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    let header = fits
        .then(|| HeaderValue::try_from(format!("Bearer {token}")).ok())
        .flatten();
    let Some(mut header) = header else {
        return Err(Error::new(
            ErrorKind::Token,
            "the token is empty or holds a character that no token has, such as a space or a line break",
        ));
    };
    header.set_sensitive(true);
    Ok(header)
}
