//! Prism: between the client and the sandbox, and in the sandbox's place.
//!
//! As a proxy it lets nothing pass that breaks the document, either way. As a mock it answers with what the document
//! allows, from its examples or made up, and everything must decode.

use std::{net::TcpStream, time::Duration};

use anyhow::bail;

use super::{
    running::{Program, Running},
    shop::Shop,
    workshop::free_port,
};

const SESSION: Duration = Duration::from_secs(120);

/// How many violations are shown.
const SHOWN: usize = 10;

/// Seeds of the made-up answers. Each gives other optional fields, array lengths and texts.
const SEEDS: [&str; 5] = ["1", "2", "3", "4", "5"];

pub(crate) fn proxy(shop: &Shop<'_>) -> anyhow::Result<String> {
    let sandbox = shop.programs.sandbox(shop.workshop)?;
    between(shop, &sandbox.address)
}

/// Tells the whole story through Prism to the tenant at `address`.
pub(crate) fn between(shop: &Shop<'_>, address: &str) -> anyhow::Result<String> {
    let prism = Prism::start(shop, "proxy", &[address, "--errors"])?;
    let said = shop
        .programs
        .session(shop.workshop, "story", &prism.address)
        .run(SESSION);
    // Its log comes first: it says what broke the document, where the session can only say that it was stopped.
    let requests = prism.without_violations()?;
    Ok(format!(
        "{}; {requests} requests and answers fit the document",
        said?.trim()
    ))
}

pub(crate) fn mock(shop: &Shop<'_>) -> anyhow::Result<String> {
    decode(shop, &["--errors"])?;
    for seed in SEEDS {
        let made_up = [
            "--errors",
            "--dynamic",
            "--seed",
            seed,
            "--json-schema-faker-fillProperties=false",
        ];
        decode(shop, &made_up)?;
    }
    Ok(format!(
        "every operation decodes: the document's examples, and {} rounds of made-up answers",
        SEEDS.len()
    ))
}

fn decode(shop: &Shop<'_>, arguments: &[&str]) -> anyhow::Result<()> {
    let prism = Prism::start(shop, "mock", arguments)?;
    let said = shop
        .programs
        .session(shop.workshop, "decode", &prism.address)
        .run(SESSION);
    prism.without_violations()?;
    said.map(drop)
}

struct Prism {
    address: String,
    server: Running,
}

impl Prism {
    fn start(shop: &Shop<'_>, mode: &str, arguments: &[&str]) -> anyhow::Result<Self> {
        let packages = shop.workshop.npm()?;
        let port = free_port()?;
        let address = format!("http://127.0.0.1:{port}");
        let document = shop.workshop.file("prism.json");
        shop.document.for_checkers(&address).save(&document)?;
        let mut server = Program::new("node", shop.workshop.log(&format!("prism-{mode}")))
            .arg(packages.join("node_modules/@stoplight/prism-cli/dist/index.js"))
            .arg(mode)
            .arg(document)
            .args(arguments)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .env("NO_COLOR", "1")
            // In production it would serve from another process than the one that was started.
            .env("NODE_ENV", "development")
            .start()?;
        server.wait_until(Duration::from_secs(60), |_| {
            TcpStream::connect(("127.0.0.1", port)).ok()
        })?;
        Ok(Self { address, server })
    }

    /// How many requests it let pass, when it found fault with none.
    ///
    /// A status that the document does not have is a mere warning to it, and the answer passes; so every warning is a
    /// violation here. The statuses that the sandbox refuses with are in the copy that it reads.
    fn without_violations(&self) -> anyhow::Result<usize> {
        let output = self.server.output()?;
        let violations: Vec<_> = output
            .lines()
            // An answer without content is what a delete gives; the mock alone says so.
            .filter(|line| !line.contains("Unable to find content"))
            .filter(|line| {
                ["error ", "warning ", "warn ", "iolation"]
                    .iter()
                    .any(|mark| line.contains(mark))
            })
            .collect();
        if !violations.is_empty() {
            bail!(
                "Prism found {} violations\n  {}\n  (all of it is in {})",
                violations.len(),
                violations[..violations.len().min(SHOWN)].join("\n  "),
                self.server.log().display()
            );
        }
        Ok(output.matches("Request received").count())
    }
}
