//! How is a sandbox set up?

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;
use crate::demo::{FillProgress, Listener, Population};
use crate::error::SandboxError;
use crate::faults::{FaultPlan, Quirks};
use crate::limits::Limits;
use crate::live::Live;
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
    pub(crate) population: Option<Population>,
    pub(crate) fill_listener: Option<Listener>,
    pub(crate) listen: SocketAddr,
    pub(crate) allow_remote: bool,
    pub(crate) max_page: usize,
    pub(crate) quirks: Quirks,
    pub(crate) faults: FaultPlan,
    pub(crate) control: Option<SocketAddr>,
    pub(crate) limits: Limits,
    pub(crate) live: Option<Live>,
    pub(crate) clock: Clock,
    #[cfg(feature = "reference-page")]
    pub(crate) reference_page: bool,
}

impl Default for SandboxBuilder {
    fn default() -> Self {
        Self {
            client_id: DEMO_CLIENT_ID.into(),
            client_secret: DEMO_CLIENT_SECRET.into(),
            token_lifetime: Duration::from_secs(300),
            data_file: None,
            demo: None,
            population: None,
            fill_listener: None,
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            allow_remote: false,
            max_page: 200,
            quirks: Quirks::default(),
            faults: FaultPlan::default(),
            control: None,
            limits: Limits::default(),
            live: None,
            clock: Clock::default(),
            #[cfg(feature = "reference-page")]
            reference_page: false,
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
    ///
    /// One sandbox has it at a time. To start the next one on it, wait for [`Sandbox::stop`]: one that is merely dropped
    /// lets go of the file when the last request has ended.
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

    /// Fills an empty tenant with as many learners, courses and enrolments as that; in the place of
    /// [`demo`](Self::demo). A million learners take about a minute and some 100 bytes of disk for each row.
    #[must_use]
    pub fn population(mut self, population: Population) -> Self {
        self.population = Some(population);
        self
    }

    /// Calls this now and then while a [`population`](Self::population) is filled in, from another thread.
    #[must_use]
    pub fn on_fill(mut self, listener: impl Fn(FillProgress) + Send + Sync + 'static) -> Self {
        self.fill_listener = Some(Arc::new(listener));
        self
    }

    /// Lets learners make progress by themselves as the clock goes on; otherwise nothing happens that nobody asks for.
    ///
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    /// use lms_sandbox::{Clock, Live, Sandbox};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), lms_sandbox::SandboxError> {
    /// let sandbox = Sandbox::builder()
    ///     .demo()
    ///     .clock(Clock::stopped_at(UNIX_EPOCH + Duration::from_secs(1_772_357_400)))
    ///     .live(Live { every: Duration::from_secs(60), seed: 1 })
    ///     .start()
    ///     .await?;
    /// // … an export …
    /// sandbox.clock().advance(Duration::from_secs(3600)); // sixty topics are completed
    /// // … an export that has something to find …
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn live(mut self, live: Live) -> Self {
        self.live = Some(live);
        self
    }

    /// Where to listen; a free port of 127.0.0.1 otherwise.
    #[must_use]
    pub fn listen(mut self, address: SocketAddr) -> Self {
        self.listen = address;
        self
    }

    /// Lets [`listen`](Self::listen) and [`control`](Self::control) name an address that other machines can reach. The
    /// traffic is not encrypted.
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

    /// What goes wrong; nothing otherwise. [`Sandbox::faults`] changes it later.
    #[must_use]
    pub fn faults(mut self, plan: FaultPlan) -> Self {
        self.faults = plan;
        self
    }

    /// Serves the control endpoint at this address too, through which another process changes the fault plan, reads
    /// the requests and moves the clock; port 0 is a free one, which [`Sandbox::control_url`] tells. There is none
    /// otherwise. Whoever reaches it needs no token.
    ///
    /// | | |
    /// |---|---|
    /// | `GET /faults` | the [`FaultPlan`] as JSON |
    /// | `PUT /faults` | another plan in its place; all counts begin anew |
    /// | `POST /faults` | one more [`FaultRule`](crate::FaultRule) behind the others: an object, or a string with its words |
    /// | `DELETE /faults` | no rules |
    /// | `GET /requests`, `?operation=listLearners` | `{"items": [...]}`: the [`RequestRecord`](crate::RequestRecord)s, oldest first, at most ten thousand |
    /// | `DELETE /requests`, `?operation=listLearners` | forgets them, and answers with those that are left |
    /// | `GET /clock` | `{"now": "2026-03-01T09:30:00Z"}` |
    /// | `POST /clock` with `{"advance": "90s"}` | makes it later, and answers as `GET` does |
    ///
    /// Errors have the form that those of the service have.
    #[must_use]
    pub fn control(mut self, address: SocketAddr) -> Self {
        self.control = Some(address);
        self
    }

    /// How much a connection may ask of it, in bytes and in patience.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The tenant's peculiarities; none otherwise. They are rules of the fault plan, behind those of
    /// [`faults`](Self::faults).
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

    /// Serves the API reference at `/` as well, a page that sends what is tried there to this sandbox; not otherwise.
    ///
    /// The page has the demo credentials filled in, and no others. The document itself is at `/openapi.json`.
    #[cfg(feature = "reference-page")]
    #[must_use]
    pub fn reference_page(mut self) -> Self {
        self.reference_page = true;
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
        self.limits.check()?;
        if self.live.is_some_and(|live| live.every.is_zero()) {
            return Err(SandboxError::setting(
                "a live tenant needs some time between two steps; set every to more than 0",
            ));
        }
        let reached = [Some(self.listen), self.control];
        for address in reached.into_iter().flatten() {
            if !address.ip().is_loopback() && !self.allow_remote {
                return Err(SandboxError::not_loopback(address));
            }
        }
        self.faults.check()
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
