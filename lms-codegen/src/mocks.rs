//! Typed mocks: what progenitor makes for httpmock, put right where it would match the wrong requests.

use std::panic::{AssertUnwindSafe, catch_unwind};

use progenitor::Generator;
use serde_json::{Map, Value};
use syn::{
    Attribute, Expr, File, ImplItemFn, Item, ItemStruct, LitStr, Macro, Token, TraitItemFn,
    parse_quote, punctuated::Punctuated, visit_mut, visit_mut::VisitMut,
};

use crate::{
    Document, Error,
    client::{plain, settings},
    header,
};

/// Typed mocks as formatted Rust, to be compiled as the module `mocks::generated` of `lms-client`.
///
/// `origin` names the document in the notice at the head of the file. The code refers to the
/// hand-written half of the crate as `crate::mocks` and to the dependencies `httpmock` and `regex`.
///
/// # Errors
///
/// When progenitor cannot make mocks of the document, with its reason, or makes other ones than those
/// that are put right here.
pub fn mocks(document: &Document, origin: &str) -> Result<String, Error> {
    let spec = serde_json::from_value(below_server(document))
        .map_err(|error| Error::at("", error.to_string()))?;
    // As for the client: a sentence in place of a backtrace.
    let tokens = catch_unwind(AssertUnwindSafe(|| {
        Generator::new(&settings()).httpmock(&spec, "crate")
    }))
    .map_err(|_| {
        Error::at(
            "",
            "progenitor panicked on this document; see the panic above",
        )
    })?
    .map_err(|error| Error::at("", error.to_string()))?;
    let mut file = syn::parse2(tokens).map_err(|error| {
        Error::at(
            "",
            format!("progenitor made mocks that are no Rust: {error}"),
        )
    })?;
    amend(&mut file, document)?;
    Ok(header(origin) + &prettyplease::unparse(&file))
}

/// Puts the path of the server in front of every path.
///
/// progenitor's mocks match whole paths and know nothing of the server's, so none would ever match a
/// request to `/api/v1/courses`.
fn below_server(document: &Document) -> Value {
    let mut value = plain(document.value());
    if let Some(Value::Object(paths)) = value.get_mut("paths") {
        *paths = std::mem::take(paths)
            .into_iter()
            .map(|(path, item)| (format!("{}{path}", document.server_path()), item))
            .collect::<Map<_, _>>();
    }
    value
}

/// Applies every amendment, and fails when one finds another number of places than the document has.
fn amend(file: &mut File, document: &Document) -> Result<(), Error> {
    let mut amended = Amend::default();
    amended.visit_file_mut(file);
    let path_parameters: usize = document
        .operations()
        .iter()
        .map(|operation| operation.path_parameters().count())
        .sum();
    if amended.segments == path_parameters {
        Ok(())
    } else {
        Err(Error::at(
            "",
            format!(
                "progenitor's mocks have {} patterns for {path_parameters} path parameters; mocks.rs must follow them",
                amended.segments
            ),
        ))
    }
}

#[derive(Default)]
struct Amend {
    segments: usize,
}

impl VisitMut for Amend {
    /// Makes of a path parameter exactly that parameter, as it looks on the wire.
    ///
    /// progenitor puts the value into the pattern as it is, so `a+b@acme.example` would match other
    /// addresses and not its own.
    fn visit_macro_mut(&mut self, invocation: &mut Macro) {
        if !invocation.path.is_ident("format") {
            return;
        }
        let arguments = invocation.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        let Ok(arguments) = arguments else { return };
        if let (Some(pattern), 2) = (arguments.first(), arguments.len()) {
            invocation.tokens = quote::quote!(#pattern, crate::mocks::segment(&value.to_string()));
            self.segments += 1;
        }
    }

    fn visit_impl_item_fn_mut(&mut self, method: &mut ImplItemFn) {
        repeat_arrays(method);
        if let Some(text) = method_doc(&method.sig.ident.to_string()) {
            method.attrs.push(doc(text));
        }
        visit_mut::visit_impl_item_fn_mut(self, method);
    }

    fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
        let name = item.ident.to_string();
        let text = match (name.strip_suffix("When"), name.strip_suffix("Then")) {
            (Some(operation), _) => format!("Which requests of `{operation}` a mock answers."),
            (_, Some(operation)) => format!("What a mock answers to `{operation}`."),
            _ => return,
        };
        item.attrs.push(doc(&text));
    }

    fn visit_trait_item_fn_mut(&mut self, method: &mut TraitItemFn) {
        let name = &method.sig.ident;
        method.attrs.push(doc(&format!(
            "Answers requests of [`{name}`](crate::Client::{name}) as the closure says."
        )));
    }

    /// The docs of the module and of the trait are progenitor's and are about any document.
    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Mod(module) if module.ident == "operations" => {
                module.attrs.clear();
                module.attrs.push(doc(
                    "For each operation, the requests that a mock answers and its answer.",
                ));
            }
            Item::Trait(item) => {
                item.attrs.clear();
                item.attrs.push(doc(
                    "Puts a mock for each operation on [`MockServer`](::httpmock::MockServer).",
                ));
            }
            _ => {}
        }
        visit_mut::visit_item_mut(self, item);
    }
}

/// Matches an array in the query as it is sent: once for each value.
///
/// progenitor asks for its `to_string()`, which a list does not have.
fn repeat_arrays(method: &mut ImplItemFn) {
    let signature = &method.sig;
    if !quote::quote!(#signature).to_string().contains("Vec") {
        return;
    }
    let Some(name) = wire_name(method) else {
        return;
    };
    method.block = parse_quote!({
        match value.into() {
            Some(values) => Self(values.iter().fold(self.0, |when, value| {
                when.query_param(#name, value.to_string())
            })),
            None => Self(self.0.query_param_missing(#name)),
        }
    });
}

/// The name on the wire of the query parameter that a method is for: the first text in it.
fn wire_name(method: &mut ImplItemFn) -> Option<LitStr> {
    #[derive(Default)]
    struct First(Option<LitStr>);
    impl VisitMut for First {
        fn visit_lit_str_mut(&mut self, text: &mut LitStr) {
            self.0.get_or_insert_with(|| text.clone());
        }
    }
    let mut first = First::default();
    first.visit_block_mut(&mut method.block);
    first.0
}

fn method_doc(name: &str) -> Option<&'static str> {
    match name {
        "new" => Some("Begins with what httpmock has."),
        "into_inner" => {
            Some("Goes on with what httpmock has, for what the document does not allow.")
        }
        "ok" => Some("Answers 200."),
        "body" => Some("The body is exactly this."),
        _ => None,
    }
}

fn doc(text: &str) -> Attribute {
    let text = format!(" {text}");
    parse_quote!(#[doc = #text])
}
