//! What is measured. A section is one question, asked of all that can answer it in one run.

mod collections;
mod decoding;
mod dependents;
mod faults;
mod latency;
mod layers;
mod maintainer;
mod sandbox;

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
pub(crate) const SECTIONS: &[Section] = &[
    Section {
        name: "layers",
        title: "The layers",
        about: "do the layers cost anything: one call through each of them, by hand, and through generated clients",
        measure: layers::measure,
    },
    Section {
        name: "decoding",
        title: "Reading a page",
        about: "what it costs to read a page of learners into this or that",
        measure: decoding::measure,
    },
    Section {
        name: "collections",
        title: "Walking over everything",
        about: "does a walk over a whole collection stay as small as it begins, and what does it cost",
        measure: collections::measure,
    },
    Section {
        name: "latency",
        title: "Where every request takes its time",
        about: "how long does it take to read a whole collection of a tenant that is far away",
        measure: latency::measure,
    },
    Section {
        name: "faults",
        title: "At a tenant that fails",
        about: "what does a job of many calls come to where requests fail or are too many",
        measure: faults::measure,
    },
    Section {
        name: "dependents",
        title: "Depending on it",
        about: "what it costs to build and to carry around a program that depends on the crates",
        measure: dependents::measure,
    },
    Section {
        name: "maintainer",
        title: "Maintaining it",
        about: "how long it takes from a change of the document to code that compiles",
        measure: maintainer::measure,
    },
    Section {
        name: "sandbox",
        title: "The sandbox",
        about: "how many requests the sandbox answers on one core, and whether that depends on the size of the tenant",
        measure: sandbox::measure,
    },
];
