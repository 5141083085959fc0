//! Arguments instead of setters: required values are in a signature, so leaving one out does not compile.
//!
//! Arguments convert their values as setters do. Builders whose types show which fields are set would check the same with
//! names in place of positions, but they multiply the types that a dependent compiles, and their errors name types that
//! no document has.
//!
//! An argument takes no `Option`. Services do not promise the ids in their responses, so these are `Option`s, and a program
//! says what to do without one before it passes it on.

use std::collections::BTreeMap;

use heck::ToUpperCamelCase;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, FnArg, GenericParam, ImplItemFn, Pat, Signature, Stmt, WherePredicate};

use crate::{ast::missing, error::Error};

/// An argument for a field.
#[derive(Clone)]
pub(crate) struct Argument {
    pub(crate) name: Ident,
    of: TokenStream,
    generics: Vec<TokenStream>,
    bounds: Vec<TokenStream>,
    /// The expression for the value of the field.
    pub(crate) value: TokenStream,
}

impl Argument {
    /// The argument for the value of a setter.
    pub(crate) fn of(setter: &ImplItemFn) -> Result<Self, Error> {
        let found = || missing("a setter with one value that it assigns to a field");
        let name = &setter.sig.ident;
        let FnArg::Typed(value) = setter.sig.inputs.last().ok_or_else(found)? else {
            return Err(found());
        };
        let Pat::Ident(variable) = &*value.pat else {
            return Err(found());
        };
        let Some(Stmt::Expr(Expr::Assign(assignment), _)) = setter.block.stmts.first() else {
            return Err(found());
        };
        let mut names = BTreeMap::from([(variable.ident.to_string(), name.clone())]);
        let generics: Vec<&Ident> = generics(&setter.sig).collect();
        names.extend(own_generics(&setter.sig));
        let clause = setter.sig.generics.where_clause.as_ref();
        let bounds = clause.into_iter().flat_map(|clause| &clause.predicates);
        Ok(Self {
            name: name.clone(),
            of: renamed(&value.ty, &names),
            generics: generics
                .iter()
                .map(|generic| renamed(generic, &names))
                .collect(),
            bounds: bounds
                .map(|bound: &WherePredicate| renamed(bound, &names))
                .collect(),
            value: renamed(&assignment.right, &names),
        })
    }

    /// An argument that converts into a type.
    pub(crate) fn into(name: Ident, of: &impl ToTokens) -> Self {
        Self {
            of: quote!(impl ::std::convert::Into<#of>),
            generics: Vec::new(),
            bounds: Vec::new(),
            value: quote!(#name.into()),
            name,
        }
    }

    /// The same argument in another module, which is called `name` where this one has `super`.
    pub(crate) fn outside(&self, name: &str) -> Self {
        let names = BTreeMap::from([("super".to_owned(), format_ident!("{name}"))]);
        let all = |of: &[TokenStream]| of.iter().map(|of| renamed(of, &names)).collect();
        Self {
            name: self.name.clone(),
            of: renamed(&self.of, &names),
            generics: self.generics.clone(),
            bounds: all(&self.bounds),
            value: renamed(&self.value, &names),
        }
    }
}

/// The signature of a function with arguments: its generics, its arguments, and the bounds of its generics.
pub(crate) fn signature(all: &[Argument]) -> (TokenStream, TokenStream, TokenStream) {
    let arguments = all
        .iter()
        .map(|Argument { name, of, .. }| quote!(#name: #of));
    let arguments = quote!(#(#arguments),*);
    let generics: Vec<_> = all.iter().flat_map(|argument| &argument.generics).collect();
    let bounds: Vec<_> = all.iter().flat_map(|argument| &argument.bounds).collect();
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    let bounds = (!bounds.is_empty()).then(|| quote!(where #(#bounds),*));
    (quote!(#generics), arguments, quote!(#bounds))
}

fn generics(of: &Signature) -> impl Iterator<Item = &Ident> {
    of.generics
        .params
        .iter()
        .filter_map(|generic| match generic {
            GenericParam::Type(generic) => Some(&generic.ident),
            _ => None,
        })
}

/// The generics of a setter, each with a name that no other setter has.
pub(crate) fn own_generics(setter: &Signature) -> impl Iterator<Item = (String, Ident)> {
    let of = setter.ident.to_string().to_upper_camel_case();
    generics(setter).map(move |generic| (generic.to_string(), format_ident!("{of}{generic}")))
}

/// The same code with other names.
pub(crate) fn renamed(code: &impl ToTokens, names: &BTreeMap<String, Ident>) -> TokenStream {
    let trees = code.to_token_stream().into_iter().map(|tree| match tree {
        TokenTree::Group(group) => {
            Group::new(group.delimiter(), renamed(&group.stream(), names)).into()
        }
        TokenTree::Ident(ident) => match names.get(&ident.to_string()) {
            Some(name) => name.clone().into(),
            None => ident.into(),
        },
        other => other,
    });
    trees.collect()
}
