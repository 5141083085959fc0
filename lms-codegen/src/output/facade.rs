//! The layer around the raw client: builders, ids, enums, and the facts about operations.

use quote::quote;

use super::{
    conversions::conversions,
    operations::operations,
    secrets::secret_names,
    type_builders::{Struct, structs},
};
use crate::{ast::render, document::Document, error::Error, formats::id_types, types::Types};

/// The facade of the [raw client](crate::raw_client) as formatted Rust, to be compiled as a module of `lms-client`.
///
/// `origin` names the document in the notice at the top. The code refers to the raw client, and to hand-written modules of
/// that crate.
///
/// # Errors
///
/// Fails if progenitor rejects the document, or generates code whose signatures are not the expected ones.
pub fn facade(document: &Document, origin: &str) -> Result<String, Error> {
    let types = Types::of(document)?;
    let structs = structs(document, &types)?;
    let enums = types.enums();
    let builders = structs.values().map(Struct::builder);
    let conversions = conversions(&types)?;
    let operations = operations(document, &types, &structs)?;
    let (ids, secrets) = (id_types(document.value()), secret_names(document));
    let code = quote! {
        /// Enums that keep values that the document does not list.
        pub mod enums {
            #(#enums)*
        }
        /// A struct or an enum for each schema, and a builder for each struct.
        pub mod types {
            #[doc(inline)]
            pub use super::enums::*;
            #[doc(inline)]
            pub use crate::raw::types::*;
            /// Types for composing complex structures.
            pub mod builder {
                use super::super::types;
                #(#builders)*
            }
        }
        #conversions
        #operations
        #ids
        #secrets
    };
    render(code, origin)
}
