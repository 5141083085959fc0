//! Scripts that judge the files of `lms`: reports, recomputed by DuckDB from a Parquet export of the same tenant, and plans.

use std::time::Duration;

use anyhow::Context as _;

use super::{
    Context,
    running::Program,
    tenant::{Tenant, credentials},
};

/// Values of custom fields take a request for each learner and field.
const SESSION: Duration = Duration::from_secs(900);

pub(crate) fn check(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    script(context, tenant, "reports", "reports/recompute.py")
}

pub(crate) fn plans(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    script(context, tenant, "plans", "plans/judge.py")
}

/// Runs a script with the packages of this name, and returns its last line.
fn script(
    context: &Context<'_>,
    tenant: &Tenant,
    name: &str,
    path: &str,
) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    toolchain.need(&["chromium=chromium"])?;
    let bin = toolchain.python(name)?;
    let folder = toolchain.empty(name)?;
    let program = Program::new(bin.join("python"), toolchain.log(name))
        .arg(toolchain.ours(path))
        .arg(context.lms()?)
        .folder(&folder);
    let output = credentials(program, &tenant.url).run(SESSION)?;
    let last = output.lines().last();
    Ok(last.context("the script printed nothing")?.to_owned())
}
