//! The checks and the tools that make them.

use anyhow::Context as _;

use super::{
    Context, dbt, install, objects, peers, prism, reports, schemathesis, static_program, taps,
    tenant::Tenant,
};

/// A check by a tool.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Returns a summary.
    pub(super) run: fn(&Context<'_>, &Tenant) -> anyhow::Result<String>,
}

/// Checks that run only by name, before a release.
pub(super) const FOR_RELEASES: [&str; 2] = ["static-program", "install"];

pub(super) const CHECKS: [Check; 11] = [
    Check {
        name: "static-program",
        about: "`lms tap` runs in a folder without any other program or library, and finds tenants by name",
        run: static_program::check,
    },
    Check {
        name: "install",
        about: "the folder of a release is complete, and `pip install` brings the first table within a minute",
        run: install::check,
    },
    Check {
        name: "schemathesis",
        about: "the sandbox conforms to the document for valid and invalid requests",
        run: schemathesis::check,
    },
    Check {
        name: "prism-proxy",
        about: "requests of the client and responses of the sandbox are valid",
        run: prism::check,
    },
    Check {
        name: "peer-typescript",
        about: "openapi-typescript's types compile strictly, and openapi-fetch works",
        run: peers::check,
    },
    Check {
        name: "airbyte",
        about: "`lms tap airbyte` passes the standard tests of a source, and PyAirbyte loads every row",
        run: taps::airbyte,
    },
    Check {
        name: "s3",
        about: "DuckDB reads what `lms export` writes to an S3 server, also after the export was killed",
        run: objects::check,
    },
    Check {
        name: "meltano",
        about: "examples/meltano loads every row into files and PostgreSQL, also from a tenant that fails",
        run: taps::meltano,
    },
    Check {
        name: "reports",
        about: "DuckDB computes the same rows as `lms report`, and axe finds nothing in its page",
        run: reports::check,
    },
    Check {
        name: "plans",
        about: "a plan of `lms import` has its published schema, and frictionless reads the rows that failed",
        run: reports::plans,
    },
    Check {
        name: "dbt",
        about: "the models and tests of examples/dbt pass on a mirror, also after five learners are deleted",
        run: dbt::check,
    },
];

impl Check {
    /// The check of this name.
    pub(super) fn named(name: &str) -> anyhow::Result<&'static Check> {
        CHECKS
            .iter()
            .find(|check| check.name == name)
            .with_context(|| format!("no check {name:?}; --list prints all"))
    }
}
