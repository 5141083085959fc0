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

use crate::error::Error;

/// Runs progenitor on a document. `generate` chooses what it generates.
pub(crate) fn run<E: Display>(
    document: &Value,
    generate: impl FnOnce(&mut Generator, &OpenAPI) -> Result<TokenStream, E>,
) -> Result<File, Error> {
    let spec = serde_json::from_value(essential(document)).map_err(Error::new)?;
    // No valid document is known to make progenitor panic. If one does, an error is more useful than a backtrace.
    let tokens = catch_unwind(AssertUnwindSafe(|| {
        generate(&mut Generator::new(&settings()), &spec)
    }))
    .map_err(|_| Error::new("progenitor panicked on this document; see the panic above"))?
    .map_err(Error::new)?;
    syn::parse2(tokens)
        .map_err(|error| Error::new(format!("progenitor generated invalid code: {error}")))
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
/// Examples would be repeated in the docs of every type. A pattern beside `string/int64`, which some validators want,
/// would hide the format from progenitor.
fn essential(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let wire_type = map.get("type").is_some_and(|kind| kind == "string")
                && map
                    .get("format")
                    .is_some_and(|format| format == "int64" || format == "date-time");
            let keep = |key: &str| match key {
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
