//! The work of the build scripts of the crates with the feature `tenant-document`.
#![expect(
    clippy::print_stdout,
    reason = "cargo reads the standard output of build scripts"
)]

use std::{env, fs, path::Path};

use crate::{document::Document, error::Error};

const VARIABLE: &str = "LMS_CLIENT_DOCUMENT";

const ORIGIN: &str = "a tenant's own document";

/// A file's name and its text.
pub type GeneratedFile = (&'static str, String);

/// Generates files from the document that the environment variable `LMS_CLIENT_DOCUMENT` names, into `OUT_DIR`.
///
/// `generate` gets the document, and how to call it in the notice at the top of a file. Every error becomes an error of
/// the build.
pub fn build_script(generate: impl FnOnce(&Document, &str) -> Result<Vec<GeneratedFile>, Error>) {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    if let Err(reason) = run(generate) {
        println!("cargo::error={reason}");
    }
}

fn run(
    generate: impl FnOnce(&Document, &str) -> Result<Vec<GeneratedFile>, Error>,
) -> Result<(), String> {
    let path = env::var(VARIABLE).map_err(|_| {
        format!(
            "the feature `tenant-document` needs {VARIABLE}: set it to the absolute path of an OpenAPI document, version 3.0"
        )
    })?;
    println!("cargo::rerun-if-changed={path}");
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {path}, the value of {VARIABLE}: {error}"))?;
    let document = Document::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    for note in document.notes() {
        println!("cargo::warning={path}: {note}");
    }
    let files = generate(&document, ORIGIN).map_err(|error| format!("{path}: {error}"))?;
    let folder =
        env::var_os("OUT_DIR").ok_or("OUT_DIR is not set; run this build script with cargo")?;
    for (name, text) in files {
        let path = Path::new(&folder).join(name);
        fs::write(&path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}
