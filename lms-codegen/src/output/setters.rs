//! Arguments of builders, which convert values with the traits of `lms_client::setter`, as setters do.
//!
//! Required values are arguments, so leaving one out does not compile. Builders whose types show which fields are set would
//! check the same with names in place of positions, but they multiply the types that a dependent compiles, and their errors
//! name types that no document has.
//!
//! An argument takes no `Option`. Services do not promise the ids in their responses, so these are `Option`s, and a program
//! says what to do without one before it passes it on.

use heck::ToUpperCamelCase;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::types::Slot;

/// An argument for a field.
pub(super) struct Argument {
    pub(super) name: Ident,
    of: TokenStream,
    generic: Option<Ident>,
    /// The expression for the value of the field.
    pub(super) value: TokenStream,
}

impl Argument {
    /// The argument for the value of a slot.
    pub(super) fn of(name: &str, slot: &Slot) -> Self {
        // A function may have the arguments of several lists.
        let generic = format_ident!("{}By", name.to_upper_camel_case());
        let variable = format_ident!("{name}");
        let (of, value) = conversion(name, slot, &variable, &generic);
        Self {
            name: variable,
            of,
            generic: slot.list.then_some(generic),
            value,
        }
    }

    /// An argument that converts into a type.
    pub(super) fn into(name: &str, of: &impl ToTokens) -> Self {
        let name = format_ident!("{name}");
        Self {
            of: quote!(impl ::std::convert::Into<#of>),
            generic: None,
            value: quote!(#name.into()),
            name,
        }
    }
}

/// The signature of a function with arguments: its generics and its arguments.
pub(super) fn signature(all: &[&Argument]) -> (TokenStream, TokenStream) {
    let arguments = all
        .iter()
        .map(|Argument { name, of, .. }| quote!(#name: #of));
    let arguments = quote!(#(#arguments),*);
    let generics: Vec<_> = all.iter().filter_map(|of| of.generic.as_ref()).collect();
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    (quote!(#generics), arguments)
}

/// The type of a variable, and the value that it becomes. `by` is the generic of a list.
fn conversion(name: &str, slot: &Slot, variable: &Ident, by: &Ident) -> (TokenStream, TokenStream) {
    let of = &slot.of;
    let of = match (slot.list, slot.optional && !slot.given) {
        (true, _) => quote!(IntoList<#of, #by>),
        (false, true) => quote!(IntoOptional<#of>),
        (false, false) => quote!(IntoValue<#of>),
    };
    let function = slot.kind();
    (
        quote!(impl crate::setter::#of),
        quote!(crate::setter::#function(#name, #variable)),
    )
}
