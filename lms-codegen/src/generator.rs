//! Runs progenitor.

use std::{
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
};

use openapiv3::OpenAPI;
use proc_macro2::TokenStream;
use progenitor::{GenerationSettings, Generator, HooksMode, InterfaceStyle, TagStyle, TypeImpl};
use quote::quote;
use schemars::schema::{InstanceType, SchemaObject};
use serde_json::Value;
use syn::File;

use crate::{error::Error, openapi::METHODS};

/// Runs progenitor on a document. `generate` chooses what it generates.
pub(crate) fn run<E: Display>(
    document: &Value,
    generate: impl FnOnce(&mut Generator, &OpenAPI) -> Result<TokenStream, E>,
) -> Result<File, Error> {
    let mut document = essential(document);
    declare_one_response(&mut document);
    let spec = serde_json::from_value(document).map_err(Error::new)?;
    // No valid document is known to make progenitor panic. If one does, an error is more useful than a backtrace.
    let tokens = catch_unwind(AssertUnwindSafe(|| {
        generate(&mut Generator::new(&settings()), &spec)
    }))
    .map_err(|_| Error::new("progenitor panicked on this document; see the panic above"))?
    .map_err(Error::new)?;
    syn::parse2(tokens)
        .map_err(|error| Error::new(format!("progenitor generated invalid code: {error}")))
}

/// Types whose `enum` is not checked, because progenitor supports an `enum` only for text.
const VALUES: [&str; 3] = ["integer", "number", "boolean"];

/// Leaves one successful response in each operation, which is all that progenitor can return.
///
/// Errors keep their status and their body in the client's own error, whether they are declared or not. The validated
/// successful responses have the same content, so the content of the first one is used for all.
fn declare_one_response(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let operations = paths.flat_map(|(_, item)| {
        let item = item.as_object_mut().into_iter().flatten();
        item.filter(|(method, _)| METHODS.contains(&method.as_str()))
    });
    for (_, operation) in operations {
        if let Some(responses) = operation["responses"].as_object_mut() {
            responses.retain(|status, _| status.starts_with('2'));
            if responses.len() > 1 {
                let first = std::mem::take(responses).into_iter().next();
                responses.extend(first.map(|(_, response)| ("2XX".to_owned(), response)));
            }
        }
    }
}

fn settings() -> GenerationSettings {
    let string = |format: &str| SchemaObject {
        instance_type: Some(InstanceType::String.into()),
        format: Some(format.to_owned()),
        ..SchemaObject::default()
    };
    let impls = [TypeImpl::Display, TypeImpl::FromStr].into_iter();
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Builder)
        .with_tag(TagStyle::Merged)
        .with_hooks(HooksMode::Expected)
        .with_inner_type(quote!(::std::sync::Arc<dyn crate::transport::Transport>))
        .with_conversion(string("int64"), "crate::wire::Int64", impls.clone())
        .with_conversion(string("date-time"), "crate::wire::Timestamp", impls);
    settings
}

/// A copy of the document without what has no effect on the code.
///
/// Examples would be repeated in the docs of every type. What a document says about the content of text (other formats,
/// patterns, lengths) and the values of a number is not checked: a response that differs is still read. progenitor would
/// need more crates for it.
fn essential(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kind = map.get("type").and_then(Value::as_str);
            let text = kind == Some("string");
            let wire_type = text
                && map
                    .get("format")
                    .is_some_and(|format| format == "int64" || format == "date-time");
            let keep = |key: &str| match key {
                "format" if text => wire_type,
                "pattern" | "minLength" | "maxLength" if text => false,
                "enum" if kind.is_some_and(|kind| VALUES.contains(&kind)) => false,
                // A property may be called `example`. Only beside a type is it an example.
                "example" => !map.contains_key("type") && !map.contains_key("schema"),
                "type" | "format" | "description" | "nullable" => true,
                _ => !wire_type,
            };
            map.iter()
                .filter(|(key, _)| keep(key))
                .map(|(key, value)| (key.clone(), essential(value)))
                .collect()
        }
        Value::Array(list) => list.iter().map(essential).collect(),
        other => other.clone(),
    }
}
