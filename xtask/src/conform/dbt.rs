//! examples/dbt on a mirror, before and after learners are deleted.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, ensure};

use super::{
    Context,
    running::Program,
    tenant::{Tenant, credentials},
};

/// Values of custom fields take a request for each learner and field.
const SESSION: Duration = Duration::from_secs(900);

const MIRROR: [&str; 4] = [
    "mirror",
    "learners,courses,enrolments,course_completions,user_fields,records",
    "--to",
    "sqlite:mirror.db",
];

pub(crate) fn check(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let bin = toolchain.python("dbt")?;
    let (lms, folder) = (context.lms()?, toolchain.file("dbt"));
    toolchain.empty("dbt")?;
    Program::new("cp", toolchain.log("dbt-copy"))
        .args(["-r", "examples/dbt/."])
        .arg(&folder)
        .folder(&toolchain.root)
        .run(SESSION)?;
    let lms = |name: &str, arguments: &[&str]| {
        let program = Program::new(lms, toolchain.log(&format!("dbt-{name}")));
        let program = credentials(program, &tenant.url).env("XDG_CONFIG_HOME", &folder);
        program.args(arguments).folder(&folder).run(SESSION)
    };
    let dbt = |night: &str| build(&bin, &folder, toolchain.log(&format!("dbt-{night}")));
    lms("first-night", &MIRROR)?;
    let before = dbt("first-morning")?;
    let list = ["learners", "list", "--limit", "5", "--jq", ".id", "--quiet"];
    let learners = lms("learners", &list)?;
    ensure!(learners.lines().count() == 5, "no five ids: {learners}");
    for learner in learners.lines() {
        lms("delete", &["learners", "rm", learner, "--yes", "--quiet"])?;
    }
    lms("second-night", &MIRROR)?;
    let after = dbt("second-morning")?;
    ensure!(before == after, "{before:?} before, {after:?} after");
    Ok(format!("{after}, also after five learners were deleted"))
}

/// Builds and tests all models. Returns dbt's summary.
fn build(bin: &Path, folder: &Path, log: PathBuf) -> anyhow::Result<String> {
    let output = Program::new(bin.join("dbt"), log)
        .args(["build", "--profiles-dir", ".", "--no-use-colors"])
        .env("DBT_SEND_ANONYMOUS_USAGE_STATS", "false")
        .folder(folder)
        .run(SESSION)?;
    let (_, summary) = output
        .rsplit_once("Done. ")
        .context("dbt printed no summary")?;
    Ok(summary.trim().to_owned())
}
