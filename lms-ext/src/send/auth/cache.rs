//! Caches for tokens that outlive the process.
//!
//! A command that runs for a second, a hundred times an hour, would fetch a token each time. With a [`TokenCache`], the
//! next run uses the same token. Within a process no cache is needed: clones of an [`Lms`](crate::Lms) share their token
//! in memory.
//!
//! A cache never fails a call: a token that cannot be loaded is fetched, and one that cannot be stored is not stored.

use std::{fmt, pin::Pin, sync::Arc, time::Duration};

use tokio::time::{Instant, timeout};

use super::Token;

/// The future returned by the methods of a [`TokenCache`].
pub type TokenCacheFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Remaining lifetime below which a token is not loaded: it might expire before it is used.
const MIN_REMAINING: Duration = Duration::from_secs(5);

/// Time after which a call of the cache is abandoned. Far longer than a useful cache needs.
const CACHE_TIMEOUT: Duration = Duration::from_secs(5);

/// Stores tokens between processes, such as a [`FileTokenCache`](crate::FileTokenCache).
///
/// The client loads from it only when it would otherwise fetch a token. A token that the server rejects with 401 is
/// replaced by a new one, and not loaded again by this client.
///
/// The methods return no errors: a cache that fails loads nothing, and may log why. After 5 s, or half of the time left
/// for the call, the client logs a warning, drops the future and continues without the cache.
///
/// A cache that several clients of a process share:
///
/// ```
/// use std::{collections::HashMap, sync::Mutex};
/// use lms_ext::{Token, TokenCache, TokenCacheFuture, TokenKey, prelude::*};
/// use tokio::time::Instant;
///
/// #[derive(Debug, Default)]
/// struct Shared(Mutex<HashMap<TokenKey, (Token, Instant)>>);
///
/// impl TokenCache for Shared {
///     fn load<'a>(&'a self, key: &'a TokenKey) -> TokenCacheFuture<'a, Option<Token>> {
///         let entry = self.0.lock().unwrap().get(key).cloned();
///         Box::pin(async move {
///             let (token, since) = entry?;
///             // The remaining lifetime.
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
    /// Loads the token for `key`, with its [remaining lifetime](Token::expires_in).
    fn load<'a>(&'a self, key: &'a TokenKey) -> TokenCacheFuture<'a, Option<Token>>;

    /// Stores `token` for `key`, in place of any other.
    fn store<'a>(&'a self, key: &'a TokenKey, token: &'a Token) -> TokenCacheFuture<'a, ()>;
}

/// Identifies a token in a cache: the base URL of the API and the client id.
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

    /// The base URL, including `/api/v1`, without a trailing slash.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The client id that the token was issued to.
    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }
}

/// A cache with the key of this client.
#[derive(Clone, Debug)]
pub(crate) struct KeyedCache {
    cache: Arc<dyn TokenCache>,
    key: TokenKey,
}

impl KeyedCache {
    pub(crate) fn new(cache: Arc<dyn TokenCache>, key: TokenKey) -> Self {
        Self { cache, key }
    }

    pub(super) async fn load(&self, deadline: Instant) -> Option<Token> {
        let token = in_time(self.cache.load(&self.key), deadline).await??;
        let lasts = token.lifetime().is_none_or(|left| left >= MIN_REMAINING);
        lasts.then_some(token)
    }

    pub(super) async fn store(&self, token: &Token, deadline: Instant) {
        in_time(self.cache.store(&self.key, token), deadline).await;
    }
}

/// Waits for a cache, for at most half of the time left, so that a cache that hangs does not fail the call.
async fn in_time<T>(work: TokenCacheFuture<'_, T>, deadline: Instant) -> Option<T> {
    let left = deadline.saturating_duration_since(Instant::now());
    let result = timeout(CACHE_TIMEOUT.min(left / 2), work).await.ok();
    if result.is_none() {
        tracing::warn!(target: "lms_ext", "the token cache timed out; continuing without it");
    }
    result
}
