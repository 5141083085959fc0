//! With the feature `tenant-document`, generates the client from the document that `LMS_CLIENT_DOCUMENT` names.
//! Without it, does nothing, and the generator is not a dependency.

#[cfg(not(feature = "tenant-document"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}

#[cfg(feature = "tenant-document")]
fn main() {
    lms_codegen::build_script(|document, origin| {
        Ok(vec![
            ("raw.rs", lms_codegen::raw_client(document, origin)?),
            ("facade.rs", lms_codegen::facade(document, origin)?),
        ])
    });
}
