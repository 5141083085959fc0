//! The connection of a command: to the tenant of a profile, or to an embedded sandbox.

use lms_ext::{FileTokenCache, Lms};

use crate::{
    context::Context,
    failure::Failure,
    profile::{self, Connection},
};

/// A client, with the sandbox that it is for.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) lms: Lms,
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
        Self::of(profile::connection(context)?)
    }

    /// Connects to a tenant.
    pub(crate) fn of(connection: Connection) -> Result<Self, Failure> {
        let mut builder = Lms::builder(connection.base_url)
            .client_credentials(connection.client_id, connection.secret)
            .application(concat!("lms-cli/", env!("CARGO_PKG_VERSION")));
        if let Some(file) = profile::token_file() {
            builder = builder.token_cache(FileTokenCache::new(file));
        }
        Ok(Self {
            lms: builder.build()?,
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
