//! A running sandbox.

mod builder;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub use self::builder::SandboxBuilder;
use crate::api::operation::Operation;
use crate::app::App;
use crate::clock::Clock;
use crate::error::SandboxError;
use crate::faults::Faults;
use crate::journal::RequestRecord;
use crate::seed::Seed;
use crate::server::{control, router, serve};

/// The service, running on a port of this machine until it is dropped or [stopped](Self::stop).
pub struct Sandbox {
    app: Arc<App>,
    address: SocketAddr,
    control: Option<String>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl SandboxBuilder {
    /// Starts the sandbox as a task of the current Tokio runtime. It accepts connections when this function returns.
    ///
    /// # Errors
    ///
    /// If a setting is invalid, the data file cannot be opened, or the address cannot be listened on.
    pub async fn start(self) -> Result<Sandbox, SandboxError> {
        let checked = self.check()?;
        let (listener, address) = bind(checked.listen).await?;
        let control = match checked.control {
            Some(control) => Some(bind(control).await?),
            None => None,
        };
        // Opening and filling a store takes a while, and other tasks may be running on this thread.
        let opened = tokio::task::spawn_blocking(move || {
            App::open(checked.config, format!("http://{address}"))
        });
        let app = Arc::new(opened.await.unwrap_or_else(|error| {
            let message = format!("could not open the store: {error}");
            Err(SandboxError::new(message))
        })?);
        let router = router::router(&app);
        let (stop, stopped) = watch::channel(false);
        let serve = |listener, router| tokio::spawn(serve(listener, router, stopped.clone()));
        let mut tasks = vec![serve(listener, router)];
        let control = control.map(|(listener, address)| {
            tasks.push(serve(listener, control::router(&app)));
            format!("http://{address}")
        });
        Ok(Sandbox {
            app,
            address,
            control,
            stop,
            tasks,
        })
    }
}

impl Sandbox {
    /// A builder with default settings.
    pub fn builder() -> SandboxBuilder {
        SandboxBuilder::default()
    }

    /// The tenant's base URL, `http://127.0.0.1:PORT`, without `/api/v1`.
    pub fn base_url(&self) -> &str {
        &self.app.settings.base_url
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The client id for token requests.
    pub fn client_id(&self) -> &str {
        &self.app.settings.client_id
    }

    /// The client secret for token requests.
    pub fn client_secret(&self) -> &str {
        &self.app.settings.client_secret
    }

    /// The sandbox's clock. Advancing it makes tokens expire.
    pub fn clock(&self) -> &Clock {
        &self.app.clock
    }

    /// Adds objects that the API cannot add: topics, custom fields, progress and so on.
    pub fn seed(&self) -> Seed<'_> {
        Seed::new(&self.app)
    }

    /// Reads and changes the fault plan.
    pub fn faults(&self) -> &Faults {
        &self.app.faults
    }

    /// The base URL of the [control API](SandboxBuilder::control), `http://127.0.0.1:PORT`; `None` if it is off.
    pub fn control_url(&self) -> Option<&str> {
        self.control.as_deref()
    }

    /// The requests that have ended, oldest first.
    ///
    /// # Errors
    ///
    /// If there were more than 10,000 since they were cleared or taken: only the last 10,000 are kept.
    pub fn requests(&self) -> Result<Vec<RequestRecord>, SandboxError> {
        Ok(self.app.journal.list(None)?)
    }

    /// The requests for this operation that have ended, oldest first.
    ///
    /// # Errors
    ///
    /// If some requests for this operation are not kept any longer.
    pub fn requests_to(&self, operation: Operation) -> Result<Vec<RequestRecord>, SandboxError> {
        Ok(self.app.journal.list(Some(operation))?)
    }

    /// Removes and returns all [`requests`](Self::requests). A test with more than 10,000 requests has to call this in
    /// between.
    ///
    /// # Errors
    ///
    /// If there were more than 10,000 requests since they were cleared or taken. Nothing is removed then.
    pub fn take_requests(&self) -> Result<Vec<RequestRecord>, SandboxError> {
        Ok(self.app.journal.take()?)
    }

    /// Removes all [`requests`](Self::requests).
    pub fn clear_requests(&self) {
        self.app.journal.clear(None);
    }

    /// Stops the sandbox. Requests in flight get a response, for up to 5 s; then the port and the data file are free.
    pub async fn stop(self) {
        let Self { stop, tasks, .. } = self;
        stop.send_replace(true);
        for task in tasks {
            // The only error is a panic in the task, which has been reported already.
            let _ = task.await;
        }
    }
}

impl fmt::Debug for Sandbox {
    /// Without the client secret and the tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandbox")
            .field("base_url", &self.base_url())
            .field("control_url", &self.control_url())
            .finish_non_exhaustive()
    }
}

async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), SandboxError> {
    let failed = |error| {
        SandboxError::new(format!(
            "could not listen on {address}: {error}; choose another port, or 0 for a free one"
        ))
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}
