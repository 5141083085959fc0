//! Runs `lms`, built with .cargo/static.toml, in a folder that is the root directory of the process.
//!
//! The folder has no library, so a program that needs one does not start. What glibc loads only when a name is looked up does
//! not fail before that, so the tenant has a name that only a name server knows. It is reached by TLS, which needs trusted
//! certificates. mitmproxy is both the name server and the TLS server in front of the sandbox.
//!
//! Needs root: to change the root directory, and because name servers have port 53.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, ensure};

use super::{
    Context,
    running::Program,
    taps::prepare,
    tenant::{Programs, Tenant},
    toolchain::free_port,
};

const SESSION: Duration = Duration::from_secs(120);

/// The name of the tenant. Names in `.test` are never public.
const NAME: &str = "tenant.test";

/// The trusted certificate, in the root directory.
const AUTHORITY: &str = "/ca.pem";

/// Address of the name server. Other addresses of the loopback network may have one.
const NAME_SERVER: &str = "127.53.53.53";

pub(crate) fn check(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let lms = Programs::static_lms(toolchain)?;
    let bin = toolchain.python("mitmproxy")?;
    let port = free_port()?;
    let authority = toolchain.empty("static-program-authority")?;
    let mut servers = Program::new(bin.join("mitmdump"), toolchain.log("names"))
        .args([
            "--mode",
            &format!("reverse:{}@127.0.0.1:{port}", &tenant.url),
        ])
        .args(["--mode", &format!("dns@{NAME_SERVER}:53")])
        .arg("--scripts")
        .arg(toolchain.ours("names.py"))
        .args(["--set", &format!("confdir={}", authority.display())])
        .env("NAME", NAME)
        .start()?;
    servers.wait_until(Duration::from_secs(60), |output| {
        (output.matches("listening at").count() == 2).then_some(())
    })?;

    let url = format!("https://{NAME}:{port}");
    let root = root(context, &url, &lms, &authority)?;
    let lms = |arguments: &[&str], certificates: &str| {
        Program::new("chroot", toolchain.log("static-program"))
            .arg(&root)
            .args(["/lms", "tap"])
            .args(arguments)
            .args(["--config", "/config.json"])
            .env("SSL_CERT_FILE", certificates)
            .run(SESSION)
    };
    let streams = lms(&["singer", "--discover"], AUTHORITY)?;
    ensure!(
        streams.contains("\"tap_stream_id\""),
        "no stream is discovered"
    );
    let refused = lms(&["airbyte", "check"], "/absent")?;
    ensure!(
        refused.contains("No CA certificates"),
        "missing certificates are not reported: {refused}"
    );
    let checked = lms(&["airbyte", "check"], AUTHORITY)?;
    ensure!(
        checked.contains("SUCCEEDED"),
        "the connection does not work: {checked}"
    );
    let rows = lms(&["singer"], AUTHORITY)?
        .matches("\"type\":\"RECORD\"")
        .count();
    ensure!(rows > 0, "no rows are read");
    let looked_up = servers.output()?.matches("looked up").count();
    ensure!(looked_up > 0, "{NAME} was not looked up");
    let size = fs::metadata(root.join("lms"))
        .context("the program is gone")?
        .len();
    Ok(format!(
        "{rows} rows are read from {NAME}, found by a name server, with a program of {} MB and a certificate",
        size / 1_000_000
    ))
}

/// An empty root directory with the program, the certificate and the address of the name server.
fn root(context: &Context<'_>, url: &str, lms: &Path, authority: &Path) -> anyhow::Result<PathBuf> {
    let root = prepare(context, "static-program", url)?;
    fs::copy(lms, root.join("lms"))?;
    fs::copy(
        authority.join("mitmproxy-ca-cert.pem"),
        root.join(&AUTHORITY[1..]),
    )?;
    fs::create_dir(root.join("etc"))?;
    fs::write(
        root.join("etc/resolv.conf"),
        format!("nameserver {NAME_SERVER}\n"),
    )?;
    Ok(root)
}
