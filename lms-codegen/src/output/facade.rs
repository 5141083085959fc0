//! The layer around the raw client: builders, ids, enums, and the facts about operations.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use typify::{Type, TypeDetails, TypeEnumVariant, TypeSpaceImpl};

use super::{
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

/// The values that setters accept for the types of the document, besides those of `lms_client::setter`.
fn conversions(types: &Types) -> Result<TokenStream, Error> {
    let mut conversions = TokenStream::new();
    for of in types.named() {
        conversions.extend(conversion(&of));
    }
    for of in types.named() {
        conversions.extend(alternatives(&of, types)?);
    }
    Ok(conversions)
}

/// The builder of a struct.
fn builder(of: &Type<'_>) -> Option<TokenStream> {
    matches!(of.details(), TypeDetails::Struct(_)).then(|| {
        let name = format_ident!("{}", of.name());
        quote!(types::builder::#name)
    })
}

/// Conversions into an enum or a newtype. `lms_client::open_enum` has those of open enums, and `lms_client::builder` of structs.
fn conversion(of: &Type<'_>) -> TokenStream {
    let name = of.ident();
    match of.details() {
        TypeDetails::Struct(_) => TokenStream::new(),
        _ if of.has_impl(TypeSpaceImpl::FromStr) => quote!(crate::setter::from_text!(#name);),
        _ => quote!(crate::setter::from_itself!(#name);),
    }
}

/// The conversion of a value into its alternative of a `oneOf`: `.pet(cat)` in place of `.pet(Pet::Cat(cat))`.
///
/// Nothing for a type that several alternatives have.
fn alternatives(of: &Type<'_>, types: &Types) -> Result<TokenStream, Error> {
    let TypeDetails::Enum(details) = of.details() else {
        return Ok(TokenStream::new());
    };
    let values = details
        .variants()
        .filter_map(|(name, details)| match details {
            TypeEnumVariant::Tuple(ids) => Some((name, <[_; 1]>::try_from(ids).ok()?)),
            _ => None,
        });
    let values: Vec<_> = values.map(|(name, [id])| (name, id)).collect();
    let whole = of.ident();
    let mut items = TokenStream::new();
    for (name, id) in &values {
        let value = types.get(id)?;
        let is_text = matches!(value.details(), TypeDetails::String);
        let several = values.iter().filter(|(_, known)| known == id).count() > 1;
        // An alternative that is text is found by the text.
        if several || is_text && of.has_impl(TypeSpaceImpl::FromStr) {
            continue;
        }
        let (variant, builder, value) = (format_ident!("{name}"), builder(&value), value.ident());
        items.extend(quote!(crate::setter::from_alternative!(#whole, #variant, #value);));
        if is_text {
            items.extend(quote!(crate::setter::from_alternative!(#whole, #variant, &str);));
        }
        items.extend(builder.map(
            |builder| quote!(crate::setter::from_alternative!(#whole, #variant, #value, #builder);),
        ));
    }
    Ok(items)
}
