//! The validators of Singer and Airbyte: they check the messages of `lms tap`.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::Context as _;
use serde_json::json;

use super::{
    context::{Context, Target},
    running::Program,
    tenant::{CLIENT_ID, CLIENT_SECRET},
};

const SESSION: Duration = Duration::from_secs(300);

/// The program, and a new folder with a configuration of the tap.
fn prepare(context: &Context<'_>, name: &str, url: &str) -> anyhow::Result<(PathBuf, PathBuf)> {
    let lms = context.toolchain.build("lms-cli")?.with_file_name("lms");
    let folder = context.toolchain.empty(name)?;
    let config = json!({"base_url": url, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET});
    fs::write(folder.join("config.json"), config.to_string())?;
    Ok((lms, folder))
}

pub(crate) fn singer(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let bin = context.toolchain.python("singer")?;
    let (lms, folder) = prepare(context, "tap-singer", target.url)?;
    // The validator reads from stdin: it gives a tap that it starts itself only a few seconds.
    let script =
        r#""$0" tap singer --config config.json > messages.jsonl && "$1" < messages.jsonl"#;
    let output = Program::new("sh", context.toolchain.log("singer-check-tap"))
        .args(["-c", script])
        .arg(lms)
        .arg(bin.join("singer-check-tap"))
        .folder(&folder)
        .run(SESSION)?;
    let contained = output
        .lines()
        .find_map(|line| line.strip_prefix("It contained "));
    let contained = contained.context("singer-check-tap did not say what it read")?;
    Ok(format!("{} are valid", contained.trim_end_matches('.')))
}

pub(crate) fn airbyte(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let bin = context.toolchain.python("airbyte")?;
    let (lms, folder) = prepare(context, "tap-airbyte", target.url)?;
    let output = Program::new(bin.join("python"), context.toolchain.log("airbyte"))
        .args(["-m", "pytest", "-q", "-k", "not docker"])
        .args(["-p", "airbyte_cdk.test.standard_tests.pytest_hooks"])
        .args(["-p", "no:cacheprovider"])
        .arg(context.toolchain.ours("taps/airbyte_source.py"))
        .env("LMS", lms)
        .env("LMS_CONFIG", folder.join("config.json"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TMPDIR", &folder)
        // Nothing leaves this machine.
        .env("AIRBYTE_OFFLINE_MODE", "1")
        .env("AIRBYTE_NO_TELEMETRY", "1")
        .env("DO_NOT_TRACK", "1")
        .folder(&folder)
        .run(SESSION)?;
    let last = output.lines().rfind(|line| line.contains(" passed"));
    Ok(last.unwrap_or_default().trim().to_owned())
}
