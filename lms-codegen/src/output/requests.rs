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
use quote::{format_ident, quote};
use typify::TypeDetails;

use super::{
    docs::{Arguments, docs},
    setters::{Argument, setter, setter_of_body, signature},
    type_builders::Struct,
};
use crate::{
    document::{Document, Operation, Parameter, ParameterLocation, Response},
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
    /// The parameters with their names in Rust.
    parameters: Vec<(&'a Parameter, String, Slot)>,
    body: Option<Body<'a>>,
    /// The type of a successful response.
    output: TokenStream,
}

/// The body of a request.
enum Body<'a> {
    /// A value of any type.
    Value(Slot),
    /// The builder of a struct.
    Struct(&'a Struct),
    /// The builder of a struct whose fields are arguments of the method and setters of the request.
    Fields(&'a Struct),
}

/// A field of a builder, except the client.
struct Field {
    name: Ident,
    of: TokenStream,
    /// The value before any setter is called.
    initial: TokenStream,
    argument: Option<Argument>,
}

impl<'a> Request<'a> {
    pub(super) fn new(
        operation: &'a Operation,
        of: &OperationTypes,
        types: &Types,
        structs: &'a BTreeMap<String, Struct>,
    ) -> Result<Self, Error> {
        let mut parameters = Vec::new();
        for (parameter, id) in operation.parameters.iter().zip(&of.parameters) {
            let slot = types.slot(id)?;
            let slot = Slot {
                optional: match parameter.location {
                    ParameterLocation::Path => false,
                    _ => slot.optional || !parameter.required,
                },
                given: operation.method == "DELETE",
                ..slot
            };
            parameters.push((parameter, parameter.setter_name(), slot));
        }
        let output = match &of.output {
            Some(id) => types.get(id)?.ident(),
            None => quote!(()),
        };
        let mut request = Self {
            operation,
            builder: format_ident!("{}", operation.builder_name()),
            parameters,
            body: None,
            output,
        };
        if let Some(id) = &of.body {
            let of = types.get(id)?;
            let made = match of.details() {
                TypeDetails::Struct(_) => structs.get(&of.name()),
                _ => None,
            };
            request.body = Some(match made {
                None => Body::Value(types.slot(id)?),
                Some(made) if request.is_readable_with(made) => Body::Fields(made),
                Some(made) => Body::Struct(made),
            });
        }
        Ok(request)
    }

    /// Returns `true` if the fields of a body can be arguments and setters next to the parameters.
    fn is_readable_with(&self, body: &Struct) -> bool {
        let required = self.parameters.iter().filter(|(.., slot)| !slot.optional);
        let is_free = |name: &str| {
            name != "body"
                && !RESERVED.contains(&name)
                && self.parameters.iter().all(|(_, known, _)| known != name)
        };
        !body.start.is_empty()
            && required.count() + body.start.len() <= MOST_ARGUMENTS
            && body.fields.iter().all(|field| is_free(&field.name))
    }

    /// The fields of the builder. Those with an argument are required.
    fn fields(&self) -> Vec<Field> {
        let field = |name: &str, slot: &Slot| {
            let argument = (!slot.optional).then(|| Argument::of(name, slot));
            let initial = argument.as_ref().map(|argument| argument.value.clone());
            let of = slot.declared();
            Field {
                name: format_ident!("{name}"),
                of: quote!(Result<#of, String>),
                initial: initial.unwrap_or_else(|| quote!(Ok(None))),
                argument,
            }
        };
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(_, name, slot)| field(name, slot));
        let body = self.body.as_ref().map(|body| match body {
            Body::Value(slot) => {
                let argument = Argument::of("body", slot);
                Field {
                    initial: argument.value.clone(),
                    argument: Some(argument),
                    ..field("body", slot)
                }
            }
            Body::Struct(made) | Body::Fields(made) => {
                let name = &made.name;
                let of = quote!(types::builder::#name);
                let argument = Argument::into("body", &of);
                Field {
                    name: argument.name.clone(),
                    initial: argument.value.clone(),
                    argument: Some(argument),
                    of,
                }
            }
        });
        parameters.chain(body).collect()
    }

    /// The setters of parameters and of the fields of the body that are optional.
    fn setters(&self) -> Vec<TokenStream> {
        let optional = self.parameters.iter().filter(|(.., slot)| slot.optional);
        let setters = optional.map(|(_, name, slot)| setter(name, slot));
        let body = match &self.body {
            Some(Body::Fields(made)) => made.fields.as_slice(),
            _ => &[],
        };
        let body = body.iter().filter(|field| !field.required);
        setters
            .chain(body.map(|field| setter_of_body(&field.name, &field.slot)))
            .collect()
    }

    /// The struct, its setters, and its other methods.
    pub(super) fn builder(&self, index: usize) -> TokenStream {
        let Self {
            builder, output, ..
        } = self;
        let index = Literal::usize_unsuffixed(index);
        let fields = self.fields();
        let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
        let of = fields.iter().map(|field| &field.of);
        let initial = fields.iter().map(|field| &field.initial);
        let arguments: Vec<_> = fields
            .iter()
            .filter_map(|of| of.argument.as_ref())
            .collect();
        let (generics, arguments) = signature(&arguments);
        let setters = self.setters();
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
        let fields = self.fields();
        let mut arguments: Vec<_> = fields
            .iter()
            .filter_map(|of| of.argument.as_ref())
            .collect();
        let mut values: Vec<_> = arguments
            .iter()
            .map(|of| {
                let name = &of.name;
                quote!(#name)
            })
            .collect();
        if let Some(Body::Fields(made)) = &self.body {
            let (of, names) = (&made.name, made.start.iter().map(|argument| &argument.name));
            values.pop();
            values.push(quote!(types::#of::builder(#(#names),*)));
            arguments.pop();
            arguments.extend(&made.start);
        }
        let (generics, taken) = signature(&arguments);
        let body = match &self.body {
            Some(Body::Struct(made) | Body::Fields(made)) => {
                let start = made.start.iter().map(|argument| &argument.name);
                Some((&made.name, start.collect()))
            }
            _ => None,
        };
        let parameters = self.parameters.iter();
        let docs = docs(
            document,
            self.operation,
            &Arguments {
                parameters: parameters.map(|(parameter, ..)| *parameter).collect(),
                names: arguments.iter().map(|argument| &argument.name).collect(),
                body,
            },
        );
        quote! {
            #[doc = #docs]
            pub fn #name #generics (&self, #taken) -> requests::#builder<'_, T> {
                requests::#builder::new(self #(, #values)*)
            }
        }
    }

    /// The expression that makes the request.
    fn request(&self) -> TokenStream {
        let mut template = String::new();
        let mut segments = Vec::new();
        for segment in self.operation.path.split('/').skip(1) {
            template.push('/');
            let parameter = self.parameters.iter().find(|(parameter, ..)| {
                parameter.location == ParameterLocation::Path
                    && segment == format!("{{{}}}", parameter.name)
            });
            match parameter {
                None => template.push_str(segment),
                Some((_, name, _)) => {
                    template.push_str("{}");
                    let value = format_ident!("{name}");
                    segments.push(quote!(crate::request::segment(#name, #value)?));
                }
            }
        }
        let mut added = Vec::new();
        for (parameter, name, slot) in &self.parameters {
            let (value, name) = (format_ident!("{name}"), &parameter.name);
            match parameter.location {
                ParameterLocation::Path => {}
                ParameterLocation::Query => added.push(quote!(.query(#name, #value)?)),
                ParameterLocation::Header if slot.optional => {
                    added.push(quote!(.header(#name, #value)?));
                }
                ParameterLocation::Header => added.push(quote!(.header(#name, #value.map(Some))?)),
            }
        }
        added.extend(self.body.as_ref().map(|body| match body {
            Body::Value(_) => quote!(.json(body)?),
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
