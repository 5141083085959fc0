//! The operations of the sandbox, and the fields of their bodies and responses.
//!
//! They are facts of the document. The behaviour of the sandbox, which its tests compare with the documentation, is
//! written by hand.

use std::collections::BTreeMap;

use heck::{ToPascalCase, ToShoutySnakeCase};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

use crate::{
    ast::{option, render},
    document::{Document, Operation, ParameterLocation},
    error::Error,
    formats::is_id,
    openapi::{resolve, schema_name},
};

/// The table of operations and the schemas of their bodies and responses as formatted Rust, to be compiled as the
/// module `api::generated` of `lms-sandbox`.
///
/// `origin` names the document in the notice at the top.
///
/// # Errors
///
/// Fails if the code cannot be formatted.
pub fn sandbox(document: &Document, origin: &str) -> Result<String, Error> {
    let operations = document.operations();
    let mut schemas = Schemas {
        root: document.value(),
        found: BTreeMap::new(),
    };
    let rows: Vec<_> = operations.iter().map(|of| schemas.row(of)).collect();
    let names = operations
        .iter()
        .map(|of| format_ident!("{}", of.builder_name()));
    let docs = operations
        .iter()
        .map(|of| format!("`{}`: `{} {}`", of.id, of.method, of.path));
    let all = names.clone();
    let schemas = schemas.found.into_values();
    let code = quote! {
        use super::{id::Kind, schema::{Row, Schema, Shape}};

        /// An operation of the service.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Operation { #(#[doc = #docs] #names),* }

        impl Operation {
            /// All operations, in the order of the OpenAPI document.
            pub const ALL: &[Self] = &[#(Self::#all),*];
        }

        /// The properties of the operations.
        pub(super) static ROWS: &[Row] = &[#(#rows),*];

        #(#schemas)*
    };
    render(code, origin)
}

/// The schemas that bodies and responses need, by their names.
struct Schemas<'a> {
    root: &'a Value,
    found: BTreeMap<String, TokenStream>,
}

impl<'a> Schemas<'a> {
    fn row(&mut self, operation: &'a Operation) -> TokenStream {
        let Operation {
            id,
            method,
            path,
            authenticated,
            ..
        } = operation;
        let query = operation.parameters_in(ParameterLocation::Query);
        let body = operation.body.as_ref().map(|body| &body.media["schema"]);
        let body = self.optional(body, &format!("{}Body", operation.builder_name()));
        let response = format!("{}Response", operation.builder_name());
        let response = self.optional(operation.content.as_ref(), &response);
        quote! {
            Row {
                id: #id,
                method: #method,
                path: #path,
                query: &[#(#query),*],
                needs_token: #authenticated,
                body: #body,
                response: #response,
            }
        }
    }

    fn optional(&mut self, schema: Option<&'a Value>, otherwise: &str) -> TokenStream {
        let name = schema.map(|schema| self.name(schema, otherwise));
        option(name.map(|name| quote!(&#name)))
    }

    /// The name of the constant of an object, which is added. `otherwise` is the name of one without a name.
    fn name(&mut self, schema: &'a Value, otherwise: &str) -> TokenStream {
        let name = schema_name(schema).unwrap_or(otherwise).to_owned();
        let constant = format_ident!("{}", name.to_shouty_snake_case());
        if !self.found.contains_key(&name) {
            // Before its fields, of which one may have it.
            self.found.insert(name.clone(), TokenStream::new());
            let object = resolve(self.root, schema).unwrap_or(schema);
            let properties = object["properties"].as_object().into_iter().flatten();
            let fields: Vec<_> = properties
                .map(|(field, schema)| {
                    let inner = format!("{name}{}", field.to_pascal_case());
                    let shape = self.shape(schema, &inner);
                    quote!((#field, #shape))
                })
                .collect();
            let required = object["required"].as_array().into_iter().flatten();
            let required = required.filter_map(Value::as_str);
            let doc = format!("`{name}`");
            let object = quote! {
                #[doc = #doc]
                pub(crate) static #constant: Schema = Schema {
                    fields: &[#(#fields),*],
                    required: &[#(#required),*],
                };
            };
            self.found.insert(name, object);
        }
        quote!(#constant)
    }

    fn shape(&mut self, schema: &'a Value, name: &str) -> TokenStream {
        let value = resolve(self.root, schema).unwrap_or(schema);
        let format = value["format"].as_str().unwrap_or_default();
        match value["type"].as_str().unwrap_or_default() {
            "boolean" => quote!(Shape::Flag),
            "number" | "integer" => quote!(Shape::Number),
            "array" => {
                let items = resolve(self.root, &value["items"]).unwrap_or(&value["items"]);
                if items["type"] == "object" {
                    let inner = self.name(&value["items"], name);
                    quote!(Shape::Many(&#inner))
                } else {
                    quote!(Shape::Texts)
                }
            }
            "object" => {
                let inner = self.name(schema, name);
                quote!(Shape::One(&#inner))
            }
            _ if format == "int64" => quote!(Shape::Int64),
            _ if format == "timestamp" => quote!(Shape::Time),
            _ if format == "date-time" => quote!(Shape::DateTime),
            _ if is_id(format) => {
                let kind = format_ident!("{}", format.trim_end_matches("-id").to_pascal_case());
                quote!(Shape::Id(Kind::#kind))
            }
            _ => quote!(Shape::Text),
        }
    }
}
