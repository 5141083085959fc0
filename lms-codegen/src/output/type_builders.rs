//! The builder of each struct, and the arguments of builders.
//!
//! Required values are arguments, in the order in which the document requires them, so leaving one out does not compile. Builders whose types show which fields are set would
//! check the same with names in place of positions, but they multiply the types that a dependent compiles, and their errors
//! name types that no document has.
//!
//! An argument takes no `Option`. Services do not promise the ids in their responses, so these are `Option`s, and a program
//! says what to do without one before it passes it on.

use std::collections::BTreeMap;

use heck::ToUpperCamelCase;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::{
    document::Document,
    error::Error,
    types::{Field, Slot, Types},
};

/// A struct of the document.
pub(super) struct Struct {
    pub(super) name: Ident,
    pub(super) fields: Vec<Field>,
    /// The required fields.
    pub(super) start: Vec<Argument>,
}

/// All structs of the document by name.
pub(super) fn structs(
    document: &Document,
    types: &Types,
) -> Result<BTreeMap<String, Struct>, Error> {
    let mut structs = BTreeMap::new();
    for of in types.named() {
        if let Some(fields) = types.fields(&of)? {
            let name = of.name();
            let order = document.listed_fields(&name, "required");
            let mut required: Vec<_> = fields.iter().filter(|field| field.required).collect();
            required.sort_by_key(|field| order.iter().position(|name| field.name == *name));
            let start = required
                .iter()
                .map(|field| Argument::of(&field.name, &field.slot));
            let made = Struct {
                name: format_ident!("{name}"),
                start: start.collect(),
                fields,
            };
            structs.insert(name, made);
        }
    }
    Ok(structs)
}

impl Struct {
    /// The builder, to be compiled in the module `types::builder`.
    pub(super) fn builder(&self) -> TokenStream {
        let name = &self.name;
        let start = self.start.iter();
        let start = start.map(|Argument { name, of, .. }| quote!(#name: #of;));
        let others = self.fields.iter().filter(|field| !field.required);
        let others = others.map(|field| field.slot.declared(&field.name));
        quote! {
            crate::builder::of_struct! { #name (#(#start)*) { #(#others)* } }
        }
    }
}

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
