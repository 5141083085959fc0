//! `cargo xtask conform`: the document, the sandbox and the client, checked by tools that nobody here wrote.
//!
//! Our own tests share our own misunderstandings. These tools read the document in their own way and hold the other two
//! to it. docs/conformance.md says what each of them sees and what it does not. Each is installed by this program, in the
//! versions that tests/conform/ pins; none is ever skipped.

pub(crate) mod compared;
mod document;
mod mitmproxy;
mod mutants;
mod peers;
mod prism;
mod running;
mod schemathesis;
mod shop;
mod tenant;
mod workshop;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use document::Document;
use shop::Shop;
use tenant::Programs;
use workshop::Workshop;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Run this check alone; repeatable.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Say which checks there are, and run none.
    #[arg(long, conflicts_with = "only")]
    list: bool,
    /// Change document and sandbox in one place at a time, and see who notices; with TEXT, only the changes whose name
    /// holds it. Takes long.
    #[arg(long, value_name = "TEXT", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["only", "list"])]
    mutants: Option<String>,
    /// The root of the workspace; by default the one this program was built in.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/.."), hide_default_value = true)]
    root: PathBuf,
}

/// A tool and what it is used for.
struct Check {
    name: &'static str,
    version: fn(&Workshop) -> String,
    about: &'static str,
    run: fn(&Shop<'_>) -> anyhow::Result<String>,
}

const CHECKS: [Check; 7] = [
    Check {
        name: "schemathesis",
        version: |workshop| workshop.python_pin("schemathesis", "schemathesis"),
        about: "the sandbox keeps to the document, whatever it is sent",
        run: schemathesis::check,
    },
    Check {
        name: "prism-proxy",
        version: |workshop| workshop.npm_pin("@stoplight/prism-cli"),
        about: "no request and no answer between client and sandbox breaks the document",
        run: prism::proxy,
    },
    Check {
        name: "prism-mock",
        version: |workshop| workshop.npm_pin("@stoplight/prism-cli"),
        about: "the client decodes whatever the document allows",
        run: prism::mock,
    },
    Check {
        name: "peer-rust",
        version: |workshop| workshop.python_pin("peers", "openapi-generator-cli"),
        about: "openapi-generator's Rust client builds from the document and works",
        run: peers::rust,
    },
    Check {
        name: "peer-python",
        version: |workshop| workshop.python_pin("peers", "openapi-python-client"),
        about: "openapi-python-client's client builds from the document and works",
        run: peers::python,
    },
    Check {
        name: "peer-typescript",
        version: |workshop| workshop.npm_pin("openapi-typescript"),
        about: "openapi-typescript's types fit strictly, and openapi-fetch works",
        run: peers::typescript,
    },
    Check {
        name: "mitmproxy",
        version: |workshop| workshop.python_pin("mitmproxy", "mitmproxy"),
        about: "the client gets right rows, and reports its writes truly, over a broken connection",
        run: mitmproxy::check,
    },
];

/// How a check ended.
struct Outcome {
    check: &'static Check,
    result: anyhow::Result<String>,
    took: Duration,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.list {
        for check in &CHECKS {
            println!("{:16}{}", check.name, check.about);
        }
        return Ok(());
    }
    let chosen = choose(&arguments.only)?;
    let workshop = Workshop::open(&arguments.root)?;
    let _alone = workshop.alone()?;
    let started = Instant::now();
    let programs = Programs::build(&workshop)?;
    println!("built in {:.0} s", started.elapsed().as_secs_f64());
    let shop = Shop {
        document: Document::read(&workshop.root)?,
        workshop: &workshop,
        programs: &programs,
    };
    if let Some(text) = &arguments.mutants {
        return mutants::run(&shop, text);
    }
    let outcomes: Vec<_> = chosen
        .into_iter()
        .map(|check| carry_out(check, &shop))
        .collect();
    report(&workshop, &outcomes);
    let failed = outcomes
        .iter()
        .filter(|outcome| outcome.result.is_err())
        .count();
    if failed > 0 {
        bail!("{failed} of {} checks failed", outcomes.len());
    }
    println!("all green in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn choose(names: &[String]) -> anyhow::Result<Vec<&'static Check>> {
    if names.is_empty() {
        return Ok(CHECKS.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            CHECKS
                .iter()
                .find(|check| check.name == name)
                .with_context(|| {
                    format!("there is no check {name:?}; --list shows those there are")
                })
        })
        .collect()
}

fn carry_out(check: &'static Check, shop: &Shop<'_>) -> Outcome {
    println!("--- {}: {}", check.name, check.about);
    let started = Instant::now();
    let result = (check.run)(shop);
    match &result {
        Ok(found) => println!("    {found}"),
        Err(error) => println!("    FAILED: {error:#}"),
    }
    Outcome {
        check,
        result,
        took: started.elapsed(),
    }
}

fn report(workshop: &Workshop, outcomes: &[Outcome]) {
    println!();
    println!(
        "{:<16}{:<24}{:<8}{:>8}  what was checked",
        "check", "version", "result", "seconds"
    );
    for Outcome {
        check,
        result,
        took,
    } in outcomes
    {
        println!(
            "{:<16}{:<24}{:<8}{:>8.1}  {}",
            check.name,
            (check.version)(workshop),
            if result.is_ok() { "ok" } else { "FAILED" },
            took.as_secs_f64(),
            check.about,
        );
    }
    println!();
}
