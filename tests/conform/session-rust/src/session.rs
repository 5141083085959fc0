//! What every session has: a client of the tenant, and a list of what it has said so far.

use std::{cell::RefCell, collections::BTreeSet, fmt, time::Duration};

use anyhow::{Context as _, ensure};
use lms_ext::{Error, OPERATIONS, Operation, RetryBudget, Timeouts, prelude::*};

/// Where the tenant is and how it knows us.
#[derive(clap::Args)]
pub(crate) struct Tenant {
    /// The address, without /api/v1.
    #[arg(long, env = "LMS_BASE_URL")]
    base_url: String,
    #[arg(long, env = "LMS_CLIENT_ID")]
    pub(crate) client_id: String,
    #[arg(long, env = "LMS_CLIENT_SECRET", hide_env_values = true)]
    pub(crate) client_secret: String,
}

impl fmt::Debug for Tenant {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tenant")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

impl Tenant {
    /// A client at the address.
    pub(crate) fn client(&self) -> anyhow::Result<Lms> {
        self.client_at(&self.base_url)
    }

    /// A client of the same tenant at another address.
    ///
    /// Its policies are the defaults, which are what is on trial, but for two. An attempt's time is shorter, so that
    /// an answer that never ends does not take a minute to give up on. And the budget of repeats is large: to the
    /// default, a tenant that fails half of the time for hundreds of requests is down, and it ends the session.
    pub(crate) fn client_at(&self, base_url: &str) -> anyhow::Result<Lms> {
        let mut limits = Timeouts::default();
        limits.attempt = Duration::from_secs(5);
        Lms::builder(base_url)
            .client_credentials(&self.client_id, self.client_secret.as_str())
            .timeouts(limits)
            .retry_budget(RetryBudget::new(10_000))
            .build()
            .context("no client can be built")
    }

    /// A session at an address where tokens mean nothing, and those that are given may not even be tokens.
    pub(crate) fn session_without_credentials(&self) -> anyhow::Result<Talk> {
        Ok(Talk {
            lms: Lms::builder(&self.base_url).token("any").build()?,
            said: RefCell::default(),
        })
    }

    /// A session at the address.
    pub(crate) fn session(&self) -> anyhow::Result<Talk> {
        Ok(Talk {
            lms: self.client()?,
            said: RefCell::default(),
        })
    }
}

/// A client that remembers which operations it was used for.
pub(crate) struct Talk {
    pub(crate) lms: Lms,
    said: RefCell<BTreeSet<&'static str>>,
}

impl Talk {
    /// Sends the operation and gives back what the tenant answers.
    pub(crate) async fn answered<O: Operation>(&self, operation: O) -> Result<O::Output, Error> {
        self.said.borrow_mut().insert(O::INFO.id);
        operation.call().await
    }

    /// Sends the operation; anything but a good answer ends the session.
    pub(crate) async fn say<O: Operation>(&self, operation: O) -> anyhow::Result<O::Output> {
        self.answered(operation)
            .await
            // The tenant's own words are what the reader of a failed run needs, and this tenant has no secrets.
            .map_err(|error| anyhow::anyhow!("{error:#}"))
            .with_context(|| format!("{} failed", O::INFO.id))
    }

    /// Sends the operation; anything but a refusal that `expected` recognises ends the session.
    pub(crate) async fn refused<O: Operation>(
        &self,
        operation: O,
        expected: fn(&Error) -> bool,
    ) -> anyhow::Result<()> {
        match self.answered(operation).await {
            Err(error) if expected(&error) => Ok(()),
            Err(error) => anyhow::bail!("{} was refused otherwise: {error:#}", O::INFO.id),
            Ok(_) => anyhow::bail!("{} was not refused", O::INFO.id),
        }
    }

    /// Checks that nothing was left unsaid.
    pub(crate) fn was_complete(&self) -> anyhow::Result<usize> {
        let said = self.said.borrow();
        let unsaid: Vec<_> = OPERATIONS
            .iter()
            .map(|operation| operation.id)
            .filter(|id| !said.contains(id))
            .collect();
        ensure!(unsaid.is_empty(), "no part of this session: {unsaid:?}");
        Ok(said.len())
    }
}

/// The id that an object must have.
pub(crate) fn id(id: Option<String>) -> anyhow::Result<String> {
    id.context("an object has no id")
}

/// The first of some rows.
pub(crate) fn first<T>(rows: Vec<T>) -> anyhow::Result<T> {
    rows.into_iter().next().context("a list has no rows")
}

/// Fails unless two values are the same.
pub(crate) fn same<T, W>(what: &str, found: &T, wanted: &W) -> anyhow::Result<()>
where
    T: PartialEq<W> + fmt::Debug + ?Sized,
    W: fmt::Debug + ?Sized,
{
    ensure!(
        found == wanted,
        "{what}: found {found:?}, wanted {wanted:?}"
    );
    Ok(())
}
