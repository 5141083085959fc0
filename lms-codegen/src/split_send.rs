//! Making a request and sending it, taken apart.
//!
//! progenitor writes both into one `send`, so whoever wants the request and sends it otherwise has to compile the sending
//! too, with a reader for the answer. Here each builder gets a `prepare` of its own that makes the request, and `send`
//! sends what that gives. It is compiled into those who call it (`inline`) and not for every operation there is: so a
//! program pays for the operations that it uses.

use syn::{
    Expr, File, GenericArgument, ImplItem, ImplItemFn, Item, Lit, LitStr, Member, PathArguments,
    ReturnType, Stmt, Type, parse_quote,
};

use crate::{
    Error,
    amend::{binds, missing, module},
};

/// Gives every builder its `prepare`.
pub(crate) fn split_send(file: &mut File, operations: usize) -> Result<(), Error> {
    let builders = file
        .items
        .iter_mut()
        .filter_map(|item| module(item, "builder"));
    let mut found = 0;
    for items in builders {
        for item in items {
            let Item::Impl(item) = item else { continue };
            let captures: Vec<_> = item.items.iter_mut().filter_map(taken_apart).collect();
            found += captures.len();
            item.items.extend(captures.into_iter().map(ImplItem::Fn));
        }
    }
    if found == operations {
        Ok(())
    } else {
        Err(missing(
            "a `send` in every builder that makes its request before it binds `info`",
        ))
    }
}

/// Takes the making of the request out of `send`.
fn taken_apart(item: &mut ImplItem) -> Option<ImplItemFn> {
    let ImplItem::Fn(send) = item else {
        return None;
    };
    if send.sig.ident != "send" {
        return None;
    }
    let statements = &mut send.block.stmts;
    let info = statements
        .iter()
        .position(|statement| matches!(statement, Stmt::Local(local) if binds(local, "info")))?;
    let operation_id = operation_id(&statements[info])?;
    let error = error_of(&send.sig.output)?;
    let sending = statements.split_off(info);
    let making = std::mem::replace(
        statements,
        vec![
            parse_quote!(let client = self.client;),
            parse_quote!(let mut request = self.prepare()?.request;),
        ],
    );
    statements.extend(sending);
    Some(parse_quote! {
        /// Gives the request that [`send`](Self::send) would send, and sends nothing.
        #[inline]
        pub fn prepare(self) -> Result<crate::transport::PreparedRequest, #error> {
            #(#making)*
            Ok(crate::transport::PreparedRequest::new(client, request, #operation_id))
        }
    })
}

/// The text in `let info = OperationInfo { operation_id: "list_courses" };`.
fn operation_id(info: &Stmt) -> Option<LitStr> {
    let Stmt::Local(local) = info else {
        return None;
    };
    let Expr::Struct(info) = &*local.init.as_ref()?.expr else {
        return None;
    };
    let field = info
        .fields
        .iter()
        .find(|field| matches!(&field.member, Member::Named(name) if name == "operation_id"))?;
    match &field.expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The second type of `Result<ResponseValue<…>, Error<…>>`.
fn error_of(output: &ReturnType) -> Option<Type> {
    let ReturnType::Type(_, output) = output else {
        return None;
    };
    let Type::Path(result) = &**output else {
        return None;
    };
    match &result.path.segments.last()?.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.last()? {
            GenericArgument::Type(error) => Some(error.clone()),
            _ => None,
        },
        _ => None,
    }
}
