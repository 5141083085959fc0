//! Schemathesis: sends valid and invalid requests to the sandbox.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::from_str;

use super::{
    Context,
    running::Program,
    tenant::{CLIENT_ID, CLIENT_SECRET, Tenant},
};

pub(crate) fn check(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    let (toolchain, url) = (context.toolchain, &tenant.url);
    let paths = context.programs.session(toolchain, "paths", url);
    let paths = paths.run(Duration::from_secs(60))?;
    let paths = from_str(&paths).context("the session did not print JSON")?;
    let bin = toolchain.python("schemathesis")?;
    let document = toolchain.file("schemathesis.json");
    context
        .document
        .for_tools(url)
        .narrowed(&paths)
        .save(&document)?;
    let output = Program::new(bin.join("schemathesis"), toolchain.log("schemathesis"))
        .arg("--config-file")
        .arg(toolchain.ours("schemathesis.toml"))
        .args(["--no-color", "run"])
        .arg(document)
        .args(["--url", url, "--warnings", "off"])
        .env("LMS_CLIENT_ID", CLIENT_ID)
        .env("LMS_CLIENT_SECRET", CLIENT_SECRET)
        // It writes its findings to the current folder.
        .folder(&toolchain.folder)
        .run(Duration::from_secs(300))?;
    let generated = output
        .lines()
        .find_map(|line| line.trim().split_once(" generated"))
        .context("no number of generated cases in the output of Schemathesis")?
        .0;
    let tested = output
        .lines()
        .find_map(|line| line.trim().strip_prefix("Tested: "))
        .context("no number of tested operations in the output of Schemathesis")?;
    let all = context.document.operations();
    ensure!(
        tested == all.to_string(),
        "{tested} of {all} operations were tested"
    );
    Ok(format!(
        "{generated} cases at {tested} operations, no failure"
    ))
}
