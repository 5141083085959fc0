//! mitmproxy: faults that we did not write, between the client and the sandbox.
//!
//! The sandbox can play a bad tenant, but we wrote both it and what survives it. Here the connection itself is broken,
//! by a proxy that knows nothing of either. Reads must end in exactly the right rows; of writes, what is reported and
//! what is there must agree.

use std::{net::TcpStream, thread, time::Duration};

use anyhow::{Context as _, anyhow, ensure};

use super::{
    running::{Program, Running},
    shop::Shop,
    workshop::free_port,
};

const SESSION: Duration = Duration::from_secs(240);

/// A fault of tests/conform/faults.py, and what a session under it may end in.
struct Fault {
    name: &'static str,
    /// Arguments of the read session, besides the address.
    reads: &'static [&'static str],
    /// How many ambiguous writes it must cause at least.
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
    // JSON that ends too early in an answer that is otherwise whole may end in an error, and never in fewer rows.
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

/// How many faults are tried at a time. Most of a session is waiting, each has its own tenant, and none sees another.
const ABREAST: usize = 4;

pub(crate) fn check(shop: &Shop<'_>) -> anyhow::Result<String> {
    // Before the threads, which would all begin to install it.
    shop.workshop.python("mitmproxy")?;
    let mut strikes = 0;
    for abreast in FAULTS.chunks(ABREAST) {
        let ends: Vec<_> = thread::scope(|scope| {
            let started: Vec<_> = abreast
                .iter()
                .map(|fault| (fault, scope.spawn(|| disturb(shop, fault))))
                .collect();
            started
                .into_iter()
                .map(|(fault, thread)| (fault, thread.join()))
                .collect()
        });
        for (fault, end) in ends {
            let struck = end
                .map_err(|_| anyhow!("the check itself panicked"))
                .flatten()
                .with_context(|| format!("under the fault {:?}", fault.name))?;
            strikes += struck;
        }
    }
    Ok(format!(
        "{} kinds of faults struck {strikes} times; right rows, and writes as reported",
        FAULTS.len() - 1
    ))
}

/// Runs both sessions under a fault, and says how often it struck.
fn disturb(shop: &Shop<'_>, fault: &Fault) -> anyhow::Result<usize> {
    let tenant = shop.programs.sandbox(shop.workshop)?;
    let proxy = Proxy::start(shop, "faults.py", ("FAULT", fault.name), &tenant.address)?;
    let session = |name: &str, arguments: &[&str]| {
        shop.programs
            .session(shop.workshop, name, &proxy.address)
            .args(["--direct", &tenant.address])
            .args(arguments)
            .run(SESSION)
    };
    let read = session("reads", fault.reads)?;
    let wrote = session("writes", &["--ambiguous", fault.ambiguous])?;
    println!("    {:14}{}", fault.name, read.trim());
    println!("    {:14}{}", "", wrote.trim());
    let struck = proxy.server.output()?.matches("struck ").count();
    // The control shows that sessions end well where nothing strikes.
    ensure!(
        (struck == 0) == (fault.name == "control"),
        "it struck {struck} times"
    );
    Ok(struck)
}

/// mitmproxy in front of a tenant; it ends when this is dropped.
pub(crate) struct Proxy {
    pub(crate) address: String,
    server: Running,
}

impl Proxy {
    /// Runs a script of tests/conform/, told what to do by an environment variable, in front of the tenant at `address`.
    pub(crate) fn start(
        shop: &Shop<'_>,
        script: &str,
        (variable, value): (&str, &str),
        address: &str,
    ) -> anyhow::Result<Self> {
        let workshop = shop.workshop;
        let bin = workshop.python("mitmproxy")?;
        let port = free_port()?;
        let mut server = Program::new(
            bin.join("mitmdump"),
            workshop.log(&format!("mitmproxy-{value}")),
        )
        .args(["--quiet", "--listen-host", "127.0.0.1"])
        .args(["--listen-port", &port.to_string()])
        .args(["--mode", &format!("reverse:{address}")])
        .arg("--scripts")
        .arg(workshop.ours(script))
        // One for each: those that begin together would make the same certificate authority.
        .arg("--set")
        .arg(format!(
            "confdir={}",
            workshop.file(&format!("mitmproxy-home-{value}")).display()
        ))
        .env(variable, value)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .start()?;
        server.wait_until(Duration::from_secs(60), |_| {
            TcpStream::connect(("127.0.0.1", port)).ok()
        })?;
        Ok(Self {
            address: format!("http://127.0.0.1:{port}"),
            server,
        })
    }
}
