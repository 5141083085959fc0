//! The builder of each struct. It begins with the required fields, in the order in which the document requires them.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::setters::Argument;
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
