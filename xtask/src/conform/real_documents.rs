//! Generates clients from the OpenAPI documents of other services, and compiles them.
//!
//! docs/conformance.md has a table of the results, so that a change of the generator that accepts or refuses another
//! document is seen. The documents are those of an npm package, which is pinned in tests/conform/documents.txt.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, bail, ensure};

use super::{
    context::{Context, Target},
    running::Program,
    toolchain::Toolchain,
};

const INSTALL_TIMEOUT: Duration = Duration::from_secs(600);
const COMPILE_TIMEOUT: Duration = Duration::from_secs(600);

/// The clients whose number is a multiple of this are compiled. `LMS_TESTS=full` compiles all.
const COMPILED_ONE_IN: usize = 4;

/// The page with the table.
const PAGE: &str = "docs/conformance.md";

/// The pinned package.
pub(crate) fn version(toolchain: &Toolchain) -> String {
    let pins = fs::read_to_string(toolchain.ours("documents.txt")).unwrap_or_default();
    pins.lines().next().unwrap_or_default().to_owned()
}

pub(crate) fn check(context: &Context<'_>, _: &Target<'_>) -> anyhow::Result<String> {
    let toolchain = context.toolchain;
    let documents = installed(toolchain)?.generated;
    let mut table = "| document | operations | result |\n|---|---|---|\n".to_owned();
    let full = std::env::var("LMS_TESTS").is_ok_and(|tests| tests == "full");
    let (mut generated, mut compiled) = (0, 0);
    for (name, path) in &documents {
        let (operations, result) = match generate(&fs::read_to_string(path)?) {
            Ok(operations) => {
                if full || generated % COMPILED_ONE_IN == 0 {
                    compile(toolchain, path).with_context(|| format!("the client of {name}"))?;
                    compiled += 1;
                }
                generated += 1;
                (operations.to_string(), "compiles".to_owned())
            }
            Err(error) => (
                "–".to_owned(),
                format!("refused: `{}`: {}", error.location(), error.reason()),
            ),
        };
        let result = result.replace('|', "\\|");
        let _ = writeln!(table, "| {name} | {operations} | {result} |");
    }
    let page = fs::read_to_string(toolchain.root.join(PAGE))?;
    ensure!(
        page.contains(&table),
        "{PAGE} has other results than these; write them there:\n\n{table}"
    );
    Ok(format!(
        "{compiled} of {generated} clients are compiled, {} documents are refused as documented",
        documents.len() - generated
    ))
}

/// Names of documents, and their files.
type Documents = Vec<(String, PathBuf)>;

/// The documents of tests/conform/documents.txt.
pub(crate) struct Installed {
    generated: Documents,
    /// Documents of OpenAPI 3.1, which are only lowered.
    pub(crate) lowered: Documents,
}

pub(crate) fn installed(toolchain: &Toolchain) -> anyhow::Result<Installed> {
    let pins = toolchain.ours("documents.txt");
    let text = fs::read_to_string(&pins)?;
    let parts: Vec<_> = text.split("\n\n").collect();
    let [package, generated, lowered] = *parts.as_slice() else {
        bail!("documents.txt has a package and two lists");
    };
    let folder = toolchain.file("documents");
    let names: Vec<_> = generated.lines().chain(lowered.lines()).collect();
    Toolchain::install(&[&pins], &folder, || {
        install(toolchain, package, &names, &folder)
    })?;
    let files = |names: &str| {
        let names = names.lines();
        names
            .map(|name| (name.to_owned(), folder.join(member(name))))
            .collect()
    };
    Ok(Installed {
        generated: files(generated),
        lowered: files(lowered),
    })
}

/// The file of a document in the package.
fn member(name: &str) -> String {
    format!("package/api/{name}.json")
}

fn install(
    toolchain: &Toolchain,
    package: &str,
    names: &[&str],
    folder: &Path,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    Program::new("npm", toolchain.log("npm-pack"))
        .args([
            "pack",
            "--ignore-scripts",
            "--loglevel=error",
            "--pack-destination",
        ])
        .arg(folder)
        .arg(package)
        .run(INSTALL_TIMEOUT)?;
    let archive = folder.join(format!("{}.tgz", package.replace('@', "-")));
    Program::new("tar", toolchain.log("tar"))
        .arg("-xzf")
        .arg(&archive)
        .arg("-C")
        .arg(folder)
        .args(names.iter().map(|name| member(name)))
        .run(INSTALL_TIMEOUT)?;
    fs::remove_file(archive)?;
    Ok(())
}

/// The number of operations.
fn generate(text: &str) -> Result<usize, lms_codegen::Error> {
    let document = lms_codegen::Document::parse(text)?;
    lms_codegen::client(&document, "a document")?;
    Ok(document.operations().len())
}

fn compile(toolchain: &Toolchain, document: &Path) -> anyhow::Result<()> {
    Program::new(crate::workspace::cargo(), toolchain.log("compile"))
        .args([
            "check",
            "--quiet",
            "--locked",
            "--package",
            "lms-client",
            "--no-default-features",
            "--features",
            "tenant-document",
        ])
        .env("LMS_CLIENT_DOCUMENT", document)
        .folder(&toolchain.root)
        .run(COMPILE_TIMEOUT)?;
    Ok(())
}
