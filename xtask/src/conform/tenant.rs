//! The sandbox that is checked, and the sessions of our client with it.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use anyhow::{Context as _, anyhow};
use serde_json::{Value, from_str};

pub(crate) use super::document::{CLIENT_ID, CLIENT_SECRET};
use super::{
    document::Document,
    running::{Program, Running},
    toolchain::Toolchain,
};

/// The configuration with which users build a static `lms`.
const STATIC: &str = ".cargo/static.toml";

/// Builds with the features of the whole workspace, and so with the compiled dependencies of the tests. The example brings
/// in what only tests need.
const SHARED: [&str; 3] = ["--workspace", "--example", "quickstart"];

const BUILD_TIMEOUT: Duration = Duration::from_secs(1800);

/// The state that all checks of a run share.
pub(crate) struct Context<'a> {
    pub(crate) toolchain: &'a Toolchain,
    pub(crate) programs: &'a Programs,
    pub(crate) document: Document,
}

impl Context<'_> {
    /// Starts a sandbox with the demo tenant.
    pub(crate) fn sandbox(&self) -> anyhow::Result<Tenant> {
        self.programs.sandbox(self.toolchain)
    }

    /// The `lms` that is checked.
    pub(crate) fn lms(&self) -> anyhow::Result<&Path> {
        self.programs.lms(self.toolchain)
    }
}

/// Programs of this workspace.
pub(crate) struct Programs {
    /// Built for the first check that needs it, or the reason why it could not be built.
    lms: OnceLock<Result<PathBuf, String>>,
    sandbox: PathBuf,
    session: PathBuf,
}

impl Programs {
    /// Builds all but `lms`.
    pub(crate) fn build(toolchain: &Toolchain) -> anyhow::Result<Self> {
        let names = ["lms-sandbox", "lms-conform-session"];
        let programs = names.into_iter().flat_map(|name| ["--bin", name]);
        let built = build(toolchain, SHARED.into_iter().chain(programs))?;
        let [sandbox, session] = names.map(|name| copy(toolchain, &built, name));
        Ok(Self {
            lms: OnceLock::new(),
            sandbox: sandbox?,
            session: session?,
        })
    }

    /// The `lms` that is checked. While the first caller builds it, others wait.
    pub(crate) fn lms(&self, toolchain: &Toolchain) -> anyhow::Result<&Path> {
        let arguments = SHARED.into_iter().chain(["--bin", "lms"]);
        let built = self.lms.get_or_init(|| {
            let built =
                build(toolchain, arguments).and_then(|built| copy(toolchain, &built, "lms"));
            built.map_err(|error| format!("{error:#}"))
        });
        let path = built.as_deref();
        path.map_err(|error| anyhow!("lms could not be built: {error}"))
    }

    /// An `lms` without libraries. Nothing else shares the code that this compiles.
    pub(crate) fn static_lms(toolchain: &Toolchain) -> anyhow::Result<PathBuf> {
        let arguments = ["--config", STATIC, "--package", "lms-cli"];
        executable(&build(toolchain, arguments.into_iter())?, "lms")
    }

    /// Starts a sandbox with the demo tenant on a free port.
    ///
    /// Its `expires_in` is a string, as in the schema that the tools know. The sandbox's default is a number, as in the
    /// service's tutorial.
    pub(crate) fn sandbox(&self, toolchain: &Toolchain) -> anyhow::Result<Tenant> {
        let mut server = Program::new(&self.sandbox, toolchain.log("sandbox"))
            .args(["serve", "--listen", "127.0.0.1:0", "--demo"])
            .args(["--control", "127.0.0.1:0"])
            .args(["--fault", "getToken: always: expires-in-string"])
            .args(["--token-lifetime", "1h"])
            .args(["--client-id", CLIENT_ID, "--client-secret", CLIENT_SECRET])
            .start()?;
        let (url, control_url) = server.wait_until(Duration::from_secs(30), |output| {
            let after = |prefix| output.lines().find_map(|line| line.strip_prefix(prefix));
            let (url, control) = (after("listening on ")?, after("control on ")?);
            Some((url.to_owned(), control.to_owned()))
        })?;
        Ok(Tenant {
            url,
            control_url,
            _server: server,
        })
    }

    /// A session of our client with a tenant.
    pub(crate) fn session(&self, toolchain: &Toolchain, name: &str, url: &str) -> Program {
        credentials(
            Program::new(&self.session, toolchain.log(&format!("session-{name}"))),
            url,
        )
        .arg(name)
    }
}

/// Builds programs, and returns cargo's messages.
fn build<'a>(
    toolchain: &Toolchain,
    arguments: impl Iterator<Item = &'a str>,
) -> anyhow::Result<String> {
    Program::new(crate::workspace::cargo(), toolchain.log("build"))
        .args(["build", "--quiet", "--locked"])
        .args(["--message-format", "json-render-diagnostics"])
        .args(arguments)
        .folder(&toolchain.root)
        .run(BUILD_TIMEOUT)
}

/// The path of a program that cargo's messages name.
fn executable(messages: &str, name: &str) -> anyhow::Result<PathBuf> {
    messages
        .lines()
        .filter_map(|line| from_str::<Value>(line).ok())
        .filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?)))
        .find(|path| path.file_stem().is_some_and(|stem| stem == name))
        .with_context(|| format!("cargo did not build {name}"))
}

/// A copy of such a program in target/conform: the next build by another cargo may replace the program itself.
fn copy(toolchain: &Toolchain, messages: &str, name: &str) -> anyhow::Result<PathBuf> {
    let copy = toolchain.file(name);
    fs::copy(executable(messages, name)?, &copy)
        .with_context(|| format!("cannot write {}", copy.display()))?;
    Ok(copy)
}

/// Passes base URL and credentials to a session.
pub(crate) fn credentials(program: Program, url: &str) -> Program {
    program
        .env("LMS_BASE_URL", url)
        .env("LMS_CLIENT_ID", CLIENT_ID)
        .env("LMS_CLIENT_SECRET", CLIENT_SECRET)
}

/// A running sandbox, which is ended on drop.
pub(crate) struct Tenant {
    pub(crate) url: String,
    /// Address of its control API, which sets faults and lists requests.
    pub(crate) control_url: String,
    _server: Running,
}
