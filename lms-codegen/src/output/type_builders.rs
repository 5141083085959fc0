//! The builder of each struct, and the arguments of builders.
//!
//! Required values are arguments, in the order in which the document requires them, so leaving one out does not compile.
//! Builders whose types show which fields are set would check the same with names in place of positions, but they multiply
//! the types that a dependent compiles, and their errors name types that no document has.
//!
//! An argument takes no `Option`. Services do not promise the ids in their responses, so these are `Option`s, and a program
//! says what to do without one before it passes it on.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::{
    document::Document,
    error::Error,
    types::{Field, Types},
};

/// A struct of the document.
pub(super) struct Struct {
    pub(super) name: Ident,
    pub(super) fields: Vec<Field>,
    /// The required fields.
    pub(super) start: Vec<Field>,
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
            let mut start = fields.clone();
            start.retain(|field| field.required);
            start.sort_by_key(|field| order.iter().position(|name| field.name == *name));
            let made = Struct {
                name: format_ident!("{name}"),
                fields,
                start,
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
        let start = self.start.iter().map(|field| {
            let (name, of) = (field.ident(), field.argument());
            quote!(#name: #of;)
        });
        let others = self.fields.iter().filter(|field| !field.required);
        let others = others.map(Field::declared);
        quote! {
            crate::builder::of_struct! { #name (#(#start)*) { #(#others)* } }
        }
    }
}

/// The signature of a function with arguments: its generics and its arguments.
pub(super) fn signature(all: &[&Field]) -> (TokenStream, TokenStream) {
    let arguments = all.iter().map(|field| {
        let (name, of) = (field.ident(), field.argument());
        quote!(#name: crate::builder::argument!(#of))
    });
    let arguments = quote!(#(#arguments),*);
    let generics: Vec<_> = all.iter().filter_map(|field| field.generic()).collect();
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    (quote!(#generics), arguments)
}
