//! Documents of OpenAPI 3.1: our lowering to 3.0 gives the same types as that of `@apiture/openapi-down-convert`.
//!
//! openapi-typescript reads both results. Names, types, `null` and which properties are required must be equal. The documents
//! are the constructs of the tests of `lms-codegen`, and public documents of the package that [`real_documents`] pins.

use std::{fmt::Write as _, fs, time::Duration};

use anyhow::{Context as _, ensure};

use super::{
    context::{Context, Target},
    real_documents,
    running::Program,
};

const TIMEOUT: Duration = Duration::from_secs(300);

const CONSTRUCTS: &str = "lms-codegen/tests/constructs/schemas-3.1.txt";

/// Constructs that the other tool drops or keeps as they are, for which it has another type.
const NOT_LOWERED: [&str; 3] = [
    "{ contentMediaType: application/octet-stream }",
    "{ type: object, patternProperties: { ^a: { type: integer } } }",
    "{ type: object, properties: { a: { type: string }, b: false }, dependentRequired: { a: [b] }, propertyNames: { pattern: ^a } }",
];

pub(crate) fn check(context: &Context<'_>, _: &Target<'_>) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    toolchain.npm("npm")?;
    // Below the folder of the packages, so that Node.js finds them.
    let folder = toolchain.empty("npm/lowering")?;
    let constructs = fs::read_to_string(toolchain.root.join(CONSTRUCTS))?;
    let mut documents = vec![("constructs".to_owned(), document(&constructs)?)];
    for (name, path) in real_documents::installed(toolchain)?.lowered {
        documents.push((name, fs::read_to_string(path)?));
    }
    for (index, (name, text)) in documents.iter().enumerate() {
        let lowered = lms_codegen::Document::parse(text).with_context(|| name.clone())?;
        fs::write(folder.join(format!("{index}.yaml")), text)?;
        fs::write(
            folder.join(format!("{index}.json")),
            lowered.value().to_string(),
        )?;
    }
    fs::copy(toolchain.ours("lowering.mjs"), folder.join("lowering.mjs"))?;
    let names = documents.iter().map(|(name, _)| name);
    let compared = Program::new("node", toolchain.log("lowering"))
        .arg("lowering.mjs")
        .args(names)
        .folder(&folder)
        .run(TIMEOUT)?;
    let last = compared.lines().last();
    Ok(last.context("the script printed nothing")?.to_owned())
}

/// A document of version 3.1 with a schema for each construct that both tools lower.
fn document(constructs: &str) -> anyhow::Result<String> {
    let mut text = "openapi: 3.1.0\ninfo: { title: Constructs, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    \
                    Inner: { type: object, properties: { id: { type: string } } }\n    \
                    Cat: { type: object, required: [purrs], properties: { purrs: { type: boolean } } }\n"
        .to_owned();
    let accepted = constructs.lines().filter_map(|line| {
        let (schema, _) = line.split_once(" => value ")?;
        Some(schema)
    });
    let (left_out, compared): (Vec<_>, Vec<_>) =
        accepted.partition(|schema| NOT_LOWERED.contains(schema));
    ensure!(
        left_out.len() == NOT_LOWERED.len(),
        "{CONSTRUCTS} has other constructs than {NOT_LOWERED:?}"
    );
    for (index, schema) in compared.iter().enumerate() {
        writeln!(
            text,
            "    Construct{index}: {{ type: object, properties: {{ value: {schema} }} }}"
        )?;
    }
    Ok(text)
}
