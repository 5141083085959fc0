//! Splits the `send` of every builder into `prepare`, which builds the request, and a `send` that sends it.
//!
//! progenitor generates one `send` that does both and decodes the response, so a caller that sends requests in another
//! way has to compile all of it. `prepare` is `#[inline]`, so a program compiles it only for the operations that it uses.

use syn::{File, Item, Stmt, parse_quote};

use crate::{
    ast::{binds, each_send, missing, module, returned},
    document::Document,
    error::Error,
};

/// Adds a `prepare` to every builder.
pub(crate) fn split_send(file: &mut File, document: &Document) -> Result<(), Error> {
    let mut prepares: Vec<Item> = Vec::new();
    each_send(file, document, |operation, send| {
        let error = returned(&send.sig).nth(1).cloned();
        let statements = &mut send.block.stmts;
        let sending = statements
            .iter()
            .position(|statement| matches!(statement, Stmt::Local(local) if binds(local, "info")));
        let (Some(sending), Some(error)) = (sending, error) else {
            return Err(missing(
                "a `send` that makes its request, then binds `info`, and returns a `Result`",
            ));
        };
        let sending = statements.split_off(sending);
        let making = std::mem::take(statements);
        statements.push(parse_quote!(let client = self.client;));
        statements.push(parse_quote!(let mut request = self.prepare()?.request;));
        statements.extend(sending);
        let builder = quote::format_ident!("{}", operation.builder_name());
        let operation_id = operation.method_name();
        prepares.push(parse_quote! {
            impl<'a> #builder<'a> {
                /// Returns the request that [`send`](Self::send) would send, without sending it.
                #[inline]
                pub fn prepare(self) -> Result<crate::transport::PreparedRequest, #error> {
                    #(#making)*
                    Ok(crate::transport::PreparedRequest::new(client, request, #operation_id))
                }
            }
        });
        Ok(())
    })?;
    if let Some(builders) = module(&mut file.items, "builder") {
        builders.extend(prepares);
    }
    Ok(())
}
