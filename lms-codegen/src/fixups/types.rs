//! Changes the types of progenitor's output.
//!
//! `lms-client/tests/fields.rs` holds the changes of reading, so an update of progenitor cannot silently undo them. Written
//! for progenitor 0.15.

use std::collections::{BTreeMap, BTreeSet};

use quote::quote;
use syn::{Field, Fields, File, Ident, ImplItem, Item, Type, parse_quote, visit_mut::VisitMut};

use super::enums::is_list_of_values;
use crate::{
    ast::{argument, last_name, missing, module, text},
    error::Error,
};

/// Applies all changes.
pub(crate) fn change_types(file: &mut File) -> Result<(), Error> {
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    let mut lenient = Lenient::of(types);
    types
        .iter_mut()
        .for_each(|item| lenient.visit_item_mut(item));
    types.iter_mut().for_each(allow_growth);
    types.iter_mut().for_each(describe);
    inline_type_builders(types)
}

/// Reads `null` as an absent array, and a blank string as an absent value of any type but text.
///
/// The derived `Deserialize` fails the whole page on `"tags": null` and on `"archived": ""`. A blank text stays what it is.
struct Lenient {
    /// The types that are objects.
    objects: BTreeSet<Ident>,
    /// The types that wrap one value, such as a number with a name.
    wrappers: BTreeMap<Ident, Type>,
}

impl Lenient {
    fn of(types: &[Item]) -> Self {
        let objects = types.iter().filter_map(|item| match item {
            Item::Struct(item) if matches!(item.fields, Fields::Named(_)) => {
                Some(item.ident.clone())
            }
            _ => None,
        });
        let wrappers = types.iter().filter_map(|item| match item {
            Item::Struct(item) if matches!(item.fields, Fields::Unnamed(_)) => {
                let wrapped = item.fields.iter().next()?;
                Some((item.ident.clone(), wrapped.ty.clone()))
            }
            _ => None,
        });
        Self {
            objects: objects.collect(),
            wrappers: wrappers.collect(),
        }
    }

    /// The function that reads an optional value of a type; `None` for text.
    fn reader(&self, of: &Type) -> Option<&'static str> {
        if text(of).starts_with("crate :: formats ::") {
            return Some("crate::formats::optional");
        }
        let name = last_name(of)?;
        match name.to_string().as_str() {
            "bool" | "f32" | "f64" | "Int64" => Some("crate::wire::blank_is_absent"),
            "Vec" | "HashMap" => Some("crate::wire::object"),
            text if text.starts_with(['i', 'u']) && text[1..].parse::<u8>().is_ok() => {
                Some("crate::wire::blank_is_absent")
            }
            _ if self.objects.contains(name) => Some("crate::wire::object"),
            _ => self.reader(self.wrappers.get(name)?),
        }
    }
}

impl VisitMut for Lenient {
    fn visit_field_mut(&mut self, field: &mut Field) {
        // Fields of builders have no attributes of serde.
        let serde: String = field
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"))
            .map(text)
            .collect();
        if serde.contains("Vec::is_empty") || serde.contains("Map::is_empty") {
            field
                .attrs
                .push(parse_quote!(#[serde(deserialize_with = "crate::wire::sequence")]));
        } else if field.ident.is_some()
            && let Some(reader) = argument(&field.ty, "Option").and_then(|of| self.reader(of))
        {
            // One that must be there, and may be null.
            let required = serde.contains("deserialize_with");
            let default = (!required).then(|| quote!(default,));
            if required {
                field
                    .attrs
                    .retain(|attribute| !text(attribute).contains("deserialize_with"));
            }
            field
                .attrs
                .push(parse_quote!(#[serde(#default deserialize_with = #reader)]));
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
        Item::Enum(item) if !is_list_of_values(item) => &mut item.attrs,
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
