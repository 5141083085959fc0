//! [`Lms`], the client, and how it is built.

#[cfg(feature = "clap")]
mod args;
mod builder;
mod client_credentials;
mod connections;
mod env;

use std::{fmt, ops::Deref, sync::Arc};

use lms_client::{Client, Operations, raw::ClientInfo as _};

#[cfg(feature = "clap")]
pub use args::LmsArgs;
pub use builder::LmsBuilder;

use crate::{
    request::{Engine, Policies},
    send::rate_limit::RateLimitState,
};

/// A client of one tenant.
///
/// `Lms` dereferences to the generated [`Operations`], so each operation of the service is a method: `lms.list_courses()`.
/// This deviates from the guideline that only smart pointers implement `Deref`: it makes all generated operations
/// available, including those of a tenant's own document, without a copy of each.
///
/// A method returns a builder, which can be awaited. The traits of the [prelude](crate::prelude) add `.call()`, `.items()`
/// and `.pages()` to builders. Cloning is cheap; clones share connections, the token and the limits.
///
/// Each call is a task of the Tokio runtime on which it is first polled. It makes progress even if its caller does not
/// poll it, for example in `select!`. Dropping a call aborts its task.
///
/// One client works on several runtimes, with two limits if a runtime pauses, such as a current-thread runtime between
/// two `block_on`s:
///
/// - A call that started on the paused runtime, even if it was dropped, keeps its permit and its lock for fetching the
///   token or writing an object. Calls on other runtimes may then wait until they time out.
/// - A pooled connection belongs to the runtime that opened it. A `POST` on a connection of a paused runtime may end as
///   [ambiguous](crate::ErrorKind::Ambiguous).
#[derive(Clone)]
pub struct Lms {
    operations: Operations<Policies>,
}

impl Lms {
    /// A client whose requests are built by `http`, and sent by the engine.
    pub(crate) fn new(engine: Engine, http: reqwest::Client) -> Self {
        let client = Client::new_with_client(engine.base.as_str(), http);
        Self {
            operations: Operations::new(client, Policies::new(Arc::new(engine))),
        }
    }

    pub(crate) fn engine(&self) -> &Arc<Engine> {
        self.operations.transport().engine()
    }

    /// The URL of the API, with `/api/v1`.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.operations.base_url()
    }

    /// The number of tokens that this client and its clones have fetched, or loaded from a file, so far. The calls between
    /// two equal numbers were made with the same token.
    #[must_use]
    pub fn token_count(&self) -> u64 {
        self.engine().tokens.generation()
    }

    /// Returns a client that stops sending once the future has completed, for example after Ctrl-C or SIGTERM.
    ///
    /// The response to every request that was sent before is still read. Waiting calls, for example before a retry, and
    /// later calls fail with [`Cancelled`](crate::ErrorKind::Cancelled) at once. The new client shares everything else
    /// with this client, which still works, for example to clean up.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms, interrupted: impl Future<Output = ()> + Send + 'static) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{ErrorKind, prelude::*};
    ///
    /// let work = lms.cancel_on(interrupted); // such as `async { _ = tokio::signal::ctrl_c().await }`
    /// let mut learners = work.list_learners().items();
    /// loop {
    ///     match learners.try_next().await {
    ///         Ok(Some(learner)) => println!("{:?}", learner.email),
    ///         Ok(None) => break,
    ///         Err(error) if error.kind() == ErrorKind::Cancelled => break,
    ///         Err(error) => return Err(error),
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Each page of a list and each poll of a course copy is a separate call. [`bulk`](crate::bulk) ends early, and
    /// returns the remaining items as [`unfinished`](crate::bulk::Outcomes::unfinished). An operation that consists of
    /// several calls, such as an edit, may be cancelled between them. If a write may have been processed because its
    /// response was lost, the error is [ambiguous](crate::Error::is_ambiguous), as after any other failure.
    ///
    /// A task of the current Tokio runtime waits for the future. It ends with the last client that the future cancels.
    /// If this client was itself returned by `cancel_on`, the new client stops after either future.
    ///
    /// # Panics
    ///
    /// Outside of a Tokio runtime. Without one, use `blocking::Lms::cancel_on`.
    #[must_use = "only the client that is returned is cancelled"]
    pub fn cancel_on(&self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        let http = self.operations.client().client().clone();
        Self::new(self.engine().cancelled_on(signal), http)
    }

    /// [`cancel_on`](Self::cancel_on) with Ctrl-C, which then no longer ends the program. Requires the feature `signal`.
    ///
    /// # Panics
    ///
    /// Outside of a Tokio runtime.
    #[cfg(feature = "signal")]
    #[must_use = "only the client that is returned is cancelled"]
    pub fn cancel_on_ctrl_c(&self) -> Self {
        self.cancel_on(async {
            if tokio::signal::ctrl_c().await.is_err() {
                // No signal can be received.
                std::future::pending::<()>().await;
            }
        })
    }

    /// Returns the state of the limits on calls and requests, for progress displays and metrics.
    ///
    /// ```
    /// # fn show(lms: &lms_ext::Lms) {
    /// let state = lms.rate_limit_state();
    /// match (state.paused_for, state.throttled_to) {
    ///     (Some(pause), _) => println!("paused for {:.0} s", pause.as_secs_f64()),
    ///     (None, Some(rate)) => println!("throttled to {rate:.0}/s"),
    ///     (None, None) => println!("{} calls in flight", state.in_flight),
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn rate_limit_state(&self) -> RateLimitState {
        self.engine().sender.rate_limiter.state()
    }
}

impl fmt::Debug for Lms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lms")
            .field("base_url", &self.base_url())
            .finish_non_exhaustive()
    }
}

impl Deref for Lms {
    type Target = Operations<Policies>;

    fn deref(&self) -> &Operations<Policies> {
        &self.operations
    }
}
