//! With the feature `tenant-document`, generates the collections from the document that `LMS_CLIENT_DOCUMENT` names.
//! Without it, does nothing, and the generator is not a dependency.

#[cfg(not(feature = "tenant-document"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}

#[cfg(feature = "tenant-document")]
fn main() {
    lms_codegen::build_script(|document, origin| {
        let collections = lms_codegen::collections(document, origin)?;
        Ok(vec![("collections.rs", collections)])
    });
}
