//! The connection of a command: to the tenant of a profile, or to an embedded sandbox.

use lms_ext::{FileTokenCache, Lms, LmsBuilder};

use crate::{
    context::Context,
    failure::Failure,
    profile::{self, Connection},
};

/// A client, with the sandbox that it is for.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) lms: Lms,
    /// A client that makes few attempts, beside one that makes many.
    impatient: Option<Lms>,
    /// Runs until the session is dropped.
    #[cfg(feature = "sandbox")]
    _sandbox: Option<lms_sandbox::Sandbox>,
}

impl Session {
    /// Connects as the options, the environment and the profile say. Sends no request.
    pub(crate) async fn open(context: &Context) -> Result<Self, Failure> {
        if context.sandbox {
            return Self::sandbox().await;
        }
        Self::of(builder(&profile::connection(context)?))
    }

    /// Connects for a job, whose requests are retried for longer than most outages take. Sends no request.
    pub(crate) async fn of_job(context: &Context) -> Result<Self, Failure> {
        if context.sandbox {
            return Self::sandbox().await;
        }
        let connection = profile::connection(context)?;
        Ok(Self {
            impatient: Some(builder(&connection).build()?),
            ..Self::of(builder(&connection).job())?
        })
    }

    /// Checks the base URL and the credentials of a job, so that a mistake is not reported only after all retries.
    pub(crate) async fn check(&self, context: &Context) -> Result<(), Failure> {
        let Some(impatient) = &self.impatient else {
            return Ok(());
        };
        match impatient.me().await {
            Err(error) if error.is_retryable() => {
                context.note(&format!("{error:#}; trying again for a few minutes"));
                Ok(())
            }
            checked => checked.map(drop).map_err(Failure::from),
        }
    }

    /// Connects to a tenant.
    fn of(builder: LmsBuilder) -> Result<Self, Failure> {
        Ok(Self {
            lms: builder.build()?,
            impatient: None,
            #[cfg(feature = "sandbox")]
            _sandbox: None,
        })
    }

    #[cfg(feature = "sandbox")]
    async fn sandbox() -> Result<Self, Failure> {
        let started = lms_sandbox::Sandbox::builder().demo().start().await;
        let sandbox = started
            .map_err(|error| Failure::fault(format!("could not start the sandbox: {error}")))?;
        let lms = Lms::builder(sandbox.base_url())
            .client_credentials(sandbox.client_id(), sandbox.client_secret())
            .build()?;
        Ok(Self {
            lms,
            impatient: None,
            _sandbox: Some(sandbox),
        })
    }

    #[cfg(not(feature = "sandbox"))]
    #[expect(clippy::unused_async, reason = "the other version is async")]
    async fn sandbox() -> Result<Self, Failure> {
        Err(Failure::usage(
            "--sandbox: this program was built without the feature `sandbox`",
        ))
    }
}

fn builder(connection: &Connection) -> LmsBuilder {
    let builder = Lms::builder(&connection.base_url)
        .client_credentials(&connection.client_id, connection.secret.clone())
        .application(concat!("lms-cli/", env!("CARGO_PKG_VERSION")));
    match profile::token_file() {
        Some(file) => builder.token_cache(FileTokenCache::new(file)),
        None => builder,
    }
}
