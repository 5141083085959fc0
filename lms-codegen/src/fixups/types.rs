//! Changes how types read values, and lets them grow.
//!
//! `lms-client/tests/fields.rs` holds the changes of reading, so an update of typify cannot silently undo them.

use std::collections::{BTreeMap, BTreeSet};

use quote::quote;
use syn::{Field, Fields, Ident, Item, Type, parse_quote, visit_mut::VisitMut};

use super::enums::is_list_of_values;
use crate::ast::{in_option, last_name, path, serde_options};

/// Applies all changes. `pages` are the names of types that are pages of lists.
pub(crate) fn change_types(types: &mut [Item], pages: &BTreeSet<String>) {
    let mut lenient = Lenient::of(types);
    for item in types {
        require_items(item, pages);
        lenient.visit_item_mut(item);
        allow_growth(item);
        describe(item);
    }
}

/// Lets a page without `items` fail, which would otherwise be read as an empty list: `{}`, or the error of a proxy.
///
/// An empty list is written as such, so that it can be read again.
fn require_items(item: &mut Item, pages: &BTreeSet<String>) {
    let Item::Struct(page) = item else { return };
    if !pages.contains(&page.ident.to_string()) {
        return;
    }
    for field in &mut page.fields {
        if field.ident.as_ref().is_some_and(|name| name == "items") {
            field
                .attrs
                .retain(|attribute| !attribute.path().is_ident("serde"));
        }
    }
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
        let mut modules = path(of)?.segments.iter();
        if modules.next()?.ident == "crate" && modules.next()?.ident == "formats" {
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
        let serde = serde_options(&field.attrs);
        let Some(of) = in_option(&field.ty) else {
            // A list or a map that may be absent.
            if serde.contains_key("skip_serializing_if") {
                field
                    .attrs
                    .push(parse_quote!(#[serde(deserialize_with = "crate::wire::sequence")]));
            }
            return;
        };
        if field.ident.is_some()
            && let Some(reader) = self.reader(of)
        {
            // One that must be there, and may be null.
            let required = serde.contains_key("deserialize_with");
            let options = if required {
                field
                    .attrs
                    .retain(|attribute| !attribute.path().is_ident("serde"));
                serde.get("rename").map(|name| quote!(rename = #name,))
            } else {
                Some(quote!(default,))
            };
            field
                .attrs
                .push(parse_quote!(#[serde(#options deserialize_with = #reader)]));
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
