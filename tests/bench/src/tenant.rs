//! A sandbox in this process, on its own threads.

use anyhow::Context as _;
use lms_sandbox::{Sandbox, SandboxBuilder};
use tokio::runtime::Runtime;

use crate::subject::Subject;

/// A running sandbox, which ends when this is dropped.
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
            .context("cannot start the sandbox")?;
        Ok(Self {
            sandbox,
            _runtime: runtime,
        })
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Passes the address and the credentials to a subject.
    pub(crate) fn tell(&self, subject: Subject) -> Subject {
        subject.with_tenant(
            self.sandbox.base_url(),
            self.sandbox.client_id(),
            self.sandbox.client_secret(),
        )
    }
}
