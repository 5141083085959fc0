//! With the feature `tenant-document`, generates the client from the document that `LMS_CLIENT_DOCUMENT` names.
//! Without it, does nothing, and the generator is not a dependency.

#[cfg(not(feature = "tenant-document"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}

#[cfg(feature = "tenant-document")]
fn main() {
    const VARIABLE: &str = "LMS_CLIENT_DOCUMENT";
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    if let Err(reason) = generate(VARIABLE) {
        println!("cargo::error={reason}");
    }
}

#[cfg(feature = "tenant-document")]
fn generate(variable: &str) -> Result<(), String> {
    use std::{env, fs, path::Path};

    let document = env::var(variable).map_err(|_| {
        format!(
            "the feature `tenant-document` needs {variable}: set it to the absolute path of an OpenAPI 3.0 document"
        )
    })?;
    println!("cargo::rerun-if-changed={document}");
    let text = fs::read_to_string(&document)
        .map_err(|error| format!("cannot read {document}, the value of {variable}: {error}"))?;
    let wrong = |error: lms_codegen::Error| format!("{document}: {error}");
    let parsed = lms_codegen::Document::parse(&text).map_err(wrong)?;
    if cfg!(feature = "for-lms-ext") {
        lms_codegen::check_for_lms_ext(&parsed).map_err(wrong)?;
    }
    let out =
        env::var_os("OUT_DIR").ok_or("OUT_DIR is not set; run this build script with cargo")?;
    let write = |name: &str, code: String| {
        fs::write(Path::new(&out).join(name), code).map_err(|error| error.to_string())
    };
    const ORIGIN: &str = "a tenant's own document";
    if cfg!(feature = "mocks") {
        write(
            "mocks.rs",
            lms_codegen::mocks(&parsed, ORIGIN).map_err(wrong)?,
        )?;
    }
    write(
        "generated.rs",
        lms_codegen::client(&parsed, ORIGIN).map_err(wrong)?,
    )
}
