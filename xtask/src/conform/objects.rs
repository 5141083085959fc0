//! Object storage: `lms export` writes Parquet to moto's S3 server, and DuckDB reads it.

use std::time::Duration;

use anyhow::Context as _;

use super::{
    Context,
    running::Program,
    tenant::{Tenant, credentials},
    toolchain::free_port,
};

const SESSION: Duration = Duration::from_secs(300);
const START: Duration = Duration::from_secs(60);

/// URL of the exports.
const URL: &str = "s3://exports/acme";

/// Exports to the server, once with an interruption, and compares the stored rows with the tenant.
pub(crate) fn check(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    let (lms, toolchain) = (context.lms()?, context.toolchain);
    let bin = toolchain.python("objects")?;
    let port = free_port()?.to_string();
    let mut server = Program::new(bin.join("moto_server"), toolchain.log("moto"))
        .args(["-H", "127.0.0.1", "-p", &port])
        .start()?;
    server.wait_until(START, |output| output.contains("Running on").then_some(()))?;
    let connected = |program: Program| {
        credentials(program, &tenant.url)
            .env("AWS_ACCESS_KEY_ID", "key")
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{port}"))
            .env("AWS_ALLOW_HTTP", "true")
    };
    let log = |name: &str| toolchain.log(&format!("s3-{name}"));
    let reader = |action: &str| {
        connected(Program::new(bin.join("python"), log(action)))
            .arg(toolchain.ours("objects/read.py"))
            .args([action, URL])
    };
    let export = |name: &str| {
        connected(Program::new(lms, log(name)))
            .args(["export", "learners,enrolments,course_completions,tags"])
            .args(["--to", URL, "--format", "parquet"])
            .args(["--page-size", "20", "--output", "ndjson"])
    };
    reader("create").run(SESSION)?;
    let mut interrupted = export("killed").start()?;
    interrupted.wait_until(SESSION, |output| output.contains("learners:").then_some(()))?;
    drop(interrupted);
    export("resumed").run(SESSION)?;
    // Replaces the objects of the first run.
    export("again").run(SESSION)?;
    let output = reader("compare").run(SESSION)?;
    let last = output.lines().last();
    Ok(last.context("the reader printed nothing")?.to_owned())
}
