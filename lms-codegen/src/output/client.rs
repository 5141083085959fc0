//! The client: the types of typify, with our changes, and our builders.

use std::collections::BTreeSet;

use quote::quote;

use super::{
    conversions::conversions,
    operations::operations,
    secrets::secret_names,
    type_builders::{Struct, name_builder, structs},
};
use crate::{
    ast::render,
    document::{Document, Response},
    error::Error,
    fixups::{change_types, open_enums},
    formats::id_types,
    types::Types,
    typify_names::type_name,
};

/// The client as formatted Rust, to be compiled as a module of `lms-client`.
///
/// `origin` names the document in the notice at the top. The code refers to the hand-written modules `client`, `id`,
/// `open_enum`, `operation`, `policy`, `request`, `setter`, `transport` and `wire` of that crate.
///
/// # Errors
///
/// Fails if typify rejects the document, or generates code that our changes do not know.
pub fn client(document: &Document, origin: &str) -> Result<String, Error> {
    let types = Types::of(document)?;
    let structs = structs(document, &types)?;
    let pages = document.operations().iter();
    let pages = pages.filter_map(|operation| match &operation.response {
        Response::List { page, .. } => Some(type_name(page)),
        _ => None,
    });
    let mut items = types.code()?;
    change_types(&mut items, &pages.collect::<BTreeSet<_>>());
    let enums = open_enums(&mut items);
    items
        .iter_mut()
        .for_each(|item| name_builder(item, &structs));
    let builders = structs.values().map(Struct::builder);
    let conversions = conversions(&types)?;
    let operations = operations(document, &types, &structs)?;
    let (ids, secrets) = (id_types(document.value()), secret_names(document));
    let file = syn::parse2(quote! {
        /// A struct or an enum for each schema.
        pub mod types {
            #(#items)*
            /// Types for composing complex structures.
            pub mod builder {
                use super::super::types;
                #(#builders)*
            }
        }
        #(#enums)*
        #conversions
        #operations
        #ids
        #secrets
    });
    Ok(render(&file.map_err(Error::new)?, origin))
}
