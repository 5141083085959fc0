//! Typed mocks: progenitor's output for httpmock with our changes.

use serde_json::{Map, Value};
use syn::{
    Attribute, Expr, FnArg, ImplItemFn, ItemMod, ItemStruct, ItemTrait, LitStr, Macro, Token,
    TraitItemFn, Type, parse_quote, punctuated::Punctuated, visit_mut, visit_mut::VisitMut,
};

use crate::{
    ast::{missing, render, text},
    document::{Document, ParameterLocation},
    error::Error,
    formats::as_plain_text,
    generator::run,
};

/// Typed mocks as formatted Rust, to be compiled as the module `mocks::generated` of `lms-client`.
///
/// `origin` names the document in the notice at the top. The code refers to the hand-written module `mocks` of that
/// crate and to the dependencies `httpmock` and `regex`.
///
/// # Errors
///
/// When progenitor rejects the document, or generates code that our changes do not know.
pub fn mocks(document: &Document, origin: &str) -> Result<String, Error> {
    let mut value = with_full_paths(document);
    as_plain_text(&mut value);
    let (mut file, _) = run(&value, |generator, spec| generator.httpmock(spec, "crate"))?;
    let mut change = Change { segments: 0 };
    change.visit_file_mut(&mut file);
    let path_parameters = document
        .operations()
        .iter()
        .flat_map(|operation| operation.parameters_in(ParameterLocation::Path));
    if change.segments != path_parameters.count() {
        return Err(missing("one pattern for every path parameter"));
    }
    Ok(render(&file, origin))
}

/// Puts the path of the server in front of every path.
///
/// progenitor's mocks match whole paths but ignore the server, so none would match a request to `/api/v1/courses`.
fn with_full_paths(document: &Document) -> Value {
    let mut value = document.value().clone();
    if let Value::Object(paths) = &mut value["paths"] {
        *paths = std::mem::take(paths)
            .into_iter()
            .map(|(path, item)| (format!("{}{path}", document.server_path()), item))
            .collect::<Map<_, _>>();
    }
    value
}

struct Change {
    segments: usize,
}

impl VisitMut for Change {
    /// Matches the exact value of a path parameter, encoded as it is in the request.
    ///
    /// progenitor puts the value into a regular expression as it is, so `a+b@acme.example` would match other addresses
    /// and not itself.
    fn visit_macro_mut(&mut self, call: &mut Macro) {
        let arguments = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        if call.path.is_ident("format")
            && let Ok(arguments) = arguments
            && let (Some(pattern), 2) = (arguments.first(), arguments.len())
        {
            call.tokens = quote::quote!(#pattern, crate::mocks::segment(&value.to_string()));
            self.segments += 1;
        }
    }

    fn visit_impl_item_fn_mut(&mut self, method: &mut ImplItemFn) {
        match_each_value(method);
        borrow_body(method);
        let docs = match &*method.sig.ident.to_string() {
            "new" => "Starts from a builder of httpmock.",
            "into_inner" => "The builder of httpmock, for what the document does not declare.",
            "ok" => "Responds with status 200 and this body.",
            "body" => "Matches requests with exactly this body.",
            _ => return visit_mut::visit_impl_item_fn_mut(self, method),
        };
        method.attrs.push(doc(docs));
    }

    fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
        let name = item.ident.to_string();
        if let Some(operation) = name.strip_suffix("When") {
            let docs = format!("The requests of `{operation}` that a mock responds to.");
            item.attrs.push(doc(&docs));
        } else if let Some(operation) = name.strip_suffix("Then") {
            item.attrs
                .push(doc(&format!("The response of a mock to `{operation}`.")));
        }
    }

    fn visit_trait_item_fn_mut(&mut self, method: &mut TraitItemFn) {
        let name = &method.sig.ident;
        method.attrs.push(doc(&format!(
            "Adds a mock for requests of [`{name}`](crate::Client::{name})."
        )));
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        module.attrs = vec![doc(
            "The requests that a mock responds to and its response, for each operation.",
        )];
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        item.attrs = vec![doc(
            "Adds a method for each operation to [`MockServer`](::httpmock::MockServer).",
        )];
        visit_mut::visit_item_trait_mut(self, item);
    }
}

/// Matches an array in the query as it is sent: one parameter for each value.
///
/// progenitor calls `to_string()` on the list, which does not compile.
fn match_each_value(method: &mut ImplItemFn) {
    if !text(&method.sig).contains("Vec") || !text(&method.block).contains("query_param") {
        return;
    }
    // The first string in the method is the name of the query parameter.
    #[derive(Default)]
    struct First(Option<LitStr>);
    impl VisitMut for First {
        fn visit_lit_str_mut(&mut self, text: &mut LitStr) {
            self.0.get_or_insert_with(|| text.clone());
        }
    }
    let mut first = First::default();
    first.visit_block_mut(&mut method.block);
    if let Some(name) = first.0 {
        method.block = parse_quote!({
            match value.into() {
                Some(values) => Self(values.iter().fold(self.0, |when, value| {
                    when.query_param(#name, value.to_string())
                })),
                None => Self(self.0.query_param_missing(#name)),
            }
        });
    }
}

/// Borrows a body that is passed by value, such as an enum, for the function of httpmock that takes a reference.
fn borrow_body(method: &mut ImplItemFn) {
    let by_value = |argument: &&FnArg| matches!(argument, FnArg::Typed(value) if !matches!(*value.ty, Type::Reference(_)));
    let sets_body = text(&method.block).contains("json_body_obj");
    if sets_body && method.sig.inputs.iter().any(|input| by_value(&input)) {
        method.block = parse_quote!({ Self(self.0.json_body_obj(&value)) });
    }
}

fn doc(text: &str) -> Attribute {
    let text = format!(" {text}");
    parse_quote!(#[doc = #text])
}
