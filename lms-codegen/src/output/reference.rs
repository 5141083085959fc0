//! The reference page: a table of all operations.

use std::fmt::Write;

use super::builders::MOST_ARGUMENTS;
use crate::{
    document::{Document, Operation, Parameter, Response},
    fixups::required_fields,
    typify_names::type_name,
};

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
            let _ = writeln!(page, "{}", row(document, operation));
        }
    }
    page
}

fn row(document: &Document, operation: &Operation) -> String {
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
        calls(document, operation),
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
fn calls(document: &Document, operation: &Operation) -> String {
    match operation.id.as_str() {
        "getToken" => return "none: the client requests tokens itself".to_owned(),
        // `lms-ext` refuses the call without a filter.
        "deleteEnrolment" => {
            return "`lms.unenrol(scope)`; all of them: `lms.delete_all_enrolments(expected)`"
                .to_owned();
        }
        _ => {}
    }
    let plain = call(document, operation);
    match SAFER.iter().find(|(id, _)| *id == operation.id) {
        // A plain PUT clears the fields that its body does not have.
        Some((_, safer)) if operation.method == "PUT" => {
            format!("`{safer}`; to replace all fields: `{plain}`")
        }
        Some((_, safer)) => format!("`{safer}`; plain: `{plain}`"),
        None => format!("`{plain}`"),
    }
}

/// The Rust call with all arguments.
fn call(document: &Document, operation: &Operation) -> String {
    let place = |parameter: &&Parameter| operation.path.find(&format!("{{{}}}", parameter.name));
    let mut required: Vec<&Parameter> = operation.parameters.iter().collect();
    required.retain(|parameter| parameter.required);
    // Those that are not in the path come last.
    required.sort_by_key(|parameter| place(parameter).unwrap_or(usize::MAX));
    let mut arguments: Vec<String> = required.iter().map(|of| of.setter_name()).collect();
    if let Some(body) = &operation.body {
        let fields = required_fields(document.value(), &type_name(body));
        if !fields.is_empty() && arguments.len() + fields.len() <= MOST_ARGUMENTS {
            arguments.extend(fields);
        } else {
            arguments.push("body".to_owned());
        }
    }
    let mut call = format!("lms.{}({})", operation.method_name(), arguments.join(", "));
    call.push_str(match operation.response {
        Response::List { .. } => ".items()",
        _ => ".await",
    });
    call
}
