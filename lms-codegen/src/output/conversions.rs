//! The values that setters accept for the types of the document, besides those of `lms_client::setter`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use typify::{Type, TypeDetails, TypeEnumVariant, TypeSpaceImpl};

use crate::{error::Error, types::Types};

/// The conversions into all types of the document.
pub(super) fn conversions(types: &Types) -> Result<TokenStream, Error> {
    let mut conversions = TokenStream::new();
    for of in types.named() {
        conversions.extend(conversion(&of));
    }
    for of in types.named() {
        conversions.extend(alternatives(&of, types)?);
    }
    Ok(conversions)
}

/// The builder of a struct.
fn builder(of: &Type<'_>) -> Option<TokenStream> {
    matches!(of.details(), TypeDetails::Struct(_)).then(|| {
        let name = format_ident!("{}", of.name());
        quote!(types::builder::#name)
    })
}

/// Conversions into an enum or a newtype. `lms_client::open_enum` has those of open enums, and `lms_client::builder` of structs.
fn conversion(of: &Type<'_>) -> TokenStream {
    let name = of.ident();
    match of.details() {
        TypeDetails::Struct(_) => TokenStream::new(),
        _ if of.has_impl(TypeSpaceImpl::FromStr) => quote!(crate::setter::from_text!(#name);),
        _ => quote!(crate::setter::from_itself!(#name);),
    }
}

/// What makes an alternative of a `oneOf` from its value: `.pet(cat)` in place of `.pet(Pet::Cat(cat))`.
///
/// Nothing for a type that several alternatives have.
fn alternatives(of: &Type<'_>, types: &Types) -> Result<TokenStream, Error> {
    let TypeDetails::Enum(details) = of.details() else {
        return Ok(TokenStream::new());
    };
    let values = details
        .variants()
        .filter_map(|(name, details)| match details {
            TypeEnumVariant::Tuple(ids) => Some((name, <[_; 1]>::try_from(ids).ok()?)),
            _ => None,
        });
    let values: Vec<_> = values.map(|(name, [id])| (name, id)).collect();
    let whole = of.ident();
    let mut items = TokenStream::new();
    for (name, id) in &values {
        let value = types.get(id)?;
        let is_text = matches!(value.details(), TypeDetails::String);
        let several = values.iter().filter(|(_, known)| known == id).count() > 1;
        // An alternative that is text is found by the text.
        if several || is_text && of.has_impl(TypeSpaceImpl::FromStr) {
            continue;
        }
        let (variant, builder, value) = (format_ident!("{name}"), builder(&value), value.ident());
        items.extend(quote!(crate::setter::from_alternative!(#whole, #variant, #value);));
        if is_text {
            items.extend(quote!(crate::setter::from_alternative!(#whole, #variant, &str);));
        }
        items.extend(builder.map(
            |builder| quote!(crate::setter::from_alternative!(#whole, #variant, #value, #builder);),
        ));
    }
    Ok(items)
}
