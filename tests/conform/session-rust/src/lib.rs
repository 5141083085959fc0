//! Sessions with `lms-ext`: for `cargo xtask conform`, whose checkers validate the traffic, and for the suite.
//!
//! Each session calls the given address, checks the responses, and fails when one is wrong. It returns a sentence about the
//! responses.

pub mod ids;
pub mod story;

use std::{cell::RefCell, collections::BTreeSet, fmt};

use anyhow::{Context as _, ensure};
use lms_ext::{Error, OPERATIONS, Operation, OperationInfo, Policies, id::Id, prelude::*};

/// The address and the credentials of the tenant.
#[derive(clap::Args)]
pub struct Tenant {
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
    /// A tenant at an address, without `/api/v1`.
    pub fn new(base_url: &str, client_id: &str, client_secret: &str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            client_id: client_id.to_owned(),
            client_secret: client_secret.to_owned(),
        }
    }

    /// Starts a session with the tenant.
    pub(crate) fn session(&self) -> anyhow::Result<Session> {
        let lms = Lms::builder(&self.base_url)
            .client_credentials(&self.client_id, self.client_secret.as_str())
            .build()
            .context("building the client")?;
        Ok(Session {
            lms,
            called: RefCell::default(),
        })
    }
}

/// A client that records which operations it called.
pub(crate) struct Session {
    pub(crate) lms: Lms,
    called: RefCell<BTreeSet<&'static str>>,
}

impl Session {
    /// Calls the operation, and returns its error.
    pub(crate) async fn try_call<O: Operation<Transport = Policies>>(
        &self,
        operation: O,
    ) -> Result<O::Output, Error> {
        self.called.borrow_mut().insert(O::INFO.id);
        operation.call().await
    }

    /// Calls the operation; an error ends the session.
    pub(crate) async fn call<O: Operation<Transport = Policies>>(
        &self,
        operation: O,
    ) -> anyhow::Result<O::Output> {
        self.try_call(operation)
            .await
            // With the message of the service, since this tenant has no secrets.
            .map_err(|error| anyhow::anyhow!("{error:#}"))
            .with_context(|| format!("{} failed", O::INFO.id))
    }

    /// Calls the operation; anything but the expected error ends the session.
    pub(crate) async fn refused<O: Operation<Transport = Policies>>(
        &self,
        operation: O,
        expected: fn(&Error) -> bool,
    ) -> anyhow::Result<()> {
        match self.try_call(operation).await {
            Err(error) if expected(&error) => Ok(()),
            Err(error) => anyhow::bail!("{} failed with another error: {error:#}", O::INFO.id),
            Ok(_) => anyhow::bail!("{} succeeded, but should have failed", O::INFO.id),
        }
    }

    /// Calls each operation that was not called before, with the sandbox's example, and returns their number.
    pub(crate) async fn call_others(&self) -> anyhow::Result<usize> {
        let is_new = |operation: &&OperationInfo| !self.called.borrow().contains(operation.id);
        let others: Vec<_> = OPERATIONS.iter().filter(is_new).collect();
        for operation in &others {
            let mut known = lms_sandbox::Operation::ALL.iter();
            let known = known
                .find(|known| known.path() == operation.path && known.method() == operation.method);
            let example = known.context("the sandbox lacks an operation")?.example();
            let request = self.lms.raw_operation(operation, &example.path)?;
            let query = example.query.iter();
            let request = query.fold(request, |request, (name, value)| request.query(name, value));
            let request = match example.body {
                Some(body) => request.body(body.to_string()),
                None => request,
            };
            request
                .call()
                .await
                .with_context(|| format!("{} failed", operation.id))?;
        }
        Ok(others.len())
    }
}

/// Returns the id, which every object must have.
pub(crate) fn id<K>(id: Option<Id<K>>) -> anyhow::Result<Id<K>> {
    id.context("an object has no id")
}

/// Returns the first item.
pub(crate) fn first<T>(items: Vec<T>) -> anyhow::Result<T> {
    items.into_iter().next().context("a list has no items")
}

/// Fails unless both values are equal.
pub(crate) fn same<T, W>(what: &str, found: &T, wanted: &W) -> anyhow::Result<()>
where
    T: PartialEq<W> + fmt::Debug + ?Sized,
    W: fmt::Debug + ?Sized,
{
    ensure!(
        found == wanted,
        "{what}: found {found:?}, expected {wanted:?}"
    );
    Ok(())
}
