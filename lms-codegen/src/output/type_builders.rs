//! The builder of each struct. It begins with the required fields, in the order in which the document requires them.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Item, parse_quote};

use super::setters::{Argument, setter, signature};
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

/// Names the builder in the documentation of a type: it has no `Default`, and other crates cannot write its fields.
pub(super) fn name_builder(item: &mut Item, structs: &BTreeMap<String, Struct>) {
    let Item::Struct(of) = item else { return };
    if structs
        .get(&of.ident.to_string())
        .is_some_and(|made| !made.start.is_empty())
    {
        let is_doc = |attribute: &&Attribute| attribute.path().is_ident("doc");
        let end = of.attrs.iter().take_while(is_doc).count();
        let docs: [Attribute; 2] = [
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = " Made with [`builder`](Self::builder)."]),
        ];
        of.attrs.splice(end..end, docs);
    }
}

impl Struct {
    /// The builder, to be compiled in the module `types::builder`.
    ///
    /// A program uses a few of them at most, so their functions are inlined or generic: compiling all was two thirds of
    /// the work of building `lms-client`.
    pub(super) fn builder(&self) -> TokenStream {
        let Self {
            name,
            fields,
            start,
        } = self;
        let names: Vec<_> = fields
            .iter()
            .map(|field| format_ident!("{}", field.name))
            .collect();
        let of = fields.iter().map(|field| field.slot.declared());
        let setters = fields.iter().map(|field| setter(&field.name, &field.slot));
        let initial = names.iter().map(|name| {
            let argument = start.iter().find(|argument| argument.name == *name);
            argument.map_or_else(|| quote!(Ok(Default::default())), |of| of.value.clone())
        });
        let (generics, arguments) = signature(&start.iter().collect::<Vec<_>>());
        quote! {
            #[derive(Clone, Debug)]
            #[must_use = "a setter returns the builder: give it to an operation"]
            pub struct #name {
                #(#names: ::std::result::Result<#of, ::std::string::String>,)*
            }
            impl types::#name {
                /// A builder with the required fields.
                #[inline]
                pub fn builder #generics (#arguments) -> #name {
                    #name { #(#names: #initial,)* }
                }
            }
            impl #name {
                #(#setters)*
            }
            impl ::std::convert::TryFrom<#name> for types::#name {
                type Error = types::error::ConversionError;
                #[inline]
                fn try_from(value: #name) -> ::std::result::Result<Self, types::error::ConversionError> {
                    Ok(Self { #(#names: value.#names?,)* })
                }
            }
            impl ::std::convert::From<types::#name> for #name {
                fn from(value: types::#name) -> Self {
                    Self { #(#names: Ok(value.#names),)* }
                }
            }
        }
    }
}
