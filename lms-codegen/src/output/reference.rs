//! The reference page: a table of all operations.

use std::fmt::Write;

use syn::{File, FnArg, Pat};

use super::safer::safer;
use crate::{
    ast::{method, missing},
    document::{Document, Operation, Response},
    error::Error,
};

/// The reference page as Markdown. `client` is the code that [`client`](super::client) made of the document.
///
/// # Errors
///
/// Fails if the code has no method for an operation.
pub fn reference(document: &Document, client: &str) -> Result<String, Error> {
    let mut client: File = syn::parse_str(client).map_err(Error::new)?;
    let operations = document.operations();
    let mut page = format!(
        "<!-- @generated from spec/openapi.yaml by `cargo xtask regen`. Do not edit. -->\n\n\
         # Operations\n\n\
         All {} operations of the service, by section.\n\n\
         - **Rust call**: where `lms-ext` has a safer function than the plain call, it comes first.\n\
         - **pagination**: lists have `.items()` and `.pages()`. `none` means that one response holds the complete list.\n\
         - **retried**: after a lost response or a server error. `no` means that the client reports `Ambiguous` instead, \
         because the request may have been processed. Every operation is retried after a 429 and when it could not be sent.\n",
        operations.len()
    );
    let mut tags: Vec<&str> = Vec::new();
    for operation in operations {
        if !tags.contains(&operation.tag.as_str()) {
            tags.push(&operation.tag);
        }
    }
    for tag in tags {
        let title = if tag.is_empty() { "Others" } else { tag };
        // Writing to a `String` cannot fail.
        let _ = write!(
            page,
            "\n## {title}\n\n\
             | operation | summary | method and path | Rust call | returns | pagination | retried |\n\
             |---|---|---|---|---|---|---|\n"
        );
        for operation in operations.iter().filter(|operation| operation.tag == tag) {
            let _ = writeln!(page, "{}", row(&mut client, operation)?);
        }
    }
    Ok(page)
}

fn row(client: &mut File, operation: &Operation) -> Result<String, Error> {
    let (gives, paged) = match &operation.response {
        Response::Empty => ("nothing".to_owned(), "–"),
        Response::Inline => ("a value".to_owned(), "–"),
        Response::Object(name) => (format!("`{name}`"), "–"),
        Response::List { item, cursor, .. } => (
            item.as_ref()
                .map_or_else(|| "values".to_owned(), |item| format!("`{item}` items")),
            if *cursor { "cursor" } else { "none" },
        ),
    };
    Ok(format!(
        "| `{}` | {} | `{} {}` | {} | {gives} | {paged} | {} |",
        operation.id,
        operation.summary.replace('|', "\\|"),
        operation.method,
        operation.path,
        calls(client, operation)?,
        if operation.idempotent { "yes" } else { "no" },
    ))
}

/// The Rust calls that a user should write.
fn calls(client: &mut File, operation: &Operation) -> Result<String, Error> {
    let plain = call(client, operation)?;
    let safer = safer(&operation.id).map(|safer| safer.call);
    Ok(match (operation.id.as_str(), safer) {
        ("getToken", _) => "none: the client requests tokens itself".to_owned(),
        // `lms-ext` refuses the call without a filter.
        ("deleteEnrolment", Some(safer)) => format!("`{safer}`"),
        // A plain PUT clears the fields that its body does not have.
        (_, Some(safer)) if operation.method == "PUT" => {
            format!("`{safer}`; to replace all fields: `{plain}`")
        }
        (_, Some(safer)) => format!("`{safer}`; plain: `{plain}`"),
        (_, None) => format!("`{plain}`"),
    })
}

/// The Rust call with all arguments.
fn call(client: &mut File, operation: &Operation) -> Result<String, Error> {
    let name = operation.method_name();
    let method = method(&mut client.items, "Client", &name);
    let method = method.ok_or_else(|| missing(&format!("a method `{name}`")))?;
    let arguments = method
        .sig
        .inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(argument) => match &*argument.pat {
                Pat::Ident(name) => Some(name.ident.to_string()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
    let arguments: Vec<String> = arguments.collect();
    let then = match operation.response {
        Response::List { .. } => ".items()",
        _ => ".await",
    };
    Ok(format!("lms.{name}({}){then}", arguments.join(", ")))
}
