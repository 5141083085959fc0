//! The checks and the tools that make them.

use anyhow::Context as _;

use super::{
    context::{Context, Target},
    install, lowering, mitmproxy, objects, peers, prism, real_documents, reports, schedulers,
    schemathesis, static_program, taps,
    toolchain::Toolchain,
};

/// A check by a tool.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) version: fn(&Toolchain) -> String,
    pub(super) about: &'static str,
    /// Returns a summary.
    pub(super) run: fn(&Context<'_>, &Target<'_>) -> anyhow::Result<String>,
}

/// Checks that run only by name, before a release.
pub(super) const FOR_RELEASES: [&str; 2] = ["static-program", "install"];

pub(super) const CHECKS: [Check; 20] = [
    Check {
        name: "static-program",
        version: |toolchain| toolchain.python_pin("mitmproxy", "mitmproxy"),
        about: "`lms tap` runs in a folder without any other program or library, and finds tenants by name",
        run: static_program::check,
    },
    Check {
        name: "install",
        version: |toolchain| toolchain.python_pin("maturin", "maturin"),
        about: "the folder of a release is complete, and `pip install` brings the first table within a minute",
        run: install::check,
    },
    Check {
        name: "schemathesis",
        version: |toolchain| toolchain.python_pin("schemathesis", "schemathesis"),
        about: "the sandbox conforms to the document for valid and invalid requests",
        run: schemathesis::check,
    },
    Check {
        name: "prism-proxy",
        version: |toolchain| toolchain.npm_pin("npm", "@stoplight/prism-cli"),
        about: "requests of the client and responses of the sandbox are valid",
        run: prism::proxy,
    },
    Check {
        name: "prism-mock",
        version: |toolchain| toolchain.npm_pin("npm", "@stoplight/prism-cli"),
        about: "the client decodes all valid responses",
        run: prism::mock,
    },
    Check {
        name: "peer-rust",
        version: |toolchain| toolchain.python_pin("peers", "openapi-generator-cli"),
        about: "openapi-generator's Rust client compiles and works",
        run: peers::rust,
    },
    Check {
        name: "peer-python",
        version: |toolchain| toolchain.python_pin("peers", "openapi-python-client"),
        about: "openapi-python-client's client works",
        run: peers::python,
    },
    Check {
        name: "peer-typescript",
        version: |toolchain| toolchain.npm_pin("npm", "openapi-typescript"),
        about: "openapi-typescript's types compile strictly, and openapi-fetch works",
        run: peers::typescript,
    },
    Check {
        name: "mitmproxy",
        version: |toolchain| toolchain.python_pin("mitmproxy", "mitmproxy"),
        about: "the client reads all items and reports its writes correctly over broken connections",
        run: mitmproxy::check,
    },
    Check {
        name: "singer",
        version: |toolchain| toolchain.python_pin("singer", "singer-tools"),
        about: "the messages of `lms tap singer` are valid",
        run: taps::singer,
    },
    Check {
        name: "airbyte",
        version: |toolchain| toolchain.python_pin("airbyte", "airbyte-cdk"),
        about: "`lms tap airbyte` passes the standard tests of a source, and PyAirbyte loads every row",
        run: taps::airbyte,
    },
    Check {
        name: "s3",
        version: |toolchain| {
            let pin = |package| toolchain.python_pin("objects", package);
            format!("{}, {}", pin("moto"), pin("duckdb"))
        },
        about: "DuckDB reads what `lms export` writes to an S3 server, also after the export was killed",
        run: objects::s3,
    },
    Check {
        name: "azure",
        version: |toolchain| {
            let azurite = toolchain.npm_pin("azurite", "azurite");
            format!("{azurite}, {}", toolchain.python_pin("objects", "duckdb"))
        },
        about: "the same with Azurite, a server for Azure's blobs",
        run: objects::azure,
    },
    Check {
        name: "meltano",
        version: |toolchain| toolchain.python_pin("meltano", "meltano"),
        about: "examples/meltano loads every row into files and PostgreSQL, also from a tenant that fails",
        run: taps::meltano,
    },
    Check {
        name: "dagster",
        version: |toolchain| toolchain.python_pin("dagster", "dagster"),
        about: "examples/dagster mirrors two tenants, and the check of one that fails does not pass",
        run: schedulers::dagster,
    },
    Check {
        name: "airflow",
        version: |toolchain| toolchain.python_pin("airflow", "apache-airflow"),
        about: "examples/airflow mirrors two tenants, and retries one that fails",
        run: schedulers::airflow,
    },
    Check {
        name: "kubernetes",
        version: |toolchain| toolchain.python_pin("kubernetes", "kubernetes-validate"),
        about: "the files of examples/kubernetes are valid, and their pods mirror two tenants",
        run: schedulers::kubernetes,
    },
    Check {
        name: "reports",
        version: |toolchain| {
            let pin = |package| toolchain.python_pin("reports", package);
            format!("{}, {}", pin("duckdb"), pin("ralph-malph"))
        },
        about: "DuckDB computes the same rows as `lms report`, and `ralph validate` accepts its statements",
        run: reports::check,
    },
    Check {
        name: "lowering",
        version: |toolchain| toolchain.npm_pin("npm", "@apiture/openapi-down-convert"),
        about: "documents of OpenAPI 3.1 have the same types as after openapi-down-convert",
        run: lowering::check,
    },
    Check {
        name: "documents",
        version: real_documents::version,
        about: "documents of other services are generated, and some compiled, or are refused as documented",
        run: real_documents::check,
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
