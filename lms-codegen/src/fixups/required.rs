//! Makes the required fields of a type arguments of its `builder()`, in the order in which the document requires them, and
//! warns about builders that are dropped.
//!
//! typify's builders start empty, and detect missing fields at run time.

use std::collections::BTreeMap;

use serde_json::Value;
use syn::{
    Attribute, Expr, ExprStruct, File, Ident, ImplItem, ImplItemFn, Item, ItemStruct, Member, Stmt,
    parse_quote,
};

use crate::{
    arguments::{Argument, signature},
    ast::{last_name, method, missing, module},
    error::Error,
    typify_names::{field_name, type_name},
};

/// The arguments that start the builder of each type with required fields, as the module `types::builder` writes them.
pub(crate) type Starts = BTreeMap<Ident, Vec<Argument>>;

/// Changes all types with required fields.
pub(crate) fn require_fields(file: &mut File, document: &Value) -> Result<Starts, Error> {
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    let mut starts = Starts::new();
    let Some(builders) = module(types, "builder") else {
        return Ok(starts);
    };
    for item in builders.iter_mut() {
        if let Item::Struct(builder) = item {
            builder.attrs.push(
                parse_quote!(#[must_use = "a setter returns the builder: give it to an operation"]),
            );
        }
    }
    let mut functions = Vec::new();
    for (name, mut unset) in builders.iter().filter_map(unset).collect::<Vec<_>>() {
        let mut arguments = required(builders, &name, &mut unset)?;
        if arguments.is_empty() {
            continue;
        }
        let order = required_fields(document, &name.to_string());
        arguments.sort_by_key(|argument| order.iter().position(|name| argument.name == name));
        functions.push(function(&name, unset, &arguments));
        starts.insert(name, arguments);
    }
    builders.retain(|item| unset(item).is_none_or(|(name, _)| !starts.contains_key(&name)));
    builders.extend(functions);
    types.retain(|item| started(item).is_none_or(|name| !starts.contains_key(name)));
    for item in types {
        match item {
            Item::Struct(item) if starts.contains_key(&item.ident) => name_builder(item),
            _ => {}
        }
    }
    Ok(starts)
}

/// Names the builder in the documentation of a type: it has no `Default`, and other crates cannot write its fields.
fn name_builder(of: &mut ItemStruct) {
    let docs: [Attribute; 2] = [
        parse_quote!(#[doc = ""]),
        parse_quote!(#[doc = " Made with [`builder`](Self::builder)."]),
    ];
    let is_doc = |attribute: &&Attribute| attribute.path().is_ident("doc");
    let end = of.attrs.iter().take_while(is_doc).count();
    of.attrs.splice(end..end, docs);
}

/// The builder that an item implements `Default` for, and the values of its fields.
fn unset(item: &Item) -> Option<(Ident, ExprStruct)> {
    let Item::Impl(item) = item else { return None };
    let (of, _) = item.trait_.as_ref()?;
    let [ImplItem::Fn(ImplItemFn { block, .. })] = &*item.items else {
        return None;
    };
    match block.stmts.first()? {
        Stmt::Expr(Expr::Struct(unset), _) if of.segments.last()?.ident == "Default" => {
            Some((last_name(&item.self_ty)?.clone(), unset.clone()))
        }
        _ => None,
    }
}

/// The type whose `builder()` an item is.
fn started(item: &Item) -> Option<&Ident> {
    match item {
        Item::Impl(item) if item.trait_.is_none() => match &*item.items {
            [ImplItem::Fn(function)] if function.sig.ident == "builder" => last_name(&item.self_ty),
            _ => None,
        },
        _ => None,
    }
}

/// The arguments for required fields, whose values the fields hold from the start.
fn required(
    builders: &mut [Item],
    name: &Ident,
    unset: &mut ExprStruct,
) -> Result<Vec<Argument>, Error> {
    let mut arguments = Vec::new();
    for field in &mut unset.fields {
        let Member::Named(field_name) = &field.member else {
            continue;
        };
        if !is_error(&field.expr) {
            continue;
        }
        let setter = method(builders, &name.to_string(), &field_name.to_string());
        let argument =
            Argument::of(setter.ok_or_else(|| missing("a setter for every required field"))?)?;
        let value = &argument.value;
        field.expr = parse_quote!(#value);
        arguments.push(argument);
    }
    Ok(arguments)
}

/// Returns `true` for `Err("no value supplied for …")`, with which a required field starts.
fn is_error(value: &Expr) -> bool {
    let Expr::Call(call) = value else {
        return false;
    };
    matches!(&*call.func, Expr::Path(function) if function.path.is_ident("Err"))
}

/// The names of the required fields of a type, in the order of the document.
fn required_fields(document: &Value, name: &str) -> Vec<String> {
    let schemas = document["components"]["schemas"].as_object();
    let schema = schemas
        .into_iter()
        .flatten()
        .find(|(schema, _)| name == type_name(schema));
    let required = schema.and_then(|(_, schema)| schema["required"].as_array());
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    required.map(field_name).collect()
}

fn function(name: &Ident, mut unset: ExprStruct, arguments: &[Argument]) -> Item {
    let (generics, taken, bounds) = signature(arguments);
    unset.path = parse_quote!(#name);
    parse_quote! {
        impl super::#name {
            /// A builder with the required fields.
            #[inline]
            pub fn builder #generics (#taken) -> #name #bounds {
                #unset
            }
        }
    }
}
