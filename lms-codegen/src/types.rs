//! The types of the raw client: those of fields from progenitor's type space, those of operations from its signatures.

use std::collections::BTreeMap;

use heck::ToUpperCamelCase as _;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::{FnArg, ImplItem, ImplItemFn, Item, Pat, ReturnType};
use typify::{Type, TypeDetails, TypeId};

use crate::{
    ast::{argument, missing, path},
    document::{Document, Operation},
    enums::OpenEnum,
    error::Error,
    raw::Raw,
};

/// The types of a document, and which of them its operations send and return.
pub(crate) struct Types {
    raw: Raw,
    /// In the order of the document.
    operations: Vec<OperationTypes>,
}

/// The types in the signature of a method.
pub(crate) struct OperationTypes {
    /// The arguments in their order, by name.
    pub(crate) arguments: Vec<(String, Slot)>,
    /// The type of a successful response.
    pub(crate) output: syn::Type,
}

/// A value that a field, a parameter or an argument holds.
#[derive(Clone, Default)]
pub(crate) struct Slot {
    /// The type of the value, or of an item if it is a list.
    pub(crate) of: TokenStream,
    pub(crate) optional: bool,
    pub(crate) list: bool,
    /// `true` if a setter must give it a value: a deletion without a filter deletes more than it seems.
    pub(crate) given: bool,
    /// `true` if it is text or an id.
    pub(crate) is_text: bool,
    /// `true` if an argument of the raw client borrows it.
    borrowed: bool,
    /// `true` if it is the builder of a body.
    is_builder: bool,
}

/// A field of a struct, or of a builder.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) slot: Slot,
}

impl Field {
    pub(crate) fn ident(&self) -> Ident {
        format_ident!("{}", self.name)
    }

    /// The field as the macros of `lms_client::builder` take it.
    pub(crate) fn declared(&self) -> TokenStream {
        let (name, kind, of) = (self.ident(), self.slot.kind(), &self.slot.of);
        quote!(#name: #kind #of,)
    }

    /// Its kind and its type in these macros, if it is an argument.
    pub(crate) fn argument(&self) -> TokenStream {
        let (kind, of, generic) = (self.slot.kind(), &self.slot.of, self.generic().into_iter());
        quote!(#kind #of #(, #generic)*)
    }

    /// The generic of a list. A function may have the arguments of several lists.
    pub(crate) fn generic(&self) -> Option<Ident> {
        let name = || format_ident!("{}By", self.name.to_upper_camel_case());
        self.slot.list.then(name)
    }
}

impl Slot {
    /// The slot of an argument: `Option<&'a str>`, `&'a Vec<Int64>`, `bool`.
    fn argument(of: &syn::Type) -> Self {
        let value = argument(of, "Option");
        let (value, optional) = (value.unwrap_or(of), value.is_some());
        let (value, borrowed) = match value {
            syn::Type::Reference(reference) => (&*reference.elem, true),
            value => (value, false),
        };
        let item = argument(value, "Vec");
        let is_str = path(value).is_some_and(|path| path.is_ident("str"));
        Self {
            of: match is_str {
                true => quote!(::std::string::String),
                false => item.unwrap_or(value).to_token_stream(),
            },
            optional,
            list: item.is_some(),
            is_text: is_str,
            borrowed,
            ..Self::default()
        }
    }

    /// The slot of a body, of which this is the builder.
    pub(crate) fn body(of: TokenStream) -> Self {
        Self {
            of,
            borrowed: true,
            is_builder: true,
            ..Self::default()
        }
    }

    /// The variable with this name as an argument of the raw client.
    pub(crate) fn passed(&self, name: &Ident) -> TokenStream {
        match (self.borrowed, self.optional, self.is_text) {
            (false, ..) => quote!(#name),
            (true, true, true) => quote!(#name.as_deref()),
            (true, true, false) => quote!(#name.as_ref()),
            (true, false, _) => quote!(&#name),
        }
    }

    /// The word for it in the macros of `lms_client::builder`.
    fn kind(&self) -> Ident {
        let kind = match (self.list, self.optional, self.given) {
            _ if self.is_builder => "builder",
            (false, false, _) => "required",
            (false, true, false) => "optional",
            (false, true, true) => "given",
            (true, false, _) => "list",
            (true, true, false) => "optional_list",
            (true, true, true) => "given_list",
        };
        format_ident!("{kind}")
    }
}

impl Types {
    /// The types of all schemas, parameters, bodies and responses.
    pub(crate) fn of(document: &Document) -> Result<Self, Error> {
        let raw = Raw::of(document)?;
        // In the order of the document.
        let methods = raw.code.items.iter().filter_map(|item| match item {
            Item::Impl(of) if of.trait_.is_none() => Some(&of.items),
            _ => None,
        });
        let mut methods: BTreeMap<String, &ImplItemFn> = methods
            .flatten()
            .filter_map(|item| match item {
                ImplItem::Fn(method) => Some((method.sig.ident.to_string(), method)),
                _ => None,
            })
            .collect();
        let operations = document.operations().iter().map(|operation| {
            let name = operation.method_name();
            let method = methods.remove(&name);
            signature(
                operation,
                method.ok_or_else(|| missing(&format!("a method `{name}`")))?,
            )
        });
        let operations = operations.collect::<Result<_, _>>()?;
        Ok(Self { raw, operations })
    }

    /// The types of each operation, in the order of the document.
    pub(crate) fn operations(&self) -> &[OperationTypes] {
        &self.operations
    }

    /// The code of the enums that are ours.
    pub(crate) fn enums(&self) -> impl Iterator<Item = TokenStream> {
        self.raw.enums.iter().map(OpenEnum::code)
    }

    pub(crate) fn get(&self, id: &TypeId) -> Result<Type<'_>, Error> {
        self.raw.space().get_type(id).map_err(Error::new)
    }

    /// All structs, enums and newtypes of the raw client, by name.
    pub(crate) fn named(&self) -> impl Iterator<Item = Type<'_>> {
        let named = self.raw.space().iter_types().filter(|of| {
            use TypeDetails::{Enum, Newtype, Struct};
            matches!(of.details(), Struct(_) | Enum(_) | Newtype(_))
        });
        let by_name: BTreeMap<String, Type<'_>> = named.map(|of| (of.name(), of)).collect();
        by_name.into_values()
    }

    /// The kind of the values of a type.
    fn slot(&self, id: &TypeId) -> Result<Slot, Error> {
        let value = match self.get(id)?.details() {
            TypeDetails::Option(value) => Some(value),
            _ => None,
        };
        let (of, optional) = (self.get(value.as_ref().unwrap_or(id))?, value.is_some());
        let item = match of.details() {
            TypeDetails::Vec(item) => Some(item),
            _ => None,
        };
        let (list, of) = (item.is_some(), item.map_or(Ok(of), |id| self.get(&id))?);
        let is_text = match of.details() {
            _ if list => false,
            TypeDetails::String => true,
            TypeDetails::Builtin(name) => name.starts_with("crate::ids::"),
            _ => false,
        };
        Ok(Slot {
            of: of.ident(),
            optional,
            list,
            is_text,
            ..Slot::default()
        })
    }

    /// The fields of a struct; `None` for every other type.
    pub(crate) fn fields(&self, of: &Type<'_>) -> Result<Option<Vec<Field>>, Error> {
        let TypeDetails::Struct(details) = of.details() else {
            return Ok(None);
        };
        let fields = details.properties_info().map(|property| {
            Ok(Field {
                name: property.name.to_owned(),
                required: property.required,
                slot: self.slot(&property.type_id)?,
            })
        });
        fields.collect::<Result<_, _>>().map(Some)
    }
}

/// The types in the signature of a method of the raw client.
fn signature(operation: &Operation, method: &ImplItemFn) -> Result<OperationTypes, Error> {
    let what = format!("the expected signature of `{}`", operation.method_name());
    let typed = method.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    let arguments = typed.map(|typed| match &*typed.pat {
        Pat::Ident(name) => Ok((name.ident.to_string(), Slot::argument(&typed.ty))),
        _ => Err(missing(&what)),
    });
    let arguments = arguments.collect::<Result<_, _>>()?;
    let output = match &method.sig.output {
        ReturnType::Type(_, of) => {
            argument(of, "Result").and_then(|of| argument(of, "ResponseValue"))
        }
        ReturnType::Default => None,
    };
    Ok(OperationTypes {
        arguments,
        output: output.ok_or_else(|| missing(&what))?.clone(),
    })
}
