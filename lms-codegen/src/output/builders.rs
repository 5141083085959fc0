//! The builder of each operation: fields, setters and documentation by progenitor, the request by us.
//!
//! progenitor's `send` builds a request, sends it and decodes the response in one function, for one HTTP client. Ours only
//! makes the request (`prepare`), so that any code can send it. What it would need to be safe is in the functions that it
//! calls: `lms_client::request` encodes and checks path parameters.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Field, File, Ident, ImplItem, ImplItemFn, Item, Type};

use crate::{
    ast::{argument, arguments, method, missing, module, path, returned},
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
};

/// What progenitor generated for an operation.
pub(super) struct Made {
    builder: Ident,
    /// The documentation of the method that returns the builder.
    docs: Vec<Attribute>,
    fields: Vec<Field>,
    setters: Vec<ImplItem>,
    /// What `send` returns: `X` of `Result<ResponseValue<X>, …>`.
    pub(super) output: Type,
}

impl Made {
    pub(super) fn find(file: &mut File, operation: &Operation) -> Result<Self, Error> {
        let name = operation.builder_name();
        let gone = || missing(&format!("a builder `{name}`, and a method that returns it"));
        let of_method = method(&mut file.items, "Client", &operation.method_name());
        let of_method = of_method.ok_or_else(gone)?.attrs.clone();
        let items = module(&mut file.items, "builder").ok_or_else(gone)?;
        let send = method(items, &name, "send").ok_or_else(gone)?;
        let value = returned(&send.sig).next().and_then(path);
        let output = value.and_then(|value| arguments(value).next()).cloned();
        let (mut builder, mut setters) = (None, Vec::new());
        for item in items {
            match item {
                Item::Struct(item) if item.ident == name => builder = Some(item.clone()),
                Item::Impl(item)
                    if path(&item.self_ty)
                        .and_then(|path| path.segments.last())
                        .is_some_and(|last| last.ident == name) =>
                {
                    setters.append(&mut item.items);
                }
                _ => {}
            }
        }
        let (Some(builder), Some(output)) = (builder, output) else {
            return Err(gone());
        };
        setters.retain(
            |item| !matches!(item, ImplItem::Fn(ImplItemFn { sig, .. }) if sig.ident == "new" || sig.ident == "send"),
        );
        let is_field = |field: &Field| field.ident.as_ref().is_some_and(|name| name != "client");
        Ok(Self {
            builder: builder.ident,
            docs: of_method,
            fields: builder.fields.into_iter().filter(is_field).collect(),
            setters,
            output,
        })
    }

    /// The struct, its setters, and what it does.
    pub(super) fn builder(
        &self,
        index: usize,
        operation: &Operation,
    ) -> Result<TokenStream, Error> {
        let Self {
            builder,
            fields,
            setters,
            output,
            ..
        } = self;
        let index = Literal::usize_unsuffixed(index);
        let names = self.names();
        let initial = fields.iter().map(initial).collect::<Result<Vec<_>, _>>()?;
        let request = self.request(operation)?;
        let send = match operation.response {
            Response::Empty => quote!(send_without_response),
            _ => quote!(send),
        };
        let method = operation.method_name();
        let docs = format!(" The request of [`{method}`](crate::Client::{method}).");
        let sends = format!(
            " Sends a `{}` request to `{}`.",
            operation.method, operation.path
        );
        Ok(quote! {
            #[doc = #docs]
            #[derive(Clone, Debug)]
            #[must_use = "nothing is sent until the builder of a client is awaited, or its `send` is called"]
            pub struct #builder<'a, T = crate::transport::Plain> {
                client: &'a crate::Client<T>,
                #(#fields,)*
            }
            impl<'a, T> #builder<'a, T> {
                pub(super) fn new(client: &'a crate::Client<T>) -> Self {
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
        })
    }

    /// The method of the client that returns the builder.
    pub(super) fn method(&self, operation: &Operation) -> TokenStream {
        let docs = &self.docs;
        let builder = &self.builder;
        let name = format_ident!("{}", operation.method_name());
        quote! {
            #(#docs)*
            pub fn #name(&self) -> builder::#builder<'_, T> {
                builder::#builder::new(self)
            }
        }
    }

    fn names(&self) -> Vec<&Ident> {
        self.fields
            .iter()
            .filter_map(|field| field.ident.as_ref())
            .collect()
    }

    fn field(&self, name: &str) -> Result<&Field, Error> {
        let same = |field: &&Field| field.ident.as_ref().is_some_and(|ident| ident == name);
        self.fields
            .iter()
            .find(same)
            .ok_or_else(|| missing(&format!("a field `{name}` of `{}`", self.builder)))
    }

    /// The expression that makes the request.
    fn request(&self, operation: &Operation) -> Result<TokenStream, Error> {
        let mut template = String::new();
        let mut segments = Vec::new();
        for segment in operation.path.split('/').skip(1) {
            template.push('/');
            let parameter = operation.parameters.iter().find(|parameter| {
                parameter.location == ParameterLocation::Path
                    && segment == format!("{{{}}}", parameter.name)
            });
            match parameter {
                None => template.push_str(segment),
                Some(parameter) => {
                    template.push_str("{}");
                    let name = parameter.setter_name();
                    let value = &self.field(&name)?.ident;
                    segments.push(quote!(crate::request::segment(#name, #value)?));
                }
            }
        }
        let mut added = Vec::new();
        for parameter in &operation.parameters {
            let field = self.field(&parameter.setter_name())?;
            let (name, value) = (&parameter.name, &field.ident);
            match parameter.location {
                ParameterLocation::Path => {}
                ParameterLocation::Query => added.push(quote!(.query(#name, #value)?)),
                ParameterLocation::Header if parameter.required => {
                    added.push(quote!(.header(#name, #value.map(Some))?));
                }
                ParameterLocation::Header => added.push(quote!(.header(#name, #value)?)),
            }
        }
        let parameter = |name: &str| {
            operation
                .parameters
                .iter()
                .any(|of| of.setter_name() == name)
        };
        if let Ok(field) = self.field("body")
            && !parameter("body")
        {
            let body = body(field)?;
            added.push(quote!(.json(body #body)?));
        }
        Ok(quote! {
            Draft::new(client, Self::INFO, format_args!(#template #(, #segments)*))? #(#added)*
        })
    }
}

/// The value of a `Result` that a field holds.
fn value(field: &Field) -> Result<&Type, Error> {
    argument(&field.ty, "Result").ok_or_else(|| missing("a `Result` for every field of a builder"))
}

/// What a field holds before it is set.
fn initial(field: &Field) -> Result<TokenStream, Error> {
    let of = value(field)?;
    let name = field.ident.as_ref().map(ToString::to_string);
    let unset = format!("{} was not initialized", name.unwrap_or_default());
    Ok(match (argument(of, "Option"), built(of)) {
        (Some(_), _) => quote!(Ok(None)),
        (None, Some(_)) => quote!(Ok(::std::default::Default::default())),
        (None, None) => quote!(Err(#unset.to_owned())),
    })
}

/// What makes the body out of its field, which may hold the builder of its type.
fn body(field: &Field) -> Result<TokenStream, Error> {
    Ok(match built(value(field)?) {
        Some(of) => {
            quote!(.and_then(|body| types::#of::try_from(body).map_err(|error| error.to_string())))
        }
        None => TokenStream::new(),
    })
}

/// `Course` of `types::builder::Course`.
fn built(of: &Type) -> Option<&Ident> {
    let mut segments = path(of)?.segments.iter().rev();
    let (last, above) = (segments.next()?, segments.next()?);
    (above.ident == "builder").then_some(&last.ident)
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

/// All operations with what progenitor made of them.
pub(super) fn made<'a>(
    file: &mut File,
    document: &'a Document,
) -> Result<Vec<(&'a Operation, Made)>, Error> {
    let operations = document.operations().iter();
    operations
        .map(|operation| Ok((operation, Made::find(file, operation)?)))
        .collect()
}
