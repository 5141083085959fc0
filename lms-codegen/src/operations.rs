//! What is true of each operation: the table of operations, and the traits that lead from a builder to its entry.

use std::collections::BTreeSet;

use heck::{ToPascalCase, ToSnakeCase};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;
use syn::{
    File, GenericArgument, Item, PathArguments, ReturnType, Type, TypePath, parse_quote, visit_mut,
    visit_mut::VisitMut,
};

use crate::{
    ast::{method, missing, module, text},
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
    formats::{is_readable_text, text_type},
    openapi::IDENTIFIED_BY,
};

/// Adds the table of operations and the implementations of the traits in `lms_client::operation`.
pub(crate) fn add_operations(file: &mut File, document: &Document) -> Result<(), Error> {
    let operations = document.operations();
    let infos = operations.iter().map(info);
    let impls = operations
        .iter()
        .enumerate()
        .map(|(index, operation)| implementation(file, index, operation))
        .collect::<Result<Vec<_>, _>>()?;
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

fn implementation(
    file: &mut File,
    index: usize,
    operation: &Operation,
) -> Result<TokenStream, Error> {
    let builder = format_ident!("{}", operation.builder_name());
    let index = Literal::usize_unsuffixed(index);
    let output = output(file, operation)?;
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    let list = list(types, &output).map(|(item, cursor)| {
        quote! {
            impl crate::operation::List for builder::#builder<'_> {
                type Item = #item;
                const CURSOR: bool = #cursor;
            }
        }
    });
    Ok(quote! {
        impl crate::operation::Operation for builder::#builder<'_> {
            type Output = #output;
            const INFO: &'static crate::operation::OperationInfo = &OPERATIONS[#index];
            #[inline]
            fn prepare(self) -> Result<crate::transport::PreparedRequest, Error<()>> {
                builder::#builder::prepare(self)
            }
        }
        #list
    })
}

/// What `send` returns: `X` of `Result<ResponseValue<X>, …>`.
fn output(file: &mut File, operation: &Operation) -> Result<Type, Error> {
    let builder = operation.builder_name();
    let send = module(&mut file.items, "builder").and_then(|items| method(items, &builder, "send"));
    let output = match send.map(|send| &send.sig.output) {
        Some(ReturnType::Type(_, result)) => argument(result).and_then(argument),
        _ => None,
    };
    output.cloned().ok_or_else(|| {
        missing(&format!(
            "a `ResponseValue` in the result of `{builder}::send`"
        ))
    })
}

/// The type of the items, and whether there are pages, if a type has a field `items` with a list.
fn list(types: &[Item], output: &Type) -> Option<(Type, bool)> {
    let name = match output {
        Type::Path(path) => &path.path.segments.last()?.ident,
        _ => return None,
    };
    let fields = types.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == *name => Some(&item.fields),
        _ => None,
    })?;
    let field = |name: &str| {
        let mut fields = fields.iter();
        fields.find(|field| field.ident.as_ref().is_some_and(|ident| ident == name))
    };
    let items = &field("items")?.ty;
    let is = |of: &Type, name: &str| text(of).starts_with(name);
    let items = if is(items, ":: std :: option :: Option") {
        argument(items)?
    } else {
        items
    };
    if !is(items, ":: std :: vec :: Vec") {
        return None;
    }
    let mut item = argument(items)?.clone();
    Qualify(types).visit_type_mut(&mut item);
    Some((item, field("next_cursor").is_some()))
}

/// The first type argument: `X` of `Result<X, E>`.
fn argument(of: &Type) -> Option<&Type> {
    let Type::Path(path) = of else {
        return None;
    };
    match &path.path.segments.last()?.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(argument) => Some(argument),
            _ => None,
        },
        _ => None,
    }
}

/// Writes a type of the module `types` as it is written outside.
struct Qualify<'a>(&'a [Item]);

impl VisitMut for Qualify<'_> {
    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        let Some(name) = path.path.get_ident() else {
            return;
        };
        let here = self.0.iter().any(|item| match item {
            Item::Struct(item) => item.ident == *name,
            Item::Enum(item) => item.ident == *name,
            _ => false,
        });
        if here {
            *path = parse_quote!(types::#name);
        }
    }
}

/// How the values of a schema are told apart.
fn identity(document: &Document, name: &str) -> TokenStream {
    let schema = &document.value()["components"]["schemas"][name];
    let required = |property: &str| {
        let names = schema["required"].as_array().into_iter().flatten();
        names.into_iter().any(|name| name == property)
    };
    let is_text = |property: &str| is_readable_text(&schema["properties"][property]);
    let of = named(name);
    if is_text("id") && !required("id") {
        let kind = name.to_snake_case().replace('_', " ");
        let id = text_type(&schema["properties"]["id"]);
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
    let declared = schema[IDENTIFIED_BY].as_array().into_iter().flatten();
    let mut properties: Vec<&str> = declared.filter_map(Value::as_str).collect();
    if properties.is_empty() && is_text("id") {
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
            Response::Empty | Response::Inline => None,
            Response::Object(name) | Response::List { item: name, .. } => Some(name.as_str()),
        })
        .collect()
}

fn named(schema: &str) -> TokenStream {
    let name: Ident = format_ident!("{}", schema.to_pascal_case());
    quote!(types::#name)
}
