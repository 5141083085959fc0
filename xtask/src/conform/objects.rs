//! Object storage: `lms export` writes Parquet to moto's S3 server, and DuckDB reads it.

use std::time::Duration;

use anyhow::Context as _;

use super::{
    context::{Context, Target},
    running::Program,
    tenant::credentials,
    toolchain::free_port,
};

const SESSION: Duration = Duration::from_secs(300);

const BUCKET: &str = "s3://exports/acme";

pub(crate) fn check(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let bin = context.toolchain.python("objects")?;
    let lms = context.toolchain.build_with("lms-cli", "object-store")?;
    let lms = lms.with_file_name("lms");
    let port = free_port()?.to_string();
    let endpoint = format!("http://127.0.0.1:{port}");
    let storage = |program: Program| {
        program
            .env("AWS_ACCESS_KEY_ID", "key")
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ENDPOINT_URL", &endpoint)
            .env("AWS_ALLOW_HTTP", "true")
    };
    let reader = |action: &str| {
        let program = Program::new(
            bin.join("python"),
            context.toolchain.log(&format!("objects-{action}")),
        );
        storage(program)
            .arg(context.toolchain.ours("objects/read.py"))
            .args([action, BUCKET])
            .env("PYTHONDONTWRITEBYTECODE", "1")
    };
    let export = |name: &str| {
        let program = Program::new(&lms, context.toolchain.log(&format!("export-{name}")));
        credentials(storage(program), target.url)
            .args(["export", "learners,enrolments,course_completions,tags"])
            .args([
                "--to",
                BUCKET,
                "--format",
                "parquet",
                "--page-size",
                "20",
                "--output",
                "ndjson",
            ])
    };
    let mut server = Program::new(bin.join("moto_server"), context.toolchain.log("moto"))
        .args(["-H", "127.0.0.1", "-p", &port])
        .start()?;
    server.wait_until(Duration::from_secs(60), |output| {
        output.contains("Running on").then_some(())
    })?;
    reader("create").run(SESSION)?;
    let mut interrupted = export("killed").start()?;
    interrupted.wait_until(SESSION, |output| output.contains("learners:").then_some(()))?;
    drop(interrupted);
    export("resumed").run(SESSION)?;
    // Replaces the objects of the first run.
    export("again").run(SESSION)?;
    let output = credentials(reader("compare"), target.url).run(SESSION)?;
    let last = output.lines().last();
    Ok(last.context("the reader printed nothing")?.to_owned())
}
