//! The names of properties that are secrets.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::{
    document::{Document, token_path},
    formats::SECRET,
    openapi::{reached, resolve},
};

/// The names of all secrets.
pub(super) fn secret_names(document: &Document) -> TokenStream {
    let root = document.value();
    let secrets = secrets(root, root);
    let (all, of_objects) = (secrets.iter(), object_secrets(document).into_iter());
    quote! {
        /// The names of all properties with a secret, in alphabetical order.
        pub static SECRET_PROPERTIES: &[&str] = &[ #(#all),* ];

        /// The names of all properties with a secret, except those of the token endpoint, in alphabetical order.
        ///
        /// A field with such a name is a secret wherever a response has it. The names of the token endpoint are not:
        /// a `code` there is a secret, and that of a course is not.
        pub static OBJECT_SECRETS: &[&str] = &[ #(#of_objects),* ];
    }
}

/// Returns `true` if the values of a property are secrets, or arrays or maps of secrets.
pub(super) fn is_secret(root: &Value, name: &str, schema: &Value) -> bool {
    let mut open = vec![schema];
    let mut references = BTreeSet::new();
    // The name of the format is also that of a property which needs no declaration.
    if name == SECRET {
        return true;
    }
    while let Some(schema) = open.pop() {
        if schema["format"] == SECRET {
            return true;
        }
        if let Some(reference) = schema["$ref"].as_str()
            && references.insert(reference)
        {
            open.extend(resolve(root, schema));
        }
        let nested = ["items", "additionalProperties"].map(|name| schema.get(name));
        open.extend(nested.into_iter().flatten());
        let parts = ["allOf", "anyOf", "oneOf"].map(|name| schema[name].as_array());
        open.extend(parts.into_iter().flatten().flatten());
    }
    false
}

/// The names of all properties with a secret in what operations send and return, except those of the token endpoint.
pub(super) fn object_secrets(document: &Document) -> BTreeSet<&str> {
    let root = document.value();
    let token = token_path(root);
    let paths = root["paths"].as_object().into_iter().flatten();
    let paths = paths.filter(|(path, _)| Some(*path) != token);
    paths.flat_map(|(_, item)| secrets(root, item)).collect()
}

/// The names of all properties with a secret in a part of the document, and in the schemas that it refers to.
fn secrets<'a>(root: &'a Value, part: &'a Value) -> BTreeSet<&'a str> {
    let objects = reached(root, part).into_iter();
    let properties = objects
        .filter_map(|of| of.get("properties")?.as_object())
        .flatten();
    let secret = properties.filter(|(name, schema)| is_secret(root, name, schema));
    secret.map(|(name, _)| name.as_str()).collect()
}
