//! The state that all checks of a run share.

use std::path::Path;

use super::{
    document::Document,
    tenant::{Programs, Tenant},
    toolchain::Toolchain,
};

/// The state that all checks of a run share.
pub(super) struct Context<'a> {
    pub(super) toolchain: &'a Toolchain,
    pub(super) programs: &'a Programs,
    pub(super) document: Document,
}

impl Context<'_> {
    /// Starts a sandbox with the demo tenant.
    pub(super) fn sandbox(&self) -> anyhow::Result<Tenant> {
        self.programs.sandbox(self.toolchain)
    }

    /// The `lms` that is checked.
    pub(super) fn lms(&self) -> anyhow::Result<&Path> {
        self.programs.lms(self.toolchain)
    }
}
