//! Lets a builder be awaited.
//!
//! What awaiting does, and with which error, is for the code that owns the client to decide. So `Client` and the builders
//! get a type parameter `P`, and every builder implements `IntoFuture` for each `P` that implements
//! `lms_client::policy::Policy`. The default of `P` does not: a raw client has `send`.

use std::collections::BTreeSet;

use quote::format_ident;
use syn::{
    AngleBracketedGenericArguments, ExprStruct, Fields, File, Item, ItemImpl, ItemStruct,
    PathArguments, Type, TypePath, TypeReference, parse_quote,
    visit_mut::{self, VisitMut},
};

use crate::{
    ast::{missing, module, text},
    document::{Document, Operation},
    error::Error,
};

/// Adds the parameter and the implementations.
pub(crate) fn add_awaiting(file: &mut File, document: &Document) -> Result<(), Error> {
    let builders: BTreeSet<_> = document
        .operations()
        .iter()
        .map(Operation::builder_name)
        .collect();
    parametrize_client(file)?;
    let mut parametrize = Parametrize {
        builders: &builders,
        structs: 0,
    };
    let items = module(&mut file.items, "builder").ok_or_else(|| missing("a module `builder`"))?;
    for item in items {
        parametrize.visit_item_mut(item);
    }
    if parametrize.structs != builders.len() {
        return Err(missing(
            "a builder with a field `client` for every operation",
        ));
    }
    for item in &mut file.items {
        if let Item::Impl(item) = item {
            parametrize.visit_item_impl_mut(item);
        }
    }
    for builder in &builders {
        let builder = format_ident!("{builder}");
        file.items.push(parse_quote! {
            impl<P: crate::policy::Policy> ::std::future::IntoFuture for builder::#builder<'_, P> {
                type Output = Result<<Self as crate::operation::Operation>::Output, P::Error>;
                type IntoFuture = crate::policy::PolicyFuture<Self, P>;
                #[inline]
                fn into_future(self) -> Self::IntoFuture {
                    P::call(self)
                }
            }
        });
    }
    Ok(())
}

/// Adds the parameter to `Client`, except where one is made: that one has the default.
fn parametrize_client(file: &mut File) -> Result<(), Error> {
    let (mut fields, mut constructors) = (0, 0);
    for item in &mut file.items {
        match item {
            Item::Struct(client) if client.ident == "Client" => {
                let Fields::Named(named) = &mut client.fields else {
                    continue;
                };
                named
                    .named
                    .push(parse_quote!(pub(crate) policy: ::std::marker::PhantomData<fn() -> P>));
                client
                    .generics
                    .params
                    .push(parse_quote!(P = crate::policy::SendOnly));
                fields += 1;
            }
            Item::Impl(item) if is_client(&item.self_ty) => {
                let mut made = Constructors(0);
                made.visit_item_impl_mut(item);
                constructors += made.0;
                if made.0 == 0 {
                    item.generics.params.push(parse_quote!(P));
                    item.self_ty = parse_quote!(Client<P>);
                }
            }
            _ => {}
        }
    }
    if (fields, constructors) == (1, 1) {
        Ok(())
    } else {
        Err(missing("a struct `Client` that is made in one place"))
    }
}

fn is_client(of: &Type) -> bool {
    matches!(of, Type::Path(path) if path.path.is_ident("Client"))
}

/// Sets the new field where a client is made, and counts these places.
struct Constructors(usize);

impl VisitMut for Constructors {
    fn visit_expr_struct_mut(&mut self, made: &mut ExprStruct) {
        visit_mut::visit_expr_struct_mut(self, made);
        if made.path.is_ident("Self") {
            made.fields
                .push(parse_quote!(policy: ::std::marker::PhantomData));
            self.0 += 1;
        }
    }
}

/// Adds the parameter to builders, to their implementations, and wherever one is named with its lifetime.
struct Parametrize<'a> {
    builders: &'a BTreeSet<String>,
    structs: usize,
}

impl Parametrize<'_> {
    /// The arguments of a builder, if it is named with its lifetime. Builders of types have the same names and no lifetime.
    fn arguments<'t>(
        &self,
        of: &'t mut TypePath,
    ) -> Option<&'t mut AngleBracketedGenericArguments> {
        let last = of.path.segments.last_mut()?;
        if !self.builders.contains(&last.ident.to_string()) {
            return None;
        }
        match &mut last.arguments {
            PathArguments::AngleBracketed(arguments) => Some(arguments),
            _ => None,
        }
    }
}

impl VisitMut for Parametrize<'_> {
    fn visit_item_struct_mut(&mut self, builder: &mut ItemStruct) {
        if self.builders.contains(&builder.ident.to_string()) {
            let client = builder
                .fields
                .iter_mut()
                .find(|field| field.ident.as_ref().is_some_and(|name| name == "client"));
            if let Some(client) = client {
                client.ty = parse_quote!(&'a super::Client<P>);
                builder
                    .generics
                    .params
                    .push(parse_quote!(P = crate::policy::SendOnly));
                self.structs += 1;
            }
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        if let Type::Path(of) = &mut *item.self_ty
            && self.arguments(of).is_some()
        {
            item.generics.params.push(parse_quote!(P));
        }
        visit_mut::visit_item_impl_mut(self, item);
    }

    /// `new` takes the client.
    fn visit_type_reference_mut(&mut self, of: &mut TypeReference) {
        visit_mut::visit_type_reference_mut(self, of);
        if text(&of.elem) == "super :: Client" {
            *of.elem = parse_quote!(super::Client<P>);
        }
    }

    fn visit_type_path_mut(&mut self, of: &mut TypePath) {
        visit_mut::visit_type_path_mut(self, of);
        if let Some(arguments) = self.arguments(of) {
            arguments.args.push(parse_quote!(P));
        }
    }
}
