//! The connection of a command: to the tenant of a profile, or to an embedded sandbox.

use std::path::PathBuf;

use lms_ext::Lms;
use lms_sync::tenant_id;

use crate::{
    console,
    context::Context,
    failure::Failure,
    limits::{Limits, Patience},
    profile::{self, Connection, Sources},
    wording,
};

/// A client, with the sandbox that it is for.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) lms: Lms,
    /// A client that makes few attempts, in addition to one that makes many.
    impatient: Option<Lms>,
    /// The name of the profile that the connection is from.
    pub(crate) profile: Option<String>,
    /// The zone of times that have none, as the profile says.
    pub(crate) time_zone: Option<String>,
    pub(crate) limits: Limits,
    /// The place that each value is from; `None` for the sandbox.
    pub(crate) sources: Option<Sources>,
    /// Runs until the session is dropped.
    #[cfg(feature = "sandbox")]
    _sandbox: Option<lms_sandbox::Sandbox>,
}

impl Session {
    /// Connects as the options, the environment and the profile say. Sends no request.
    pub(crate) async fn open(context: &Context) -> Result<Self, Failure> {
        Self::by(context, Patience::Interactive, profile::token_file()).await
    }

    /// Connects to check the credentials: with a token that is requested now, not with one of an earlier run.
    pub(crate) async fn with_new_token(context: &Context) -> Result<Self, Failure> {
        Self::by(context, Patience::Interactive, None).await
    }

    /// Connects for a job, whose requests are retried for longer than most outages take. Sends no request.
    pub(crate) async fn of_job(context: &Context) -> Result<Self, Failure> {
        Self::by(context, Patience::Job, profile::token_file()).await
    }

    async fn by(
        context: &Context,
        patience: Patience,
        tokens: Option<PathBuf>,
    ) -> Result<Self, Failure> {
        #[cfg(not(feature = "sandbox"))]
        if context.sandbox {
            return Err(Failure::usage(
                "--sandbox: this program was built without the feature `sandbox`",
            ));
        }
        #[cfg(feature = "sandbox")]
        if context.sandbox {
            return Self::sandbox(context).await;
        }
        let connection = connection(context).await?;
        let client = |patience| {
            let mut builder = Lms::builder(&connection.base_url)
                .client_credentials(&connection.client_id, connection.secret.clone())
                .application(concat!("lms-cli/", env!("CARGO_PKG_VERSION")));
            if let Some(file) = &tokens {
                builder = builder.token_file(file);
            }
            if patience == Patience::Job {
                builder = builder.job();
            }
            connection.limits.apply(builder, patience).build()
        };
        let impatient = (patience == Patience::Job).then(|| client(Patience::Interactive));
        Ok(Self {
            lms: client(patience)?,
            impatient: impatient.transpose()?,
            profile: connection.profile,
            time_zone: connection.time_zone,
            limits: connection.limits,
            sources: Some(connection.sources),
            #[cfg(feature = "sandbox")]
            _sandbox: None,
        })
    }

    /// Checks the base URL and the credentials of a job. What cannot be reached, and credentials that are not valid, fail within
    /// seconds. A service that responds but is not available is tried for several minutes, here and not once for each list.
    pub(crate) async fn check(&self) -> Result<(), Failure> {
        let Some(impatient) = &self.impatient else {
            return Ok(());
        };
        match tenant_id(impatient).await {
            Err(error) if error.is_retryable() && error.status().is_some() => {
                let message = wording::of_call(&error);
                console::line(&format!("{message}; trying again for several minutes"));
                tenant_id(&self.lms).await?;
            }
            checked => drop(checked?),
        }
        Ok(())
    }

    #[cfg(feature = "sandbox")]
    async fn sandbox(context: &Context) -> Result<Self, Failure> {
        let started = lms_sandbox::Sandbox::builder().demo().start().await;
        let sandbox = started
            .map_err(|error| Failure::fault(format!("could not start the sandbox: {error}")))?;
        let builder = Lms::builder(sandbox.base_url())
            .client_credentials(sandbox.client_id(), sandbox.client_secret());
        let limits = context.limits;
        Ok(Self {
            lms: limits.apply(builder, Patience::Interactive).build()?,
            impatient: None,
            profile: None,
            time_zone: None,
            limits,
            sources: None,
            _sandbox: Some(sandbox),
        })
    }
}

/// The values of the options, the environment and the profile. A command that prints the secret of one tenant must not
/// delay the others, and one tenant is not read on another thread, which Ctrl-C would wait for.
async fn connection(context: &Context) -> Result<Connection, Failure> {
    if context.tenant.is_none() {
        return profile::connection(context);
    }
    let context = context.clone();
    let read = tokio::task::spawn_blocking(move || profile::connection(&context)).await;
    read.unwrap_or_else(|error| {
        Err(Failure::fault(format!(
            "could not read the profile: {error}"
        )))
    })
}
