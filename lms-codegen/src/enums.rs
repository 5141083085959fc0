//! Enums that keep texts which the document does not list: a service adds values without a new version of its API.
//!
//! They take the place of progenitor's. `lms_client::open_enum` implements them. An enum with a single text stays
//! progenitor's, and reads only that: such enums tell the alternatives of a `oneOf` apart.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

use crate::typify_names::type_name;

/// An enum of the document.
pub(crate) struct OpenEnum {
    pub(crate) name: String,
    description: Option<String>,
    texts: Vec<String>,
}

impl OpenEnum {
    /// The enum of a component; `None` if the component is none, or has a single value.
    pub(crate) fn of(component: &str, schema: &Value) -> Option<Self> {
        let texts = schema["enum"].as_array()?.iter();
        let texts: Vec<_> = texts.filter_map(Value::as_str).map(str::to_owned).collect();
        (texts.len() > 1).then(|| Self {
            name: type_name(component),
            description: schema["description"].as_str().map(str::to_owned),
            texts,
        })
    }

    /// Its code.
    pub(crate) fn code(&self) -> TokenStream {
        let name = format_ident!("{}", self.name);
        let variants: Vec<_> = self.texts.iter().map(|text| type_name(text)).collect();
        // The first of the names `Unknown`, `UnknownValue`, … that no variant has.
        let mut unknown = "Unknown".to_owned();
        while variants.contains(&unknown) {
            unknown += "Value";
        }
        let unknown = format_ident!("{unknown}");
        let docs = self.description.iter();
        let variants = variants.iter().zip(&self.texts).map(|(variant, text)| {
            let variant = format_ident!("{variant}");
            quote!(#variant = #text)
        });
        quote! {
            crate::open_enum::open_enum! { #(#[doc = #docs])* #name { #(#variants,)* } #unknown }
        }
    }
}
