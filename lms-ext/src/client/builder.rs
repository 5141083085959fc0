//! From an address and credentials to a client.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
    time::Duration,
};

use reqwest::header::HeaderValue;

use super::{Lms, client_credentials::ClientCredentials, tls};
use crate::{
    Error, ErrorKind, RateLimits, RetryBudget, RetryPolicy, Secret, Timeouts, TokenCache, TokenKey,
    TokenProvider,
    http::HttpClient,
    request::{BaseUrl, Engine, PlainHttp},
    send::{
        Sender,
        auth::{FixedToken, KeyedCache, Tokens, bearer_header},
        rate_limit::RateLimiter,
        retry::RetryTokens,
    },
};

const DEFAULT_MAX_BODY_BYTES: usize = 64 * 1024 * 1024;

/// Describes a client; [`build`](Self::build) makes it.
///
/// Nothing is sent before the first call, so a client can be built where there is no network.
#[must_use = "a builder does nothing until `build` is called"]
pub struct LmsBuilder {
    base_url: String,
    plain_http: PlainHttp,
    credentials: Option<Credentials>,
    token_cache: Option<Arc<dyn TokenCache>>,
    retry: RetryPolicy,
    budget: RetryBudget,
    rate_limits: RateLimits,
    timeouts: Timeouts,
    max_body_bytes: usize,
    connect_timeout: Duration,
    application: Option<String>,
    configure: Option<Configure>,
    http: Option<Arc<dyn HttpClient>>,
}

type Configure = Box<dyn FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send>;

enum Credentials {
    Client { id: String, secret: Secret },
    Token(Secret),
    Provider(Arc<dyn TokenProvider>),
}

impl Lms {
    /// Starts to describe a client of the tenant at `base_url`.
    ///
    /// The address is the tenant's own, such as `https://acme.example`; `/api/v1` is added unless it is
    /// there.
    pub fn builder(base_url: impl Into<String>) -> LmsBuilder {
        LmsBuilder::new(base_url.into())
    }
}

impl LmsBuilder {
    pub(crate) fn new(base_url: String) -> Self {
        Self {
            base_url,
            plain_http: PlainHttp::LoopbackOnly,
            credentials: None,
            token_cache: None,
            retry: RetryPolicy::default(),
            budget: RetryBudget::default(),
            rate_limits: RateLimits::default(),
            timeouts: Timeouts::default(),
            max_body_bytes: DEFAULT_MAX_BODY_BYTES,
            connect_timeout: Duration::from_secs(10),
            application: None,
            configure: None,
            http: None,
        }
    }

    /// Gets tokens with the client id and client secret that were issued for the integration (§5).
    ///
    /// The id may be a number or a text; it is sent as text.
    pub fn client_credentials(mut self, id: impl fmt::Display, secret: impl Into<Secret>) -> Self {
        self.credentials = Some(Credentials::Client {
            id: id.to_string(),
            secret: secret.into(),
        });
        self
    }

    /// Uses one token for as long as the tenant accepts it.
    pub fn token(mut self, token: impl Into<Secret>) -> Self {
        self.credentials = Some(Credentials::Token(token.into()));
        self
    }

    /// Gets tokens from somewhere else.
    pub fn token_provider(mut self, provider: impl TokenProvider) -> Self {
        self.credentials = Some(Credentials::Provider(Arc::new(provider)));
        self
    }

    /// Keeps tokens for the next process, for programs that run shortly and often; by default they are
    /// forgotten with the client. [`FileTokenCache`](crate::FileTokenCache) keeps them in a file.
    ///
    /// Goes with [`client_credentials`](Self::client_credentials) only: a provider of your own keeps its
    /// tokens where it likes.
    pub fn token_cache(mut self, cache: impl TokenCache) -> Self {
        self.token_cache = Some(Arc::new(cache));
        self
    }

    /// Decides what is repeated, how often and after what wait.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// Decides how much all calls of the client together may repeat.
    pub fn retry_budget(mut self, budget: RetryBudget) -> Self {
        self.budget = budget;
        self
    }

    /// Decides how fast the client may go, and whether the tenant can slow it down.
    pub fn rate_limits(mut self, limits: RateLimits) -> Self {
        self.rate_limits = limits;
        self
    }

    /// How many calls may be under way at the same time: 64. As [`RateLimits::max_concurrent`].
    pub fn max_concurrent(mut self, calls: usize) -> Self {
        self.rate_limits = self.rate_limits.max_concurrent(calls);
        self
    }

    /// How many requests may be sent in a second, such as `20` or `0.5`: any number, until the tenant
    /// complains. As [`RateLimits::max_per_second`].
    pub fn max_per_second(mut self, per_second: impl Into<f64>) -> Self {
        self.rate_limits = self.rate_limits.max_per_second(per_second);
        self
    }

    /// Sets the [timeouts](Timeouts) of every call.
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Sets the largest response body that is read, in bytes after decompression. Default: 64 MiB.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// How long making a connection may take: 10 s.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Names the application in `User-Agent`, e.g. `hr-sync/2.1`, in front of this crate's own name.
    pub fn application(mut self, name: impl Into<String>) -> Self {
        self.application = Some(name.into());
        self
    }

    /// Accepts an unencrypted address other than loopback.
    ///
    /// Everybody on the way can then read the client secret, the tokens and all data.
    pub fn allow_plain_http(mut self) -> Self {
        self.plain_http = PlainHttp::Anywhere;
        self
    }

    /// Adds settings of your own to the connections: a proxy, root certificates, a client certificate.
    ///
    /// Redirects stay refused whatever is set here.
    ///
    /// Proxies from the environment, such as `HTTPS_PROXY`, are used without any setting, except when the base URL is a
    /// loopback address. A proxy that is set here is used for loopback addresses, too.
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

    /// Sends requests some other way than over reqwest's connections, for tests above all.
    pub fn http_client(mut self, client: impl HttpClient) -> Self {
        self.http = Some(Arc::new(client));
        self
    }

    /// Makes the client.
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) that says what to write instead: for an address that cannot be
    /// one, for empty or missing credentials, and for settings that reqwest refuses.
    pub fn build(self) -> Result<Lms, Error> {
        let base = BaseUrl::parse(&self.base_url, self.plain_http)?;
        let credentials = self.credentials.ok_or_else(|| {
            Error::usage(
                "there are no credentials; call client_credentials(), token() or token_provider()",
            )
        })?;
        self.rate_limits.check()?;
        let user_agent = user_agent(self.application.as_deref())?;
        if self.http.is_none() {
            tls::check(base.url())?;
        }
        let connections = connections(&base, self.configure, self.connect_timeout)?;
        let sender = Arc::new(Sender {
            http: self.http.unwrap_or_else(|| Arc::new(connections.clone())),
            retry: self.retry,
            timeouts: self.timeouts,
            max_body_bytes: self.max_body_bytes,
            budget: RetryTokens::new(self.budget),
            rate_limiter: RateLimiter::new(&self.rate_limits),
            connect_timeout: self.connect_timeout,
            user_agent,
        });
        let stored = match (self.token_cache, &credentials) {
            (None, _) => None,
            (Some(cache), Credentials::Client { id, .. }) => {
                Some(KeyedCache::new(cache, TokenKey::new(base.as_str(), id)))
            }
            (Some(_), _) => {
                return Err(Error::usage(
                    "token_cache() goes with client_credentials(): a token or a provider of your own is not kept",
                ));
            }
        };
        let provider: Arc<dyn TokenProvider> = match credentials {
            Credentials::Provider(provider) => provider,
            Credentials::Token(token) if token.is_empty() => {
                return Err(Error::usage("the token is empty"));
            }
            Credentials::Token(token) => {
                bearer_header(&token).map_err(|error| error.with_kind(ErrorKind::Usage))?;
                Arc::new(FixedToken(token))
            }
            Credentials::Client { id, .. } if id.trim().is_empty() => {
                return Err(Error::usage(
                    "the client id is empty; it is issued when the integration is installed in the account",
                ));
            }
            Credentials::Client { secret, .. } if secret.is_empty() => {
                return Err(Error::usage(
                    "the client secret is empty; it is issued when the integration is installed in the account",
                ));
            }
            Credentials::Client { id, secret } => {
                let mut url = base.url().clone();
                url.set_path(&format!("{}/oauth/token", base.url().path()));
                Arc::new(ClientCredentials::new(sender.clone(), url, id, secret))
            }
        };
        let engine = Engine {
            base,
            sender,
            tokens: Tokens::new(provider, stored),
        };
        Ok(Lms::new(engine, connections))
    }
}

fn connections(
    base: &BaseUrl,
    configure: Option<Configure>,
    connect_timeout: Duration,
) -> Result<reqwest::Client, Error> {
    let mut builder = tls::chosen(reqwest::Client::builder());
    if base.is_loopback() {
        // A proxy from the environment would receive the client secret unencrypted.
        builder = builder.no_proxy();
        if let Some(name) = base.url().domain() {
            // A DNS server may resolve these names to any address.
            let addresses = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
            builder = builder.resolve_to_addrs(name, &addresses.map(|ip: IpAddr| (ip, 0).into()));
        }
    }
    let builder = match configure {
        Some(configure) => configure(builder),
        None => builder,
    };
    builder
        // After the caller's own settings, which cannot take this back: a followed redirect re-sends
        // bodies, client secret included, to wherever it points.
        .redirect(reqwest::redirect::Policy::none())
        // Repeats are decided in one place, which is not there.
        .retry(reqwest::retry::never())
        // It would write every byte of the traffic, tokens and secrets included, to the log.
        .connection_verbose(false)
        .connect_timeout(connect_timeout)
        .build()
        .map_err(tls::refused)
}

fn user_agent(application: Option<&str>) -> Result<HeaderValue, Error> {
    const OWN: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
    let text = match application {
        Some(name) if name.trim().is_empty() => {
            return Err(Error::usage(
                "the application name is empty; write it like hr-sync/2.1, or leave application() out",
            ));
        }
        Some(name) => format!("{name} {OWN}"),
        None => OWN.to_owned(),
    };
    HeaderValue::try_from(text).map_err(|_| {
        Error::usage(
            "the application name holds a character that no header can carry; write it like hr-sync/2.1",
        )
    })
}

impl fmt::Debug for LmsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LmsBuilder")
            .field("retry", &self.retry)
            .field("retry_budget", &self.budget)
            .field("rate_limits", &self.rate_limits)
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
}
