//! Clients of other generators, each in a short session with the sandbox.
//!
//! They show that the document works for users of other languages and generators.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    context::{Context, Target},
    document::Document,
    running::Program,
    tenant::credentials,
    toolchain::Toolchain,
};

const GENERATING: Duration = Duration::from_secs(120);
const BUILDING: Duration = Duration::from_secs(600);
const SESSION: Duration = Duration::from_secs(120);

/// openapi-generator's client for Rust.
pub(crate) fn rust(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let folder = toolchain.empty("peer-rust")?;
    generate_rust(toolchain, &context.document, &folder)?;
    let session = folder.join("session");
    fs::create_dir_all(session.join("src"))?;
    for file in ["Cargo.toml", "Cargo.lock", "src/main.rs"] {
        fs::copy(toolchain.ours("peers/rust").join(file), session.join(file))?;
    }
    let built = toolchain.file("peer-rust-target");
    Program::new(crate::workspace::cargo(), toolchain.log("build-peer-rust"))
        .args(["build", "--quiet", "--locked", "--target-dir"])
        .arg(&built)
        .folder(&session)
        .run(BUILDING)?;
    talk(
        Program::new(built.join("debug/peer-session"), toolchain.log("peer-rust")),
        target,
    )
}

/// Runs openapi-generator. The client goes to `folder/client`.
fn generate_rust(toolchain: &Toolchain, document: &Document, folder: &Path) -> anyhow::Result<()> {
    let bin = toolchain.python("peers")?;
    let input = folder.join("openapi.json");
    document.save(&input)?;
    in_environment(
        Program::new(
            bin.join("openapi-generator-cli"),
            toolchain.log("openapi-generator"),
        ),
        &bin,
    )
    .args([
        "generate",
        "--generator-name",
        "rust",
        "--library",
        "reqwest",
    ])
    .args(["--additional-properties", "packageName=peer-client"])
    .arg("--input-spec")
    .arg(input)
    .arg("--output")
    .arg(folder.join("client"))
    .run(GENERATING)?;
    Ok(())
}

/// openapi-python-client's client.
pub(crate) fn python(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let folder = toolchain.empty("peer-python")?;
    let python = generate_python(toolchain, &context.document, &folder)?;
    let session = Program::new(python, toolchain.log("peer-python"))
        .arg(toolchain.ours("peers/session.py"))
        .env("PYTHONPATH", &folder);
    talk(session, target)
}

/// Runs openapi-python-client. The package goes to `folder/peer_client`. Returns an interpreter with its dependencies.
fn generate_python(
    toolchain: &Toolchain,
    document: &Document,
    folder: &Path,
) -> anyhow::Result<PathBuf> {
    let bin = toolchain.python("peers")?;
    let input = folder.join("openapi.json");
    document.save(&input)?;
    in_environment(
        Program::new(
            bin.join("openapi-python-client"),
            toolchain.log("openapi-python-client"),
        ),
        &bin,
    )
    // By default, it only warns of code that it cannot generate.
    .args(["generate", "--fail-on-warning", "--meta", "none", "--path"])
    .arg(input)
    .arg("--output-path")
    .arg(folder.join("peer_client"))
    .run(GENERATING)?;
    Ok(bin.join("python"))
}

/// openapi-fetch with the types of openapi-typescript.
pub(crate) fn typescript(context: &Context<'_>, target: &Target<'_>) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let packages = toolchain.npm("npm")?.join("node_modules");
    // Below the folder of the packages, so that Node.js finds them.
    let folder = toolchain.empty("npm/peer-typescript")?;
    let document = folder.join("openapi.json");
    context.document.save(&document)?;
    Program::new("node", toolchain.log("openapi-typescript"))
        .arg(packages.join("openapi-typescript/bin/cli.js"))
        .arg(&document)
        .arg("--output")
        .arg(folder.join("schema.d.ts"))
        .run(GENERATING)?;
    fs::write(folder.join("package.json"), r#"{ "type": "module" }"#)?;
    for file in ["session.ts", "tsconfig.json"] {
        fs::copy(toolchain.ours("peers").join(file), folder.join(file))?;
    }
    Program::new("node", toolchain.log("tsc"))
        .arg(packages.join("typescript/bin/tsc"))
        .args(["--project", "tsconfig.json"])
        .folder(&folder)
        .run(GENERATING)?;
    let session =
        Program::new("node", toolchain.log("peer-typescript")).arg(folder.join("built/session.js"));
    talk(session, target)
}

fn talk(session: Program, target: &Target<'_>) -> anyhow::Result<String> {
    let output = credentials(session, target.url).run(SESSION)?;
    Ok(output.trim().to_owned())
}

/// Puts a Python environment first in PATH: the generators run programs of it.
fn in_environment(program: Program, bin: &Path) -> Program {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(bin.to_owned()).chain(std::env::split_paths(&path));
    match std::env::join_paths(folders) {
        Ok(path) => program.env("PATH", path),
        Err(_) => program,
    }
}
