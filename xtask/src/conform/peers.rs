//! A client of another generator: openapi-fetch with the types of openapi-typescript, in a short session with the sandbox.
//!
//! It shows that the document works for users of other languages and generators.

use std::{fs, time::Duration};

use super::{
    Context,
    running::Program,
    tenant::{Tenant, credentials},
};

const TIMEOUT: Duration = Duration::from_secs(120);

pub(crate) fn check(context: &Context<'_>, tenant: &Tenant) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let packages = toolchain.npm("npm")?.join("node_modules");
    // Below the folder of the packages, so that Node.js finds them.
    let folder = toolchain.empty("npm/peer-typescript")?;
    let document = folder.join("openapi.json");
    context.document.save(&document)?;
    let node = |name: &str| Program::new("node", toolchain.log(name));
    node("openapi-typescript")
        .arg(packages.join("openapi-typescript/bin/cli.js"))
        .arg(&document)
        .arg("--output")
        .arg(folder.join("schema.d.ts"))
        .run(TIMEOUT)?;
    fs::write(folder.join("package.json"), r#"{ "type": "module" }"#)?;
    for file in ["session.ts", "tsconfig.json"] {
        fs::copy(toolchain.ours("peers").join(file), folder.join(file))?;
    }
    node("tsc")
        .arg(packages.join("typescript/bin/tsc"))
        .args(["--project", "tsconfig.json"])
        .folder(&folder)
        .run(TIMEOUT)?;
    let session = node("peer-typescript").arg(folder.join("built/session.js"));
    let output = credentials(session, &tenant.url).run(TIMEOUT)?;
    Ok(output.trim().to_owned())
}
