//! What progenitor's output does for every request or every program, and need not do.
//!
//! As in `amend.rs`, each function fails when the place that it changes is not there. The two that are for requests take
//! 7,600 of the 87,300 instructions off that callgrind counted for a call of `get_learner_by_id` with `lms-client` alone.

use syn::{
    Expr, File, ImplItem, Item, Lit, Local, Member, Stmt, Token, parse_quote,
    punctuated::Punctuated,
    visit_mut::{self, VisitMut},
};

use crate::{
    Document, Error,
    amend::{binds, missing, module},
};

/// Applies all.
pub(crate) fn lighten(file: &mut File, document: &Document) -> Result<(), Error> {
    let operations = document.operations().len();
    no_version_header(file, operations)?;
    known_base(file, operations)?;
    values_on_demand(file)
}

/// Leaves out the header `api-version`, which the service does not know.
///
/// It takes a map of its own, which is then poured into the request's.
fn no_version_header(file: &mut File, operations: usize) -> Result<(), Error> {
    struct LeaveOut(usize);
    impl VisitMut for LeaveOut {
        fn visit_block_mut(&mut self, block: &mut syn::Block) {
            let before = block.stmts.len();
            block
                .stmts
                .retain(|statement| !is_version_header(statement));
            self.0 += before - block.stmts.len();
            visit_mut::visit_block_mut(self, block);
        }
    }
    let mut leave_out = LeaveOut(0);
    leave_out.visit_file_mut(file);
    if leave_out.0 != operations {
        return Err(missing("the header `api-version` in every request"));
    }
    NoEmptyHeaders.visit_file_mut(file);
    Ok(())
}

/// `header_map.append(HeaderName::from_static("api-version"), …);`
fn is_version_header(statement: &Stmt) -> bool {
    let Stmt::Expr(Expr::MethodCall(call), _) = statement else {
        return false;
    };
    call.method == "append"
        && call
            .args
            .first()
            .is_some_and(|name| quote::quote!(#name).to_string().contains("\"api-version\""))
}

/// Takes away the map of headers where nothing is put into it.
struct NoEmptyHeaders;

impl VisitMut for NoEmptyHeaders {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let text = quote::quote!(#block).to_string();
        // Once where it is made, once where it is poured out.
        if text.matches("header_map").count() == 2 {
            block.stmts.retain(
                |statement| !matches!(statement, Stmt::Local(local) if binds(local, "header_map")),
            );
            NoHeaders.visit_block_mut(block);
        }
    }
}

/// Takes `.headers(header_map)` off.
struct NoHeaders;

impl VisitMut for NoHeaders {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::MethodCall(call) = expression
            && call.method == "headers"
        {
            *expression = (*call.receiver).clone();
        }
    }
}

/// Makes addresses out of the client's, which has been parsed before.
fn known_base(file: &mut File, operations: usize) -> Result<(), Error> {
    let client = file.items.iter_mut().find_map(|item| match item {
        Item::Struct(item) if item.ident == "Client" => Some(item),
        _ => None,
    });
    let Some(syn::Fields::Named(fields)) = client.map(|client| &mut client.fields) else {
        return Err(missing("a struct `Client` with named fields"));
    };
    fields
        .named
        .push(parse_quote!(pub(crate) base: crate::address::Base));

    struct Known(usize);
    impl VisitMut for Known {
        fn visit_local_mut(&mut self, local: &mut Local) {
            if binds(local, "url")
                && let Some(init) = &mut local.init
                && let Some(rest) = after_base(&init.expr)
            {
                init.expr =
                    parse_quote!(client.base.address(&client.client, &client.baseurl, #rest)?);
                self.0 += 1;
            }
        }
    }
    let mut known = Known(0);
    known.visit_file_mut(file);
    if known.0 == operations {
        Ok(())
    } else {
        Err(missing("a binding `url` in every `send`"))
    }
}

/// What comes after the client's address in `format!("{}/courses/{}", client.baseurl, …)`, not yet put together.
fn after_base(address: &Expr) -> Option<Expr> {
    let Expr::Macro(call) = address else {
        return None;
    };
    let parts = call
        .mac
        .parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
        .ok()?;
    let mut parts = parts.into_iter();
    let (Some(Expr::Lit(format)), Some(Expr::Field(base))) = (parts.next(), parts.next()) else {
        return None;
    };
    let Lit::Str(format) = format.lit else {
        return None;
    };
    let text = format.value();
    let rest = text.strip_prefix("{}")?;
    let is_base = matches!(&base.member, Member::Named(name) if name == "baseurl");
    is_base.then(|| parse_quote!(format_args!(#rest #(, #parts)*)))
}

/// Compiles the making of a value out of its builder into those who make one.
///
/// A program makes values of a few types at the most. The code for all of them was two thirds of what the compiler had to
/// work through for `lms-client`, in every program that depends on it.
fn values_on_demand(file: &mut File) -> Result<(), Error> {
    let types = file
        .items
        .iter_mut()
        .find_map(|item| module(item, "types"))
        .ok_or_else(|| missing("a module `types`"))?;
    let any = types.iter().any(|item| matches!(item, Item::Struct(_)));
    let Some(builders) = types.iter_mut().find_map(|item| module(item, "builder")) else {
        return if any {
            Err(missing("a module `builder` in `types`"))
        } else {
            Ok(())
        };
    };
    let structs = builders
        .iter()
        .filter(|item| matches!(item, Item::Struct(_)))
        .count();
    let mut on_demand = 0;
    for item in builders {
        let Item::Impl(item) = item else { continue };
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
                on_demand += 1;
            }
        }
    }
    if on_demand == 2 * structs {
        Ok(())
    } else {
        Err(missing(
            "a `Default` and a `TryFrom` for every builder of a type",
        ))
    }
}
