//! What is true of each operation: the table of operations, and the traits that lead from a builder to its entry.

use std::collections::BTreeSet;

use heck::{ToPascalCase, ToSnakeCase};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;
use syn::File;

use crate::{
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
    openapi::{IDENTIFIED_BY, is_plain_text},
};

/// Adds the table of operations and the implementations of the traits in `lms_client::operation`.
pub(crate) fn add_operations(file: &mut File, document: &Document) -> Result<(), Error> {
    let operations = document.operations();
    let infos = operations.iter().map(info);
    let impls = operations
        .iter()
        .enumerate()
        .map(|(index, operation)| implementation(index, operation));
    let ids = returned(document)
        .into_iter()
        .map(|name| identity(document, name));
    let tokens = quote! {
        /// All operations, in the order of the document.
        pub static OPERATIONS: &[crate::operation::OperationInfo] = &[ #(#infos),* ];

        #(#impls)*

        #(#ids)*
    };
    let added: File = syn::parse2(tokens).map_err(Error::new)?;
    file.items.extend(added.items);
    Ok(())
}

fn info(operation: &Operation) -> TokenStream {
    let id = operation.method_name();
    let method = format_ident!("{}", operation.method);
    let path = &operation.path;
    let authenticated = operation.authenticated;
    let idempotent = operation.idempotent;
    let path_parameters = operation.parameters_in(ParameterLocation::Path);
    let query_parameters = operation.parameters_in(ParameterLocation::Query);
    quote! {
        crate::operation::OperationInfo {
            id: #id,
            method: ::reqwest::Method::#method,
            path: #path,
            path_parameters: &[ #(#path_parameters),* ],
            query_parameters: &[ #(#query_parameters),* ],
            authenticated: #authenticated,
            idempotent: #idempotent,
        }
    }
}

fn implementation(index: usize, operation: &Operation) -> TokenStream {
    let builder = format_ident!("{}", operation.builder_name());
    let index = Literal::usize_unsuffixed(index);
    let output = match &operation.response {
        Response::Empty => quote!(()),
        Response::Object(name) | Response::List { page: name, .. } => named(name),
    };
    let list = match &operation.response {
        Response::List { item, cursor, .. } => {
            let item = named(item);
            quote! {
                impl crate::operation::List for builder::#builder<'_> {
                    type Item = #item;
                    const CURSOR: bool = #cursor;
                }
            }
        }
        _ => TokenStream::new(),
    };
    quote! {
        impl crate::operation::Operation for builder::#builder<'_> {
            type Output = #output;
            const INFO: &'static crate::operation::OperationInfo = &OPERATIONS[#index];
            #[inline]
            fn prepare(self) -> Result<crate::transport::PreparedRequest, Error<()>> {
                builder::#builder::prepare(self)
            }
        }
        #list
    }
}

/// How the values of a schema are told apart.
fn identity(document: &Document, name: &str) -> TokenStream {
    let schema = &document.value()["components"]["schemas"][name];
    let required = |property: &str| {
        let names = schema["required"].as_array().into_iter().flatten();
        names.into_iter().any(|name| name == property)
    };
    let text = |property: &str| is_plain_text(&schema["properties"][property]);
    let of = named(name);
    if text("id") && !required("id") {
        let kind = name.to_snake_case().replace('_', " ");
        return quote! {
            impl crate::operation::HasId for #of {
                const KIND: &'static str = #kind;
                fn raw_id(&self) -> Option<&str> {
                    self.id.as_deref()
                }
            }
        };
    }
    let declared = schema[IDENTIFIED_BY].as_array().into_iter().flatten();
    let mut properties: Vec<&str> = declared.filter_map(Value::as_str).collect();
    if properties.is_empty() && text("id") {
        properties.push("id");
    }
    if properties.is_empty() {
        return TokenStream::new();
    }
    let values = properties.into_iter().map(|property| {
        let field = format_ident!("{}", property.to_snake_case());
        let nullable = schema["properties"][property]["nullable"] == true;
        if required(property) && !nullable {
            quote!(Some(self.#field.as_str()))
        } else {
            quote!(self.#field.as_deref())
        }
    });
    quote! {
        impl crate::operation::Identified for #of {
            fn id(&self) -> Option<::std::borrow::Cow<'_, str>> {
                crate::operation::joined_id(&[ #(#values),* ])
            }
        }
    }
}

/// The schemas of responses, and of the items of lists.
fn returned(document: &Document) -> BTreeSet<&str> {
    let operations = document.operations().iter();
    operations
        .filter_map(|operation| match &operation.response {
            Response::Empty => None,
            Response::Object(name) | Response::List { item: name, .. } => Some(name.as_str()),
        })
        .collect()
}

fn named(schema: &str) -> TokenStream {
    let name: Ident = format_ident!("{}", schema.to_pascal_case());
    quote!(types::#name)
}
