//! Lets enums and alternatives keep values that the document does not list.
//!
//! A service adds values without a new version of its API. typify's enums fail on them, and with them the whole response.
//! Ours have one more variant, with the value as it was received. `lms_client::open_enum` implements the rest.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use quote::{format_ident, quote};
use syn::{ExprMatch, Fields, Item, ItemEnum, Variant, parse_quote, visit_mut::VisitMut};

use crate::{
    ast::{in_option, last_name, serde_options},
    json_schema::integer_of,
};

/// Opens all enums. Returns their implementations.
pub(crate) fn open_enums(types: &mut Vec<Item>) -> Vec<Item> {
    let mut implementations = Vec::new();
    let (mut replaced, mut extended) = (BTreeSet::new(), BTreeMap::new());
    for item in types.iter_mut() {
        let Item::Enum(item) = item else { continue };
        if is_list_of_values(item) {
            implementations.push(open_values(item));
            replaced.insert(item.ident.clone());
        } else {
            extended.insert(item.ident.clone(), open_alternatives(item));
        }
    }
    types.retain_mut(|item| {
        let Item::Impl(of) = item else { return true };
        let Some(name) = last_name(&of.self_ty).cloned() else {
            return true;
        };
        let of_trait = of.trait_.as_ref();
        let of_trait = of_trait.and_then(|(path, _)| path.segments.last());
        let shows = of_trait.is_some_and(|last| last.ident == "Display");
        if let Some(unknown) = extended.get(&name).filter(|_| shows) {
            Shown(unknown).visit_item_impl_mut(of);
        }
        !replaced.contains(&name)
    });
    implementations
}

/// Returns `true` if it is made of the `enum` of a schema, and not of alternatives.
pub(super) fn is_list_of_values(item: &ItemEnum) -> bool {
    serde_options(&item.attrs).is_empty()
        && item
            .variants
            .iter()
            .all(|variant| matches!(variant.fields, Fields::Unit))
}

/// The first of the names `Unknown`, `UnknownValue`, … that no variant has.
fn free_name(item: &ItemEnum) -> Ident {
    let mut name = "Unknown".to_owned();
    while item.variants.iter().any(|variant| variant.ident == name) {
        name += "Value";
    }
    format_ident!("{name}")
}

/// Adds a variant to an `enum` of the document. Returns its implementation.
fn open_values(item: &mut ItemEnum) -> Item {
    let values: Vec<_> = item.variants.iter_mut().map(take_value).collect();
    let integers: Option<Vec<_>> = values.iter().map(|value| integer_of(value)).collect();
    let name = &item.ident;
    let unknown = free_name(item);
    let variants = item.variants.iter().map(|variant| &variant.ident);
    let (of, copy, implementation): (syn::Type, _, _) = match integers {
        Some(integers) => {
            let integers = integers
                .into_iter()
                .map(proc_macro2::Literal::i64_unsuffixed);
            (
                parse_quote!(i64),
                quote!(Copy,),
                parse_quote!(crate::open_enum::integer!(#name, #unknown, [#(#variants = #integers),*]);),
            )
        }
        None => (
            parse_quote!(::std::string::String),
            quote!(),
            parse_quote!(crate::open_enum::text!(#name, #unknown, [#(#variants = #values),*]);),
        ),
    };
    item.attrs
        .retain(|attribute| !attribute.path().is_ident("derive"));
    item.attrs
        .push(parse_quote!(#[derive(Clone, #copy Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]));
    item.variants.push(parse_quote! {
        ///A value that the document does not list. It is sent as it was received.
        #unknown(#of)
    });
    implementation
}

/// The value of a variant in JSON, which its attribute says if it is not its name.
fn take_value(variant: &mut Variant) -> String {
    let renamed = serde_options(&variant.attrs).remove("rename");
    variant
        .attrs
        .retain(|attribute| !attribute.path().is_ident("serde"));
    renamed.unwrap_or_else(|| variant.ident.to_string())
}

/// Adds a variant for JSON that no alternative describes. Returns its name.
fn open_alternatives(item: &mut ItemEnum) -> Ident {
    let untagged = serde_options(&item.attrs).contains_key("untagged");
    let unknown = free_name(item);
    let fields = item
        .variants
        .iter_mut()
        .flat_map(|variant| &mut variant.fields);
    // Without a tag, the values of enums tell the alternatives apart.
    for field in fields.filter(|_| untagged) {
        let default = in_option(&field.ty).map(|_| quote!(default,));
        if !serde_options(&field.attrs).contains_key("deserialize_with") {
            field.attrs.push(
                parse_quote!(#[serde(#default deserialize_with = "crate::open_enum::only_listed")]),
            );
        }
    }
    let serde = (!untagged).then(|| quote!(#[serde(untagged)]));
    item.variants.push(parse_quote! {
        ///JSON that no alternative describes. It is sent as it was received.
        #serde
        #[cfg_attr(feature = "schemars", schemars(skip))]
        #unknown(::serde_json::Value)
    });
    unknown
}

/// Shows the new variant of an enum, if typify shows the others.
struct Shown<'a>(&'a Ident);

impl VisitMut for Shown<'_> {
    fn visit_expr_match_mut(&mut self, shown: &mut ExprMatch) {
        let unknown = self.0;
        shown
            .arms
            .push(parse_quote!(Self::#unknown(x) => x.fmt(f),));
    }
}
