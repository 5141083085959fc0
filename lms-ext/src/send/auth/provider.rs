//! Where tokens come from, when not from a client id and a secret.

use std::{fmt, pin::Pin, time::Duration};

use crate::{error::Error, values::Secret};

/// What [`TokenProvider::token`] gives back.
pub type TokenFuture<'a> = Pin<Box<dyn Future<Output = Result<Token, Error>> + Send + 'a>>;

/// Where tokens come from.
///
/// The client asks for one when it has none, when the one it has is about to run out, and when the tenant
/// refused it; it never asks twice at the same time. The future may be dropped at any point: when the call
/// that asks is dropped or runs out of time, and when a token that still works takes longer than 10 s to
/// renew.
///
/// A provider of your own, which asks a vault that holds the tokens of a whole fleet:
///
/// ```
/// use std::time::Duration;
/// use lms_ext::{Error, Token, TokenFuture, TokenProvider, prelude::*};
///
/// # #[derive(Debug)]
/// # struct Vault;
/// # #[derive(Debug)]
/// # enum VaultError { Denied, Other(std::io::Error) }
/// # impl Vault {
/// #     async fn read(&self, _: &str) -> Result<String, VaultError> { Ok("a-token".to_owned()) }
/// # }
/// #[derive(Debug)]
/// struct FromVault(Vault);
///
/// impl TokenProvider for FromVault {
///     fn token(&self) -> TokenFuture<'_> {
///         Box::pin(async {
///             match self.0.read("lms/acme").await {
///                 Ok(token) => Ok(Token::new(token).expires_in(Duration::from_secs(300))),
///                 Err(VaultError::Denied) => Err(Error::invalid_credentials("the vault refused us")),
///                 Err(VaultError::Other(error)) => {
///                     Err(Error::token("the vault cannot be read").with_source(error))
///                 }
///             }
///         })
///     }
/// }
///
/// # fn main() -> Result<(), Error> {
/// let lms = Lms::builder("https://acme.example").token_provider(FromVault(Vault)).build()?;
/// # Ok(())
/// # }
/// ```
pub trait TokenProvider: fmt::Debug + Send + Sync + 'static {
    /// A fresh token.
    ///
    /// An error made with [`Error::token`] says that none could be had, one made with
    /// [`Error::invalid_credentials`] that trying again is of no use. It reaches every call that waits for
    /// the token; while an older token still works, no call notices.
    fn token(&self) -> TokenFuture<'_>;
}

/// An access token and how long it is good for.
#[derive(Clone, Debug)]
pub struct Token {
    secret: Secret,
    lifetime: Option<Duration>,
}

impl Token {
    /// A token that is used until the tenant refuses it. It comes without the word `Bearer`.
    pub fn new(secret: impl Into<Secret>) -> Self {
        Self {
            secret: secret.into(),
            lifetime: None,
        }
    }

    /// How long it is good for, from the moment it is given to the client.
    ///
    /// It is renewed 30 s, or a fifth of this time, before its end. Less than a second counts as not known:
    /// the token is then used until the tenant refuses it.
    #[must_use]
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
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
