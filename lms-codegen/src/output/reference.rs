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
         - **Rust call**: where `lms-ext` has a safer function than the plain call, it comes first.\n\
         - **pagination**: lists have `.items()` and `.pages()`. `none` means that one response holds the whole list.\n\
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
            let _ = writeln!(page, "{}", row(operation));
        }
    }
    page
}

fn row(operation: &Operation) -> String {
    let (gives, paged) = match &operation.response {
        Response::Empty => ("nothing".to_owned(), "–"),
        Response::Inline => ("a value".to_owned(), "–"),
        Response::Object(name) => (format!("`{name}`"), "–"),
        Response::List { item, cursor, .. } => (
            format!("`{item}` items"),
            if *cursor { "cursor" } else { "none" },
        ),
    };
    format!(
        "| `{}` | {} | `{} {}` | {} | {gives} | {paged} | {} |",
        operation.id,
        operation.summary.replace('|', "\\|"),
        operation.method,
        operation.path,
        calls(operation),
        if operation.idempotent { "yes" } else { "no" },
    )
}

/// The functions of `lms-ext` that take the place of a plain call.
const SAFER: [(&str, &str); 6] = [
    ("editLearner", "lms.update_learner(id, edit)"),
    ("editCourse", "lms.update_course(id, edit)"),
    ("addLearner", "lms.ensure_learner(learner)"),
    ("addEnrolment", "lms.ensure_enrolment(enrolment)"),
    ("addDuplicateCourse", "lms.duplicate_course(id, options)"),
    ("viewDuplicateCourse", "lms.resume_course_copy(token)"),
];

/// The Rust calls that a user should write.
fn calls(operation: &Operation) -> String {
    match operation.id.as_str() {
        "getToken" => return "none: the client requests tokens itself".to_owned(),
        // `lms-ext` refuses the call without a filter.
        "deleteEnrolment" => {
            return "`lms.unenrol(scope)`; all of them: `lms.delete_all_enrolments(expected)`"
                .to_owned();
        }
        _ => {}
    }
    let plain = call(operation);
    match SAFER.iter().find(|(id, _)| *id == operation.id) {
        // A plain PUT clears the fields that its body does not have.
        Some((_, safer)) if operation.method == "PUT" => {
            format!("`{safer}`; to replace all fields: `{plain}`")
        }
        Some((_, safer)) => format!("`{safer}`; plain: `{plain}`"),
        None => format!("`{plain}`"),
    }
}

/// The Rust call with all required parameters.
fn call(operation: &Operation) -> String {
    let mut call = format!("lms.{}()", operation.method_name());
    for parameter in &operation.parameters {
        if parameter.required || parameter.location == ParameterLocation::Path {
            let name = parameter.setter_name();
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
