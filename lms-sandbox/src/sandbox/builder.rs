//! The settings of a sandbox.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::clock::Clock;
use crate::demo::Population;
use crate::error::SandboxError;
use crate::faults::FaultPlan;
use crate::service::request::Settings;
use crate::{
    api::example::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET},
    app::{Config, Content, TENANT_ID},
};

/// Settings for a sandbox; returned by [`Sandbox::builder`](crate::Sandbox::builder).
#[derive(Clone)]
pub struct SandboxBuilder {
    pub(crate) config: Config,
    pub(super) listen: SocketAddr,
    pub(super) control: Option<SocketAddr>,
    pub(super) allow_remote: bool,
}

impl Default for SandboxBuilder {
    fn default() -> Self {
        Self {
            config: Config {
                settings: Settings {
                    tenant_id: TENANT_ID.into(),
                    client_id: DEMO_CLIENT_ID.into(),
                    client_secret: DEMO_CLIENT_SECRET.into(),
                    token_lifetime: Duration::from_secs(300),
                    max_page: 200,
                    base_url: String::new(),
                },
                data_file: None,
                content: Content::Nothing,
                faults: FaultPlan::default(),
                clock: Clock::default(),
            },
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            control: None,
            allow_remote: false,
        }
    }
}

impl SandboxBuilder {
    /// The `tid` of the tenant, by which exports and mirrors distinguish tenants; `t1` by default.
    #[must_use]
    pub fn tenant_id(mut self, tenant_id: impl Into<String>) -> Self {
        self.config.settings.tenant_id = tenant_id.into();
        self
    }

    /// The client id that token requests must have; [`DEMO_CLIENT_ID`] by default.
    #[must_use]
    pub fn client_id(mut self, client_id: impl Into<String>) -> Self {
        self.config.settings.client_id = client_id.into();
        self
    }

    /// The client secret that token requests must have; [`DEMO_CLIENT_SECRET`] by default.
    #[must_use]
    pub fn client_secret(mut self, client_secret: impl Into<String>) -> Self {
        self.config.settings.client_secret = client_secret.into();
        self
    }

    /// The lifetime of tokens; 300 s by default. `expires_in` is rounded down to whole seconds.
    #[must_use]
    pub fn token_lifetime(mut self, lifetime: Duration) -> Self {
        self.config.settings.token_lifetime = lifetime;
        self
    }

    /// Stores the tenant in this file, which is created if it does not exist; in memory by default.
    ///
    /// Only one sandbox can use the file at a time. Await [`Sandbox::stop`](crate::Sandbox::stop) before you start
    /// another one on it: a sandbox that is dropped releases the file only when its last request has ended. A file of
    /// another version of this crate may be refused.
    #[must_use]
    pub fn data_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.config.data_file = Some(file.into());
        self
    }

    /// Fills an empty tenant with 650 learners, 12 courses, and items in every list.
    #[must_use]
    pub fn demo(self) -> Self {
        self.demo_seed(1)
    }

    /// Like [`demo`](Self::demo), with data generated from this seed. The same seed gives the same data
    /// in the same version of this crate.
    #[must_use]
    pub fn demo_seed(mut self, seed: u64) -> Self {
        self.config.content = Content::Demo(seed);
        self
    }

    /// Fills an empty tenant with this number of learners, courses and enrolments, instead of the [`demo`](Self::demo)
    /// data. A million learners take about a minute and about 100 bytes of disk per row.
    #[must_use]
    pub fn population(mut self, population: Population) -> Self {
        self.config.content = Content::Population(population);
        self
    }

    /// The address to listen on; a free port of 127.0.0.1 by default.
    #[must_use]
    pub fn listen(mut self, address: SocketAddr) -> Self {
        self.listen = address;
        self
    }

    /// Allows [`listen`](Self::listen) and [`control`](Self::control) addresses that other machines can reach. The
    /// traffic is not encrypted.
    #[must_use]
    pub fn allow_remote(mut self) -> Self {
        self.allow_remote = true;
        self
    }

    /// The maximum page size; 200 items by default. A larger `limit` in a request is lowered to it.
    #[must_use]
    pub fn max_page(mut self, items: usize) -> Self {
        self.config.settings.max_page = items;
        self
    }

    /// The initial fault plan; no faults by default. [`Sandbox::faults`](crate::Sandbox::faults) changes it later.
    #[must_use]
    pub fn faults(mut self, plan: FaultPlan) -> Self {
        self.config.faults = plan;
        self
    }

    /// Serves the [control API](crate) at this address, so that another process can change the fault plan, read
    /// the requests, advance the clock and add data; off by default. Port 0 means a free port, which
    /// [`Sandbox::control_url`](crate::Sandbox::control_url) returns.
    #[must_use]
    pub fn control(mut self, address: SocketAddr) -> Self {
        self.control = Some(address);
        self
    }

    /// The clock for tokens and timestamps; the system time by default.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.config.clock = clock;
        self
    }

    /// Checks the settings.
    pub(crate) fn check(self) -> Result<Self, SandboxError> {
        let config = &self.config;
        if config.settings.client_id.is_empty() || config.settings.client_secret.is_empty() {
            return Err(SandboxError::new(
                "client id and client secret must not be empty; omit them to use the demo credentials",
            ));
        }
        if config.settings.max_page == 0 {
            return Err(SandboxError::new("max_page is 0; set it to 1 or more"));
        }
        for address in [Some(self.listen), self.control].into_iter().flatten() {
            if !address.ip().is_loopback() && !self.allow_remote {
                return Err(SandboxError::new(format!(
                    "{address} can be reached from other machines; listen on 127.0.0.1, or allow remote connections \
                     explicitly"
                )));
            }
        }
        Ok(self)
    }
}

impl fmt::Debug for SandboxBuilder {
    /// Without the client secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SandboxBuilder")
            .field("client_id", &self.config.settings.client_id)
            .field("data_file", &self.config.data_file)
            .field("listen", &self.listen)
            .finish_non_exhaustive()
    }
}
