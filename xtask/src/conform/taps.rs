//! Foreign readers of the messages of `lms tap`: Airbyte's standard tests of a source, and Meltano.

use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use serde_json::json;

use super::{
    Context,
    running::Program,
    tenant::{CLIENT_ID, CLIENT_SECRET, Tenant, credentials},
    toolchain::Toolchain,
};

const SESSION: Duration = Duration::from_secs(600);

/// The loaders of examples/meltano. tests/conform/python/ has the versions of their dependencies.
const LOADERS: [&str; 2] = ["target-jsonl", "target-postgres"];

/// A new folder with a configuration of the tap.
pub(super) fn prepare(context: &Context<'_>, name: &str, url: &str) -> anyhow::Result<PathBuf> {
    let folder = context.toolchain.empty(name)?;
    let config = json!({"base_url": url, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET});
    fs::write(folder.join("config.json"), config.to_string())?;
    Ok(folder)
}

pub(crate) fn airbyte(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    let bin = context.toolchain.python("airbyte")?;
    let folder = prepare(context, "tap-airbyte", &tenant.url)?;
    let output = Program::new(bin.join("python"), context.toolchain.log("airbyte"))
        .args(["-m", "pytest", "-q", "-k", "not docker"])
        .args(["-p", "airbyte_cdk.test.standard_tests.pytest_hooks"])
        .args(["-p", "no:cacheprovider"])
        .arg(context.toolchain.ours("taps/airbyte_source.py"))
        .env("LMS", context.lms()?)
        .env("LMS_CONFIG", folder.join("config.json"))
        .env("TMPDIR", &folder)
        // Nothing leaves this machine.
        .env("AIRBYTE_OFFLINE_MODE", "1")
        .env("AIRBYTE_NO_TELEMETRY", "1")
        .env("DO_NOT_TRACK", "1")
        .folder(&folder)
        .run(SESSION)?;
    Ok(summary(&output))
}

/// A copy of examples/meltano whose loaders are installed.
struct MeltanoProject {
    folder: PathBuf,
    bin: PathBuf,
    loaders: PathBuf,
    /// With `lms`, `meltano` and the other programs.
    path: OsString,
}

impl MeltanoProject {
    fn prepare(context: &Context<'_>, name: &str) -> anyhow::Result<Self> {
        let toolchain = context.toolchain;
        let bin = toolchain.python("meltano")?;
        let lms = context.lms()?;
        let folder = toolchain.empty(name)?;
        let example = toolchain.root.join("examples/meltano");
        for name in ["meltano.yml", "tap-lms"] {
            fs::copy(example.join(name), folder.join(name))
                .with_context(|| format!("cannot copy {name} of {}", example.display()))?;
        }
        let inherited = env::var_os("PATH").unwrap_or_default();
        let programs = [lms.parent().map(Path::to_owned), Some(bin.clone())];
        let programs = programs.into_iter().flatten();
        let path = env::join_paths(programs.chain(env::split_paths(&inherited)))?;
        let project = Self {
            folder,
            bin,
            loaders: toolchain.file("meltano-loaders"),
            path,
        };
        project.install(toolchain, &example.join("meltano.yml"))?;
        Ok(project)
    }

    fn install(&self, toolchain: &Toolchain, configuration: &Path) -> anyhow::Result<()> {
        let pins = LOADERS.map(|loader| toolchain.ours(&format!("python/{loader}.txt")));
        let all = [configuration, &pins[0], &pins[1]];
        Toolchain::install(&all, &self.loaders, || {
            for (loader, pins) in LOADERS.iter().zip(&pins) {
                let program = Program::new(
                    self.bin.join("meltano"),
                    toolchain.log(&format!("install-{loader}")),
                );
                self.environment(program)
                    .args(["install", "--plugin-type=loader", loader])
                    .env("UV_CONSTRAINT", pins)
                    .run(SESSION)?;
            }
            Ok(())
        })
    }

    fn environment(&self, program: Program) -> Program {
        program
            .folder(&self.folder)
            .env("PATH", &self.path)
            .env("MELTANO_PROJECT_ROOT", &self.folder)
            .env("MELTANO_SYS_DIR_ROOT", &self.loaders)
            // A state that begins empty.
            .env(
                "MELTANO_DATABASE_URI",
                format!("sqlite:///{}/meltano.db", self.folder.display()),
            )
            // Its logs.
            .env("XDG_STATE_HOME", &self.folder)
            // Nothing leaves this machine.
            .env("MELTANO_SEND_ANONYMOUS_USAGE_STATS", "false")
            .env("DO_NOT_TRACK", "1")
    }

    /// Tests of tests/conform/taps/, to be run next to a PostgreSQL server.
    fn tests(&self, context: &Context<'_>, tenant: &Tenant, name: &str) -> Program {
        let toolchain = context.toolchain;
        let postgres = toolchain.root.join(".ci/postgres");
        let program = Program::new(postgres, toolchain.log(name))
            .arg(self.bin.join("python"))
            .args(["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"])
            .arg(toolchain.ours(&format!("taps/{name}.py")));
        credentials(self.environment(program), &tenant.url)
            .env("LMS_CONTROL_URL", &tenant.control_url)
            .env("UV_OFFLINE", "1")
    }
}

/// The last line of pytest.
fn summary(output: &str) -> String {
    let last = output.lines().rfind(|line| line.contains(" passed"));
    last.unwrap_or_default().trim().to_owned()
}

pub(crate) fn meltano(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    let project = MeltanoProject::prepare(context, "meltano")?;
    let tests = project.tests(context, tenant, "meltano_project");
    Ok(summary(&tests.run(SESSION)?))
}
