//! `cargo xtask peers`: generates and builds the clients that the benchmarks compare with.
//!
//! Generators, versions and document are those of the checks. The programs are in tests/bench/peers. Up-to-date clients
//! are not generated again.

use std::{fs, path::Path, time::Duration};

use anyhow::Context as _;
use serde_json::json;

use super::{
    document::Document,
    peers::{generate_python, generate_rust},
    running::Program,
    toolchain::Toolchain,
};

const BUILD_TIMEOUT: Duration = Duration::from_secs(1200);

/// Generates the clients, and prints their paths as one line of JSON.
pub(crate) fn run() -> anyhow::Result<()> {
    let toolchain = Toolchain::open(&crate::workspace::root())?;
    let _lock = toolchain.lock()?;
    let document = Document::read(&toolchain.root)?;
    let pins = toolchain.ours("python/peers.txt");
    let input = toolchain.root.join("spec/openapi.json");
    let pins = [&*pins, &*input];

    let rust = toolchain.file("bench-rust");
    Toolchain::install(&pins, &rust, || {
        fs::create_dir_all(&rust)?;
        generate_rust(&toolchain, &document, &rust)
    })?;
    let built = toolchain.file("bench-rust-target");
    Program::new(crate::workspace::cargo(), toolchain.log("build-bench-rust"))
        .args(["build", "--release", "--quiet", "--locked", "--target-dir"])
        .arg(&built)
        .arg("--manifest-path")
        .arg(
            toolchain
                .root
                .join("tests/bench/peers/openapi-generator/Cargo.toml"),
        )
        .run(BUILD_TIMEOUT)?;

    let packages = toolchain.file("bench-python");
    let python = toolchain.python("peers")?.join("python");
    Toolchain::install(&pins, &packages, || {
        fs::create_dir_all(&packages)?;
        generate_python(&toolchain, &document, &packages).map(drop)
    })?;

    let text = |path: &Path| path.to_str().map(str::to_owned);
    let clients = json!({
        "openapi_generator": {
            "version": toolchain.python_pin("peers", "openapi-generator-cli"),
            "program": text(&built.join("release/peer-layers")).context("a path is not UTF-8")?,
        },
        "openapi_python_client": {
            "version": toolchain.python_pin("peers", "openapi-python-client"),
            "python": text(&python).context("a path is not UTF-8")?,
            "packages": text(&packages).context("a path is not UTF-8")?,
        },
    });
    println!("{clients}");
    Ok(())
}
