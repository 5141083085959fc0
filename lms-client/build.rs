//! With the feature `tenant-document`, generates the client from the document that `LMS_CLIENT_DOCUMENT` names.
//! Without it, does nothing, and the generator is not a dependency.

#[cfg(not(feature = "tenant-document"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}

#[cfg(feature = "tenant-document")]
fn main() {
    lms_codegen::build_script(|document, origin| {
        Ok(vec![(
            "generated.rs",
            lms_codegen::client(document, origin)?,
        )])
    });
}
