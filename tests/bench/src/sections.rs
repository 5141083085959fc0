//! The measurements: each section answers one question.

mod collections;
mod dependents;
mod faults;
mod latency;
mod layers;
mod loaders;
mod sync;
mod throttling;
mod views;

use crate::{bench::Bench, findings::Part};

pub(crate) struct Section {
    /// Its name on the command line and in file names.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) question: &'static str,
    pub(crate) measure: fn(&Bench) -> anyhow::Result<Vec<Part>>,
    /// Measured only with `--only`, because it needs more than this workspace.
    pub(crate) on_request: bool,
}

const fn section(
    name: &'static str,
    title: &'static str,
    question: &'static str,
    measure: fn(&Bench) -> anyhow::Result<Vec<Part>>,
) -> Section {
    Section {
        name,
        title,
        question,
        measure,
        on_request: false,
    }
}

impl Section {
    const fn on_request(mut self) -> Self {
        self.on_request = true;
        self
    }
}

/// All sections, in the order of the report.
#[rustfmt::skip]
pub(crate) const SECTIONS: &[Section] = &[
    section("layers", "Cost of a call", "What does each layer add to a call, compared with hand-written reqwest code?", layers::measure),
    section("collections", "Reading a complete collection", "Does memory grow with the collection, and what does reading it cost?", collections::measure),
    section("latency", "Network latency", "How long does it take to read a complete collection when every request takes 5, 50 or 200 ms?", latency::measure),
    section("faults", "Failing requests", "How does a job of many calls end when requests fail or are throttled?", faults::measure),
    section("throttling", "Unknown limits", "How close do clients get to a rate limit that they do not know?", throttling::measure),
    section("dependents", "Building a dependent", "What do the crates add to the build time and size of a program?", dependents::measure),
    section("sync", "Exporting a collection", "What does an export into files or a database cost, compared with only reading the collection?", sync::measure),
    section("views", "Views of a mirror", "How long do the views of a mirror take, compared with reading the rows that they are made of?", views::measure),
    section("loaders", "Other loaders", "How long does it take to load a tenant with `lms`, dlt and Airbyte's declarative CDK?", loaders::speed).on_request(),
    section("loader-faults", "Other loaders and a faulty tenant", "Do loaders notice that rows are missing?", loaders::faults).on_request(),
];
