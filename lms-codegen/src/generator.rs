//! Runs progenitor.

use std::{
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
};

use openapiv3::OpenAPI;
use proc_macro2::TokenStream;
use progenitor::{GenerationSettings, Generator, InterfaceStyle, TagStyle};
use serde::Deserialize as _;
use serde_json::Value;
use syn::File;

use crate::{
    error::Error,
    formats::{convert, has_own_type, keep_identities_as_text},
    locate::locate,
    normalize::normalize,
    openapi::METHODS,
    types::Types,
};

/// Runs progenitor on a document. `generate` chooses the output.
///
/// The generator knows the types of the code.
pub(crate) fn run<E: Display>(
    document: &Value,
    generate: impl Fn(&mut Generator, &OpenAPI) -> Result<TokenStream, E>,
) -> Result<(File, Generator), Error> {
    let mut document = document.clone();
    normalize(&mut document);
    keep_identities_as_text(&mut document);
    let mut document = essential(&document);
    declare_one_response(&mut document);
    let attempt = |document: &Value| attempt(document, &generate);
    attempt(&document).map_err(|reason| {
        let location = locate(&document, |part| attempt(part).is_err());
        Error::at(location, reason)
    })
}

/// The code, or the reason why there is none.
fn attempt<E: Display>(
    document: &Value,
    generate: impl Fn(&mut Generator, &OpenAPI) -> Result<TokenStream, E>,
) -> Result<(File, Generator), String> {
    let spec = OpenAPI::deserialize(document).map_err(|error| error.to_string())?;
    let mut generator = Generator::new(&settings(document));
    // typify panics on schemas that it cannot combine. Which ones these are cannot be told without combining them.
    let tokens = catch_unwind(AssertUnwindSafe(|| generate(&mut generator, &spec)));
    let tokens = match tokens {
        Ok(Ok(tokens)) => tokens,
        Ok(Err(error)) => return Err(format!("{error}; correct it or describe it in another way")),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            return Err(format!(
                "the generator does not support this: {}; describe it in another way",
                text.unwrap_or("it panicked")
            ));
        }
    };
    let types = Types::of(&generator);
    if types.has_type_without_values() {
        return Err(
            "no value has this type, because the parts of an `allOf` contradict each other; correct one of them"
                .to_owned(),
        );
    }
    let file = syn::parse2(tokens)
        .map_err(|error| format!("progenitor generated invalid code: {error}"))?;
    Ok((file, generator))
}

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

fn settings(document: &Value) -> GenerationSettings {
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Builder)
        .with_tag(TagStyle::Merged)
        .with_derive("PartialEq");
    convert(&mut settings, document);
    settings
}

/// A copy of the document without parts that have no effect on the code.
///
/// Examples would be repeated in the docs of every type. Formats of text that have no Rust type are not checked: a response
/// that differs is still read. progenitor would need more crates for them.
fn essential(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let kind = map.get("type").and_then(Value::as_str);
            let text = kind == Some("string");
            let wire_type = has_own_type(value);
            let keep = |key: &str| match key {
                "format" if text => wire_type,
                // A property may be called `example`. Only next to a `type` is it an example.
                "example" => !map.contains_key("type") && !map.contains_key("schema"),
                "type" | "format" | "description" | "nullable" => true,
                // progenitor would generate streams and websockets, which need more crates.
                key if key.starts_with("x-dropshot-") => false,
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
