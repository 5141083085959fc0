//! The measurements, one section for each subject.

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
    pub(crate) subject: &'static str,
    pub(crate) measure: fn(&Bench) -> anyhow::Result<Vec<Part>>,
    /// Measured only with `--only`, because it needs more than this workspace.
    pub(crate) on_request: bool,
}

const fn section(
    name: &'static str,
    title: &'static str,
    subject: &'static str,
    measure: fn(&Bench) -> anyhow::Result<Vec<Part>>,
) -> Section {
    Section {
        name,
        title,
        subject,
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
    section("layers", "Cost of a call", "Time, CPU time and instructions that each layer adds to a call, compared with hand-written reqwest code.", layers::measure),
    section("collections", "Reading a complete collection", "Memory and time of reading tenants of 10,000 to 1,000,000 learners.", collections::measure),
    section("latency", "Network latency", "Time to read a complete collection when every request takes 5, 50 or 200 ms.", latency::measure),
    section("faults", "Failing requests", "Results of a job of many calls when requests fail or are throttled.", faults::measure),
    section("throttling", "Unknown limits", "Time and refused requests of clients that do not know the rate limit.", throttling::measure),
    section("dependents", "Building a dependent", "Build time and size of programs that depend on the crates.", dependents::measure),
    section("sync", "Exporting a collection", "Time and memory of exports into files and databases, compared with only reading the collection.", sync::measure),
    section("views", "Views and reports of a mirror", "Time of the views and reports of a mirror, compared with reading the rows that they are made of.", views::measure),
    section("loaders", "Other loaders", "Time to load a tenant with `lms`, dlt and Airbyte's declarative CDK.", loaders::speed).on_request(),
    section("loader-faults", "Other loaders and a faulty tenant", "Detection of missing rows by `lms`, dlt, Airbyte's declarative CDK and faucet-cli.", loaders::faults).on_request(),
];
