//! The builder of each operation, and the method that returns it.
//!
//! A builder makes its request (`prepare`) by calling the method of the raw client, so that any code can send it. The macros of
//! `lms_client::builder` hold what all builders have in common.
//!
//! ```text
//! crate::builder::of_request! {
//!     EditCourse -> types::Course, 3, pub(super) new
//!     (id: segment required CourseId; body: body builder types::builder::Course;) {}
//!     |client| client.edit_course(&id, &body)
//! }
//! impl Operations { fn edit_course(&self, id, body) -> EditCourse; }     // `method`
//! ```

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, format_ident, quote};

use super::{
    docs::docs,
    type_builders::{Struct, signature},
};
use crate::{
    ast::{missing, path},
    document::{Document, Operation, ParameterLocation},
    error::Error,
    formats::{id_type, is_id},
    openapi::resolve,
    types::{Field, OperationTypes, Slot},
    validate::RESERVED,
};

/// Maximum number of arguments of a method with those of its body. More of one type are easily confused: a method with more
/// takes its body as one argument, whose builder starts with them.
const MOST_ARGUMENTS: usize = 3;

/// The request of an operation.
pub(super) struct Request<'a> {
    operation: &'a Operation,
    of: &'a OperationTypes,
    builder: Ident,
    /// The parameters, and the body at the end.
    parts: Vec<Part>,
    body: Option<Body<'a>>,
}

/// The body of a request.
#[derive(Clone, Copy)]
enum Body<'a> {
    /// A value of any type.
    Value,
    /// The builder of a struct.
    Struct(&'a Struct),
    /// The builder of a struct whose fields are arguments of the method and setters of the request.
    Fields(&'a Struct),
}

/// A field of a builder, except the client.
struct Part {
    field: Field,
    /// The function for the value, if it is required.
    check: Ident,
}

impl Part {
    fn new(name: String, check: &str, slot: Slot) -> Self {
        Self {
            field: Field {
                name,
                required: !slot.optional,
                slot,
            },
            check: format_ident!("{check}"),
        }
    }

    /// The field in the macro.
    fn declared(&self) -> TokenStream {
        let Self { field, check } = self;
        if !field.required {
            return field.declared();
        }
        let (name, of) = (field.ident(), field.argument());
        quote!(#name: #check #of;)
    }
}

impl<'a> Request<'a> {
    pub(super) fn new(
        document: &Document,
        operation: &'a Operation,
        of: &'a OperationTypes,
        structs: &'a BTreeMap<String, Struct>,
    ) -> Result<Self, Error> {
        let mut request = Self {
            operation,
            of,
            builder: format_ident!("{}", operation.builder_name()),
            parts: Vec::new(),
            body: None,
        };
        for parameter in &operation.parameters {
            let name = parameter.setter_name();
            let mut slot = request.argument(&name)?.clone();
            slot.given = operation.method == "DELETE";
            let mut check = "value";
            if parameter.location == ParameterLocation::Path {
                check = "segment";
                let schema = resolve(document.value(), &parameter.schema);
                let format = schema.and_then(|schema| schema["format"].as_str());
                if slot.is_text
                    && let Some(format) = format.filter(|format| is_id(format))
                {
                    slot.of = id_type(format).parse().map_err(Error::new)?;
                }
            }
            request.parts.push(Part::new(name, check, slot));
        }
        if operation.body.is_some() {
            request.add_body(structs)?;
        }
        Ok(request)
    }

    /// The slot of an argument of the raw client's method.
    fn argument(&self, name: &str) -> Result<&'a Slot, Error> {
        let mut arguments = self.of.arguments.iter();
        let found = arguments.find(|(known, _)| known == name);
        let (_, slot) = found.ok_or_else(|| {
            let method = self.operation.method_name();
            missing(&format!("an argument `{name}` of `{method}`"))
        })?;
        Ok(slot)
    }

    fn add_body(&mut self, structs: &'a BTreeMap<String, Struct>) -> Result<(), Error> {
        let slot = self.argument("body")?;
        let of: syn::Type = syn::parse2(slot.of.clone()).map_err(Error::new)?;
        let name = path(&of).and_then(|path| path.segments.last());
        // Only a struct has the name of a struct.
        let made = name.and_then(|name| structs.get(&name.ident.to_string()));
        let Some(made) = made.filter(|_| !slot.list) else {
            self.body = Some(Body::Value);
            self.parts
                .push(Part::new("body".to_owned(), "value", slot.clone()));
            return Ok(());
        };
        self.body = Some(if self.is_readable_with(made) {
            Body::Fields(made)
        } else {
            Body::Struct(made)
        });
        let name = &made.name;
        let slot = Slot::body(quote!(types::builder::#name));
        self.parts.push(Part::new("body".to_owned(), "body", slot));
        Ok(())
    }

    /// Returns `true` if the fields of a body can be arguments and setters next to the parameters.
    fn is_readable_with(&self, body: &Struct) -> bool {
        let is_free = |name: &str| {
            name != "body"
                && !RESERVED.contains(&name)
                && self.parts.iter().all(|part| part.field.name != name)
        };
        !body.start.is_empty()
            && self.arguments().len() + body.start.len() <= MOST_ARGUMENTS
            && body.fields.iter().all(|field| is_free(&field.name))
    }

    /// The arguments that make the builder.
    fn arguments(&self) -> Vec<&Field> {
        let fields = self.parts.iter().map(|part| &part.field);
        fields.filter(|field| field.required).collect()
    }

    /// The struct and its methods.
    pub(super) fn builder(&self, index: usize) -> TokenStream {
        let Self {
            builder,
            parts,
            of: OperationTypes { arguments, output },
            ..
        } = self;
        let index = Literal::usize_unsuffixed(index);
        let (start, others): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.field.required);
        let start = start.into_iter().map(Part::declared);
        let others = others.into_iter().map(Part::declared);
        let method = format_ident!("{}", self.operation.method_name());
        let passed = arguments.iter().filter_map(|(name, _)| {
            let mut fields = parts.iter().map(|part| &part.field);
            let field = fields.find(|field| field.name == *name)?;
            Some(field.slot.passed(&field.ident()))
        });
        let docs = format!(" The request of [`{method}`](crate::Operations::{method}).");
        let (new, setters) = match self.body {
            Some(Body::Fields(made)) => {
                let optional = made.fields.iter().filter(|field| !field.required);
                let setters = optional.map(Field::declared);
                (
                    quote!(#[doc = " The request with a whole body."] pub),
                    Some(quote! {
                        impl<T> #builder<'_, T> {
                            crate::builder::setters_of_body! { #(#setters)* }
                        }
                    }),
                )
            }
            _ => (quote!(pub(super)), None),
        };
        quote! {
            crate::builder::of_request! {
                #[doc = #docs]
                #builder -> #output, #index, #new new
                (#(#start)*) { #(#others)* }
                |client| client.#method(#(#passed),*)
            }
            #setters
        }
    }

    /// The method of the facade that returns the builder.
    pub(super) fn method(&self, document: &Document) -> TokenStream {
        let builder = &self.builder;
        let name = format_ident!("{}", self.operation.method_name());
        let mut arguments = self.arguments();
        let values = arguments.iter().map(|of| of.ident().to_token_stream());
        let mut values: Vec<_> = values.collect();
        if let Some(Body::Fields(made)) = self.body {
            let (of, names) = (&made.name, made.start.iter().map(Field::ident));
            values.pop();
            values.push(quote!(types::#of::builder(#(#names),*)));
            arguments.pop();
            arguments.extend(&made.start);
        }
        let (generics, taken) = signature(&arguments);
        let names: Vec<_> = arguments.iter().map(|of| of.name.as_str()).collect();
        let body = match self.body {
            Some(Body::Struct(made) | Body::Fields(made)) => Some(made),
            _ => None,
        };
        let docs = docs(document, self.operation, &names, body);
        quote! {
            #[doc = #docs]
            pub fn #name #generics (&self, #taken) -> requests::#builder<'_, T> {
                requests::#builder::new(self #(, #values)*)
            }
        }
    }
}
