//! The builder of each operation: fields, setters and documentation by progenitor, the request by us.
//!
//! progenitor's `send` builds a request, sends it and decodes the response in one function, for one HTTP client. Ours only
//! makes the request (`prepare`), so that any code can send it. What it would need to be safe is in the functions that it
//! calls: `lms_client::request` encodes and checks path parameters.

use std::collections::BTreeMap;

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{
    Attribute, Expr, ExprLit, Field, File, FnArg, Ident, ImplItem, ImplItemFn, Item, Lit, Meta,
    Type, parse_quote,
};

use super::docs::{Arguments, docs};
use crate::{
    arguments::{Argument, own_generics, renamed, signature},
    ast::{argument, arguments, last_name, method, missing, module, path, returned},
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
    fixups::Starts,
};

/// Maximum number of arguments of a method with those of its body. More of one type are easily confused: a method with more
/// takes its body as one argument, whose builder starts with them.
const MOST_ARGUMENTS: usize = 3;

/// Names of the methods that every builder has.
const METHODS: [&str; 2] = ["new", "send"];

/// The code that progenitor generated for an operation.
pub(super) struct Made {
    builder: Ident,
    /// progenitor's documentation of the method that returns the builder.
    docs: String,
    fields: Vec<Field>,
    /// Required arguments: path parameters in the order of the path, other parameters, the body.
    arguments: Vec<Argument>,
    /// The required fields of the body, if the method takes them in place of the body.
    body: Option<Vec<Argument>>,
    setters: Vec<ImplItemFn>,
    /// Result of `send`: `X` of `Result<ResponseValue<X>, …>`.
    pub(super) output: Type,
}

impl Made {
    pub(super) fn find(
        file: &mut File,
        operation: &Operation,
        starts: &Starts,
    ) -> Result<Self, Error> {
        let name = operation.builder_name();
        let gone = || missing(&format!("a builder `{name}`, and a method that returns it"));
        let of_method = method(&mut file.items, "Client", &operation.method_name());
        let docs = plain_docs(&of_method.ok_or_else(gone)?.attrs).ok_or_else(gone)?;
        let items = module(&mut file.items, "builder").ok_or_else(gone)?;
        let send = method(items, &name, "send").ok_or_else(gone)?;
        let value = returned(&send.sig).next().and_then(path);
        let output = value.and_then(|value| arguments(value).next()).cloned();
        let builder = items.iter().find_map(|item| match item {
            Item::Struct(item) if item.ident == name => Some(item.clone()),
            _ => None,
        });
        let (Some(builder), Some(output)) = (builder, output) else {
            return Err(gone());
        };
        let mut setters = methods(items, &name);
        setters.retain(|method| method.sig.ident != "send");
        if operation.method == "DELETE" {
            setters = setters.iter().map(given).collect();
        }
        let is_field = |field: &Field| field.ident.as_ref().is_some_and(|name| name != "client");
        let mut made = Self {
            builder: builder.ident,
            docs,
            fields: builder.fields.into_iter().filter(is_field).collect(),
            arguments: Vec::new(),
            body: None,
            setters,
            output,
        };
        made.require_parameters(operation)?;
        if made.field("body").is_ok() && !has_parameter(operation, "body") {
            made.require_body(file, starts)?;
        }
        Ok(made)
    }

    /// Turns the setters of required parameters into arguments.
    fn require_parameters(&mut self, operation: &Operation) -> Result<(), Error> {
        let mut names = Vec::new();
        for field in &self.fields {
            let name = field
                .ident
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            if argument(value(field)?, "Option").is_none() && has_parameter(operation, &name) {
                names.push(name);
            }
        }
        let rank = |name: &String| {
            let mut parameters = operation.parameters.iter();
            let of = parameters.position(|parameter| parameter.setter_name() == *name);
            let of = of.map(|index| (index, &operation.parameters[index]));
            let placeholder = of.map(|(_, of)| operation.path.find(&format!("{{{}}}", of.name)));
            (
                placeholder.flatten().is_none(),
                placeholder,
                of.map(|(index, _)| index),
            )
        };
        names.sort_by_key(rank);
        for name in names {
            let argument = Argument::of(&self.take_setter(&name)?)?;
            self.arguments.push(argument);
        }
        Ok(())
    }

    /// Makes the body an argument, or what it requires if that is readable. Then the rest of it has setters.
    fn require_body(&mut self, file: &mut File, starts: &Starts) -> Result<(), Error> {
        let Some(of) = built(value(self.field("body")?)?).cloned() else {
            let argument = Argument::of(&self.take_setter("body")?)?;
            self.arguments.push(argument);
            return Ok(());
        };
        self.setters
            .retain(|method| method.sig.ident != "body" && method.sig.ident != "body_map");
        for field in &mut self.fields {
            if field.ident.as_ref().is_some_and(|name| name == "body") {
                field.ty = parse_quote!(types::builder::#of);
            }
        }
        let types = module(&mut file.items, "types").and_then(|types| module(types, "builder"));
        let setters = types
            .map(|builders| methods(builders, &of.to_string()))
            .unwrap_or_default();
        let start = starts.get(&of).map_or(&[][..], Vec::as_slice);
        let is_free = |name: &Ident| {
            METHODS.iter().all(|method| name != method) && self.field(&name.to_string()).is_err()
        };
        let readable = !start.is_empty()
            && self.arguments.len() + start.len() <= MOST_ARGUMENTS
            && setters.iter().all(|setter| is_free(&setter.sig.ident));
        if readable {
            self.body = Some(
                start
                    .iter()
                    .map(|argument| argument.outside("types"))
                    .collect(),
            );
            let rest = setters
                .iter()
                .filter(|setter| start.iter().all(|of| of.name != setter.sig.ident));
            self.setters
                .extend(rest.map(setter_of_body).collect::<Result<Vec<_>, _>>()?);
        }
        self.arguments.push(Argument::into(
            format_ident!("body"),
            &quote!(types::builder::#of),
        ));
        Ok(())
    }

    fn take_setter(&mut self, name: &str) -> Result<ImplItemFn, Error> {
        let found = self
            .setters
            .iter()
            .position(|method| method.sig.ident == name);
        let gone = || missing(&format!("a setter `{name}` of `{}`", self.builder));
        found
            .map(|found| self.setters.remove(found))
            .ok_or_else(gone)
    }

    /// The struct, its setters, and its other methods.
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
        let initial = fields.iter().map(|field| self.initial(field));
        let (generics, taken, bounds) = signature(&self.arguments);
        let request = self.request(operation)?;
        let method = operation.method_name();
        let docs = format!(" The request of [`{method}`](crate::Client::{method}).");
        let new = match self.body {
            Some(_) => quote!(/// The request with a whole body.
                pub),
            None => quote!(pub(super)),
        };
        let send = self.send(operation);
        Ok(quote! {
            #[doc = #docs]
            #[derive(Clone, Debug)]
            #[must_use = "nothing is sent: write `.await`, or `.send().await` with a raw client"]
            pub struct #builder<'a, T = crate::transport::Plain> {
                client: &'a crate::Client<T>,
                #(#fields,)*
            }
            impl<'a, T> #builder<'a, T> {
                #new fn new #generics (client: &'a crate::Client<T>, #taken) -> Self #bounds {
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
        })
    }

    /// How the request is sent and awaited.
    fn send(&self, operation: &Operation) -> TokenStream {
        let Self {
            builder, output, ..
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
    pub(super) fn method(
        &self,
        document: &Document,
        operation: &Operation,
        starts: &Starts,
    ) -> Result<TokenStream, Error> {
        let builder = &self.builder;
        let name = format_ident!("{}", operation.method_name());
        let mut arguments = self.arguments.clone();
        let mut values: Vec<_> = arguments
            .iter()
            .map(|of| {
                let name = &of.name;
                quote!(#name)
            })
            .collect();
        if let Some(start) = &self.body {
            let of = last_name(&self.field("body")?.ty);
            let names = start.iter().map(|argument| &argument.name);
            values.pop();
            values.push(quote!(types::#of::builder(#(#names),*)));
            arguments.pop();
            arguments.extend_from_slice(start);
        }
        let (generics, taken, bounds) = signature(&arguments);
        let body = self.field("body").ok().and_then(|field| built(&field.ty));
        let arguments = Arguments {
            names: arguments.iter().map(|argument| &argument.name).collect(),
            body: body.map(|of| {
                let start = starts.get(of).into_iter().flatten();
                (of, start.map(|argument| &argument.name).collect())
            }),
        };
        let docs = docs(document, operation, &self.docs, &arguments);
        Ok(quote! {
            #[doc = #docs]
            pub fn #name #generics (&self, #taken) -> requests::#builder<'_, T> #bounds {
                requests::#builder::new(self #(, #values)*)
            }
        })
    }

    /// The value of a field before any setter is called.
    fn initial(&self, field: &Field) -> TokenStream {
        let argument = self
            .arguments
            .iter()
            .find(|of| Some(&of.name) == field.ident.as_ref());
        argument.map_or_else(|| quote!(Ok(None)), |of| of.value.clone())
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
        if let Ok(field) = self.field("body")
            && !has_parameter(operation, "body")
        {
            added.push(match built(&field.ty) {
                Some(of) => quote!(.body::<types::#of>(body)?),
                None => quote!(.json(body)?),
            });
        }
        Ok(quote! {
            Draft::new(client, Self::INFO, format_args!(#template #(, #segments)*))? #(#added)*
        })
    }
}

/// The documentation of a method without its example, which has a setter for everything.
fn plain_docs(attributes: &[Attribute]) -> Option<String> {
    let Meta::NameValue(docs) = &attributes.first()?.meta else {
        return None;
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Str(docs),
        ..
    }) = &docs.value
    else {
        return None;
    };
    let docs = docs.value();
    let (docs, _) = docs.split_once("```ignore")?;
    Some(docs.trim_end().to_owned())
}

fn has_parameter(operation: &Operation, name: &str) -> bool {
    let mut parameters = operation.parameters.iter();
    parameters.any(|parameter| parameter.setter_name() == name)
}

/// The setters of a builder, and its other methods.
fn methods(items: &[Item], of: &str) -> Vec<ImplItemFn> {
    let impls = items.iter().filter_map(|item| match item {
        Item::Impl(item) if item.trait_.is_none() => Some(item),
        _ => None,
    });
    impls
        .filter(|item| last_name(&item.self_ty).is_some_and(|name| name == of))
        .flat_map(|item| &item.items)
        .filter_map(|item| match item {
            ImplItem::Fn(method) if method.sig.receiver().is_some() => Some(method.clone()),
            _ => None,
        })
        .collect()
}

/// A setter that takes no `Option` and no empty list: a filter narrows a deletion, which without it would delete more than
/// it seems.
fn given(setter: &ImplItemFn) -> ImplItemFn {
    let names = [
        ("IntoOptional", "IntoValue"),
        ("optional", "given"),
        ("optional_list", "given_list"),
    ];
    let names = names.map(|(was, name)| (was.to_owned(), format_ident!("{name}")));
    let setter = renamed(setter, &BTreeMap::from(names));
    parse_quote!(#setter)
}

/// A setter that sets a field of the body.
fn setter_of_body(setter: &ImplItemFn) -> Result<ImplItemFn, Error> {
    let name = &setter.sig.ident;
    // The builder has generics of its own.
    let generics = own_generics(&setter.sig);
    let mut names = BTreeMap::from([("super".to_owned(), format_ident!("types"))]);
    names.extend(generics);
    let signature = renamed(&setter.sig, &names);
    let Some(FnArg::Typed(value)) = setter.sig.inputs.last() else {
        return Err(missing("a setter with one value"));
    };
    let value = &value.pat;
    Ok(parse_quote! {
        pub #signature {
            self.body = self.body.#name(#value);
            self
        }
    })
}

/// The value of a `Result` that a field holds.
fn value(field: &Field) -> Result<&Type, Error> {
    argument(&field.ty, "Result").ok_or_else(|| missing("a `Result` for every field of a builder"))
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

/// All operations with the code that progenitor generated for them.
pub(super) fn made<'a>(
    file: &mut File,
    document: &'a Document,
    starts: &Starts,
) -> Result<Vec<(&'a Operation, Made)>, Error> {
    let operations = document.operations().iter();
    operations
        .map(|operation| Ok((operation, Made::find(file, operation, starts)?)))
        .collect()
}
