//! Finding things in the code that typify generates.

use std::{collections::BTreeMap, panic::Location};

use syn::{
    Attribute, Expr, ExprLit, File, GenericArgument, Ident, Lit, Meta, Path, PathArguments, Token,
    Type, punctuated::Punctuated,
};

use crate::error::Error;

/// The error of code that does not find what it expects.
#[track_caller]
pub(crate) fn missing(what: &str) -> Error {
    let file = Location::caller().file();
    Error::new(format!(
        "typify's output no longer has {what}; adapt {file} to this version of typify"
    ))
}

/// Formatted code below a notice that it is generated from `origin`.
pub(crate) fn render(file: &File, origin: &str) -> String {
    format!(
        "// @generated from {origin} by `cargo xtask regen`.\n\
         // Do not edit: change the document, then run that command again.\n\n{}",
        prettyplease::unparse(file)
    )
}

/// The options of serde in the attributes of a type, a variant or a field: `rename` with its text, `untagged` without one.
pub(crate) fn serde_options(attributes: &[Attribute]) -> BTreeMap<String, String> {
    let attributes = attributes.iter().filter(|of| of.path().is_ident("serde"));
    let options = attributes.filter_map(|attribute| {
        attribute
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .ok()
    });
    let options = options.flatten().filter_map(|option| {
        let name = option.path().get_ident()?.to_string();
        Some((name, literal(&option).unwrap_or_default()))
    });
    options.collect()
}

/// `text` of `name = "text"`.
fn literal(option: &Meta) -> Option<String> {
    match option {
        Meta::NameValue(option) => match &option.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The path of a type, if it has one.
pub(crate) fn path(of: &Type) -> Option<&Path> {
    match of {
        Type::Path(path) => Some(&path.path),
        _ => None,
    }
}

/// `Course` of `super::Course<'a>`.
pub(crate) fn last_name(of: &Type) -> Option<&Ident> {
    path(of)?.segments.last().map(|last| &last.ident)
}

/// `T` of `Option<T>`.
pub(crate) fn in_option(of: &Type) -> Option<&Type> {
    let last = path(of)?.segments.last()?;
    match (&last.arguments, last.ident == "Option") {
        (PathArguments::AngleBracketed(arguments), true) => match arguments.args.first()? {
            GenericArgument::Type(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}
