//! The client: the types and setters of progenitor's output, with our changes, and our builders.

use quote::quote;

use super::{operations::operations, secrets::secret_names};
use crate::{
    ast::{missing, module, render},
    document::Document,
    error::Error,
    fixups::{change_setters, change_types, open_enums, require_fields},
    formats::id_types,
    generator::run,
    types::Types,
};

/// The client as formatted Rust, to be compiled as a module of `lms-client`.
///
/// `origin` names the document in the notice at the top. The code refers to the hand-written modules `client`, `id`,
/// `open_enum`, `operation`, `policy`, `request`, `setter`, `transport` and `wire` of that crate.
///
/// # Errors
///
/// Fails if progenitor rejects the document, or generates code that our changes do not know.
pub fn client(document: &Document, origin: &str) -> Result<String, Error> {
    let (mut file, generator) = run(document.value(), |generator, spec| {
        generator.generate_tokens(spec)
    })?;
    let types = Types::of(&generator);
    change_types(&mut file)?;
    let enums = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    let enums = open_enums(enums)?;
    let conversions = change_setters(&mut file, &types)?;
    let starts = require_fields(&mut file, document.value())?;
    let operations = operations(&mut file, document, &types, &starts)?;
    let (ids, secrets) = (id_types(document.value()), secret_names(document));
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    let file = syn::parse2(quote! {
        /// A struct or an enum for each schema.
        pub mod types {
            #(#types)*
        }
        #(#enums)*
        #(#conversions)*
        #operations
        #ids
        #secrets
    });
    Ok(render(&file.map_err(Error::new)?, origin))
}
