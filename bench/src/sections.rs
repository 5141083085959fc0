//! What is measured. A section is one question, asked of all that can answer it in one run.

use crate::{Bench, findings::Part};

/// One question.
pub(crate) struct Section {
    /// What it is called on the command line and in file names.
    pub(crate) name: &'static str,
    /// Its heading.
    pub(crate) title: &'static str,
    /// The question.
    pub(crate) about: &'static str,
    pub(crate) measure: fn(&Bench) -> anyhow::Result<Vec<Part>>,
}

/// In the order of the page.
pub(crate) const SECTIONS: &[Section] = &[];
