//! Custom sources of tokens, for programs without a client id and a secret.

use std::{fmt, pin::Pin, time::Duration};

use crate::{error::Error, values::Secret};

/// The future returned by [`TokenProvider::token`].
pub type TokenFuture<'a> = Pin<Box<dyn Future<Output = Result<Token, Error>> + Send + 'a>>;

/// A source of tokens.
///
/// The client calls it when it has no token, when its token is about to expire, and after the server has rejected the
/// token. It never runs two calls at the same time. The future may be dropped at any point: when the call that needs
/// the token is dropped or times out, and after 10 s while the current token is still valid.
///
/// A provider that reads tokens from a vault:
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
///                 Err(VaultError::Denied) => Err(Error::invalid_credentials("the vault denied access")),
///                 Err(VaultError::Other(error)) => {
///                     Err(Error::token("could not read the vault").with_source(error))
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not provide tokens",
    note = "for one token, write `.token(…)`; to obtain tokens, implement `TokenProvider`"
)]
pub trait TokenProvider: fmt::Debug + Send + Sync + 'static {
    /// Returns a new token.
    ///
    /// # Errors
    ///
    /// Return [`Error::token`] when no token is available for now, and [`Error::invalid_credentials`] when a retry
    /// cannot help. All calls that wait for the token fail with this error. After [`Error::invalid_credentials`], calls
    /// in the next 10 s also fail with it, and the provider is not called. While the previous token is valid, calls use
    /// that token, and the error is only logged.
    fn token(&self) -> TokenFuture<'_>;
}

/// An access token and its lifetime.
#[derive(Clone, Debug)]
pub struct Token {
    secret: Secret,
    lifetime: Option<Duration>,
}

impl Token {
    /// Creates a token that is used until the server rejects it. `secret` is the token without the prefix `Bearer`.
    pub fn new(secret: impl Into<Secret>) -> Self {
        Self {
            secret: secret.into(),
            lifetime: None,
        }
    }

    /// Sets the lifetime, counted from the moment when the client gets the token.
    ///
    /// The client refreshes the token at most 30 s or a fifth of the lifetime before it expires, whichever is shorter.
    /// A lifetime of less than a second counts as unknown.
    #[must_use]
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
        self.lifetime = Some(lifetime);
        self
    }

    /// The token, without the prefix `Bearer`.
    pub(super) fn secret(&self) -> &Secret {
        &self.secret
    }

    pub(super) fn lifetime(&self) -> Option<Duration> {
        self.lifetime
    }
}

/// Always returns the same token.
#[derive(Debug)]
pub(crate) struct FixedToken(pub(crate) Secret);

impl TokenProvider for FixedToken {
    fn token(&self) -> TokenFuture<'_> {
        Box::pin(std::future::ready(Ok(Token::new(self.0.clone()))))
    }
}
