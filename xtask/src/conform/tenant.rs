//! The sandbox that is checked, and the session program that talks to it.

use std::{path::PathBuf, time::Duration};

use anyhow::Context as _;
use serde_json::Value;

use super::{
    running::{Program, Running},
    workshop::Workshop,
};

/// A number, because one part of the service description types client ids so (§2).
pub(crate) const CLIENT_ID: &str = "424242";
pub(crate) const CLIENT_SECRET: &str = "conform-secret";

/// The programs of this workspace that take part.
pub(crate) struct Programs {
    sandbox: PathBuf,
    session: PathBuf,
}

impl Programs {
    pub(crate) fn build(workshop: &Workshop) -> anyhow::Result<Self> {
        Ok(Self {
            sandbox: workshop.build("lms-sandbox")?,
            session: workshop.build("lms-conform-session")?,
        })
    }

    /// A sandbox with the demo tenant, on a port of its own.
    ///
    /// Its `expires_in` is a string, as the schema of the service has it. By default it is a number, as in the service's
    /// tutorial (§5): the two contradict each other, and the checkers know only the schema.
    pub(crate) fn sandbox(&self, workshop: &Workshop) -> anyhow::Result<Tenant> {
        let mut server = Program::new(&self.sandbox, workshop.log("sandbox"))
            .args(["serve", "--listen", "127.0.0.1:0", "--demo"])
            .args(["--quirk", "expires-in-string", "--token-lifetime", "1h"])
            .args(["--client-id", CLIENT_ID, "--client-secret", CLIENT_SECRET])
            .start()?;
        let address = server.wait_until(Duration::from_secs(30), |output| {
            let line = output
                .lines()
                .find(|line| line.starts_with("listening on "))?;
            Some(line.strip_prefix("listening on ")?.to_owned())
        })?;
        Ok(Tenant {
            address,
            _server: server,
        })
    }

    /// A session with the tenant at `address`.
    pub(crate) fn session(&self, workshop: &Workshop, name: &str, address: &str) -> Program {
        credentials(
            Program::new(&self.session, workshop.log(&format!("session-{name}"))),
            address,
        )
        .arg(name)
    }

    /// Ids that the tenant has.
    pub(crate) fn ids(&self, workshop: &Workshop, address: &str) -> anyhow::Result<Value> {
        let output = self
            .session(workshop, "ids", address)
            .run(Duration::from_secs(60))?;
        serde_json::from_str(&output).context("the session program did not print ids")
    }
}

/// Tells a session program where the tenant is and how it knows us.
pub(crate) fn credentials(program: Program, address: &str) -> Program {
    program
        .env("LMS_BASE_URL", address)
        .env("LMS_CLIENT_ID", CLIENT_ID)
        .env("LMS_CLIENT_SECRET", CLIENT_SECRET)
}

/// A running sandbox; it ends when this is dropped.
pub(crate) struct Tenant {
    pub(crate) address: String,
    _server: Running,
}
