//! The environment of a section.

use std::path::PathBuf;

/// The amount of measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As much as saved figures need.
    Full,
    /// As little as shows that the section runs.
    Smoke,
}

#[derive(Debug)]
pub(crate) struct Bench {
    /// The root of the workspace.
    pub(crate) root: PathBuf,
    pub(crate) effort: Effort,
    /// Learners of the tenant that loaders load, if the caller chose a number.
    pub(crate) learners: Option<u32>,
}

impl Bench {
    /// Returns `full` for a run that is saved, and `smoke` for one that is not.
    pub(crate) fn either<T>(&self, full: T, smoke: T) -> T {
        match self.effort {
            Effort::Full => full,
            Effort::Smoke => smoke,
        }
    }
}
