//! Prism: validates requests and responses as a proxy, and replaces the sandbox as a mock.
//!
//! The proxy reports requests and responses that violate the document. The mock returns the document's examples and
//! random responses, and our client must decode all of them.

use std::{net::TcpStream, time::Duration};

use anyhow::bail;

use super::{
    context::{Context, Target},
    running::{Program, Running},
    toolchain::free_port,
};

const SESSION: Duration = Duration::from_secs(120);

/// Maximum number of violations in an error.
const SHOWN: usize = 10;

/// Seeds of random responses, which vary optional fields, array lengths and texts.
const SEEDS: [&str; 5] = ["1", "2", "3", "4", "5"];

/// A session of our client through Prism to the tenant.
pub(crate) fn proxy(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let prism = Prism::start(context, "proxy", &[target.url, "--errors"])?;
    let session = context
        .programs
        .session(context.toolchain, "story", &prism.url)
        .run(SESSION);
    // Checked first: violations explain a failed session.
    let requests = prism.without_violations()?;
    Ok(format!(
        "{}; {requests} requests and their responses are valid",
        session?.trim()
    ))
}

/// Sessions of our client with Prism in place of the tenant.
pub(crate) fn mock(context: &Context<'_>, _: &Target<'_>) -> anyhow::Result<String> {
    decode(context, &["--errors"])?;
    for seed in SEEDS {
        let random = [
            "--errors",
            "--dynamic",
            "--seed",
            seed,
            "--json-schema-faker-fillProperties=false",
        ];
        decode(context, &random)?;
    }
    Ok(format!(
        "all operations decode the document's examples and {} rounds of random responses",
        SEEDS.len()
    ))
}

fn decode(context: &Context<'_>, arguments: &[&str]) -> anyhow::Result<()> {
    let prism = Prism::start(context, "mock", arguments)?;
    let session = context
        .programs
        .session(context.toolchain, "decode", &prism.url)
        .run(SESSION);
    prism.without_violations()?;
    session.map(drop)
}

struct Prism {
    url: String,
    server: Running,
}

impl Prism {
    fn start(context: &Context<'_>, mode: &str, arguments: &[&str]) -> anyhow::Result<Self> {
        let packages = context.toolchain.npm("npm")?;
        let port = free_port()?;
        let url = format!("http://127.0.0.1:{port}");
        let document = context.toolchain.file(&format!("prism-{mode}.json"));
        context.document.for_tools(&url).save(&document)?;
        let mut server = Program::new("node", context.toolchain.log(&format!("prism-{mode}")))
            .arg(packages.join("node_modules/@stoplight/prism-cli/dist/index.js"))
            .arg(mode)
            .arg(document)
            .args(arguments)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .env("NO_COLOR", "1")
            // In production mode it would serve from a child process.
            .env("NODE_ENV", "development")
            .start()?;
        server.wait_until(Duration::from_secs(60), |_| {
            TcpStream::connect(("127.0.0.1", port)).ok()
        })?;
        Ok(Self { url, server })
    }

    /// The number of requests, or an error that lists violations.
    ///
    /// Prism only warns of a status that is not in the document, so warnings count as violations. Its copy of the
    /// document declares the error statuses of the sandbox.
    fn without_violations(&self) -> anyhow::Result<usize> {
        let output = self.server.output()?;
        let violations: Vec<_> = output
            .lines()
            // The mock reports responses without content, which deletes have.
            .filter(|line| !line.contains("Unable to find content"))
            .filter(|line| {
                ["error ", "warning ", "warn ", "iolation"]
                    .iter()
                    .any(|mark| line.contains(mark))
            })
            .collect();
        if !violations.is_empty() {
            bail!(
                "Prism found {} violations\n  {}\n  (full output in {})",
                violations.len(),
                violations[..violations.len().min(SHOWN)].join("\n  "),
                self.server.log().display()
            );
        }
        Ok(output.matches("Request received").count())
    }
}
