//! Schedulers that mirror several tenants, as in examples/kubernetes, examples/airflow and examples/dagster.

use std::{env, fs, path::Path, time::Duration};

use super::{
    context::{Context, Target},
    running::Program,
    tenant::{CLIENT_ID, CLIENT_SECRET},
};

const SESSION: Duration = Duration::from_secs(900);

pub(crate) fn kubernetes(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    run(context, target, "kubernetes", "kubernetes_job")
}

pub(crate) fn airflow(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    run(context, target, "airflow", "airflow_dag")
}

pub(crate) fn dagster(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    run(context, target, "dagster", "dagster_job")
}

/// Runs a test of tests/conform/schedulers next to a PostgreSQL server, with the packages of tests/conform/python/NAME.txt.
/// Returns its last line. It has two profiles, and the tenant of one of them can be told to fail.
fn run(
    context: &Context<'_>,
    target: &Target<'_>,
    name: &str,
    test: &str,
) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let bin = toolchain.python(name)?;
    let home = toolchain.empty(&format!("scheduler-{name}"))?;
    let other = context.sandbox()?;
    let tenants = [("acme", other.url.as_str()), ("globex", target.url)];
    let profiles: String = tenants
        .iter()
        .map(|(name, url)| {
            format!(
                "[profiles.{name}]\nbase_url = \"{url}\"\nclient_id = \"{CLIENT_ID}\"\n\
                 credential_command = \"echo {CLIENT_SECRET}\"\n"
            )
        })
        .collect();
    let folder = home.join(".config/lms");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("config.toml"), profiles)?;
    let inherited = env::var_os("PATH").unwrap_or_default();
    let lms = context.lms()?.parent().map(Path::to_owned);
    let path = env::join_paths(lms.into_iter().chain(env::split_paths(&inherited)))?;
    let output = Program::new(toolchain.root.join(".ci/postgres"), toolchain.log(name))
        .arg(bin.join("python"))
        .arg(toolchain.ours(&format!("schedulers/{test}.py")))
        .folder(&home)
        .env("PATH", path)
        .env("HOME", &home)
        .env("EXAMPLE", toolchain.root.join("examples").join(name))
        .env("LMS_CONTROL_URL", target.control_url)
        .env("LMS_CLIENT_ID", CLIENT_ID)
        .env("LMS_CLIENT_SECRET", CLIENT_SECRET)
        .env("LMS_URL_ACME", &other.url)
        .env("LMS_URL_GLOBEX", target.url)
        .env("DAGSTER_DISABLE_TELEMETRY", "yes")
        .run(SESSION)?;
    Ok(output.lines().last().unwrap_or_default().to_owned())
}
