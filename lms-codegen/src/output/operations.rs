//! Facts about each operation: the table of operations, and the traits that lead from a builder to its entry.

use std::collections::BTreeMap;

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use serde_json::Value;
use syn::{File, Item, Type};

use super::builders::{imports, made};
use crate::{
    ast::{missing, module, text},
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
    fixups::Starts,
    openapi::IDENTIFIED_BY,
    types::{Field, Types},
    typify_names::{field_name, type_name},
};

type Fields = BTreeMap<String, Field>;

/// The builders, the methods that return them, and the implementations of the traits in `lms_client::operation`.
pub(super) fn operations(
    file: &mut File,
    document: &Document,
    types: &Types<'_>,
    starts: &Starts,
) -> Result<TokenStream, Error> {
    let made = made(file, document, starts)?;
    let (mut infos, mut builders, mut methods, mut lists) = (vec![], vec![], vec![], vec![]);
    let mut returned = BTreeMap::new();
    for (index, (operation, made)) in made.iter().enumerate() {
        let output = &made.output;
        let list = match operation.response {
            Response::List { cursor, .. } => Some((item(types, output)?, cursor)),
            _ => None,
        };
        if let Some((item, cursor)) = &list {
            require_items(file, output)?;
            let builder = format_ident!("{}", operation.builder_name());
            lists.push(quote! {
                impl<T: Clone> crate::operation::List for requests::#builder<'_, T> {
                    type Item = #item;
                    const CURSOR: bool = #cursor;
                }
            });
        }
        let value = match &list {
            Some((item, _)) => item.clone(),
            None => output.to_token_stream(),
        };
        let mut creates = false;
        if let Some(fields) = types.fields(&value) {
            creates = !operation.idempotent && list.is_none() && id(&fields).is_some();
            returned.insert(text(&value), identity(document, &value, &fields));
        }
        infos.push(info(operation, creates));
        builders.push(made.builder(index, operation)?);
        methods.push(made.method(document, operation, starts)?);
    }
    let imports = imports();
    let ids = returned.into_values();
    Ok(quote! {
        impl<T> crate::Client<T> {
            #(#methods)*
        }

        /// A builder for each operation.
        pub mod requests {
            #imports
            #(#builders)*
        }

        /// All operations, in the order of the document.
        pub static OPERATIONS: &[crate::operation::OperationInfo] = &[ #(#infos),* ];

        #(#lists)*

        #(#ids)*
    })
}

fn info(operation: &Operation, creates: bool) -> TokenStream {
    let id = operation.method_name();
    let method = format_ident!("{}", operation.method);
    let path = &operation.path;
    let authenticated = operation.authenticated;
    let idempotent = operation.idempotent;
    let path_parameters = operation.parameters_in(ParameterLocation::Path);
    let query_parameters = operation.parameters_in(ParameterLocation::Query);
    let has_content = operation.response != Response::Empty;
    quote! {
        crate::operation::OperationInfo {
            id: #id,
            method: ::reqwest::Method::#method,
            path: #path,
            path_parameters: &[ #(#path_parameters),* ],
            query_parameters: &[ #(#query_parameters),* ],
            authenticated: #authenticated,
            idempotent: #idempotent,
            has_content: #has_content,
            creates: #creates,
        }
    }
}

/// The type of the items of a page.
fn item(types: &Types<'_>, page: &Type) -> Result<TokenStream, Error> {
    let items = types
        .fields(page)
        .and_then(|mut fields| fields.remove("items"));
    let item = items.and_then(|items| items.items);
    item.ok_or_else(|| missing(&format!("a field `items` with a list in `{}`", text(page))))
}

/// Lets a response without `items` fail, which would otherwise be read as an empty list: `{}`, or the error of a proxy.
///
/// An empty list is written as such, so that it can be read again.
fn require_items(file: &mut File, output: &Type) -> Result<(), Error> {
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    let name = last_name(output);
    let fields = types.iter_mut().filter_map(|item| match item {
        Item::Struct(item) if item.ident == name => Some(&mut item.fields),
        _ => None,
    });
    for field in fields.flatten() {
        if field.ident.as_ref().is_some_and(|ident| ident == "items") {
            field
                .attrs
                .retain(|attribute| !attribute.path().is_ident("serde"));
        }
    }
    Ok(())
}

/// `Course` of `types::Course`.
fn last_name(of: &impl ToTokens) -> String {
    let text = text(of);
    text.rsplit(' ').next().unwrap_or_default().to_owned()
}

/// The field `id`, if it holds an id.
fn id(fields: &Fields) -> Option<&Field> {
    fields.get("id").filter(|id| id.is_text)
}

/// The implementation of the trait that identifies a value of a type.
fn identity(document: &Document, of: &TokenStream, fields: &Fields) -> TokenStream {
    let name = last_name(of);
    let id = id(fields);
    if let Some(Field {
        of: id,
        optional: true,
        ..
    }) = id
    {
        let kind = name.to_snake_case().replace('_', " ");
        return quote! {
            impl crate::operation::HasId for #of {
                type Id = #id;
                const KIND: &'static str = #kind;
                fn raw_id(&self) -> Option<&Self::Id> {
                    self.id.as_ref()
                }
            }
        };
    }
    let mut names: Vec<String> = identified_by(document, &name).map(field_name).collect();
    if names.is_empty() && id.is_some() {
        names.push("id".to_owned());
    }
    if names.is_empty() {
        return TokenStream::new();
    }
    let values = names.iter().filter_map(|name| {
        let field = fields.get(name)?;
        let name = format_ident!("{name}");
        Some(match field.optional {
            true => quote!(self.#name.as_deref()),
            false => quote!(Some(self.#name.as_str())),
        })
    });
    quote! {
        impl crate::operation::Identified for #of {
            fn id(&self) -> Option<::std::borrow::Cow<'_, str>> {
                crate::operation::joined_id(&[ #(#values),* ])
            }
        }
    }
}

/// The properties that the document names in the schema of a type.
fn identified_by<'a>(document: &'a Document, of: &str) -> impl Iterator<Item = &'a str> {
    let schemas = document.value()["components"]["schemas"].as_object();
    let mut schemas = schemas.into_iter().flatten();
    let schema = schemas.find(|(name, _)| type_name(name) == of);
    let names = schema.and_then(|(_, schema)| schema[IDENTIFIED_BY].as_array());
    names.into_iter().flatten().filter_map(Value::as_str)
}
