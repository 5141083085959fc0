//! The raw client: what progenitor makes of a document, put right where the service needs it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use progenitor::{GenerationSettings, Generator, HooksMode, InterfaceStyle, TagStyle, TypeImpl};
use quote::quote;
use schemars::schema::{InstanceType, SchemaObject};
use serde_json::{Map, Value};

use crate::{Document, Error, amend, header};

/// The raw client as formatted Rust, to be compiled as a module of `lms-client`.
///
/// `origin` names the document in the notice at the head of the file. The code refers to the
/// hand-written half of the crate as `crate::wire` and `crate::transport`.
///
/// # Errors
///
/// When progenitor cannot make a client of the document, with its reason.
pub fn client(document: &Document, origin: &str) -> Result<String, Error> {
    let spec = serde_json::from_value(plain(document.value()))
        .map_err(|error| Error::at("", error.to_string()))?;
    // The checks at the gate leave nothing that is known to make progenitor panic; should it still
    // panic on a document, a maintainer is better served by a sentence than by a backtrace.
    let tokens = catch_unwind(AssertUnwindSafe(|| {
        Generator::new(&settings()).generate_tokens(&spec)
    }))
    .map_err(|_| {
        Error::at(
            "",
            "progenitor panicked on this document; see the panic above",
        )
    })?
    .map_err(|error| Error::at("", error.to_string()))?;
    let mut file = syn::parse2(tokens)
        .map_err(|error| Error::at("", format!("progenitor made code that is no Rust: {error}")))?;
    amend::amend(&mut file, document)?;
    Ok(header(origin) + &prettyplease::unparse(&file))
}

pub(crate) fn settings() -> GenerationSettings {
    let text = |format: &str| SchemaObject {
        instance_type: Some(InstanceType::String.into()),
        format: Some(format.to_owned()),
        ..SchemaObject::default()
    };
    let impls = [TypeImpl::Display, TypeImpl::FromStr];
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Builder)
        .with_tag(TagStyle::Merged)
        .with_hooks(HooksMode::Expected)
        .with_inner_type(quote!(::std::sync::Arc<dyn crate::transport::Transport>))
        .with_conversion(text("int64"), "crate::wire::Int64", impls.into_iter())
        .with_conversion(
            text("date-time"),
            "crate::wire::Timestamp",
            impls.into_iter(),
        );
    settings
}

/// A copy of the document that holds what decides the code and nothing else.
///
/// Examples would be repeated in the docs of every type. And a `string/int64` with a pattern beside it,
/// as validators like it, would no longer be recognised as one.
pub(crate) fn plain(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let wire_type = map.get("type") == Some(&Value::from("string"))
                && ["int64", "date-time"]
                    .iter()
                    .any(|format| map.get("format") == Some(&Value::from(*format)));
            let keep = |key: &str| match key {
                // A property may be called `example`; only beside a type is it an example.
                "example" => !map.contains_key("type") && !map.contains_key("schema"),
                "type" | "format" | "description" | "nullable" => true,
                _ => !wire_type,
            };
            Value::Object(
                map.iter()
                    .filter(|(key, _)| keep(key))
                    .map(|(key, value)| (key.clone(), plain(value)))
                    .collect::<Map<_, _>>(),
            )
        }
        Value::Array(list) => list.iter().map(plain).collect(),
        other => other.clone(),
    }
}
