//! The address of deliveries, their signatures by the [Standard Webhooks](https://www.standardwebhooks.com) convention, and their
//! retries.

use std::{fmt, sync::Arc, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use lms_ext::{Secret, http::HttpClient};
use reqwest::{Client, Url, redirect};
use sha2::Sha256;

use super::change::ChangeKind;
use crate::{
    collection::collections,
    error::Error,
    sql::difference::{event, singular},
};

/// Wait before the second attempt.
const FIRST_DELAY: Duration = Duration::from_secs(1);

/// Longest wait between two attempts.
const MAX_DELAY: Duration = Duration::from_secs(300);

/// An HTTPS endpoint that receives changes, each signed according to [Standard
/// Webhooks](https://www.standardwebhooks.com).
///
/// ```
/// # fn example() -> Result<(), lms_sync::Error> {
/// use std::time::Duration;
/// use lms_sync::changes::Endpoint;
///
/// let endpoint = Endpoint::new("crm", "https://crm.example/hooks/lms", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")?
///     .events(["course_completion.added"])?
///     .max_attempts(8);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Endpoint {
    pub(super) name: String,
    pub(super) tenant: Option<String>,
    pub(super) url: Url,
    pub(super) key: SigningKey,
    pub(super) events: Vec<String>,
    pub(super) from_start: bool,
    pub(super) batch: usize,
    pub(super) concurrency: usize,
    pub(super) attempts: u32,
    pub(super) client: Arc<dyn HttpClient>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The path of such a URL is often a secret.
        f.debug_struct("Endpoint")
            .field("name", &self.name)
            .field("host", &self.url.host_str())
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// An endpoint. The mirror stores its position in the feed under `name`. The secret is `whsec_` followed by 24 to 64
    /// random bytes in Base64. The receiver needs it to check signatures.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the name is empty, the secret is not valid, or the URL is neither `https://`
    /// nor `http://` to the machine itself.
    pub fn new(
        name: impl Into<String>,
        url: &str,
        secret: impl Into<Secret>,
    ) -> Result<Self, Error> {
        let name = name.into();
        if name.trim().is_empty() {
            return Err(Error::usage("the endpoint has an empty name"));
        }
        let invalid = || {
            Error::usage(format!(
                "the URL of the endpoint {name} is not valid; use https://"
            ))
        };
        let url = Url::parse(url).map_err(|_| invalid())?;
        let loopback = match url.host_str() {
            Some("localhost" | "[::1]") => true,
            Some(host) => host
                .parse()
                .is_ok_and(|host: std::net::Ipv4Addr| host.is_loopback()),
            None => return Err(invalid()),
        };
        if url.scheme() != "https" && !(url.scheme() == "http" && loopback) {
            return Err(invalid());
        }
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|error| Error::usage("cannot set up the HTTP client").with_source(error))?;
        Ok(Self {
            name,
            tenant: None,
            url,
            key: SigningKey::parse(&secret.into())?,
            events: Vec::new(),
            from_start: false,
            batch: 1,
            concurrency: 1,
            attempts: 5,
            client: Arc::new(client),
        })
    }

    /// Delivers only these events, for example `course_completion.added`. Default: all.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if no collection has an event of this name. Its changes would be skipped for good.
    pub fn events(
        mut self,
        events: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Self, Error> {
        self.events = events.into_iter().map(Into::into).collect();
        let of_kinds = |of| ChangeKind::ALL.map(|kind| event(of, kind.name()));
        let known: Vec<String> = collections().iter().flat_map(of_kinds).collect();
        if let Some(name) = self.events.iter().find(|name| !known.contains(name)) {
            let rows = collections().iter().map(|of| singular(of.name));
            return Err(Error::usage(format!(
                "there is no event {name:?}; an event is {}, with .added, .changed, .removed or .extra_changed",
                rows.collect::<Vec<_>>().join(", ")
            )));
        }
        Ok(self)
    }

    /// Sends this name as `tenant` in every body, for a receiver of the changes of several mirrors. Default: none.
    #[must_use]
    pub fn tenant(mut self, name: impl Into<String>) -> Self {
        self.tenant = Some(name.into());
        self
    }

    /// Sends an endpoint without a stored position first every row of the mirror, as an `added` change, and then the changes after
    /// them. Those that are found meanwhile may tell again what a row has already. A delivery that is stopped before all rows
    /// were accepted begins with the first row again.
    #[must_use]
    pub fn from_start(mut self) -> Self {
        self.from_start = true;
        self
    }

    /// Sends up to this number of changes in one request: its body is then `{"type": "changes", "timestamp", "data": […]}`.
    /// Changes of a request that is refused each time are all dead letters. Default: 1, with the body of one change.
    #[must_use]
    pub fn batch(mut self, changes: usize) -> Self {
        self.batch = changes.max(1);
        self
    }

    /// Sends up to this number of requests at the same time. The changes of one object stay in order. The position moves
    /// when all of them are done, so more changes may be sent again after a crash. Default: 1.
    #[must_use]
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.concurrency = requests.max(1);
        self
    }

    /// Maximum number of attempts before a change is given up, at least 1. Default: 5. The first wait is 1 s. Each further one is
    /// four times as long, or as long as `Retry-After` if that is longer, and at most 5 minutes.
    #[must_use]
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// Sends with another HTTP client, for example one with a proxy or its own certificates. It must not follow redirects.
    #[must_use]
    pub fn http_client(mut self, client: impl HttpClient) -> Self {
        self.client = Arc::new(client);
        self
    }

    /// Number of changes that are sent before the position is stored.
    pub(super) fn window(&self) -> usize {
        self.batch.saturating_mul(self.concurrency)
    }
}

/// Wait after this attempt, counted from 1.
pub(super) fn delay(attempt: u32, retry_after: Option<Duration>) -> Duration {
    let delay = FIRST_DELAY.saturating_mul(4_u32.saturating_pow(attempt.saturating_sub(1)));
    delay.max(retry_after.unwrap_or_default()).min(MAX_DELAY)
}

/// Prefix of a secret.
const PREFIX: &str = "whsec_";

/// The key that an endpoint and its receiver share.
#[derive(Clone)]
pub(super) struct SigningKey(Hmac<Sha256>);

impl SigningKey {
    /// Reads a secret: `whsec_` and 24 to 64 bytes in Base64.
    pub(super) fn parse(secret: &Secret) -> Result<Self, Error> {
        let invalid = || {
            Error::usage(
                "the secret of the endpoint is not valid; it is `whsec_` followed by 24 to 64 random bytes in Base64",
            )
        };
        let text = secret.expose().strip_prefix(PREFIX).ok_or_else(invalid)?;
        let key = BASE64_STANDARD.decode(text).map_err(|_| invalid())?;
        if !(24..=64).contains(&key.len()) {
            return Err(invalid());
        }
        Hmac::new_from_slice(&key).map(Self).map_err(|_| invalid())
    }

    /// The value of the header `webhook-signature`. The timestamp is in seconds since 1970.
    pub(super) fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        let mac = self
            .0
            .clone()
            .chain_update(format!("{id}.{timestamp}."))
            .chain_update(body);
        format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::SigningKey;

    #[test]
    fn the_example_of_the_convention_has_its_signature() {
        let key = SigningKey::parse(&"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into()).unwrap();
        let body = br#"{"test": 2432232314}"#;
        assert_eq!(
            key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }
}
