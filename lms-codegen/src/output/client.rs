//! The client: progenitor's output with our changes.

use super::operations::add_operations;
use crate::{
    ast::render,
    document::Document,
    error::Error,
    fixups::{add_awaiting, change_setters, fix, optimize, split_send},
    formats::add_types,
    generator::run,
    types::Types,
};

/// The client as formatted Rust, to be compiled as a module of `lms-client`.
///
/// `origin` names the document in the notice at the top. The code refers to the hand-written modules `base_url`,
/// `id`, `operation`, `setter`, `transport` and `wire` of that crate.
///
/// # Errors
///
/// When progenitor rejects the document, or generates code that our changes do not know.
pub fn client(document: &Document, origin: &str) -> Result<String, Error> {
    let (mut file, generator) = run(document.value(), |generator, spec| {
        generator.generate_tokens(spec)
    })?;
    let types = Types::of(&generator);
    fix(&mut file, document)?;
    change_setters(&mut file, &types)?;
    optimize(&mut file, document)?;
    split_send(&mut file, document)?;
    add_operations(&mut file, document, &types)?;
    add_awaiting(&mut file, document)?;
    add_types(&mut file, document.value());
    // rustdoc would report an ignored test for every operation.
    Ok(render(&file, origin).replace("```ignore", "```text"))
}
