//! mitmproxy: breaks connections between the client and the sandbox.
//!
//! The sandbox's own faults are written by the authors of the client. These are made by an independent proxy. Reads must
//! return exactly the right items, and reports of writes must agree with the state of the tenant.

use std::{net::TcpStream, time::Duration};

use anyhow::{Context as _, ensure};

use super::{
    concurrently::concurrently,
    context::{Context, Target},
    running::{Program, Running},
    toolchain::free_port,
};

const SESSION: Duration = Duration::from_secs(240);

/// A fault of tests/conform/faults.py.
struct Fault {
    name: &'static str,
    /// Arguments of the read session.
    reads: &'static [&'static str],
    /// The least number of ambiguous writes it must cause.
    ambiguous: &'static str,
}

const FAULTS: [Fault; 11] = [
    fault("control", "0"),
    fault("busy", "1"),
    fault("limited", "0"),
    fault("html", "1"),
    fault("killed-before", "1"),
    fault("killed-after", "1"),
    fault("delayed", "0"),
    fault("silent", "0"),
    fault("overlong", "1"),
    fault("cut", "1"),
    // Truncated JSON in a complete response may be an error, but never a shorter list.
    Fault {
        name: "cut-clean",
        reads: &["--failing", "decode"],
        ambiguous: "0",
    },
];

const fn fault(name: &'static str, ambiguous: &'static str) -> Fault {
    Fault {
        name,
        reads: &[],
        ambiguous,
    }
}

/// Number of faults tested at a time, each with its own tenant. A session mostly waits.
const CONCURRENCY: usize = 4;

pub(crate) fn check(context: &Context<'_>, _: &Target<'_>) -> anyhow::Result<String> {
    let mut injected = 0;
    let mut reports = String::new();
    for result in concurrently(&FAULTS, CONCURRENCY, |fault| {
        inject(context, fault).with_context(|| format!("under the fault {:?}", fault.name))
    }) {
        let (times, report) = result?;
        injected += times;
        reports += &report;
    }
    Ok(format!(
        "{reports}{injected} faults of {} kinds; all items read, and all writes reported correctly",
        FAULTS.len() - 1
    ))
}

/// Runs both sessions under a fault, and returns how often it was injected and what they report.
fn inject(context: &Context<'_>, fault: &Fault) -> anyhow::Result<(usize, String)> {
    let tenant = context.sandbox()?;
    let proxy = Proxy::start(context, "faults.py", ("FAULT", fault.name), &tenant.url)?;
    let session = |name: &str, arguments: &[&str]| {
        context
            .programs
            .session(context.toolchain, name, &proxy.url)
            .args(["--direct", &tenant.url])
            .args(arguments)
            .run(SESSION)
    };
    let read = session("reads", fault.reads)?;
    let wrote = session("writes", &["--ambiguous", fault.ambiguous])?;
    let injected = proxy.server.output()?.matches("injected into ").count();
    // The control shows that sessions succeed without faults.
    ensure!(
        (injected == 0) == (fault.name == "control"),
        "the fault was injected {injected} times"
    );
    let (read, wrote) = (read.trim(), wrote.trim());
    let report = format!("{:14}{read}\n    {:14}{wrote}\n    ", fault.name, "");
    Ok((injected, report))
}

/// A running mitmproxy in front of a tenant, which is ended on drop.
pub(crate) struct Proxy {
    pub(crate) url: String,
    server: Running,
}

impl Proxy {
    /// Runs a script of tests/conform/ in front of a tenant. An environment variable selects its behaviour.
    pub(crate) fn start(
        context: &Context<'_>,
        script: &str,
        (variable, value): (&str, &str),
        tenant_url: &str,
    ) -> anyhow::Result<Self> {
        let toolchain = context.toolchain;
        let bin = toolchain.python("mitmproxy")?;
        let port = free_port()?;
        let mut server = Program::new(
            bin.join("mitmdump"),
            toolchain.log(&format!("mitmproxy-{value}")),
        )
        .args(["--quiet", "--listen-host", "127.0.0.1"])
        .args(["--listen-port", &port.to_string()])
        .args(["--mode", &format!("reverse:{tenant_url}")])
        .arg("--scripts")
        .arg(toolchain.ours(script))
        // A folder for each: several that start at once would create the same certificate authority.
        .arg("--set")
        .arg(format!(
            "confdir={}",
            toolchain.file(&format!("mitmproxy-home-{value}")).display()
        ))
        .env(variable, value)
        .start()?;
        server.wait_until(Duration::from_secs(60), |_| {
            TcpStream::connect(("127.0.0.1", port)).ok()
        })?;
        Ok(Self {
            url: format!("http://127.0.0.1:{port}"),
            server,
        })
    }
}
