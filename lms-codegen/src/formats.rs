//! The formats of text that have a Rust type.
//!
//! Text of any other format is a `String`.

use std::collections::{BTreeMap, BTreeSet};

use heck::{ToPascalCase, ToSnakeCase};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

use crate::openapi::within;

/// The format of secrets.
pub(crate) const SECRET: &str = "password";

/// The formats with a type of their own in `lms_client::wire`.
const WIRE: [(&str, &str); 4] = [
    ("int64", "crate::wire::Int64"),
    ("date-time", "crate::wire::Timestamp"),
    ("timestamp", "crate::wire::Timestamp"),
    (SECRET, "crate::wire::Secret"),
];

/// The formats whose types in `lms_client::formats` check the text with the feature `checked-formats`.
const CHECKED: [(&str, &str); 3] = [
    ("date", "crate::formats::Date"),
    ("decimal", "crate::formats::Decimal"),
    ("uuid", "crate::formats::Uuid"),
];

/// Returns `true` if text of this schema is read into a type of its own.
pub(crate) fn has_own_type(schema: &Value) -> bool {
    schema["type"] == "string"
        && schema["format"]
            .as_str()
            .is_some_and(|format| is_wire(format) || is_checked(format) || is_id(format))
}

fn is_wire(format: &str) -> bool {
    WIRE.iter().any(|(wire, _)| *wire == format)
}

pub(crate) fn is_checked(format: &str) -> bool {
    CHECKED.iter().any(|(checked, _)| *checked == format)
}

/// Returns `true` if a schema is text that identifies something or is shown: a `String` or an id.
pub(crate) fn is_readable_text(schema: &Value) -> bool {
    let format = schema["format"].as_str().unwrap_or_default();
    schema["type"] == "string"
        && (is_id(format) || schema.get("enum").is_none() && !is_wire(format))
}

/// `course-id`, `user-field-id`: words in lower case, the last of which is `id`.
pub(crate) fn is_id(format: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    format
        .strip_suffix("-id")
        .is_some_and(|kind| kind.split('-').all(word))
}

/// The formats of a document that have a type of their own, and the type.
pub(crate) fn own_types(document: &Value) -> impl Iterator<Item = (String, String)> {
    let own = WIRE.into_iter().chain(CHECKED);
    let own = own.map(|(format, name)| (format.to_owned(), name.to_owned()));
    let ids = ids(document).into_iter();
    own.chain(ids.map(|format| (format.to_owned(), id_type(format))))
}

/// The type of ids of a format.
pub(crate) fn id_type(format: &str) -> String {
    format!("crate::ids::{}", format.to_pascal_case())
}

/// A type for each kind of id.
pub(crate) fn id_types(document: &Value) -> TokenStream {
    // By name, because two formats may have the same one: `a1-id` and `a-1-id`.
    let kinds: BTreeMap<_, _> = ids(document)
        .into_iter()
        .map(|format| (format.trim_end_matches("-id").to_pascal_case(), format))
        .collect();
    let (mut names, mut markers) = (Vec::new(), Vec::new());
    for (kind, format) in kinds {
        let id = format_ident!("{}", format.to_pascal_case());
        let marker = format_ident!("{kind}");
        let words = kind.to_snake_case().replace('_', " ");
        let docs = format!(" The id of one object: {words}.");
        names.push(quote!(#[doc = #docs] pub type #id = crate::id::Id<kind::#marker>;));
        let docs = format!(" The kind of [`{id}`](super::{id}).");
        markers.push(quote! {
            #[doc = #docs]
            pub enum #marker {}
            impl crate::id::Kind for #marker {
                const FORMAT: &'static str = #format;
            }
        });
    }
    quote! {
        /// The types of ids, one for each kind of object.
        pub mod ids {
            #(#names)*

            /// The kinds of objects that have ids. They have no values.
            pub mod kind {
                #(#markers)*
            }
        }
    }
}

/// All formats of ids in a document.
fn ids(document: &Value) -> BTreeSet<&str> {
    let texts = within(document)
        .into_iter()
        .filter(|of| of["type"] == "string");
    let formats = texts.filter_map(|of| of["format"].as_str());
    formats.filter(|format| is_id(format)).collect()
}
