//! Object storage: `lms export` writes Parquet to moto's S3 server and to Azurite, and DuckDB reads it.

use std::time::Duration;

use anyhow::Context as _;

use super::{
    context::{Context, Target},
    running::Program,
    tenant::credentials,
    toolchain::free_port,
};

const SESSION: Duration = Duration::from_secs(300);
const START: Duration = Duration::from_secs(60);

/// The account of the Azurite server, and its key in Base64.
const ACCOUNT: &str = "acme";
const KEY: &str = "a2V5";

/// A running server.
struct Storage<'a> {
    /// URL of the exports.
    url: &'a str,
    /// The environment in which `lms` and the reader connect.
    variables: &'a [(&'a str, &'a str)],
}

pub(crate) fn s3(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let bin = context.toolchain.python("objects")?;
    let port = free_port()?.to_string();
    let mut server = Program::new(bin.join("moto_server"), context.toolchain.log("moto"))
        .args(["-H", "127.0.0.1", "-p", &port])
        .start()?;
    server.wait_until(START, |output| output.contains("Running on").then_some(()))?;
    let endpoint = format!("http://127.0.0.1:{port}");
    let storage = Storage {
        url: "s3://exports/acme",
        variables: &[
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", &endpoint),
            ("AWS_ALLOW_HTTP", "true"),
        ],
    };
    storage.exports(context, target)
}

pub(crate) fn azure(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let packages = context.toolchain.npm("azurite")?;
    let port = free_port()?.to_string();
    let mut server = Program::new("node", context.toolchain.log("azurite"))
        .arg(packages.join("node_modules/azurite/dist/src/blob/main.js"))
        .args(["--blobHost", "127.0.0.1", "--blobPort", &port])
        .args(["--inMemoryPersistence", "--disableTelemetry"])
        // The readers' versions may be newer.
        .arg("--skipApiVersionCheck")
        .env("AZURITE_ACCOUNTS", format!("{ACCOUNT}:{KEY}"))
        .start()?;
    server.wait_until(START, |output| output.contains("listens on").then_some(()))?;
    let endpoint = format!("http://127.0.0.1:{port}");
    let connection =
        format!("AccountName={ACCOUNT};AccountKey={KEY};BlobEndpoint={endpoint}/{ACCOUNT}");
    let storage = Storage {
        url: "az://exports/acme",
        variables: &[
            ("AZURE_STORAGE_USE_EMULATOR", "true"),
            ("AZURITE_BLOB_STORAGE_URL", &endpoint),
            ("AZURE_STORAGE_ACCOUNT_NAME", ACCOUNT),
            ("AZURE_STORAGE_ACCOUNT_KEY", KEY),
            ("AZURE_STORAGE_CONNECTION_STRING", &connection),
        ],
    };
    storage.exports(context, target)
}

impl Storage<'_> {
    /// Exports to the storage, once with an interruption, and compares the stored rows with the tenant.
    fn exports(&self, context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
        let lms = context.lms()?;
        let scheme = self.url.split_once(':').unwrap_or_default().0;
        let log = |name: &str| context.toolchain.log(&format!("{scheme}-{name}"));
        let python = context.toolchain.python("objects")?.join("python");
        let reader = |action: &str| {
            self.connected(Program::new(&python, log(action)))
                .arg(context.toolchain.ours("objects/read.py"))
                .args([action, self.url])
        };
        let export = |name: &str| {
            let program = self.connected(Program::new(lms, log(name)));
            credentials(program, target.url)
                .args(["export", "learners,enrolments,course_completions,tags"])
                .args(["--to", self.url, "--format", "parquet"])
                .args(["--page-size", "20", "--output", "ndjson"])
        };
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

    fn connected(&self, program: Program) -> Program {
        let set = |program: Program, (name, value): &(&str, &str)| program.env(name, value);
        self.variables.iter().fold(program, set)
    }
}
