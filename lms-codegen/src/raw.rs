//! A patch of generated code breaks with the next version of its generator, so the raw client is progenitor's unchanged output.
//!
//! This file has progenitor's settings. `normalize.rs` rewrites in the document what no setting can do.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

use openapiv3::OpenAPI;
use progenitor::{GenerationSettings, Generator, HooksMode, InterfaceStyle, TypeImpl, TypePatch};
use schemars::schema::{InstanceType, SchemaObject};
use serde::Deserialize as _;
use serde_json::{Value, json};
use syn::File;
use typify::{Type, TypeDetails, TypeSpace};

use crate::{
    document::Document,
    enums::OpenEnum,
    error::Error,
    formats::{SECRET, own_types},
    normalize::{Normalized, normalize},
    openapi::{reached, schema_name},
    typify_names::type_name,
};

/// Adds the implementation for JSON Schemas to a type.
const DESCRIBED: &str = "#[cfg_attr(feature = \"schemars\", derive(::schemars::JsonSchema))]";

/// The raw client of a document as formatted Rust: a header of one line, and progenitor's output.
///
/// To be compiled as the module `raw` of `lms-client`, to whose modules `enums`, `formats`, `ids` and `wire` its types refer.
/// `origin` names the document in the header.
///
/// # Errors
///
/// Fails if progenitor rejects the document.
pub fn raw_client(document: &Document, origin: &str) -> Result<String, Error> {
    let raw = Raw::of(document)?;
    let header =
        format!("// @generated from {origin} by progenitor; see lms-codegen. Do not edit.");
    Ok(format!("{header}\n{}", prettyplease::unparse(&raw.code)))
}

/// The raw client of a document, and what progenitor knows about it.
pub(crate) struct Raw {
    pub(crate) code: File,
    pub(crate) enums: Vec<OpenEnum>,
    generator: Generator,
}

impl Raw {
    /// Runs progenitor.
    pub(crate) fn of(document: &Document) -> Result<Self, Error> {
        let Normalized { document, enums } = normalize(document);
        let (generator, code) = generate(&document, &enums).map_err(|reason| {
            let location = locate(&document, |part| generate(part, &enums).is_err());
            Error::at(location.unwrap_or_default(), reason)
        })?;
        Ok(Self {
            code,
            enums,
            generator,
        })
    }

    /// The types of all schemas.
    pub(crate) fn space(&self) -> &TypeSpace {
        self.generator.get_type_space()
    }
}

/// Runs progenitor on a normalized document.
fn generate(document: &Value, enums: &[OpenEnum]) -> Result<(Generator, File), String> {
    let document_read = OpenAPI::deserialize(document).map_err(|error| error.to_string())?;
    let mut generator = Generator::new(&settings(document, enums));
    let code = caught(|| generator.generate_tokens(&document_read))?;
    let code = code
        .map_err(|error| format!("progenitor refuses this: {error}; describe it in another way"))?;
    let without_values = |of: Type<'_>| matches!(of.details(), TypeDetails::Enum(of) if of.variants().next().is_none());
    if generator.get_type_space().iter_types().any(without_values) {
        return Err(
            "no value has this type, because the parts of an `allOf` contradict each other; correct one of them"
                .to_owned(),
        );
    }
    let code = syn::parse2(code);
    let code = code.map_err(|error| format!("progenitor generated invalid code: {error}"))?;
    Ok((generator, code))
}

/// The location of the schema with the fewest references for which a document fails, because typify's errors do not name it.
fn locate(document: &Value, fails: impl Fn(&Value) -> bool) -> Option<String> {
    let schemas = document["components"]["schemas"].as_object()?;
    let parts = schemas.iter().map(|(name, schema)| {
        let references = reached(document, schema)
            .into_iter()
            .filter_map(schema_name);
        let names: BTreeSet<_> = references.chain([name.as_str()]).collect();
        (name, names)
    });
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(|(_, names)| names.len());
    let failing = parts.into_iter().find(|(_, names)| {
        let mut part = document.clone();
        part["paths"] = json!({});
        if let Some(schemas) = part["components"]["schemas"].as_object_mut() {
            schemas.retain(|name, _| names.contains(name.as_str()));
        }
        fails(&part)
    });
    failing.map(|(name, _)| format!("components.schemas.{name}"))
}

/// typify panics on schemas that it cannot combine. Which ones these are cannot be told without combining them.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!(
            "progenitor does not support this: {}; describe it in another way",
            text.unwrap_or("it panicked")
        )
    })
}

/// The settings for a normalized document.
fn settings(document: &Value, enums: &[OpenEnum]) -> GenerationSettings {
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Positional)
        // `lms-client` implements them.
        .with_hooks(HooksMode::Expected)
        .with_derive("PartialEq");
    let text = [TypeImpl::Display, TypeImpl::FromStr];
    for (format, name) in own_types(document) {
        let impls = text.into_iter().filter(|_| format != SECRET);
        let schema = SchemaObject {
            instance_type: Some(InstanceType::String.into()),
            format: Some(format.clone()),
            ..SchemaObject::default()
        };
        settings.with_conversion(schema, name, impls);
    }
    for OpenEnum { name, .. } in enums {
        settings.with_replacement(name, format!("crate::enums::{name}"), text.into_iter());
    }
    let mut described = TypePatch::default();
    described.with_attr(DESCRIBED);
    // A struct may get more fields, and an enum more variants. What wraps one value does not grow.
    let mut growing = described.clone();
    growing.with_attr("#[non_exhaustive]");
    let schemas = document["components"]["schemas"].as_object();
    for (name, schema) in schemas.into_iter().flatten() {
        let grows = ["allOf", "enum", "oneOf", "properties"];
        let grows = grows.iter().any(|key| schema.get(key).is_some());
        let patch = if grows { &growing } else { &described };
        settings.with_patch(type_name(name), patch);
    }
    settings
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing test stops here")]

    use super::*;

    /// What a user of progenitor does, with our document and our settings.
    #[test]
    fn the_checked_in_client_is_what_progenitor_generates() {
        let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let read = |path: &str| std::fs::read_to_string(format!("{workspace}/{path}")).unwrap();
        let document = Document::parse(&read("spec/openapi.yaml")).unwrap();
        let Normalized { document, enums } = normalize(&document);
        let mut generator = Generator::new(&settings(&document, &enums));
        let document = serde_json::from_value(document).unwrap();
        let code = generator.generate_tokens(&document).unwrap();
        let generated = prettyplease::unparse(&syn::parse2(code).unwrap());
        let checked_in = read("lms-client/src/raw.rs");
        let (header, rest) = checked_in.split_once('\n').unwrap();
        assert!(header.starts_with("// @generated from spec/openapi.yaml by progenitor"));
        assert!(rest == generated, "run `cargo xtask regen`");
    }
}
