//! Fixes what is unsafe about progenitor's output for this service.
//!
//! Each function fixes one fault. A fix that applies to every client or every operation fails when it does not find what
//! it changes. Fixes for what only some documents have (arrays, integers) are covered by the test
//! `unsafe_parts_of_the_output_are_fixed`. So an update of progenitor cannot silently undo any of them. Written for
//! progenitor 0.15.

use quote::{ToTokens, quote};
use syn::{
    Block, Expr, ExprPath, Field, Fields, File, Item, Macro, Stmt, Token, parse_quote,
    punctuated::Punctuated, visit_mut::VisitMut,
};

use crate::{
    ast::{binds, each_send, method, missing, module, text},
    document::{Document, ParameterLocation, Response},
    error::Error,
};

/// Applies all fixes.
pub(crate) fn fix(file: &mut File, document: &Document) -> Result<(), Error> {
    Lenient.visit_file_mut(file);
    let types = module(&mut file.items, "types").ok_or_else(|| missing("a module `types`"))?;
    types.iter_mut().for_each(allow_growth);
    types.iter_mut().for_each(describe);
    connections(file)?;
    replace_functions(file, document)?;
    check_segments(file, document)
}

/// Reads `null` as an absent array, and an empty string as an absent integer.
///
/// The derived `Deserialize` fails the whole page on `"tags": null`, although it reads `null` as absence for all other
/// optional fields. Integers are sent as strings, and an empty string is sent for none.
struct Lenient;

impl VisitMut for Lenient {
    fn visit_field_mut(&mut self, field: &mut Field) {
        // Fields of builders have no attributes of serde.
        let serde: String = field
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"))
            .map(text)
            .collect();
        let integer = text(&quote!(::std::option::Option<crate::wire::Int64>));
        if serde.contains("Vec::is_empty") {
            field
                .attrs
                .push(parse_quote!(#[serde(deserialize_with = "crate::wire::null_is_absent")]));
        } else if !serde.is_empty() && text(&field.ty) == integer {
            field.attrs.push(
                parse_quote!(#[serde(default, deserialize_with = "crate::wire::blank_is_absent")]),
            );
        }
    }
}

/// Lets a type get more fields or values without breaking its users: they use builders and have a `_` arm.
///
/// A struct without named fields wraps one value, which does not grow.
fn allow_growth(item: &mut Item) {
    let attributes = match item {
        Item::Struct(item) if matches!(item.fields, Fields::Named(_)) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return,
    };
    attributes.push(parse_quote!(#[non_exhaustive]));
}

/// Lets a type describe itself as a JSON Schema, with the feature `schemars`.
fn describe(item: &mut Item) {
    let attributes = match item {
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return,
    };
    attributes
        .push(parse_quote!(#[cfg_attr(feature = "schemars", derive(::schemars::JsonSchema))]));
}

/// Uses our HTTP client in `Client::new`, and removes trailing slashes from the base URL.
///
/// progenitor's client follows redirects, so a 307 would send a POST body, client secret included, to another host.
fn connections(file: &mut File) -> Result<(), Error> {
    let bodies: [(&str, Block); 2] = [
        (
            "new",
            parse_quote!({
                Self::new_with_client(baseurl, crate::transport::http_client(), inner)
            }),
        ),
        (
            "new_with_client",
            parse_quote!({
                let baseurl = baseurl.trim_end_matches('/').to_string();
                Self {
                    base: crate::base_url::parse(&baseurl),
                    baseurl,
                    client,
                    inner,
                }
            }),
        ),
    ];
    for (name, body) in bodies {
        method(&mut file.items, "Client", name)
            .ok_or_else(|| missing(&format!("`Client::{name}`")))?
            .block = body;
    }
    Ok(())
}

/// Replaces two functions of progenitor-client by ours.
///
/// Its `encode_path` leaves a backslash as it is, which URL parsers read as `/`: an id could change the path of the
/// request. Its `from_response` puts the whole body into the error for what it cannot decode, tokens included; ours
/// lets the transport replace that error.
fn replace_functions(file: &mut File, document: &Document) -> Result<(), Error> {
    #[derive(Default)]
    struct Replace {
        encode: usize,
        decode: usize,
    }
    impl VisitMut for Replace {
        fn visit_expr_path_mut(&mut self, expression: &mut ExprPath) {
            match &*text(expression) {
                "encode_path" => {
                    self.encode += 1;
                    *expression = parse_quote!(crate::transport::encode_path);
                }
                "ResponseValue :: from_response" => {
                    self.decode += 1;
                    *expression = parse_quote!(crate::transport::decode);
                }
                _ => {}
            }
        }

        /// Segments are encoded in the arguments of `format!`.
        fn visit_macro_mut(&mut self, call: &mut Macro) {
            let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
            if let Ok(mut arguments) = arguments {
                arguments
                    .iter_mut()
                    .for_each(|part| self.visit_expr_mut(part));
                call.tokens = arguments.into_token_stream();
            }
        }
    }
    let mut replace = Replace::default();
    replace.visit_file_mut(file);
    let operations = document.operations();
    let with_body = operations
        .iter()
        .filter(|operation| operation.response != Response::Empty);
    if replace.decode != with_body.count() {
        return Err(missing(
            "one `ResponseValue::from_response` for every response with a body",
        ));
    }
    let path_parameters = operations
        .iter()
        .flat_map(|operation| operation.parameters_in(ParameterLocation::Path));
    if replace.encode != path_parameters.count() {
        return Err(missing("one `encode_path` for every path parameter"));
    }
    Ok(())
}

/// Refuses a path parameter that would change the path of the request, before it becomes part of a URL.
///
/// `delete_course().id("..")` would otherwise send a `DELETE` to the parent path.
fn check_segments(file: &mut File, document: &Document) -> Result<(), Error> {
    each_send(file, document, |operation, send| {
        let parameters = operation.parameters.iter();
        for parameter in parameters.filter(|of| of.location == ParameterLocation::Path) {
            let label = parameter.setter_name();
            let name = quote::format_ident!("{label}");
            let binding =
                send.block.stmts.iter_mut().find(
                    |statement| matches!(statement, Stmt::Local(local) if binds(local, &label)),
                );
            let Some(binding) = binding else {
                let builder = operation.builder_name();
                return Err(missing(&format!(
                    "a binding of `{label}` in `{builder}::send`"
                )));
            };
            *binding = parse_quote! {
                let #name = #name
                    .and_then(|value| crate::transport::check_segment(#label, value))
                    .map_err(Error::InvalidRequest)?;
            };
        }
        Ok(())
    })
}
