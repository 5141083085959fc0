//! The builder of each operation, and the method that returns it.
//!
//! A builder only makes its request (`prepare`), so that any code can send it. What it needs to be safe is in the functions
//! that it calls: `lms_client::request` encodes and checks path parameters.
//!
//! ```text
//! struct EditCourse<'a, T> { client: &'a Client<T>, id: Result<CourseId, String>, body: types::builder::Course }
//!
//! impl EditCourse { fn new(client, id, body); }                      // arguments, then setters of all other fields
//! impl Operation for EditCourse { fn prepare(self); }                // Draft::new(…)?.body(body)?.finish()
//! impl EditCourse { async fn send(self); }
//! impl IntoFuture for EditCourse { … }
//! impl Client { fn edit_course(&self, id, body) -> EditCourse; }     // `method`
//! ```

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use typify::TypeId;

use super::{
    docs::docs,
    setters::{Argument, setter, setter_of_body, signature},
    type_builders::Struct,
};
use crate::{
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
    types::{OperationTypes, Slot, Types},
    validate::RESERVED,
};

/// Maximum number of arguments of a method with those of its body. More of one type are easily confused: a method with more
/// takes its body as one argument, whose builder starts with them.
const MOST_ARGUMENTS: usize = 3;

/// The request of an operation.
pub(super) struct Request<'a> {
    operation: &'a Operation,
    builder: Ident,
    /// The parameters, and the body at the end.
    fields: Vec<Field>,
    setters: Vec<TokenStream>,
    body: Option<Body<'a>>,
    /// The type of a successful response.
    output: TokenStream,
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
struct Field {
    name: Ident,
    of: TokenStream,
    /// Only a required field has one.
    argument: Option<Argument>,
}

impl Field {
    fn new(name: &str, slot: &Slot, required: bool) -> Self {
        let of = slot.declared();
        Self {
            name: format_ident!("{name}"),
            of: quote!(Result<#of, String>),
            argument: required.then(|| Argument::of(name, slot)),
        }
    }
}

impl<'a> Request<'a> {
    pub(super) fn new(
        operation: &'a Operation,
        of: &OperationTypes,
        types: &Types,
        structs: &'a BTreeMap<String, Struct>,
    ) -> Result<Self, Error> {
        let mut request = Self {
            operation,
            builder: format_ident!("{}", operation.builder_name()),
            fields: Vec::new(),
            setters: Vec::new(),
            body: None,
            output: match &of.output {
                Some(id) => types.get(id)?.ident(),
                None => quote!(()),
            },
        };
        for (parameter, id) in operation.parameters.iter().zip(&of.parameters) {
            let mut slot = types.slot(id)?;
            slot.optional = parameter.location != ParameterLocation::Path
                && (slot.optional || !parameter.required);
            slot.given = operation.method == "DELETE";
            let name = parameter.setter_name();
            if slot.optional {
                request.setters.push(setter(&name, &slot));
            }
            let field = Field::new(&name, &slot, !slot.optional);
            request.fields.push(field);
        }
        if let Some(id) = &of.body {
            request.add_body(id, types, structs)?;
        }
        Ok(request)
    }

    fn add_body(
        &mut self,
        id: &TypeId,
        types: &Types,
        structs: &'a BTreeMap<String, Struct>,
    ) -> Result<(), Error> {
        // Only a struct has the name of a struct.
        let Some(made) = structs.get(&types.get(id)?.name()) else {
            self.body = Some(Body::Value);
            self.fields.push(Field::new("body", &types.slot(id)?, true));
            return Ok(());
        };
        self.body = Some(if self.is_readable_with(made) {
            let optional = made.fields.iter().filter(|field| !field.required);
            let setters = optional.map(|field| setter_of_body(&field.name, &field.slot));
            self.setters.extend(setters);
            Body::Fields(made)
        } else {
            Body::Struct(made)
        });
        let name = &made.name;
        let of = quote!(types::builder::#name);
        let argument = Argument::into("body", &of);
        self.fields.push(Field {
            name: argument.name.clone(),
            of,
            argument: Some(argument),
        });
        Ok(())
    }

    /// Returns `true` if the fields of a body can be arguments and setters next to the parameters.
    fn is_readable_with(&self, body: &Struct) -> bool {
        let is_free = |name: &str| {
            name != "body"
                && !RESERVED.contains(&name)
                && self.fields.iter().all(|field| field.name != name)
        };
        !body.start.is_empty()
            && self.arguments().len() + body.start.len() <= MOST_ARGUMENTS
            && body.fields.iter().all(|field| is_free(&field.name))
    }

    /// The arguments that make the builder.
    fn arguments(&self) -> Vec<&Argument> {
        let arguments = self.fields.iter().map(|field| field.argument.as_ref());
        arguments.flatten().collect()
    }

    /// The struct, its setters, and its other methods.
    pub(super) fn builder(&self, index: usize) -> TokenStream {
        let Self {
            builder,
            fields,
            setters,
            output,
            ..
        } = self;
        let index = Literal::usize_unsuffixed(index);
        let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
        let of = fields.iter().map(|field| &field.of);
        let initial = fields.iter().map(|field| match &field.argument {
            Some(argument) => argument.value.clone(),
            None => quote!(Ok(None)),
        });
        let (generics, arguments) = signature(&self.arguments());
        let request = self.request();
        let method = self.operation.method_name();
        let docs = format!(" The request of [`{method}`](crate::Client::{method}).");
        let new = match self.body {
            Some(Body::Fields(_)) => quote!(/// The request with a whole body.
                pub),
            _ => quote!(pub(super)),
        };
        let send = self.send();
        quote! {
            #[doc = #docs]
            #[derive(Clone, Debug)]
            #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
            pub struct #builder<'a, T = crate::transport::Plain> {
                client: &'a crate::Client<T>,
                #(#names: #of,)*
            }
            impl<'a, T> #builder<'a, T> {
                #new fn new #generics (client: &'a crate::Client<T>, #arguments) -> Self {
                    Self { client, #(#names: #initial,)* }
                }
                #(#setters)*
            }
            impl<T: Clone> Operation for #builder<'_, T> {
                type Transport = T;
                type Output = #output;
                const INFO: &'static OperationInfo = &super::OPERATIONS[#index];
                #[inline]
                fn prepare(self) -> Result<PreparedRequest<T>, Error> {
                    let Self { client, #(#names,)* } = self;
                    Ok(#request.finish())
                }
            }
            #send
        }
    }

    /// How the request is sent and awaited.
    fn send(&self) -> TokenStream {
        let Self {
            operation,
            builder,
            output,
            ..
        } = self;
        let send = match operation.response {
            Response::Empty => quote!(send_without_response),
            _ => quote!(send),
        };
        let sends = format!(
            " Sends a `{}` request to `{}`.",
            operation.method, operation.path
        );
        quote! {
            impl<T: Transport> #builder<'_, T> {
                #[doc = #sends]
                pub async fn send(self) -> Result<ResponseValue<#output>, Error> {
                    crate::send::#send(self).await
                }
            }
            impl<T: Policy> ::std::future::IntoFuture for #builder<'_, T> {
                type Output = Result<#output, T::Error>;
                type IntoFuture = PolicyFuture<Self, T>;
                #[inline]
                fn into_future(self) -> Self::IntoFuture {
                    T::call(self)
                }
            }
        }
    }

    /// The method of the client that returns the builder.
    pub(super) fn method(&self, document: &Document) -> TokenStream {
        let builder = &self.builder;
        let name = format_ident!("{}", self.operation.method_name());
        let mut arguments = self.arguments();
        let mut values: Vec<_> = arguments
            .iter()
            .map(|of| of.name.to_token_stream())
            .collect();
        if let Some(Body::Fields(made)) = self.body {
            let (of, names) = (&made.name, made.start.iter().map(|argument| &argument.name));
            values.pop();
            values.push(quote!(types::#of::builder(#(#names),*)));
            arguments.pop();
            arguments.extend(&made.start);
        }
        let (generics, taken) = signature(&arguments);
        let names: Vec<_> = arguments.iter().map(|argument| &argument.name).collect();
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

    /// The expression that makes the request.
    fn request(&self) -> TokenStream {
        let mut template = self.operation.path.clone();
        let (mut segments, mut added) = (Vec::new(), Vec::new());
        for (parameter, field) in self.operation.parameters.iter().zip(&self.fields) {
            let (name, value) = (&parameter.name, &field.name);
            match parameter.location {
                ParameterLocation::Path => {
                    template = template.replace(&format!("{{{name}}}"), "{}");
                    let name = value.to_string();
                    segments.push(quote!(crate::request::segment(#name, #value)?));
                }
                ParameterLocation::Query => added.push(quote!(.query(#name, #value)?)),
                ParameterLocation::Header if field.argument.is_some() => {
                    added.push(quote!(.header(#name, #value.map(Some))?));
                }
                ParameterLocation::Header => added.push(quote!(.header(#name, #value)?)),
            }
        }
        added.extend(self.body.map(|body| match body {
            Body::Value => quote!(.json(body)?),
            Body::Struct(made) | Body::Fields(made) => {
                let of = &made.name;
                quote!(.body::<types::#of>(body)?)
            }
        }));
        quote! {
            Draft::new(client, Self::INFO, format_args!(#template #(, #segments)*))? #(#added)*
        }
    }
}

/// The imports of the module of builders.
pub(super) fn imports() -> TokenStream {
    quote! {
        use super::types;
        use crate::{
            Error, ResponseValue,
            operation::{Operation, OperationInfo},
            policy::{Policy, PolicyFuture},
            request::{Draft, PreparedRequest},
            transport::Transport,
        };
    }
}
