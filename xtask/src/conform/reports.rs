//! The reports of `lms`, recomputed by DuckDB from a Parquet export of the same tenant.

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
    let toolchain = context.toolchain;
    let bin = toolchain.python("reports")?;
    let folder = toolchain.empty("reports")?;
    let program = Program::new(bin.join("python"), toolchain.log("reports"))
        .arg(toolchain.ours("reports/recompute.py"))
        .arg(context.lms()?)
        .folder(&folder);
    let output = credentials(program, &tenant.url).run(SESSION)?;
    let last = output.lines().last();
    Ok(last.context("the script printed nothing")?.to_owned())
}
