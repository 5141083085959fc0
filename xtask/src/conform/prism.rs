//! Prism: validates requests and responses between our client and the sandbox, as a proxy.

use std::{net::TcpStream, time::Duration};

use anyhow::bail;

use super::{Context, running::Program, tenant::Tenant, toolchain::free_port};

const START: Duration = Duration::from_secs(60);
const SESSION: Duration = Duration::from_secs(120);

/// Maximum number of violations in an error.
const SHOWN: usize = 10;

pub(crate) fn check(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let packages = toolchain.npm("npm")?;
    let port = free_port()?;
    let url = format!("http://127.0.0.1:{port}");
    let document = toolchain.file("prism.json");
    context.document.for_tools(&url).save(&document)?;
    let mut server = Program::new("node", toolchain.log("prism"))
        .arg(packages.join("node_modules/@stoplight/prism-cli/dist/index.js"))
        .arg("proxy")
        .arg(document)
        .args([&tenant.url, "--errors"])
        .args(["--host", "127.0.0.1", "--port", &port.to_string()])
        .env("NO_COLOR", "1")
        // In production mode it would serve from a child process.
        .env("NODE_ENV", "development")
        .start()?;
    server.wait_until(START, |_| TcpStream::connect(("127.0.0.1", port)).ok())?;
    let session = context.programs.session(toolchain, "story", &url);
    let session = session.run(SESSION);

    let output = server.output()?;
    // Checked first: violations explain a failed session. Prism only warns of a status that is not in the document, so
    // warnings count. Its copy of the document declares the error statuses of the sandbox.
    let violations: Vec<_> = output
        .lines()
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
            server.log().display()
        );
    }
    let requests = output.matches("Request received").count();
    Ok(format!(
        "{}; {requests} requests and their responses are valid",
        session?.trim()
    ))
}
