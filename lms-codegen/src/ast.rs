//! Reading generated code, and writing it.

use std::panic::Location;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, Path, PathArguments, Type};

use crate::error::Error;

/// The error of code that does not find what it expects.
#[track_caller]
pub(crate) fn missing(what: &str) -> Error {
    let file = Location::caller().file();
    Error::new(format!(
        "progenitor's output no longer has {what}; adapt {file} to this version of progenitor"
    ))
}

/// Formatted code below a notice that it is generated from `origin`.
pub(crate) fn render(code: TokenStream, origin: &str) -> Result<String, Error> {
    let file = syn::parse2(code).map_err(Error::new)?;
    Ok(format!(
        "// @generated from {origin} by `cargo xtask regen`.\n\
         // Do not edit: change the document, then run that command again.\n\n{}",
        prettyplease::unparse(&file)
    ))
}

/// An `Option` as an expression.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}

/// The path of a type, if it has one.
pub(crate) fn path(of: &Type) -> Option<&Path> {
    match of {
        Type::Path(path) => Some(&path.path),
        _ => None,
    }
}

/// The first type argument of a type with this name: `T` of `Option<T>`.
pub(crate) fn argument<'a>(of: &'a Type, name: &str) -> Option<&'a Type> {
    let last = path(of)?.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) if last.ident == name => {
            match arguments.args.first()? {
                GenericArgument::Type(value) => Some(value),
                _ => None,
            }
        }
        _ => None,
    }
}
