//! Lets the setters of all builders take common types.
//!
//! progenitor's setters take `TryInto<Option<String>>`, which `&str` does not implement, and explain a wrong type by a list
//! of unrelated conversions. Ours take `impl IntoOptional<String>`, and those of required fields `impl IntoValue<String>`, which
//! excludes `Option`. Both are traits of `lms_client::setter`.
//!
//! Only setters of types that `lms_client::setter` knows are changed; a tenant's document may have others.

use proc_macro2::TokenStream;
use progenitor::TypeImpl;
use quote::format_ident;
use syn::{File, ImplItem, ImplItemFn, Item, Type, parse_quote};
use typify::{TypeDetails, TypeEnumVariant};

use crate::{
    ast::{argument, last_name, missing, module, text},
    error::Error,
    types::Types,
};

const TEXT: &str = ":: std :: string :: String";

/// Types of values that `lms_client::setter` converts into, besides those of the document and of `lms_client`.
const VALUES: [&str; 14] = [
    TEXT,
    "bool",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    ":: serde_json :: Value",
    ":: serde_json :: Map < :: std :: string :: String , :: serde_json :: Value >",
];

/// Changes all setters. Returns the conversions into the types of the document.
pub(crate) fn change_setters(file: &mut File, made: &Types<'_>) -> Result<Vec<Item>, Error> {
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    if let Some(builders) = module(types, "builder") {
        each_setter(builders)?;
    }
    let builders =
        module(&mut file.items, "builder").ok_or_else(|| missing("a module `builder`"))?;
    each_setter(builders)?;
    let conversions = made.named().filter_map(conversion);
    let alternatives = made.named().flat_map(|of| alternatives(of, made));
    Ok(conversions.chain(alternatives).collect())
}

/// Conversions into a type of the document. `lms_client::open_enum` has it for enums.
fn conversion(of: &typify::Type<'_>) -> Option<Item> {
    let name = of.ident();
    Some(match of.builder() {
        Some(builder) => parse_quote!(crate::setter::from_builder!(#name, #builder);),
        None if is_list_of_values(&of.details()) => return None,
        None if of.has_impl(TypeImpl::FromStr) => parse_quote!(crate::setter::from_text!(#name);),
        None => parse_quote!(crate::setter::from_itself!(#name);),
    })
}

/// What makes an alternative of a `oneOf` from its value: `.pet(cat)` in place of `.pet(Pet::Cat(cat))`.
///
/// Nothing for a type that several alternatives have.
fn alternatives(of: &typify::Type<'_>, made: &Types<'_>) -> Vec<Item> {
    let TypeDetails::Enum(details) = of.details() else {
        return Vec::new();
    };
    let values = details
        .variants()
        .filter_map(|(name, details)| match details {
            TypeEnumVariant::Tuple(ids) if ids.len() == 1 => Some((name, made.by_id(&ids[0])?)),
            _ => None,
        });
    let values: Vec<_> = values
        .map(|(name, value)| (name, value.ident(), value.builder()))
        .collect();
    let count = |of: &TokenStream| {
        let of = text(of);
        values
            .iter()
            .filter(|(_, value, _)| text(value) == of)
            .count()
    };
    let whole = of.ident();
    let mut items = Vec::new();
    for (name, value, builder) in values.iter().filter(|(_, value, _)| count(value) == 1) {
        let variant = format_ident!("{name}");
        // An alternative that is text is found by the text.
        if text(value) == TEXT && of.has_impl(TypeImpl::FromStr) {
            continue;
        }
        items.push(parse_quote!(crate::setter::from_alternative!(#whole, #variant, #value);));
        if text(value) == TEXT {
            items.push(parse_quote!(crate::setter::from_alternative!(#whole, #variant, &str);));
        }
        if let Some(builder) = builder {
            items.push(
                parse_quote!(crate::setter::from_alternative!(#whole, #variant, #value, #builder);),
            );
        }
    }
    items
}

/// Returns `true` if a type is made of the `enum` of a schema, and not of alternatives.
fn is_list_of_values(of: &TypeDetails<'_>) -> bool {
    let is_value = |details| matches!(details, TypeEnumVariant::Simple);
    matches!(of, TypeDetails::Enum(of) if of.variants().all(|(_, details)| is_value(details)))
}

/// Changes the setters of a module of builders: methods with the name of a field.
fn each_setter(builders: &mut [Item]) -> Result<(), Error> {
    let structs: Vec<_> = builders
        .iter()
        .filter_map(|item| match item {
            Item::Struct(item) => Some(item.clone()),
            _ => None,
        })
        .collect();
    for item in builders {
        let Item::Impl(item) = item else { continue };
        let Some(of) = structs
            .iter()
            .find(|of| last_name(&item.self_ty) == Some(&of.ident))
        else {
            continue;
        };
        if item.trait_.is_some() {
            continue;
        }
        for method in &mut item.items {
            let ImplItem::Fn(method) = method else {
                continue;
            };
            let name = method.sig.ident.to_string();
            let field = of.fields.iter().find(|field| {
                field.ident.as_ref().is_some_and(|ident| *ident == name) && name != "client"
            });
            if let Some(field) = field {
                let value = argument(&field.ty, "Result")
                    .ok_or_else(|| missing("a `Result` for every field of a builder"))?;
                change(method, value)?;
            }
        }
    }
    Ok(())
}

/// Changes a setter of a field that holds `Result<field, String>`.
fn change(method: &mut ImplItemFn, field: &Type) -> Result<(), Error> {
    let name = method.sig.ident.clone();
    let label = name.to_string();
    let label = label.trim_start_matches("r#");
    let optional = argument(field, "Option");
    let target = optional.unwrap_or(field);
    let (target, list) = match argument(target, "Vec") {
        Some(item) => (item, true),
        None => (target, false),
    };
    if !is_known(target) {
        return Ok(());
    }
    let docs = method.attrs.clone();
    let function: syn::Path = match (list, optional.is_some()) {
        (false, true) => parse_quote!(crate::setter::optional),
        (false, false) => parse_quote!(crate::setter::required),
        (true, true) => parse_quote!(crate::setter::optional_list),
        (true, false) => parse_quote!(crate::setter::list),
    };
    *method = if list {
        parse_quote! {
            pub fn #name<By>(mut self, values: impl crate::setter::IntoList<#target, By>) -> Self {
                self.#name = #function(#label, values);
                self
            }
        }
    } else {
        let conversion = match optional {
            Some(_) => format_ident!("IntoOptional"),
            None => format_ident!("IntoValue"),
        };
        parse_quote! {
            pub fn #name(mut self, value: impl crate::setter::#conversion<#target>) -> Self {
                self.#name = #function(#label, value);
                self
            }
        }
    };
    method.attrs = docs;
    Ok(())
}

/// Returns `true` if `lms_client::setter` converts into a type.
fn is_known(of: &Type) -> bool {
    let name = text(of);
    let local = ["types :: ", "super :: ", "crate :: "]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    (local && !name.contains('<')) || VALUES.contains(&&*name)
}
