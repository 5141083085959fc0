//! The parts of the report.

use crate::{arguments::Bench, dependents, exports, layers};

/// A part of the report.
pub(crate) struct Section {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) subject: &'static str,
    /// Returns paragraphs and tables of Markdown.
    pub(crate) measure: fn(&Bench) -> anyhow::Result<Vec<String>>,
}

/// All sections, in the order of the report.
#[rustfmt::skip]
pub(crate) const SECTIONS: [Section; 3] = [
    Section { name: "layers", title: "Layers and latency", subject: "What each layer adds to a call, compared with hand-written reqwest code, and the time to read a collection from a slow tenant.", measure: layers::measure },
    Section { name: "exports", title: "Exports and loaders", subject: "Time and memory of loading a tenant with `lms`, dlt and Airbyte's declarative CDK.", measure: exports::measure },
    Section { name: "dependents", title: "Building a dependent", subject: "Build time and size of programs that depend on the crates.", measure: dependents::measure },
];
