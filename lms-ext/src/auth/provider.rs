use std::{fmt, pin::Pin, time::Duration};

use crate::{Error, Secret};

/// What [`TokenProvider::token`] gives back.
pub type TokenFuture<'a> = Pin<Box<dyn Future<Output = Result<Token, Error>> + Send + 'a>>;

/// Where tokens come from.
///
/// The client asks for one when it has none, when the one it has is about to run out, and when the tenant
/// refused it; it never asks twice at the same time.
pub trait TokenProvider: fmt::Debug + Send + Sync + 'static {
    /// A fresh token.
    fn token(&self) -> TokenFuture<'_>;
}

/// An access token and how long it is good for.
#[derive(Clone, Debug)]
pub struct Token {
    secret: Secret,
    lifetime: Option<Duration>,
}

impl Token {
    /// A token that is used until the tenant refuses it.
    pub fn new(secret: impl Into<Secret>) -> Self {
        Self {
            secret: secret.into(),
            lifetime: None,
        }
    }

    /// How long it is good for, from now.
    #[must_use]
    pub fn valid_for(mut self, lifetime: Duration) -> Self {
        self.lifetime = Some(lifetime);
        self
    }

    /// The token itself, without its `Bearer` prefix.
    #[must_use]
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// How long it was good for when it was made; `None` when nobody said.
    #[must_use]
    pub fn lifetime(&self) -> Option<Duration> {
        self.lifetime
    }
}

/// One token, for ever.
#[derive(Debug)]
pub(crate) struct FixedToken(pub(crate) Secret);

impl TokenProvider for FixedToken {
    fn token(&self) -> TokenFuture<'_> {
        Box::pin(std::future::ready(Ok(Token::new(self.0.clone()))))
    }
}
