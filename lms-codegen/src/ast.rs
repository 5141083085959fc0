//! Finding things in the code that progenitor generates.

use std::panic::Location;

use quote::ToTokens;
use syn::{
    File, GenericArgument, Ident, ImplItem, ImplItemFn, Item, ItemImpl, Path, PathArguments,
    ReturnType, Signature, Type,
};

use crate::error::Error;

/// The error of a change that does not find the expected code.
#[track_caller]
pub(crate) fn missing(what: &str) -> Error {
    let file = Location::caller().file();
    Error::new(format!(
        "progenitor's output no longer has {what}; adapt {file} to this version of progenitor"
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

pub(crate) fn text(node: &impl ToTokens) -> String {
    node.to_token_stream().to_string()
}

/// The type arguments of a path: `X` and `E` of `Result<X, E>`.
pub(crate) fn arguments(path: &Path) -> impl Iterator<Item = &Type> {
    let arguments = path.segments.last().and_then(|last| match &last.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    });
    let arguments = arguments.into_iter().flatten();
    arguments.filter_map(|argument| match argument {
        GenericArgument::Type(argument) => Some(argument),
        _ => None,
    })
}

/// The type arguments of the return type of a function.
pub(crate) fn returned(function: &Signature) -> impl Iterator<Item = &Type> {
    let path = match &function.output {
        ReturnType::Type(_, output) => path(output),
        ReturnType::Default => None,
    };
    path.into_iter().flat_map(arguments)
}

/// The path of a type, if it has one.
pub(crate) fn path(of: &Type) -> Option<&Path> {
    match of {
        Type::Path(path) => Some(&path.path),
        _ => None,
    }
}

/// The contents of a module.
pub(crate) fn module<'a>(items: &'a mut [Item], name: &str) -> Option<&'a mut Vec<Item>> {
    items.iter_mut().find_map(|item| match item {
        Item::Mod(module) if module.ident == name => Some(&mut module.content.as_mut()?.1),
        _ => None,
    })
}

/// `T` of `Name<T>` or `Name<T, …>`.
pub(crate) fn argument<'a>(of: &'a Type, name: &str) -> Option<&'a Type> {
    let named = last_name(of).is_some_and(|last| last == name);
    path(of)
        .filter(|_| named)
        .and_then(|path| arguments(path).next())
}

/// `Course` of `super::Course<'a>`.
pub(crate) fn last_name(of: &Type) -> Option<&Ident> {
    path(of)?.segments.last().map(|last| &last.ident)
}

/// A method by its name and the name of its type.
pub(crate) fn method<'a>(
    items: &'a mut [Item],
    of: &str,
    name: &str,
) -> Option<&'a mut ImplItemFn> {
    let has_type = |item: &ItemImpl| {
        path(&item.self_ty)
            .and_then(|path| path.segments.last())
            .is_some_and(|last| last.ident == of)
    };
    items
        .iter_mut()
        .filter_map(|item| match item {
            Item::Impl(item) if item.trait_.is_none() && has_type(item) => Some(item),
            _ => None,
        })
        .flat_map(|item| &mut item.items)
        .find_map(|item| match item {
            ImplItem::Fn(method) if method.sig.ident == name => Some(method),
            _ => None,
        })
}
