//! Schemathesis: requests that fit the document and requests that do not, at the running sandbox.

use std::time::Duration;

use anyhow::Context as _;

use super::{
    running::Program,
    shop::Shop,
    tenant::{CLIENT_ID, CLIENT_SECRET},
};

pub(crate) fn check(shop: &Shop<'_>) -> anyhow::Result<String> {
    let sandbox = shop.programs.sandbox(shop.workshop)?;
    let ids = shop.programs.ids(shop.workshop, &sandbox.address)?;
    attack(shop, &sandbox.address, &ids)
}

/// Runs Schemathesis on the tenant at `address`, which has `ids`.
pub(crate) fn attack(
    shop: &Shop<'_>,
    address: &str,
    ids: &serde_json::Value,
) -> anyhow::Result<String> {
    let bin = shop.workshop.python("schemathesis")?;
    let document = shop.workshop.file("schemathesis.json");
    shop.document
        .for_checkers(address)
        .narrowed(ids)
        .save(&document)?;
    let output = Program::new(bin.join("schemathesis"), shop.workshop.log("schemathesis"))
        .arg("--config-file")
        .arg(shop.workshop.ours("schemathesis.toml"))
        .args(["--no-color", "run"])
        .arg(document)
        .args(["--url", address, "--warnings", "off"])
        .env("LMS_CLIENT_ID", CLIENT_ID)
        .env("LMS_CLIENT_SECRET", CLIENT_SECRET)
        // It keeps what it found in the folder it runs in.
        .folder(&shop.workshop.folder)
        .run(Duration::from_secs(300))?;
    let generated = output
        .lines()
        .find_map(|line| line.trim().split_once(" generated"))
        .context("Schemathesis did not say how many cases it made")?
        .0;
    Ok(format!("{generated} cases at 32 operations, no failure"))
}
