//! The tenant that the subjects call: a sandbox in this process, on threads of its own.

use anyhow::Context as _;
use lms_sandbox::{Sandbox, SandboxBuilder};
use tokio::runtime::Runtime;

use crate::subject::Subject;

/// A sandbox that runs for as long as this is kept.
#[derive(Debug)]
pub(crate) struct Tenant {
    sandbox: Sandbox,
    _runtime: Runtime,
}

impl Tenant {
    pub(crate) fn start(builder: SandboxBuilder) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let sandbox = runtime
            .block_on(builder.start())
            .context("the sandbox does not start")?;
        Ok(Self {
            sandbox,
            _runtime: runtime,
        })
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Tells a subject where the tenant is.
    pub(crate) fn tell(&self, subject: Subject) -> Subject {
        subject.told_of(
            self.sandbox.base_url(),
            self.sandbox.client_id(),
            self.sandbox.client_secret(),
        )
    }
}
