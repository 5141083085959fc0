//! What is a running sandbox?

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::builder::SandboxBuilder;
use crate::clock::Clock;
use crate::control;
use crate::error::SandboxError;
use crate::faults::Faults;
use crate::journal::RequestRecord;
use crate::operations::Operation;
#[cfg(feature = "reference-page")]
use crate::reference_page;
use crate::router;
use crate::seed::Seed;
use crate::server;

/// The whole service, running on a port of this machine until it is dropped.
#[derive(Debug)]
pub struct Sandbox {
    app: Arc<App>,
    address: SocketAddr,
    control: Option<String>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Sandbox {
    /// Settings, all of which have a default.
    pub fn builder() -> SandboxBuilder {
        SandboxBuilder::default()
    }

    pub(crate) async fn start(builder: SandboxBuilder) -> Result<Self, SandboxError> {
        builder.check()?;
        let (listener, address) = bind(builder.listen).await?;
        let control = match builder.control {
            Some(control) => Some(bind(control).await?),
            None => None,
        };
        #[cfg(feature = "reference-page")]
        let with_page = builder.reference_page;
        // Opening and filling a store takes a while, and others may be running on this thread.
        let opened =
            tokio::task::spawn_blocking(move || App::open(builder, format!("http://{address}")))
                .await;
        let app = Arc::new(opened.unwrap_or_else(|error| {
            Err(SandboxError::setting(format!(
                "opening the store was abandoned: {error}"
            )))
        })?);
        let router = router::router(&app);
        // Beside the service's own routes, so that looking at the page counts as no request to the service.
        #[cfg(feature = "reference-page")]
        let router = if with_page {
            let settings = &app.settings;
            router.merge(reference_page::routes(reference_page::Credentials::of(
                &settings.client_id,
                &settings.client_secret,
            )))
        } else {
            router
        };
        let (stop, stopped) = watch::channel(false);
        let limits = app.limits;
        let serve =
            |listener, router| tokio::spawn(server::run(listener, router, limits, stopped.clone()));
        let mut tasks = vec![serve(listener, router)];
        let control = control.map(|(listener, address)| {
            tasks.push(serve(listener, control::router(&app)));
            format!("http://{address}")
        });
        Ok(Self {
            app,
            address,
            control,
            stop,
            tasks,
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
        Seed::new(&self.app)
    }

    /// What goes wrong, to be changed.
    pub fn faults(&self) -> Faults<'_> {
        Faults::new(&self.app.faults)
    }

    /// The address of the control endpoint, `http://127.0.0.1:PORT`, if it has [one](SandboxBuilder::control).
    pub fn control_url(&self) -> Option<&str> {
        self.control.as_deref()
    }

    /// The last requests that arrived and are over, oldest first, at most ten thousand; older ones are forgotten.
    pub fn requests(&self) -> Vec<RequestRecord> {
        self.app.journal.records(None)
    }

    /// Those of [`requests`](Self::requests) that named this operation.
    pub fn requests_to(&self, operation: Operation) -> Vec<RequestRecord> {
        self.app.journal.records(Some(operation))
    }

    /// The same, and forgets them: called often enough, it gives every request once, however long the sandbox runs.
    pub fn take_requests(&self) -> Vec<RequestRecord> {
        self.app.journal.take()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.app.journal.forget(None);
    }

    /// Stops it: requests in flight are answered, then the port is free.
    pub async fn stop(self) {
        let Self { stop, tasks, .. } = self;
        stop.send_replace(true);
        for task in tasks {
            // It ends by itself, and there is nothing to do about a panic in it.
            let _ = task.await;
        }
    }
}

async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), SandboxError> {
    let failed = |error| SandboxError::listen(address, error);
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}
