//! Builds a client from a base URL and credentials.

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use reqwest::header::HeaderValue;
use tokio::sync::Semaphore;

use super::{
    Lms,
    client_credentials::ClientCredentials,
    connections::{Configure, connections, without_connections},
};
use crate::{
    error::{Error, ErrorKind},
    request::{BaseUrl, Engine, WriteLocks},
    send::{
        Sender, Timeouts,
        auth::{FixedToken, TokenFile, TokenProvider, Tokens, bearer_header},
        http::HttpClient,
        rate_limit::RateLimiter,
        retry::{DEFAULT_TOKENS, RetryPolicy, RetryTokens, TRANSIENT_COST},
    },
    values::Secret,
};

const DEFAULT_MAX_BODY_BYTES: usize = 64 * 1024 * 1024;

/// Builds an [`Lms`].
///
/// Nothing is sent before the first call, so building a client needs no network.
#[must_use = "a builder does nothing until `build` is called"]
pub struct LmsBuilder {
    base_url: String,
    plain_http: bool,
    credentials: Option<Credentials>,
    token_file: Option<PathBuf>,
    retry: RetryPolicy,
    /// Number of retries of all calls; `None` for one that fits the number of concurrent calls.
    budget: Option<u32>,
    max_concurrent: usize,
    max_per_second: Option<f64>,
    adaptive: bool,
    timeouts: Timeouts,
    max_body_bytes: usize,
    connect_timeout: Duration,
    application: Option<String>,
    configure: Option<Configure>,
    http: Option<Arc<dyn HttpClient>>,
}

enum Credentials {
    Client { id: String, secret: Secret },
    Token(Secret),
    Provider(Arc<dyn TokenProvider>),
}

impl Credentials {
    fn check(&self) -> Result<(), Error> {
        let empty = match self {
            Self::Token(token) => {
                return bearer_header(token)
                    .map(drop)
                    .map_err(|error| error.with_kind(ErrorKind::Usage));
            }
            Self::Client { id, .. } if id.trim().is_empty() => "id",
            Self::Client { secret, .. } if secret.is_empty() => "secret",
            _ => return Ok(()),
        };
        Err(Error::usage(format!(
            "the client {empty} is empty; it is issued when the integration is installed in the account"
        )))
    }

    /// Their token in a file.
    fn in_file(&self, path: PathBuf, base: &BaseUrl) -> Result<TokenFile, Error> {
        match self {
            Self::Client { id, secret } => Ok(TokenFile::new(path, base.as_str(), id, secret)),
            _ => Err(Error::usage(
                "token_file() requires client_credentials(): a fixed token or a token of your own provider is not stored",
            )),
        }
    }
}

impl Lms {
    /// Starts to build a client of the tenant at `base_url`, such as `https://acme.example`.
    ///
    /// `/api/v1` is added unless the URL ends with it.
    pub fn builder(base_url: impl Into<String>) -> LmsBuilder {
        LmsBuilder::new(base_url.into())
    }
}

impl LmsBuilder {
    pub(crate) fn new(base_url: String) -> Self {
        Self {
            base_url,
            plain_http: false,
            credentials: None,
            token_file: None,
            retry: RetryPolicy::default(),
            budget: Some(DEFAULT_TOKENS),
            max_concurrent: 64,
            max_per_second: None,
            adaptive: true,
            timeouts: Timeouts::default(),
            max_body_bytes: DEFAULT_MAX_BODY_BYTES,
            connect_timeout: Duration::from_secs(10),
            application: None,
            configure: None,
            http: None,
        }
    }

    /// Sets the client id and client secret of the integration, with which
    /// [tokens are obtained](lms_client::service#authentication).
    ///
    /// The id may be a number or a string, and is sent as a string. Of this method, [`token`](Self::token) and
    /// [`token_provider`](Self::token_provider), the last one that is called counts.
    pub fn client_credentials(mut self, id: impl fmt::Display, secret: impl Into<Secret>) -> Self {
        self.credentials = Some(Credentials::Client {
            id: id.to_string(),
            secret: secret.into(),
        });
        self
    }

    /// Sets a fixed token. It is never refreshed: once the service rejects it, calls fail with
    /// [`Unauthenticated`](ErrorKind::Unauthenticated).
    pub fn token(mut self, token: impl Into<Secret>) -> Self {
        self.credentials = Some(Credentials::Token(token.into()));
        self
    }

    /// Sets your own source of tokens, such as a vault. The client asks it for a token when the last one expires or is
    /// rejected, for one call at a time.
    pub fn token_provider(mut self, provider: impl TokenProvider) -> Self {
        self.credentials = Some(Credentials::Provider(Arc::new(provider)));
        self
    }

    /// Keeps tokens in a file for the next process, for programs that run often and briefly. By default, they are kept in
    /// memory only.
    ///
    /// One file serves any number of base URLs and client ids. It is created when the first token is stored. Its folder
    /// must exist, and only its owner should be able to write to it: use `$XDG_RUNTIME_DIR`, or a folder of your program in
    /// the home folder.
    ///
    /// On Unix the file has mode 0600. A file that another user owns, that other users can read or write, that is a
    /// device or a pipe, or that is not valid, is ignored with a warning and replaced when the next token is stored. On
    /// other platforms the file has the permissions of its folder. When the file cannot be written, the client logs a
    /// warning and requests tokens as it would without a file. When two processes write at the same time, one of the
    /// two tokens is lost, and is requested again later.
    ///
    /// Reading and writing the file block the current thread, but happen only once in the lifetime of a token, for a
    /// few hundred bytes.
    ///
    /// Requires [`client_credentials`](Self::client_credentials). Your own token provider has to store its tokens
    /// itself.
    ///
    /// ```
    /// use lms_ext::prelude::*;
    ///
    /// # fn main() -> Result<(), Error> {
    /// let lms = Lms::builder("https://acme.example")
    ///     .client_credentials("client id", "client secret")
    ///     .token_file("/run/user/1000/hr-sync.tokens")
    ///     .build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn token_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.token_file = Some(path.into());
        self
    }

    /// Settings for a job that runs unattended, instead of those for interactive programs: [`RetryPolicy::job`], a call
    /// timeout of 10 minutes, and a retry budget that is enough for all concurrent calls.
    pub fn job(mut self) -> Self {
        self.timeouts = self.timeouts.call(Duration::from_secs(600));
        self.budget = None;
        self.retry(RetryPolicy::job())
    }

    /// Settings for tests: retries without delays, not even those of `Retry-After`, and no adaptive throttling, which slows
    /// down after a 429 or 503. A [course copy](crate::CourseCopy) ignores `Retry-After`, and polls at its usual intervals.
    /// All other settings stay as in production.
    pub fn for_tests(mut self) -> Self {
        self.retry.waits = false;
        self.without_adaptive_throttling()
    }

    /// Sets the retry policy: the requests that are retried, the number of attempts and the waits.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// Sets the number of tokens that all calls of the client share for their retries. Default: 500.
    ///
    /// A client starts with all tokens. A retry takes 14, or 5 after throttling (429, or 503 with `Retry-After`). If the retry
    /// gets a response, its tokens are returned; a call that needs no retry returns one token. A response with a status that
    /// is itself retried, such as 503, returns none. Occasional failures never exhaust the budget. An outage exhausts it soon:
    /// calls then fail after their first attempt, with an error that says so.
    ///
    /// The first retry after a 401, with a new token, is free. A further one takes 14 tokens.
    pub fn retry_budget(mut self, tokens: u32) -> Self {
        self.budget = Some(tokens);
        self
    }

    /// Sets the number of calls that run concurrently, including their retries and waits. 0 counts as 1. Default: 64.
    ///
    /// Other calls wait in order, and the wait counts towards the timeout of the call.
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.max_concurrent = calls.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// Sets the maximum rate of requests per second, including retries, such as `20` or `0.5`. The minimum is one
    /// request per day. Default: no limit, unless the server throttles.
    ///
    /// Requests are spread evenly over the second.
    pub fn max_per_second(mut self, per_second: impl Into<f64>) -> Self {
        self.max_per_second = Some(per_second.into());
        self
    }

    /// Disables adaptive throttling: each 429 then delays only the call that received it.
    pub fn without_adaptive_throttling(mut self) -> Self {
        self.adaptive = false;
        self
    }

    /// Sets the [timeouts](Timeouts) of every call.
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Sets the largest response body that is read, in bytes after decompression. Default: 64 MiB.
    ///
    /// The limit also applies to the number of JSON objects in a body: one for each 1,280 of these bytes (52,428 by
    /// default), but at least 10,000. The limit on JSON values is 20 times that number. This limits the memory of a
    /// call, because a short row such as `{}` takes hundreds of times its size in memory. A call needs at most three
    /// times its body, plus 4 KiB for each of these objects. An edit needs up to seven times its body, because it keeps
    /// the object as it was read and as it is sent.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// Sets the timeout for opening a connection, from the lookup of its name to the end of the TLS handshake. Default: 10 s.
    ///
    /// After it, the attempt fails with [`ConnectTimeout`](ErrorKind::ConnectTimeout), and is retried.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Sets the name of the application in `User-Agent`, such as `hr-sync/2.1`. This crate's name follows it.
    pub fn application(mut self, name: impl Into<String>) -> Self {
        self.application = Some(name.into());
        self
    }

    /// Allows an `http://` base URL of a host other than loopback.
    ///
    /// The client secret, the tokens and all data are then readable on the network.
    pub fn allow_plain_http(mut self) -> Self {
        self.plain_http = true;
        self
    }

    /// Changes the settings of connections: a proxy, root certificates, a client certificate.
    ///
    /// Redirects are never followed, regardless of these settings.
    ///
    /// Proxies from the environment, such as `HTTPS_PROXY`, are used by default, except when the base URL is a loopback
    /// address. A proxy that is set here is also used for loopback addresses.
    ///
    /// A connection that was idle for 1.5 s is not used again, because the server may be closing it: a `POST` on it would
    /// be [ambiguous](crate::ErrorKind::Ambiguous). If your server closes idle connections even sooner, set a shorter
    /// `pool_idle_timeout` here; three quarters of the server's keep-alive timeout is enough.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use lms_ext::prelude::*;
    ///
    /// let proxy = reqwest::Proxy::all("http://proxy.internal:3128")?;
    /// let lms = Lms::builder("https://acme.example")
    ///     .client_credentials("client id", "client secret")
    ///     .configure_http(|http| http.proxy(proxy))
    ///     .build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn configure_http(
        mut self,
        configure: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + 'static,
    ) -> Self {
        self.configure = Some(Box::new(configure));
        self
    }

    /// Replaces reqwest as the HTTP client, mainly for tests. [`configure_http`](Self::configure_http) and
    /// [`connect_timeout`](Self::connect_timeout) then have no effect.
    pub fn http_client(mut self, client: impl HttpClient) -> Self {
        self.http = Some(Arc::new(client));
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) for a setting that is not valid: the base URL, missing or empty credentials, a rate
    /// below one request per day, a name of the application that no header can have, a [`token_file`](Self::token_file) without
    /// client credentials, and settings that reqwest rejects. With the feature `rustls-no-provider`, also if the program has
    /// installed no provider.
    pub fn build(self) -> Result<Lms, Error> {
        let base = BaseUrl::parse(&self.base_url, self.plain_http)?;
        let credentials = self.credentials.ok_or_else(|| {
            Error::usage(
                "there are no credentials; call client_credentials(), token() or token_provider()",
            )
        })?;
        credentials.check()?;
        let user_agent = user_agent(self.application.as_deref())?;
        let (builds, http): (_, Arc<dyn HttpClient>) = match self.http {
            Some(http) => (without_connections()?, http),
            None => {
                let http = connections(&base, self.configure, self.connect_timeout)?;
                (http.clone(), Arc::new(http))
            }
        };
        let budget = self.budget.unwrap_or_else(|| {
            // Each concurrent call can make all of its retries.
            let calls = u32::try_from(self.max_concurrent).unwrap_or(u32::MAX);
            let retries = (self.retry.max_attempts - 1).saturating_mul(calls);
            retries.saturating_mul(TRANSIENT_COST)
        });
        let sender = Arc::new(Sender {
            http,
            retry: self.retry,
            timeouts: self.timeouts,
            max_body_bytes: self.max_body_bytes,
            budget: RetryTokens::new(budget),
            rate_limiter: RateLimiter::new(
                self.max_concurrent,
                self.max_per_second,
                self.adaptive,
            )?,
            connect_timeout: self.connect_timeout,
            user_agent,
            client_secret: match &credentials {
                Credentials::Client { secret, .. } => Some(Arc::new(secret.clone())),
                _ => None,
            },
        });
        let file = self.token_file.map(|path| credentials.in_file(path, &base));
        let file = file.transpose()?;
        let provider: Arc<dyn TokenProvider> = match credentials {
            Credentials::Provider(provider) => provider,
            Credentials::Token(token) => Arc::new(FixedToken(token)),
            Credentials::Client { id, secret } => {
                let mut url = base.url().clone();
                url.set_path(&format!("{}/oauth/token", base.url().path()));
                Arc::new(ClientCredentials::new(sender.clone(), url, id, secret))
            }
        };
        let engine = Engine {
            base,
            sender,
            tokens: Arc::new(Tokens::new(provider, file)),
            writes: Arc::new(WriteLocks::default()),
            cancel: None,
        };
        Ok(Lms::new(engine, builds))
    }
}

fn user_agent(application: Option<&str>) -> Result<HeaderValue, Error> {
    const OWN: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
    let text = match application {
        Some(name) if name.trim().is_empty() => {
            return Err(Error::usage(
                "the application name is empty; write it like hr-sync/2.1, or do not call application()",
            ));
        }
        Some(name) => format!("{name} {OWN}"),
        None => OWN.to_owned(),
    };
    HeaderValue::try_from(text).map_err(|_| {
        Error::usage(
            "the application name contains a character that is not allowed in headers; write it like hr-sync/2.1",
        )
    })
}

impl fmt::Debug for LmsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LmsBuilder")
            .field("retry", &self.retry)
            .field("retry_budget", &self.budget)
            .field("max_concurrent", &self.max_concurrent)
            .field("max_per_second", &self.max_per_second)
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
}
