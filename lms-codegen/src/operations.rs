//! What is true of each operation: the table of operations, and the traits that lead from a builder to its entry.

use std::collections::BTreeMap;

use heck::{ToPascalCase, ToSnakeCase};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;
use syn::{
    Field, File, GenericArgument, Item, ItemStruct, PathArguments, ReturnType, Type, TypePath,
    parse_quote, visit_mut, visit_mut::VisitMut,
};

use crate::{
    ast::{method, missing, module, text},
    document::{Document, Operation, ParameterLocation},
    error::Error,
    openapi::IDENTIFIED_BY,
};

/// Adds the table of operations and the implementations of the traits in `lms_client::operation`.
pub(crate) fn add_operations(file: &mut File, document: &Document) -> Result<(), Error> {
    let operations = document.operations();
    let mut impls = Vec::new();
    let mut infos = Vec::new();
    let mut returned = BTreeMap::new();
    for (index, operation) in operations.iter().enumerate() {
        let output = output(file, operation)?;
        let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
        let list = list(types, &output);
        if list.is_some() {
            require_items(types, &output);
        }
        let value = list.as_ref().map_or(&output, |(item, _)| item);
        let mut creates = false;
        if let Some(item) = structure(types, value) {
            returned.insert(item.ident.to_string(), identity(document, item));
            creates = !operation.idempotent && list.is_none() && id(item).is_some();
        }
        infos.push(info(operation, creates));
        impls.push(implementation(index, operation, &output, list.as_ref()));
    }
    let ids = returned.into_values();
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

fn info(operation: &Operation, creates: bool) -> TokenStream {
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
            creates: #creates,
        }
    }
}

fn implementation(
    index: usize,
    operation: &Operation,
    output: &Type,
    list: Option<&(Type, bool)>,
) -> TokenStream {
    let builder = format_ident!("{}", operation.builder_name());
    let index = Literal::usize_unsuffixed(index);
    let list = list.map(|(item, cursor)| {
        quote! {
            impl crate::operation::List for builder::#builder<'_> {
                type Item = #item;
                const CURSOR: bool = #cursor;
            }
        }
    });
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
    let fields = &structure(types, output)?.fields;
    let field = |name: &str| {
        let mut fields = fields.iter();
        fields.find(|field| field.ident.as_ref().is_some_and(|ident| ident == name))
    };
    let items = &field("items")?.ty;
    let items = optional(items).unwrap_or(items);
    if !text(items).starts_with(":: std :: vec :: Vec") {
        return None;
    }
    let mut item = argument(items)?.clone();
    Qualify(types).visit_type_mut(&mut item);
    Some((item, field("next_cursor").is_some()))
}

/// Lets a response without `items` fail, which would otherwise be read as an empty list: `{}`, or the error of a proxy.
///
/// An empty list is written as such, so that it can be read again.
fn require_items(types: &mut [Item], output: &Type) {
    let Some(name) = last_name(output) else {
        return;
    };
    let fields = types.iter_mut().filter_map(|item| match item {
        Item::Struct(item) if item.ident == *name => Some(&mut item.fields),
        _ => None,
    });
    for field in fields.flatten() {
        if field.ident.as_ref().is_some_and(|ident| ident == "items") {
            field
                .attrs
                .retain(|attribute| !attribute.path().is_ident("serde"));
        }
    }
}

/// The struct of the module `types` that a type names.
fn structure<'a>(types: &'a [Item], of: &Type) -> Option<&'a ItemStruct> {
    let name = last_name(of)?;
    types.iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == *name => Some(item),
        _ => None,
    })
}

fn last_name(of: &Type) -> Option<&Ident> {
    let Type::Path(path) = of else {
        return None;
    };
    Some(&path.path.segments.last()?.ident)
}

/// The field `id` of a type, if it holds an id.
fn id(item: &ItemStruct) -> Option<&Field> {
    let mut fields = item.fields.iter();
    let id = fields.find(|field| field.ident.as_ref().is_some_and(|ident| ident == "id"))?;
    is_text(optional(&id.ty).unwrap_or(&id.ty)).then_some(id)
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

/// How the values of a type are told apart.
fn identity(document: &Document, item: &ItemStruct) -> TokenStream {
    let of = &item.ident;
    let field = |name: &str| {
        let mut fields = item.fields.iter();
        fields.find(|field| field.ident.as_ref().is_some_and(|ident| ident == name))
    };
    let id = id(item);
    if let Some(id) = id.and_then(|field| optional(&field.ty)) {
        let kind = of.to_string().to_snake_case().replace('_', " ");
        return quote! {
            impl crate::operation::HasId for types::#of {
                type Id = #id;
                const KIND: &'static str = #kind;
                fn raw_id(&self) -> Option<&Self::Id> {
                    self.id.as_ref()
                }
            }
        };
    }
    let mut names: Vec<String> = identified_by(document, of)
        .map(ToSnakeCase::to_snake_case)
        .collect();
    if names.is_empty() && id.is_some() {
        names.push("id".to_owned());
    }
    if names.is_empty() {
        return TokenStream::new();
    }
    let values = names.iter().filter_map(|name| {
        let field = field(name)?;
        let ident = &field.ident;
        Some(match optional(&field.ty) {
            Some(_) => quote!(self.#ident.as_deref()),
            None => quote!(Some(self.#ident.as_str())),
        })
    });
    quote! {
        impl crate::operation::Identified for types::#of {
            fn id(&self) -> Option<::std::borrow::Cow<'_, str>> {
                crate::operation::joined_id(&[ #(#values),* ])
            }
        }
    }
}

/// The properties that the document names in the schema of a type.
fn identified_by<'a>(document: &'a Document, of: &Ident) -> impl Iterator<Item = &'a str> {
    let schemas = document.value()["components"]["schemas"].as_object();
    let schema = schemas
        .into_iter()
        .flatten()
        .find(|(name, _)| of == &name.to_pascal_case());
    let names = schema.and_then(|(_, schema)| schema[IDENTIFIED_BY].as_array());
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// `X` of `Option<X>`.
fn optional(of: &Type) -> Option<&Type> {
    let optional = text(of).starts_with(":: std :: option :: Option");
    optional.then(|| argument(of)).flatten()
}

/// Whether a type is a `String` or an id.
fn is_text(of: &Type) -> bool {
    let name = text(of);
    name == ":: std :: string :: String" || name.starts_with("crate :: ids ::")
}
