//! Changes the types of progenitor's output.
//!
//! The test `unsafe_parts_of_the_output_are_fixed` holds each change, so an update of progenitor cannot silently undo any of
//! them. Written for progenitor 0.15.

use quote::quote;
use syn::{Field, Fields, File, ImplItem, Item, parse_quote, visit_mut::VisitMut};

use crate::{
    ast::{missing, module, text},
    error::Error,
};

/// Applies all changes.
pub(crate) fn change_types(file: &mut File) -> Result<(), Error> {
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    types
        .iter_mut()
        .for_each(|item| Lenient.visit_item_mut(item));
    types.iter_mut().for_each(allow_growth);
    types.iter_mut().for_each(describe);
    inline_type_builders(types)
}

/// Reads `null` as an absent array, and an empty string as an absent integer.
///
/// The derived `Deserialize` fails the whole page on `"tags": null`, although it reads `null` as absence for all other
/// optional fields. Integers are sent as strings, and an empty string is sent for none.
struct Lenient;

impl VisitMut for Lenient {
    fn visit_field_mut(&mut self, field: &mut Field) {
        // Fields of builders have no attributes of serde.
        let serde: String = field
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"))
            .map(text)
            .collect();
        let integer = text(&quote!(::std::option::Option<crate::wire::Int64>));
        if serde.contains("Vec::is_empty") {
            field
                .attrs
                .push(parse_quote!(#[serde(deserialize_with = "crate::wire::null_is_absent")]));
        } else if !serde.is_empty() && text(&field.ty) == integer {
            field.attrs.push(
                parse_quote!(#[serde(default, deserialize_with = "crate::wire::blank_is_absent")]),
            );
        }
    }
}

/// Lets a type get more fields or values without breaking its users: they use builders and have a `_` arm.
///
/// A struct without named fields wraps one value, which does not grow.
fn allow_growth(item: &mut Item) {
    let attributes = match item {
        Item::Struct(item) if matches!(item.fields, Fields::Named(_)) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return,
    };
    attributes.push(parse_quote!(#[non_exhaustive]));
}

/// Lets a type describe itself as a JSON Schema, with the feature `schemars`.
fn describe(item: &mut Item) {
    let attributes = match item {
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return,
    };
    attributes
        .push(parse_quote!(#[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]));
}

/// Compiles the builders of types only into programs that use them.
///
/// A program uses a few of them at most. Compiling all was two thirds of the work of building `lms-client`, in every
/// program that depends on it.
fn inline_type_builders(types: &mut [Item]) -> Result<(), Error> {
    if !types.iter().any(|item| matches!(item, Item::Struct(_))) {
        return Ok(());
    }
    let builders =
        module(types, "builder").ok_or_else(|| missing("a module `builder` in `types`"))?;
    let (mut structs, mut inlined) = (0, 0);
    for item in builders {
        match item {
            Item::Struct(_) => structs += 1,
            Item::Impl(item) => {
                let of = item
                    .trait_
                    .as_ref()
                    .and_then(|(path, _)| path.segments.last());
                if !of.is_some_and(|of| of.ident == "TryFrom" || of.ident == "Default") {
                    continue;
                }
                for item in &mut item.items {
                    if let ImplItem::Fn(method) = item {
                        method.attrs.push(parse_quote!(#[inline]));
                        inlined += 1;
                    }
                }
            }
            _ => {}
        }
    }
    if inlined == 2 * structs {
        Ok(())
    } else {
        Err(missing(
            "a `Default` and a `TryFrom` for every builder of a type",
        ))
    }
}
