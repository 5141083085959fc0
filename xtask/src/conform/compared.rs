//! `cargo xtask peers`: the generated clients that the benchmarks compare with, ready to be measured.
//!
//! They are made by the generators that the checks use, in the same versions, from the same document; their programs are
//! in tests/bench/peers. What is there already is not made again.

use std::{fs, path::Path, time::Duration};

use anyhow::Context as _;
use serde_json::json;

use super::{
    document::Document,
    peers::{generate_python, generate_rust},
    running::Program,
    workshop::Workshop,
};

const BUILDING: Duration = Duration::from_secs(1200);

/// Makes them, and says as one line of JSON where they are.
pub(crate) fn run() -> anyhow::Result<()> {
    let workshop = Workshop::open(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")))?;
    let _alone = workshop.alone()?;
    let document = Document::read(&workshop.root)?;
    let pins = workshop.ours("python/peers.txt");
    let read = workshop.root.join("spec/openapi.json");
    let pins = [&*pins, &*read];

    let rust = workshop.file("bench-rust");
    Workshop::install(&pins, &rust, || {
        fs::create_dir_all(&rust)?;
        generate_rust(&workshop, &document, &rust)
    })?;
    let built = workshop.file("bench-rust-target");
    Program::new(crate::cargo(), workshop.log("build-bench-rust"))
        .args(["build", "--release", "--quiet", "--locked", "--target-dir"])
        .arg(&built)
        .arg("--manifest-path")
        .arg(
            workshop
                .root
                .join("tests/bench/peers/openapi-generator/Cargo.toml"),
        )
        .run(BUILDING)?;

    let packages = workshop.file("bench-python");
    let python = workshop.python("peers")?.join("python");
    Workshop::install(&pins, &packages, || {
        fs::create_dir_all(&packages)?;
        generate_python(&workshop, &document, &packages).map(drop)
    })?;

    let text = |path: &Path| path.to_str().map(str::to_owned);
    let made = json!({
        "openapi_generator": {
            "version": workshop.python_pin("peers", "openapi-generator-cli"),
            "program": text(&built.join("release/peer-layers")).context("a path is no text")?,
        },
        "openapi_python_client": {
            "version": workshop.python_pin("peers", "openapi-python-client"),
            "python": text(&python).context("a path is no text")?,
            "packages": text(&packages).context("a path is no text")?,
        },
    });
    println!("{made}");
    Ok(())
}
