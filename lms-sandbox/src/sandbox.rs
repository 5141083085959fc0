//! What is a running sandbox?

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::builder::SandboxBuilder;
use crate::clock::Clock;
use crate::error::SandboxError;
use crate::journal::RequestRecord;
use crate::router;
use crate::seed::Seed;
use crate::server;

/// The whole service, running on a port of this machine until it is dropped.
#[derive(Debug)]
pub struct Sandbox {
    app: Arc<App>,
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Sandbox {
    /// Settings, all of which have a default.
    pub fn builder() -> SandboxBuilder {
        SandboxBuilder::default()
    }

    pub(crate) async fn start(builder: SandboxBuilder) -> Result<Self, SandboxError> {
        builder.check()?;
        let listener = TcpListener::bind(builder.listen)
            .await
            .map_err(|error| SandboxError::listen(builder.listen, error))?;
        let address = listener
            .local_addr()
            .map_err(|error| SandboxError::listen(builder.listen, error))?;
        // Opening and filling a store takes a while, and others may be running on this thread.
        let opened =
            tokio::task::spawn_blocking(move || App::open(builder, format!("http://{address}")))
                .await;
        let app = Arc::new(opened.unwrap_or_else(|error| {
            Err(SandboxError::setting(format!(
                "opening the store was abandoned: {error}"
            )))
        })?);
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(server::run(listener, router::router(&app), stopped));
        Ok(Self {
            app,
            address,
            stop,
            task,
        })
    }

    /// The tenant's base address, `http://127.0.0.1:PORT`, without `/api/v1`.
    pub fn base_url(&self) -> &str {
        &self.app.settings.base_url
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The client id that a token request must carry.
    pub fn client_id(&self) -> &str {
        &self.app.settings.client_id
    }

    /// The client secret that a token request must carry.
    pub fn client_secret(&self) -> &str {
        &self.app.settings.client_secret
    }

    /// The clock it goes by; advancing it makes tokens run out.
    pub fn clock(&self) -> &Clock {
        &self.app.clock
    }

    /// Puts things into the tenant that the API cannot: topics, custom fields, progress and so on.
    pub fn seed(&self) -> Seed<'_> {
        Seed::new(&self.app.store, &self.app.clock)
    }

    /// The last requests that arrived, oldest first, at most ten thousand.
    pub fn requests(&self) -> Vec<RequestRecord> {
        self.app.journal.records()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.app.journal.clear();
    }

    /// Stops it: requests in flight are answered, then the port is free.
    pub async fn stop(self) {
        let Self { stop, task, .. } = self;
        stop.send_replace(true);
        // The task ends by itself, and there is nothing to do about a panic in it.
        let _ = task.await;
    }
}
