//! The input of a check.

use std::path::Path;

use super::{
    document::Document,
    tenant::{Programs, Tenant},
    toolchain::Toolchain,
};

/// The state that all checks of a run share.
pub(crate) struct Context<'a> {
    pub(crate) toolchain: &'a Toolchain,
    pub(crate) programs: &'a Programs,
    /// The document as it is checked in, or a mutant of it.
    pub(crate) document: Document,
}

impl Context<'_> {
    /// Starts a sandbox with the demo tenant.
    pub(crate) fn sandbox(&self) -> anyhow::Result<Tenant> {
        self.programs.sandbox(self.toolchain)
    }

    /// The `lms` that is checked.
    pub(crate) fn lms(&self) -> anyhow::Result<&Path> {
        self.programs.lms(self.toolchain)
    }
}

/// The tenant that is checked.
pub(crate) struct Target<'a> {
    /// Base URL of the tenant, or of a proxy that changes its responses.
    pub(crate) url: &'a str,
    /// Base URL of the tenant itself.
    pub(crate) direct_url: &'a str,
    /// Base URL of the control API of the sandbox.
    pub(crate) control_url: &'a str,
}

impl<'a> Target<'a> {
    pub(crate) fn direct(tenant: &'a Tenant) -> Self {
        Self {
            url: &tenant.url,
            direct_url: &tenant.url,
            control_url: &tenant.control_url,
        }
    }
}
