//! The facts that typify knows about the types that it made.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use progenitor::Generator;
use quote::ToTokens;
use typify::{Type, TypeDetails, TypeId, TypeSpace};

use crate::ast::text;

/// The types of generated code, each by how code outside of the module `types` writes it.
pub(crate) struct Types<'a> {
    space: &'a TypeSpace,
    all: BTreeMap<String, Type<'a>>,
}

/// A field of a struct.
pub(crate) struct Field {
    /// Its type, or that of its value if it is optional.
    pub(crate) of: TokenStream,
    /// `true` if it is an `Option`.
    pub(crate) optional: bool,
    /// `true` if it is text or an id.
    pub(crate) is_text: bool,
    /// The type of the items of a list.
    pub(crate) items: Option<TokenStream>,
}

impl<'a> Types<'a> {
    pub(crate) fn of(generator: &'a Generator) -> Self {
        let space = generator.get_type_space();
        let all = space.iter_types().map(|of| (text(&of.ident()), of));
        Self {
            space,
            all: all.collect(),
        }
    }

    /// All structs, enums and newtypes of the document, by name.
    pub(crate) fn named(&self) -> impl Iterator<Item = &Type<'a>> {
        self.all.values().filter(|of| {
            let details = of.details();
            matches!(
                details,
                TypeDetails::Struct(_) | TypeDetails::Enum(_) | TypeDetails::Newtype(_)
            )
        })
    }

    pub(crate) fn by_id(&self, id: &TypeId) -> Option<Type<'a>> {
        self.space.get_type(id).ok()
    }

    /// Returns `true` if there is an enum without variants.
    pub(crate) fn has_type_without_values(&self) -> bool {
        self.all.values().any(
            |of| matches!(of.details(), TypeDetails::Enum(of) if of.variants().next().is_none()),
        )
    }

    /// The fields of a struct by name; `None` for every other type.
    pub(crate) fn fields(&self, of: &impl ToTokens) -> Option<BTreeMap<String, Field>> {
        let TypeDetails::Struct(details) = self.all.get(&text(of))?.details() else {
            return None;
        };
        let fields = details.properties().filter_map(|(name, id)| {
            let of = self.space.get_type(&id).ok()?;
            let value = match of.details() {
                TypeDetails::Option(value) => Some(self.space.get_type(&value).ok()?),
                _ => None,
            };
            let (optional, of) = (value.is_some(), value.unwrap_or(of));
            let (is_text, items) = match of.details() {
                TypeDetails::String => (true, None),
                TypeDetails::Builtin(name) => (name.starts_with("crate::ids::"), None),
                TypeDetails::Vec(item) => (false, Some(self.space.get_type(&item).ok()?.ident())),
                _ => (false, None),
            };
            let field = Field {
                of: of.ident(),
                optional,
                is_text,
                items,
            };
            Some((name.to_owned(), field))
        });
        Some(fields.collect())
    }
}
