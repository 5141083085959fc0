//! The operations that `lms-ext` is built on: a table, and a few small implementations for each.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::{
    ast::render,
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
};

/// The operations as formatted Rust, to be compiled as a module of `lms-ext`.
///
/// The code refers to the hand-written module `operation` of that crate.
///
/// # Errors
///
/// When the generated code is not valid Rust, which no valid document is known to cause.
pub fn operations(document: &Document) -> Result<String, Error> {
    let operations = document.operations();
    let count = Literal::usize_unsuffixed(operations.len());
    let infos = operations.iter().map(info);
    let impls = operations
        .iter()
        .enumerate()
        .map(|(index, operation)| implementation(index, operation));
    let known_ids = with_optional_id(document).into_iter().map(known_id);
    let tokens = quote! {
        use lms_client::{builder, types};
        use reqwest::Method;

        use super::{
            RequireId,
            operation::{PreparedRequest, List, Operation},
        };
        use crate::values::OperationInfo;

        /// Every operation of the service, in the order of the document.
        pub static OPERATIONS: [OperationInfo; #count] = [ #(#infos),* ];

        #(#impls)*

        #(#known_ids)*
    };
    let file = syn::parse2(tokens).map_err(Error::new)?;
    Ok(render(&file, "spec/openapi.yaml"))
}

fn info(operation: &Operation) -> TokenStream {
    let id = operation.method_name();
    let method = format_ident!("{}", operation.method);
    let path = &operation.path;
    let authenticated = operation.authenticated;
    let idempotent = operation.idempotent();
    let path_parameters = operation.parameters_in(ParameterLocation::Path);
    let query_parameters = operation.parameters_in(ParameterLocation::Query);
    quote! {
        OperationInfo {
            id: #id,
            method: Method::#method,
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
                impl List for builder::#builder<'_> {
                    type Item = #item;
                    const CURSOR: bool = #cursor;
                }
            }
        }
        _ => TokenStream::new(),
    };
    quote! {
        impl Operation for builder::#builder<'_> {
            type Output = #output;
            const INFO: &'static OperationInfo = &OPERATIONS[#index];
            #[inline]
            fn prepare(self) -> Result<PreparedRequest, lms_client::Error> {
                builder::#builder::prepare(self)
            }
        }
        #list
    }
}

/// The schemas of responses, and of the items of lists, whose `id` may be missing.
fn with_optional_id(document: &Document) -> BTreeSet<&str> {
    let schemas = document
        .operations()
        .iter()
        .filter_map(|operation| match &operation.response {
            Response::Empty => None,
            Response::Object(name) | Response::List { item: name, .. } => Some(name.as_str()),
        });
    schemas
        .filter(|name| {
            let schema = &document.value()["components"]["schemas"][name];
            let required = schema["required"].as_array().into_iter().flatten();
            schema["properties"]["id"]["type"] == "string"
                && !required.into_iter().any(|name| name == "id")
        })
        .collect()
}

fn known_id(schema: &str) -> TokenStream {
    let kind = heck::ToSnakeCase::to_snake_case(schema).replace('_', " ");
    let schema = named(schema);
    quote! {
        impl RequireId for #schema {
            const KIND: &'static str = #kind;
            fn raw_id(&self) -> Option<&str> {
                self.id.as_deref()
            }
        }
    }
}

fn named(schema: &str) -> TokenStream {
    let name: Ident = format_ident!("{}", heck::ToPascalCase::to_pascal_case(schema));
    quote!(types::#name)
}
