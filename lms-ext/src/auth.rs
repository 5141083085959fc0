//! Which token a request carries, and when it is replaced.
//!
//! Tokens of this service live for minutes (§5), so a job of an hour uses dozens of them. The token is
//! looked at before every attempt, not every call, since an attempt may come minutes after the one before
//! it. One task fetches, all others wait for it.

mod client_credentials;
mod provider;

use std::{sync::Arc, time::Duration};

use reqwest::header::HeaderValue;
use tokio::{sync::Mutex, time::Instant};

use crate::{Error, Secret};

pub(crate) use client_credentials::ClientCredentials;
pub(crate) use provider::FixedToken;
pub use provider::{Token, TokenFuture, TokenProvider};

/// The tokens of one client: one at a time, replaced before it runs out.
#[derive(Debug)]
pub(crate) struct Tokens {
    provider: Arc<dyn TokenProvider>,
    current: Mutex<Option<Held>>,
}

#[derive(Clone, Debug)]
struct Held {
    header: HeaderValue,
    generation: u64,
    refresh_at: Option<Instant>,
    expires_at: Option<Instant>,
}

/// The token that an attempt carries; handed back when the tenant refuses it.
#[derive(Clone, Debug)]
pub(crate) struct Bearer {
    pub(crate) header: HeaderValue,
    generation: u64,
}

impl Tokens {
    pub(crate) fn new(provider: Arc<dyn TokenProvider>) -> Self {
        Self {
            provider,
            current: Mutex::new(None),
        }
    }

    /// A token that is good for now: the one at hand, or a new one when that is about to run out.
    pub(crate) async fn bearer(&self) -> Result<Bearer, Error> {
        // Whoever holds the lock fetches; a task that is dropped while it does leaves the lock to the
        // next one that waits.
        let mut current = self.current.lock().await;
        let now = Instant::now();
        let old = current.clone();
        if let Some(held) = &old
            && held.refresh_at.is_none_or(|at| now < at)
        {
            return Ok(held.bearer());
        }
        match self.provider.token().await {
            Ok(token) => {
                let generation = old.map_or(0, |held| held.generation + 1);
                let held = Held::new(&token, generation)?;
                let bearer = held.bearer();
                *current = Some(held);
                Ok(bearer)
            }
            // An early refresh that fails costs nothing as long as the old token works.
            Err(error) => match old {
                Some(held) if held.expires_at.is_none_or(|at| now < at) => Ok(held.bearer()),
                _ => Err(error),
            },
        }
    }

    /// Forgets the token that was refused, unless it has been replaced since.
    pub(crate) async fn discard(&self, refused: &Bearer) {
        let mut current = self.current.lock().await;
        if let Some(held) = &*current
            && held.generation == refused.generation
        {
            // The generation stays known, so that a late refusal of this token hits no newer one.
            let generation = held.generation;
            *current = Some(Held {
                header: refused.header.clone(),
                generation,
                refresh_at: Some(Instant::now()),
                expires_at: Some(Instant::now()),
            });
        }
    }
}

impl Held {
    fn new(token: &Token, generation: u64) -> Result<Self, Error> {
        let now = Instant::now();
        let lifetime = token.lifetime();
        let after = |time: Duration| now.checked_add(time);
        Ok(Self {
            header: header(token.secret())?,
            generation,
            refresh_at: lifetime
                .and_then(|lifetime| after(lifetime.saturating_sub(margin(lifetime)))),
            expires_at: lifetime.and_then(after),
        })
    }

    fn bearer(&self) -> Bearer {
        Bearer {
            header: self.header.clone(),
            generation: self.generation,
        }
    }
}

/// How long before its end a token is replaced: 30 s or a fifth of its life, the shorter of the two, less
/// up to a fifth of that, so that clients that started together do not refresh together.
fn margin(lifetime: Duration) -> Duration {
    let margin = (lifetime / 5).min(Duration::from_secs(30));
    margin.mul_f64(1.0 - 0.2 * fastrand::f64())
}

fn header(secret: &Secret) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::try_from(format!("Bearer {}", secret.expose())).map_err(|_| {
        Error::usage("the token holds a character that no header can carry, such as a line break")
    })?;
    value.set_sensitive(true);
    Ok(value)
}
