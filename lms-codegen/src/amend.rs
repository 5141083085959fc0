//! What progenitor's output needs before it is safe against this service.
//!
//! Each function below changes one thing and says why. One that changes something in every client or every operation
//! fails when that place is not there. What only some documents have (secrets, arrays, integers, an example) is held by
//! `unsafe_parts_of_the_output_are_put_right` instead. So a new progenitor cannot quietly undo either. Measured on
//! progenitor 0.15.

use syn::{
    Attribute, Block, Field, File, Ident, ImplItem, Item, ItemImpl, ItemStruct, ItemUse, Local,
    Pat, Stmt, Type, UseTree, parse_quote, visit_mut, visit_mut::VisitMut,
};

use crate::{Document, Error, Response, lighten::lighten, split_send::split_send};

/// Fields that hold a secret wherever they appear in the service.
const SECRETS: [&str; 5] = [
    "password",
    "client_secret",
    "access_token",
    "refresh_token",
    "code",
];

/// Applies every amendment.
pub(crate) fn amend(file: &mut File, document: &Document) -> Result<(), Error> {
    plain_examples(file);
    hide_secrets(file);
    forgive_null_arrays(file);
    forgive_blank_integers(file);
    own_connection(file)?;
    own_encoding(file)?;
    own_reading(file, document)?;
    check_segments(file, document)?;
    lighten(file, document)?;
    split_send(file, document.operations().len())
}

/// That `what` is not there, said by the file that looks for it.
#[track_caller]
pub(crate) fn missing(what: &str) -> Error {
    let file = std::panic::Location::caller().file();
    Error::at(
        "",
        format!("progenitor's output no longer has {what}; {file} must follow it"),
    )
}

/// What is in the module of this name.
pub(crate) fn module<'a>(item: &'a mut Item, name: &str) -> Option<&'a mut Vec<Item>> {
    match item {
        Item::Mod(module) if module.ident == name => Some(&mut module.content.as_mut()?.1),
        _ => None,
    }
}

/// Whether this is `let name = …;`.
pub(crate) fn binds(local: &Local, name: &str) -> bool {
    matches!(&local.pat, Pat::Ident(pattern) if pattern.ident == name)
}

/// Marks the call sketches in the docs as text.
///
/// progenitor marks them as ignored Rust, which reports one skipped test per operation for ever.
fn plain_examples(file: &mut File) {
    struct Plain;
    impl VisitMut for Plain {
        fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
            if let Some(text) = doc_text(attribute)
                && text.contains("```ignore")
            {
                let text = text.replace("```ignore", "```text");
                *attribute = parse_quote!(#[doc = #text]);
            }
        }
    }
    Plain.visit_file_mut(file);
}

fn doc_text(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            path,
            value:
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }),
            ..
        }) if path.is_ident("doc") => Some(text.value()),
        _ => None,
    }
}

/// Takes secrets out of `Debug`, in the types and in their builders.
///
/// The derived `Debug` would print `password` and tokens into any log line that shows a value.
fn hide_secrets(file: &mut File) {
    struct Hide;
    impl VisitMut for Hide {
        fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
            visit_mut::visit_item_mod_mut(self, module);
            let Some((_, items)) = &mut module.content else {
                return;
            };
            let mut shown = Vec::new();
            for item in items.iter_mut() {
                if let Item::Struct(item) = item
                    && item.fields.iter().any(is_secret)
                {
                    item.attrs.iter_mut().for_each(without_debug);
                    shown.push(Item::Impl(debug_without_secrets(item)));
                }
            }
            items.extend(shown);
        }
    }
    Hide.visit_file_mut(file);
}

fn is_secret(field: &Field) -> bool {
    field
        .ident
        .as_ref()
        .is_some_and(|name| SECRETS.iter().any(|secret| name == secret))
}

fn without_debug(attribute: &mut Attribute) {
    if attribute.path().is_ident("derive") {
        let mut kept: Vec<syn::Path> = Vec::new();
        let parsed = attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("Debug") {
                kept.push(meta.path);
            }
            Ok(())
        });
        if parsed.is_ok() {
            *attribute = parse_quote!(#[derive(#(#kept),*)]);
        }
    }
}

fn debug_without_secrets(item: &ItemStruct) -> ItemImpl {
    let name = &item.ident;
    let text = name.to_string();
    let fields = item.fields.iter().filter_map(|field| {
        let ident = field.ident.as_ref()?;
        let label = ident.to_string();
        Some(if is_secret(field) {
            quote::quote!(.field(#label, &crate::wire::Hidden))
        } else {
            quote::quote!(.field(#label, &self.#ident))
        })
    });
    parse_quote! {
        impl ::std::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(#text) #(#fields)* .finish()
            }
        }
    }
}

/// Reads `null` for an array as an absent one.
///
/// The derived reader fails the whole page on `"tags": null`; for every other optional field it already
/// reads `null` as absence.
fn forgive_null_arrays(file: &mut File) {
    struct Forgive;
    impl VisitMut for Forgive {
        fn visit_field_mut(&mut self, field: &mut Field) {
            let optional_array = field.attrs.iter().any(|attribute| {
                attribute.path().is_ident("serde")
                    && quote::quote!(#attribute)
                        .to_string()
                        .contains("Vec::is_empty")
            });
            if optional_array {
                field
                    .attrs
                    .push(parse_quote!(#[serde(deserialize_with = "crate::wire::null_is_absent")]));
            }
        }
    }
    Forgive.visit_file_mut(file);
}

/// Reads an empty text for an integer as an absent one.
///
/// An integer that travels as text is empty where there is none, and the derived reader fails the whole
/// page on it.
fn forgive_blank_integers(file: &mut File) {
    struct Forgive;
    impl VisitMut for Forgive {
        fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
            let text = |tokens: &dyn quote::ToTokens| tokens.to_token_stream().to_string();
            let integer = text(&quote::quote!(::std::option::Option<crate::wire::Int64>));
            // A builder's fields are no wire format, and have no attributes of serde's.
            let read = |field: &&mut Field| {
                text(&field.ty) == integer
                    && field
                        .attrs
                        .iter()
                        .any(|attribute| attribute.path().is_ident("serde"))
            };
            for field in item.fields.iter_mut().filter(read) {
                field
                    .attrs
                    .push(parse_quote!(#[serde(default, deserialize_with = "crate::wire::blank_is_absent")]));
            }
        }
    }
    Forgive.visit_file_mut(file);
}

/// Lets the hand-written half decide how `Client::new` connects, and takes a trailing slash off the base
/// address.
///
/// progenitor's own constructor follows redirects, which re-sends a `POST` body, client secret included,
/// to wherever a 307 points.
fn own_connection(file: &mut File) -> Result<(), Error> {
    let method = |file: &mut File, name: &str, block: Block| {
        let found = file.items.iter_mut().find_map(|item| match item {
            Item::Impl(item) if item.trait_.is_none() && is_client(&item.self_ty) => {
                item.items.iter_mut().find_map(|item| match item {
                    ImplItem::Fn(method) if method.sig.ident == name => Some(method),
                    _ => None,
                })
            }
            _ => None,
        });
        match found {
            Some(method) => {
                method.block = block;
                Ok(())
            }
            None => Err(missing(&format!("`Client::{name}`"))),
        }
    };
    method(
        file,
        "new",
        parse_quote!({ Self::new_with_client(baseurl, crate::transport::http_client(), inner) }),
    )?;
    method(
        file,
        "new_with_client",
        parse_quote!({
            let baseurl = baseurl.trim_end_matches('/').to_string();
            Self {
                base: crate::address::Base::new(&baseurl),
                baseurl,
                client,
                inner,
            }
        }),
    )
}

fn is_client(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("Client"))
}

/// Swaps progenitor's path encoding for ours, which encodes a backslash too.
///
/// URL parsers read `\` as `/`, so an id that holds one would otherwise move the request.
fn own_encoding(file: &mut File) -> Result<(), Error> {
    let found = file.items.iter_mut().find_map(|item| match item {
        Item::Use(item) => remove_encode_path(item).then_some(()),
        _ => None,
    });
    found.ok_or_else(|| missing("an import of `encode_path`"))?;
    file.items.insert(
        0,
        parse_quote!(
            #[allow(unused_imports)]
            use crate::transport::{checked_segment, encode_path};
        ),
    );
    Ok(())
}

/// Has answers read by the seam.
///
/// What cannot be read becomes an error with the whole body in it, tokens included. The transport has no part in that,
/// unless it is asked.
fn own_reading(file: &mut File, document: &Document) -> Result<(), Error> {
    struct Own(usize);
    impl VisitMut for Own {
        fn visit_expr_path_mut(&mut self, expression: &mut syn::ExprPath) {
            let names = expression.path.segments.iter().map(|part| &part.ident);
            if names.eq(["ResponseValue", "from_response"]) {
                expression.path = parse_quote!(crate::transport::read);
                self.0 += 1;
            }
        }
    }
    let mut own = Own(0);
    own.visit_file_mut(file);
    let with_a_body = document
        .operations()
        .iter()
        .filter(|operation| operation.response != Response::Empty)
        .count();
    if own.0 != with_a_body {
        return Err(missing(
            "a call of `ResponseValue::from_response` for every answer with a body",
        ));
    }
    Ok(())
}

fn remove_encode_path(item: &mut ItemUse) -> bool {
    let UseTree::Path(path) = &mut item.tree else {
        return false;
    };
    let UseTree::Group(group) = &mut *path.tree else {
        return false;
    };
    let before = group.items.len();
    group.items = std::mem::take(&mut group.items)
        .into_iter()
        .filter(|tree| !matches!(tree, UseTree::Name(name) if name.ident == "encode_path"))
        .collect();
    group.items.len() < before
}

/// Refuses a path parameter that would move the request, before a URL is made of it.
///
/// `delete_course().id("..")` would otherwise be sent as `DELETE` of the parent path.
fn check_segments(file: &mut File, document: &Document) -> Result<(), Error> {
    let builders = file
        .items
        .iter_mut()
        .find_map(|item| module(item, "builder"))
        .ok_or_else(|| missing("a module `builder`"))?;
    let mut found_import = false;
    for item in &mut *builders {
        if let Item::Use(item) = item
            && let UseTree::Path(path) = &mut item.tree
            && let UseTree::Group(group) = &mut *path.tree
            && group
                .items
                .iter()
                .any(|tree| matches!(tree, UseTree::Name(name) if name.ident == "encode_path"))
        {
            group.items.push(parse_quote!(checked_segment));
            found_import = true;
        }
    }
    if !found_import {
        return Err(missing("an import of `encode_path` in `builder`"));
    }
    for operation in document.operations() {
        let names: Vec<String> = operation
            .path_parameters()
            .map(heck::ToSnakeCase::to_snake_case)
            .collect();
        let builder = operation.builder_name();
        let mut checked = 0;
        for item in &mut *builders {
            if let Item::Impl(item) = item
                && matches!(&*item.self_ty, Type::Path(path)
                    if path.path.segments.last().is_some_and(|last| last.ident == builder))
            {
                checked += item
                    .items
                    .iter_mut()
                    .filter_map(|item| match item {
                        ImplItem::Fn(method) if method.sig.ident == "send" => Some(method),
                        _ => None,
                    })
                    .flat_map(|method| &mut method.block.stmts)
                    .filter_map(|statement| check_binding(statement, &names))
                    .count();
            }
        }
        if checked != names.len() {
            return Err(missing(&format!(
                "one binding for each path parameter of `{builder}::send`"
            )));
        }
    }
    Ok(())
}

/// Turns `let id = id.map_err(…)?;` into a binding that checks the value first.
fn check_binding(statement: &mut Stmt, names: &[String]) -> Option<()> {
    let Stmt::Local(local) = statement else {
        return None;
    };
    let Pat::Ident(pattern) = &local.pat else {
        return None;
    };
    let name: Ident = pattern.ident.clone();
    let text = name.to_string();
    if !names.contains(&text) {
        return None;
    }
    *statement = parse_quote! {
        let #name = #name
            .and_then(|value| checked_segment(#text, value))
            .map_err(Error::InvalidRequest)?;
    };
    Some(())
}
