//! Keeping a token for the next process.
//!
//! A command that runs for a second, a hundred times an hour, would fetch a token each time. A [`TokenCache`]
//! keeps the token from one run to the next. Within a process none is needed: clones of an
//! [`Lms`](crate::Lms) share their token in memory, and that is the default.
//!
//! A cache is a convenience, so nothing about it fails a call: what it cannot give is fetched, and what it
//! cannot keep is not kept. Nor does anybody wait for it for long.

use std::{fmt, pin::Pin, sync::Arc, time::Duration};

use tokio::time::{Instant, timeout};

use super::Token;
use crate::values::Secret;

/// What the methods of a [`TokenCache`] give back.
pub type TokenCacheFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Less than this is not worth loading: it would be over before it is used.
const SHORTEST_REST: Duration = Duration::from_secs(5);

/// How long a cache is waited for: far longer than one takes that is worth having.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where tokens are kept between processes.
///
/// [`FileTokenCache`](crate::FileTokenCache) is one. A cache is asked only when the client would otherwise
/// fetch a token, and a token that the tenant refuses is removed from it, to be replaced by a new one. (When the new one is
/// refused by the same call, it is not the token that the tenant minds; it stays, until another call is refused with it.)
/// Its methods have no errors to give: a cache that fails has nothing, and may say so in its own log. One whose future does
/// not end in time, 5 seconds or half of what is left for the call, is given up with a warning, and its future is dropped.
///
/// One that several clients of a process share:
///
/// ```
/// use std::{collections::HashMap, sync::Mutex};
/// use lms_ext::{Secret, Token, TokenCache, TokenCacheFuture, TokenKey, prelude::*};
/// use tokio::time::Instant;
///
/// #[derive(Debug, Default)]
/// struct Shared(Mutex<HashMap<TokenKey, (Token, Instant)>>);
///
/// impl TokenCache for Shared {
///     fn load<'a>(&'a self, key: &'a TokenKey) -> TokenCacheFuture<'a, Option<Token>> {
///         let kept = self.0.lock().unwrap().get(key).cloned();
///         Box::pin(async move {
///             let (token, since) = kept?;
///             // What is left of its life, not what it had at first.
///             let left = token.lifetime()?.checked_sub(since.elapsed())?;
///             Some(token.expires_in(left))
///         })
///     }
///
///     fn store<'a>(&'a self, key: &'a TokenKey, token: &'a Token) -> TokenCacheFuture<'a, ()> {
///         let entry = (token.clone(), Instant::now());
///         self.0.lock().unwrap().insert(key.clone(), entry);
///         Box::pin(async {})
///     }
///
///     fn remove<'a>(&'a self, key: &'a TokenKey, refused: &'a Secret) -> TokenCacheFuture<'a, ()> {
///         let mut kept = self.0.lock().unwrap();
///         if kept.get(key).is_some_and(|(token, _)| token.secret() == refused) {
///             kept.remove(key);
///         }
///         Box::pin(async {})
///     }
/// }
///
/// # fn main() -> Result<(), lms_ext::Error> {
/// let lms = Lms::builder("https://acme.example")
///     .client_credentials("client id", "client secret")
///     .token_cache(Shared::default())
///     .build()?;
/// # Ok(())
/// # }
/// ```
pub trait TokenCache: fmt::Debug + Send + Sync + 'static {
    /// The token that is kept under `key`, with [what is left](Token::valid_for) of its life.
    fn load<'a>(&'a self, key: &'a TokenKey) -> TokenCacheFuture<'a, Option<Token>>;

    /// Keeps `token` under `key`, in place of what was there.
    fn store<'a>(&'a self, key: &'a TokenKey, token: &'a Token) -> TokenCacheFuture<'a, ()>;

    /// Removes what is kept under `key` if it is the token that the tenant `refused`: another process may
    /// have replaced it since.
    fn remove<'a>(&'a self, key: &'a TokenKey, refused: &'a Secret) -> TokenCacheFuture<'a, ()>;
}

/// Whose token it is: the tenant by its base address, and the client id.
///
/// Two tenants, or two integrations in one tenant, never get each other's tokens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TokenKey {
    base_url: String,
    client_id: String,
}

impl TokenKey {
    pub(crate) fn new(base_url: impl Into<String>, client_id: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            client_id: client_id.into(),
        }
    }

    /// The tenant's address, `/api/v1` included and without a slash at its end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The client id that the token was fetched with.
    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }
}

/// A cache and this client's place in it.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    cache: Arc<dyn TokenCache>,
    key: TokenKey,
}

impl Stored {
    pub(crate) fn new(cache: Arc<dyn TokenCache>, key: TokenKey) -> Self {
        Self { cache, key }
    }

    pub(super) async fn load(&self, deadline: Instant) -> Option<Token> {
        let token = in_time(self.cache.load(&self.key), deadline).await??;
        let lasts = token.lifetime().is_none_or(|left| left >= SHORTEST_REST);
        lasts.then_some(token)
    }

    pub(super) async fn store(&self, token: &Token, deadline: Instant) {
        in_time(self.cache.store(&self.key, token), deadline).await;
    }

    pub(super) async fn remove(&self, refused: &Secret, deadline: Instant) {
        in_time(self.cache.remove(&self.key, refused), deadline).await;
    }
}

/// What a cache gives in time: no call fails because a cache hangs, so half of what the call has left is for the rest of it.
async fn in_time<T>(work: TokenCacheFuture<'_, T>, deadline: Instant) -> Option<T> {
    let left = deadline.saturating_duration_since(Instant::now());
    let given = timeout(PATIENCE.min(left / 2), work).await.ok();
    if given.is_none() {
        tracing::warn!(target: "lms_ext", "the token cache does not answer; it is not waited for");
    }
    given
}
