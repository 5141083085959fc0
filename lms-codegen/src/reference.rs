//! The reference page: a table of all operations.

use std::fmt::Write;

use crate::document::{Document, Operation, ParameterLocation, Response};

/// The reference page as Markdown.
pub fn reference(document: &Document) -> String {
    let operations = document.operations();
    let mut page = format!(
        "<!-- @generated from spec/openapi.yaml by `cargo xtask regen`. Do not edit. -->\n\n\
         # Operations\n\n\
         All {} operations of the service, by section.\n\n\
         - **pagination**: lists have `.items()` and `.pages()`. `none` means that one response holds the whole list.\n\
         - **idempotent**: whether the client retries the request when a response is lost.\n",
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
             | operation | summary | method and path | Rust call | returns | pagination | idempotent |\n\
             |---|---|---|---|---|---|---|\n"
        );
        for operation in operations.iter().filter(|operation| operation.tag == tag) {
            let _ = writeln!(page, "{}", row(operation));
        }
    }
    page
}

fn row(operation: &Operation) -> String {
    let (gives, paged) = match &operation.response {
        Response::Empty => ("nothing".to_owned(), "–"),
        Response::Object(name) => (format!("`{name}`"), "–"),
        Response::List { item, cursor, .. } => (
            format!("`{item}` items"),
            if *cursor { "cursor" } else { "none" },
        ),
    };
    format!(
        "| `{}` | {} | `{} {}` | `{}` | {gives} | {paged} | {} |",
        operation.id,
        operation.summary.replace('|', "\\|"),
        operation.method,
        operation.path,
        call(operation),
        if operation.idempotent() { "yes" } else { "no" },
    )
}

/// The Rust call with all required parameters.
fn call(operation: &Operation) -> String {
    let mut call = format!("lms.{}()", operation.method_name());
    for parameter in &operation.parameters {
        if parameter.required || parameter.location == ParameterLocation::Path {
            let name = heck::ToSnakeCase::to_snake_case(parameter.name.as_str());
            let _ = write!(call, ".{name}({name})");
        }
    }
    if operation.body.is_some() {
        call.push_str(".body(body)");
    }
    call.push_str(match operation.response {
        Response::List { .. } => ".items()",
        _ => ".call()",
    });
    call
}
