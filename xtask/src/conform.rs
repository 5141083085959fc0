//! `cargo xtask conform`: checks the document, the sandbox and the client with independent tools.
//!
//! Our own tests share our assumptions; these tools do not. docs/conformance.md says what each of them covers. They
//! are installed in the versions that tests/conform/ pins, and never skipped.

mod concurrently;
mod context;
mod document;
mod mitmproxy;
mod mutants;
mod objects;
pub(crate) mod peer_clients;
mod peers;
mod prism;
mod real_documents;
mod running;
mod schemathesis;
mod static_program;
mod taps;
mod tenant;
mod toolchain;

use std::{
    path::PathBuf,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use concurrently::concurrently;
use context::{Context, Target};
use document::Document;
use tenant::Programs;
use toolchain::Toolchain;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Run only this check. Can be repeated.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// List the checks and exit.
    #[arg(long, conflicts_with = "only")]
    list: bool,
    /// Test the checks: change the document or the sandbox in one place at a time; each change must fail a check. With
    /// TEXT, make only the changes with TEXT in their names. Takes over an hour.
    #[arg(long, value_name = "TEXT", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["only", "list"])]
    mutants: Option<String>,
    /// Root of the workspace; by default the one that cargo runs xtask in.
    #[arg(long, default_value_os_t = crate::root(), hide_default_value = true)]
    root: PathBuf,
}

/// A check by a tool.
struct Check {
    name: &'static str,
    version: fn(&Toolchain) -> String,
    about: &'static str,
    /// Returns a summary.
    run: fn(&Context<'_>, &Target<'_>) -> anyhow::Result<String>,
}

const CHECKS: [Check; 15] = [
    // First, so that `lms` is built while other checks, which do not need it, wait for their tools.
    Check {
        name: "static-program",
        version: |toolchain| toolchain.python_pin("mitmproxy", "mitmproxy"),
        about: "`lms tap` runs in a folder without any other program or library, and finds tenants by name",
        run: static_program::check,
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
        about: "examples/dagster loads two tenants, and continues the one that fails",
        run: taps::dagster,
    },
    Check {
        name: "documents",
        version: real_documents::version,
        about: "documents of other services are generated and compile, or are refused as documented",
        run: real_documents::check,
    },
];

/// The result of a check.
struct Outcome {
    check: &'static Check,
    result: anyhow::Result<String>,
    duration: Duration,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.list {
        for check in &CHECKS {
            println!("{:16}{}", check.name, check.about);
        }
        return Ok(());
    }
    let checks = select(&arguments.only)?;
    let toolchain = Toolchain::open(&arguments.root)?;
    let _lock = toolchain.lock()?;
    let started = Instant::now();
    let programs = Programs::build(&toolchain)?;
    println!("built in {:.0} s", started.elapsed().as_secs_f64());
    let context = Context {
        document: Document::read(&toolchain.root)?,
        toolchain: &toolchain,
        programs: &programs,
    };
    if let Some(text) = &arguments.mutants {
        return mutants::run(&context, text);
    }
    // One more than cores, because some checks wait most of the time.
    let workers = available_parallelism().map_or(2, usize::from) + 1;
    let outcomes = concurrently(&checks, workers, |check| run_check(check, &context));
    report(&toolchain, &outcomes);
    let failed = outcomes
        .iter()
        .filter(|outcome| outcome.result.is_err())
        .count();
    if failed > 0 {
        bail!("{failed} of {} checks failed", outcomes.len());
    }
    println!("all passed in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// The check of this name.
fn find(name: &str) -> anyhow::Result<&'static Check> {
    CHECKS
        .iter()
        .find(|check| check.name == name)
        .with_context(|| format!("no check {name:?}; --list prints all"))
}

fn select(names: &[String]) -> anyhow::Result<Vec<&'static Check>> {
    if names.is_empty() {
        return Ok(CHECKS.iter().collect());
    }
    names.iter().map(|name| find(name)).collect()
}

fn run_check(check: &'static Check, context: &Context<'_>) -> Outcome {
    let started = Instant::now();
    let result = context
        .sandbox()
        .and_then(|tenant| (check.run)(context, &Target::direct(&tenant)));
    let summary = match &result {
        Ok(summary) => summary.clone(),
        Err(error) => format!("FAILED: {error:#}"),
    };
    // In one call, because other checks print at the same time.
    println!("--- {}: {}\n    {summary}", check.name, check.about);
    Outcome {
        check,
        result,
        duration: started.elapsed(),
    }
}

fn report(toolchain: &Toolchain, outcomes: &[Outcome]) {
    println!(
        "\n{:<16}{:<24}{:<8}{:>8}  what was checked",
        "check", "version", "result", "seconds"
    );
    for outcome in outcomes {
        println!(
            "{:<16}{:<24}{:<8}{:>8.1}  {}",
            outcome.check.name,
            (outcome.check.version)(toolchain),
            if outcome.result.is_ok() {
                "ok"
            } else {
                "FAILED"
            },
            outcome.duration.as_secs_f64(),
            outcome.check.about,
        );
    }
    println!();
}
