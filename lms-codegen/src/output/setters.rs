//! Arguments of builders, which convert values with the traits of `lms_client::setter`, as setters do.
//!
//! Required values are arguments, so leaving one out does not compile. Builders whose types show which fields are set would
//! check the same with names in place of positions, but they multiply the types that a dependent compiles, and their errors
//! name types that no document has.
//!
//! An argument takes no `Option`. Services do not promise the ids in their responses, so these are `Option`s, and a program
//! says what to do without one before it passes it on.

use heck::ToUpperCamelCase;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::types::Slot;

/// An argument for a field.
pub(super) struct Argument {
    pub(super) name: Ident,
    /// Its kind and its type, as the macros of `lms_client::builder` take them.
    pub(super) of: TokenStream,
    /// The generic of a list.
    by: Option<Ident>,
}

impl Argument {
    /// The argument for the value of a slot.
    pub(super) fn of(name: &str, slot: &Slot) -> Self {
        let (kind, of) = (slot.kind(), &slot.of);
        // A function may have the arguments of several lists.
        let by = slot
            .list
            .then(|| format_ident!("{}By", name.to_upper_camel_case()));
        let generic = by.iter();
        Self {
            name: format_ident!("{name}"),
            of: quote!(#kind #of #(, #generic)*),
            by,
        }
    }

    /// The body, as a value that converts into a builder.
    pub(super) fn body(builder: &impl ToTokens) -> Self {
        Self {
            name: format_ident!("body"),
            of: quote!(builder #builder),
            by: None,
        }
    }
}

/// The signature of a function with arguments: its generics and its arguments.
pub(super) fn signature(all: &[&Argument]) -> (TokenStream, TokenStream) {
    let arguments = all.iter();
    let arguments =
        arguments.map(|Argument { name, of, .. }| quote!(#name: crate::builder::argument!(#of)));
    let arguments = quote!(#(#arguments),*);
    let generics: Vec<_> = all.iter().filter_map(|of| of.by.as_ref()).collect();
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    (quote!(#generics), arguments)
}
