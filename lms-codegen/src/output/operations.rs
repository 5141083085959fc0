//! Facts about each operation: the table of operations, and the traits that lead from a builder to its entry.

use std::collections::BTreeMap;

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Map;

use super::{requests::Request, type_builders::Struct};
use crate::{
    ast::{missing, path},
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
    formats::is_id,
    openapi::{IDENTIFIED_BY, resolve},
    types::{Field, Types},
};

/// The builders, the methods that return them, and the implementations of the traits in `lms_client::operation`.
pub(super) fn operations(
    document: &Document,
    types: &Types,
    structs: &BTreeMap<String, Struct>,
) -> Result<TokenStream, Error> {
    let (mut infos, mut builders, mut methods, mut lists) = (vec![], vec![], vec![], vec![]);
    let mut returned = BTreeMap::new();
    let all = document.operations().iter().zip(types.operations());
    for (index, (operation, of)) in all.enumerate() {
        let request = Request::new(document, operation, of, structs)?;
        let mut name = last_name(&of.output);
        let mut creates = !operation.idempotent;
        if let Response::List { cursor, .. } = &operation.response {
            let page = structs.get(&name).map(|page| page.fields.iter());
            let items = page.and_then(|mut fields| fields.find(|field| field.name == "items"));
            let items = items.filter(|field| field.slot.list);
            let gone = || missing(&format!("a field `items` with a list in `{name}`"));
            let of = &items.ok_or_else(gone)?.slot.of;
            let builder = format_ident!("{}", operation.builder_name());
            lists.push(quote! {
                impl<T: Clone> crate::operation::List for requests::#builder<'_, T> {
                    type Item = #of;
                    const CURSOR: bool = #cursor;
                }
            });
            creates = false;
            name = last_name(&syn::parse2(of.clone()).map_err(Error::new)?);
        }
        match structs.get(&name) {
            Some(of) => {
                creates &= id(&of.fields).is_some();
                returned.insert(name, identity(document, of));
            }
            None => creates = false,
        }
        infos.push(info(document, operation, creates));
        builders.push(request.builder(index));
        methods.push(request.method(document));
    }
    let ids = returned.into_values();
    Ok(quote! {
        impl<T> crate::Operations<T> {
            #(#methods)*
        }

        /// A builder for each operation.
        pub mod requests {
            use super::types;
            #(#builders)*
        }

        /// All operations, in the order of the document.
        pub static OPERATIONS: &[crate::operation::OperationInfo] = &[ #(#infos),* ];

        #(#lists)*

        #(#ids)*
    })
}

fn info(document: &Document, operation: &Operation, creates: bool) -> TokenStream {
    let id = operation.method_name();
    let method = format_ident!("{}", operation.method);
    let path = &operation.path;
    let authenticated = operation.authenticated;
    let idempotent = operation.idempotent;
    let path_parameters = operation.parameters_in(ParameterLocation::Path);
    let query_parameters = operation.parameters_in(ParameterLocation::Query);
    let root = document.value();
    let ids = operation.parameters.iter().filter(|parameter| {
        let format = resolve(root, &parameter.schema).and_then(|schema| schema["format"].as_str());
        format.is_some_and(is_id)
    });
    let ids = ids.map(|parameter| &parameter.name);
    let fields = match &operation.response {
        Response::Object(name) | Response::List { page: name, .. } => {
            let schema = &root["components"]["schemas"][name];
            schema["properties"].as_object()
        }
        Response::Empty | Response::Inline => None,
    };
    let fields = fields.into_iter().flat_map(Map::keys);
    let has_content = operation.response != Response::Empty;
    quote! {
        crate::operation::OperationInfo {
            id: #id,
            method: ::reqwest::Method::#method,
            path: #path,
            path_parameters: &[ #(#path_parameters),* ],
            query_parameters: &[ #(#query_parameters),* ],
            id_parameters: &[ #(#ids),* ],
            response_fields: &[ #(#fields),* ],
            authenticated: #authenticated,
            idempotent: #idempotent,
            has_content: #has_content,
            creates: #creates,
        }
    }
}

/// `Course` of `types::Course`.
fn last_name(of: &syn::Type) -> String {
    let last = path(of).and_then(|path| path.segments.last());
    last.map(|last| last.ident.to_string()).unwrap_or_default()
}

/// The field `id`, if it holds an id.
fn id(fields: &[Field]) -> Option<&Field> {
    let mut fields = fields.iter();
    fields.find(|field| field.name == "id" && field.slot.is_text)
}

/// The implementation of the trait that identifies a value of a type.
fn identity(document: &Document, made: &Struct) -> TokenStream {
    let name = &made.name;
    let id = id(&made.fields);
    if let Some(Field { slot, .. }) = id
        && slot.optional
    {
        let (of, kind) = (&slot.of, name.to_string().to_snake_case().replace('_', " "));
        return quote! {
            impl crate::operation::HasId for types::#name {
                type Id = #of;
                const KIND: &'static str = #kind;
                fn raw_id(&self) -> Option<&Self::Id> {
                    self.id.as_ref()
                }
            }
        };
    }
    let mut names = document.listed_fields(&name.to_string(), IDENTIFIED_BY);
    if names.is_empty() && id.is_some() {
        names.push("id".to_owned());
    }
    if names.is_empty() {
        return TokenStream::new();
    }
    let values = names.iter().filter_map(|name| {
        let field = made.fields.iter().find(|field| field.name == *name)?;
        let name = format_ident!("{name}");
        Some(match field.slot.optional {
            true => quote!(self.#name.as_deref()),
            false => quote!(Some(self.#name.as_str())),
        })
    });
    quote! {
        impl crate::operation::Identified for types::#name {
            fn id(&self) -> Option<::std::borrow::Cow<'_, str>> {
                crate::operation::joined_id(&[ #(#values),* ])
            }
        }
    }
}
