//! How is a sandbox set up?

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::clock::Clock;
use crate::error::SandboxError;
use crate::faults::Quirks;
use crate::sandbox::Sandbox;

/// The client id of a sandbox that was given none. It is a number because the service description types client ids
/// so in one place (§2).
pub const DEMO_CLIENT_ID: &str = "1000001";
/// The client secret of a sandbox that was given none.
pub const DEMO_CLIENT_SECRET: &str = "sandbox-secret";

/// The settings of a sandbox to be started; from [`Sandbox::builder`].
#[derive(Clone)]
pub struct SandboxBuilder {
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) token_lifetime: Duration,
    pub(crate) data_file: Option<PathBuf>,
    pub(crate) demo: Option<u64>,
    pub(crate) listen: SocketAddr,
    pub(crate) allow_remote: bool,
    pub(crate) max_page: usize,
    pub(crate) quirks: Quirks,
    pub(crate) clock: Clock,
}

impl Default for SandboxBuilder {
    fn default() -> Self {
        Self {
            client_id: DEMO_CLIENT_ID.into(),
            client_secret: DEMO_CLIENT_SECRET.into(),
            token_lifetime: Duration::from_secs(300),
            data_file: None,
            demo: None,
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            allow_remote: false,
            max_page: 200,
            quirks: Quirks::default(),
            clock: Clock::default(),
        }
    }
}

impl SandboxBuilder {
    /// The client id that a token request must carry; [`DEMO_CLIENT_ID`] otherwise.
    #[must_use]
    pub fn client_id(mut self, client_id: impl Into<String>) -> Self {
        self.client_id = client_id.into();
        self
    }

    /// The client secret that a token request must carry; [`DEMO_CLIENT_SECRET`] otherwise.
    #[must_use]
    pub fn client_secret(mut self, client_secret: impl Into<String>) -> Self {
        self.client_secret = client_secret.into();
        self
    }

    /// How long tokens are good; 300 s otherwise. `expires_in` says it in whole seconds, rounded down.
    #[must_use]
    pub fn token_lifetime(mut self, lifetime: Duration) -> Self {
        self.token_lifetime = lifetime;
        self
    }

    /// Keeps the tenant in this file, made if it is not there; in memory otherwise.
    #[must_use]
    pub fn data_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.data_file = Some(file.into());
        self
    }

    /// Fills an empty tenant with a small believable one: 650 learners, 12 courses, and something in every list.
    #[must_use]
    pub fn demo(self) -> Self {
        self.demo_seed(1)
    }

    /// The same with other people in other courses. One seed always gives one tenant.
    #[must_use]
    pub fn demo_seed(mut self, seed: u64) -> Self {
        self.demo = Some(seed);
        self
    }

    /// Where to listen; a free port of 127.0.0.1 otherwise.
    #[must_use]
    pub fn listen(mut self, address: SocketAddr) -> Self {
        self.listen = address;
        self
    }

    /// Lets [`listen`](Self::listen) name an address that other machines can reach. The traffic is not encrypted.
    #[must_use]
    pub fn allow_remote(mut self) -> Self {
        self.allow_remote = true;
        self
    }

    /// The most rows a page has; 200 otherwise. A larger `limit` is answered with this many.
    #[must_use]
    pub fn max_page(mut self, rows: usize) -> Self {
        self.max_page = rows;
        self
    }

    /// The tenant's peculiarities; none otherwise.
    #[must_use]
    pub fn quirks(mut self, quirks: Quirks) -> Self {
        self.quirks = quirks;
        self
    }

    /// The clock that tokens and timestamps go by; the machine's time otherwise.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Starts it as a task on the current tokio runtime. When this returns, it can be connected to.
    ///
    /// # Errors
    ///
    /// When a setting makes no sense, the data file cannot be opened, or the address cannot be listened on.
    pub async fn start(self) -> Result<Sandbox, SandboxError> {
        Sandbox::start(self).await
    }

    pub(crate) fn check(&self) -> Result<(), SandboxError> {
        if self.client_id.is_empty() || self.client_secret.is_empty() {
            return Err(SandboxError::setting(
                "client id and client secret must not be empty; leave them out for demo ones",
            ));
        }
        if self.max_page == 0 {
            return Err(SandboxError::setting(
                "a page must have room for one row at least; set max_page to 1 or more",
            ));
        }
        if !self.listen.ip().is_loopback() && !self.allow_remote {
            return Err(SandboxError::not_loopback(self.listen));
        }
        Ok(())
    }
}

impl std::fmt::Debug for SandboxBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SandboxBuilder")
            .field("client_id", &self.client_id)
            .field("data_file", &self.data_file)
            .field("listen", &self.listen)
            .field("quirks", &self.quirks)
            .finish_non_exhaustive()
    }
}
