//! Clients that other generators make from our document, in a short session with the sandbox each.
//!
//! They read the document with other eyes, and each is what somebody would use in place of ours: a document that only
//! our own generator understands is of no use to them.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    document::Document, running::Program, shop::Shop, tenant::credentials, workshop::Workshop,
};

const GENERATING: Duration = Duration::from_secs(120);
const BUILDING: Duration = Duration::from_secs(600);
const SESSION: Duration = Duration::from_secs(120);

pub(crate) fn rust(shop: &Shop<'_>) -> anyhow::Result<String> {
    let tenant = shop.programs.sandbox(shop.workshop)?;
    rust_at(shop, &tenant.address)
}

pub(crate) fn python(shop: &Shop<'_>) -> anyhow::Result<String> {
    let tenant = shop.programs.sandbox(shop.workshop)?;
    python_at(shop, &tenant.address)
}

pub(crate) fn typescript(shop: &Shop<'_>) -> anyhow::Result<String> {
    let tenant = shop.programs.sandbox(shop.workshop)?;
    typescript_at(shop, &tenant.address)
}

fn rust_at(shop: &Shop<'_>, address: &str) -> anyhow::Result<String> {
    let workshop = shop.workshop;
    let place = workshop.empty("peer-rust")?;
    generate_rust(workshop, &shop.document, &place)?;
    let session = place.join("session");
    fs::create_dir_all(session.join("src"))?;
    for file in ["Cargo.toml", "Cargo.lock", "src/main.rs"] {
        fs::copy(workshop.ours("peers/rust").join(file), session.join(file))?;
    }
    let built = workshop.file("peer-rust-target");
    Program::new(crate::cargo(), workshop.log("build-peer-rust"))
        .args(["build", "--quiet", "--locked", "--target-dir"])
        .arg(&built)
        .folder(&session)
        .run(BUILDING)?;
    talk(
        Program::new(built.join("debug/peer-session"), workshop.log("peer-rust")),
        address,
    )
}

/// Has openapi-generator make a Rust client in the folder `client` of `place`.
pub(crate) fn generate_rust(
    workshop: &Workshop,
    document: &Document,
    place: &Path,
) -> anyhow::Result<()> {
    let bin = workshop.python("peers")?;
    let read = place.join("openapi.json");
    document.save(&read)?;
    in_environment(
        Program::new(
            bin.join("openapi-generator-cli"),
            workshop.log("openapi-generator"),
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
    .arg(read)
    .arg("--output")
    .arg(place.join("client"))
    .run(GENERATING)?;
    Ok(())
}

/// The session of openapi-python-client's client with the tenant at `address`.
pub(crate) fn python_at(shop: &Shop<'_>, address: &str) -> anyhow::Result<String> {
    let workshop = shop.workshop;
    let place = workshop.empty("peer-python")?;
    let python = generate_python(workshop, &shop.document, &place)?;
    let session = Program::new(python, workshop.log("peer-python"))
        .arg(workshop.ours("peers/session.py"))
        .env("PYTHONPATH", &place)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    talk(session, address)
}

/// Has openapi-python-client make a package `peer_client` in `place`; gives back the interpreter that has all it needs.
pub(crate) fn generate_python(
    workshop: &Workshop,
    document: &Document,
    place: &Path,
) -> anyhow::Result<PathBuf> {
    let bin = workshop.python("peers")?;
    let read = place.join("openapi.json");
    document.save(&read)?;
    in_environment(
        Program::new(
            bin.join("openapi-python-client"),
            workshop.log("openapi-python-client"),
        ),
        &bin,
    )
    // What it cannot generate it leaves out with a warning, unless told otherwise.
    .args(["generate", "--fail-on-warning", "--meta", "none", "--path"])
    .arg(read)
    .arg("--output-path")
    .arg(place.join("peer_client"))
    .run(GENERATING)?;
    Ok(bin.join("python"))
}

/// The session of openapi-fetch with the tenant at `address`.
pub(crate) fn typescript_at(shop: &Shop<'_>, address: &str) -> anyhow::Result<String> {
    let workshop = shop.workshop;
    let packages = workshop.npm()?.join("node_modules");
    // Below the packages' folder, so that the session finds them.
    let place = workshop.empty("npm/peer-typescript")?;
    let document = place.join("openapi.json");
    shop.document.save(&document)?;
    Program::new("node", workshop.log("openapi-typescript"))
        .arg(packages.join("openapi-typescript/bin/cli.js"))
        .arg(&document)
        .arg("--output")
        .arg(place.join("schema.d.ts"))
        .run(GENERATING)?;
    fs::write(place.join("package.json"), r#"{ "type": "module" }"#)?;
    for file in ["session.ts", "tsconfig.json"] {
        fs::copy(workshop.ours("peers").join(file), place.join(file))?;
    }
    Program::new("node", workshop.log("tsc"))
        .arg(packages.join("typescript/bin/tsc"))
        .args(["--project", "tsconfig.json"])
        .folder(&place)
        .run(GENERATING)?;
    let session =
        Program::new("node", workshop.log("peer-typescript")).arg(place.join("built/session.js"));
    talk(session, address)
}

fn talk(session: Program, address: &str) -> anyhow::Result<String> {
    let said = credentials(session, address).run(SESSION)?;
    Ok(said.trim().to_owned())
}

/// Puts a Python environment's programs first: the generators call others of it.
fn in_environment(program: Program, bin: &Path) -> Program {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(bin.to_owned()).chain(std::env::split_paths(&path));
    match std::env::join_paths(folders) {
        Ok(path) => program.env("PATH", path),
        Err(_) => program,
    }
}
