//! Enums that keep values which the document does not list: a service adds values without a new version of its API.
//!
//! They take the place of progenitor's. `lms_client::open_enum` implements them. An enum with a single text stays
//! progenitor's, and reads only that: such enums tell the alternatives of a `oneOf` apart.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;

use crate::typify_names::type_name;

/// An enum of the document.
pub(crate) struct OpenEnum {
    pub(crate) name: String,
    description: String,
    values: Values,
}

enum Values {
    Texts(Vec<String>),
    Integers(Vec<i64>),
}

impl OpenEnum {
    /// The enum of a component; `None` if the component is none, or has a single value.
    pub(crate) fn of(component: &str, schema: &Value) -> Option<Self> {
        let values = schema["enum"].as_array()?;
        let texts = values.iter().filter_map(Value::as_str).map(str::to_owned);
        let mut integers: Vec<_> = values.iter().filter_map(Value::as_i64).collect();
        integers.sort_unstable();
        integers.dedup();
        let values = match integers.is_empty() {
            false => Values::Integers(integers),
            true if values.len() > 1 => Values::Texts(texts.collect()),
            true => return None,
        };
        Some(Self {
            name: type_name(component),
            description: schema["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            values,
        })
    }

    /// Its code.
    pub(crate) fn code(&self) -> TokenStream {
        let Self {
            description,
            values,
            ..
        } = self;
        let name = format_ident!("{}", self.name);
        let (macro_name, variants): (_, Vec<(Ident, Literal)>) = match values {
            Values::Texts(texts) => {
                let variant =
                    |text: &String| (format_ident!("{}", type_name(text)), Literal::string(text));
                ("text", texts.iter().map(variant).collect())
            }
            Values::Integers(integers) => {
                let variant = |integer: &i64| {
                    let sign = if *integer < 0 { "minus " } else { "" };
                    let name = type_name(&format!("value {sign}{}", integer.unsigned_abs()));
                    (format_ident!("{name}"), Literal::i64_unsuffixed(*integer))
                };
                ("integer", integers.iter().map(variant).collect())
            }
        };
        let macro_name = format_ident!("{macro_name}");
        // The first of the names `Unknown`, `UnknownValue`, … that no variant has.
        let mut unknown = "Unknown".to_owned();
        while variants.iter().any(|(variant, _)| *variant == unknown) {
            unknown += "Value";
        }
        let unknown = format_ident!("{unknown}");
        let docs = (!description.is_empty()).then(|| quote!(#[doc = #description]));
        let variants = variants.iter().map(|(name, value)| quote!(#name = #value));
        quote! {
            crate::open_enum::#macro_name! { #docs #name { #(#variants,)* } #unknown }
        }
    }
}
