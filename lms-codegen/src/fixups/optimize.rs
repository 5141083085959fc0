//! Removes work that progenitor's output does in every request or every build.
//!
//! Like the fixes, each change fails when it does not find what it changes. Together, the changes for requests save 6,700
//! of 93,300 instructions of a small call (docs/performance.md).

use syn::{
    Expr, Fields, File, ImplItem, Item, Lit, Local, Stmt, Token, parse_quote,
    punctuated::Punctuated,
    visit_mut::{self, VisitMut},
};

use crate::{
    ast::{binds, each_send, missing, module, text},
    document::Document,
    error::Error,
};

/// Applies all changes.
pub(crate) fn optimize(file: &mut File, document: &Document) -> Result<(), Error> {
    no_version_header(file, document)?;
    parsed_base_url(file, document)?;
    inline_type_builders(file)
}

/// Removes the header `api-version`, which the service does not know, and a header map that is empty without it.
fn no_version_header(file: &mut File, document: &Document) -> Result<(), Error> {
    each_send(file, document, |_, send| {
        let statements = &mut send.block.stmts;
        let before = statements.len();
        statements.retain(|statement| {
            !matches!(statement, Stmt::Expr(Expr::MethodCall(call), _)
                if call.method == "append" && text(&call.args).contains("\"api-version\""))
        });
        if statements.len() + 1 != before {
            return Err(missing("the header `api-version` in every request"));
        }
        // One use creates the map and one adds it to the request.
        if text(&send.block).matches("header_map").count() == 2 {
            send.block.stmts.retain(
                |statement| !matches!(statement, Stmt::Local(local) if binds(local, "header_map")),
            );
            RemoveHeaders.visit_block_mut(&mut send.block);
        }
        Ok(())
    })
}

/// Removes `.headers(header_map)`.
struct RemoveHeaders;

impl VisitMut for RemoveHeaders {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::MethodCall(call) = expression
            && call.method == "headers"
        {
            *expression = (*call.receiver).clone();
        }
    }
}

/// Parses the base URL once per client instead of once per request.
fn parsed_base_url(file: &mut File, document: &Document) -> Result<(), Error> {
    let fields = file.items.iter_mut().find_map(|item| match item {
        Item::Struct(item) if item.ident == "Client" => Some(&mut item.fields),
        _ => None,
    });
    let Some(Fields::Named(fields)) = fields else {
        return Err(missing("a struct `Client` with named fields"));
    };
    fields
        .named
        .push(parse_quote!(pub(crate) base: Option<reqwest::Url>));
    each_send(file, document, |_, send| {
        let mut locals = send.block.stmts.iter_mut();
        locals
            .find_map(|statement| match statement {
                Stmt::Local(local) if binds(local, "url") => use_base(local),
                _ => None,
            })
            .ok_or_else(|| missing("a `url` made by `format!` in every `send`"))
    })
}

/// Replaces `format!("{}/courses/{}", client.baseurl, …)` by `client.url(format_args!("/courses/{}", …))?`.
fn use_base(local: &mut Local) -> Option<()> {
    let init = local.init.as_mut()?;
    let Expr::Macro(call) = &*init.expr else {
        return None;
    };
    let parts = call
        .mac
        .parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
        .ok()?;
    let mut parts = parts.into_iter();
    let Expr::Lit(format) = parts.next()? else {
        return None;
    };
    let Lit::Str(format) = format.lit else {
        return None;
    };
    let format = format.value();
    let path = format.strip_prefix("{}")?;
    if text(&parts.next()?) != "client . baseurl" {
        return None;
    }
    init.expr = parse_quote!(client.url(format_args!(#path #(, #parts)*))?);
    Some(())
}

/// Compiles the builders of types only into programs that use them.
///
/// A program uses a few of them at most. Compiling all was two thirds of the work of building `lms-client`, in every
/// program that depends on it.
fn inline_type_builders(file: &mut File) -> Result<(), Error> {
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
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
