//! The documentation of an operation's method: what the document says, an example with its values, retries, and errors.
//!
//! Most readers use the method through `lms_ext::Lms`, which dereferences to the client, so the example and the sentences on
//! retries and errors describe that client.

use std::fmt::Write;

use heck::ToSnakeCase;
use serde_json::Value;

use super::type_builders::Struct;
use crate::{
    document::{Document, Operation, ParameterLocation, Response},
    openapi::resolve,
    typify_names::{field_name, type_name},
};

/// Maximum number of fields that an example sets in a body that requires none.
const MOST_FIELDS: usize = 3;

/// The documentation of a method with arguments of these names. The last one is `body` if the method takes a whole body,
/// which may be a struct.
pub(super) fn docs(
    document: &Document,
    operation: &Operation,
    arguments: &[&str],
    body: Option<&Struct>,
) -> String {
    let mut text = description(operation);
    if let Some(example) = example(document, operation, arguments, body) {
        // Writing to a `String` cannot fail.
        let _ = write!(
            text,
            "\n\n# Example\n\n```no_run\n# use lms_ext::prelude::*;\n\
             # async fn example(lms: Lms) -> Result<(), Error> {{\n{example}\n# Ok(()) }}\n```"
        );
    }
    text.push_str("\n\n# With `lms_ext::Lms`\n\n");
    if let Some((call, reason)) = safer(&operation.id) {
        let _ = writeln!(text, "Prefer `{call}`: {reason}.\n");
    }
    text + &returns(operation) + retries(operation) + &errors(operation)
}

/// The function of `lms-ext` that takes the place of an operation, and why it is safer.
fn safer(operation: &str) -> Option<(&'static str, &'static str)> {
    let kept = "it keeps the fields that are not changed, which this call clears";
    Some(match operation {
        "editLearner" => ("lms.update_learner(id, edit)", kept),
        "editCourse" => ("lms.update_course(id, edit)", kept),
        "addLearner" => (
            "lms.ensure_learner(learner)",
            "it adds no second learner when it is called again",
        ),
        "addEnrolment" => (
            "lms.ensure_enrolment(enrolment)",
            "it succeeds if the learner is already enrolled",
        ),
        "deleteEnrolment" => (
            "lms.unenrol(scope)",
            "it requires a learner or a course, and says what it deleted",
        ),
        "addDuplicateCourse" => (
            "lms.duplicate_course(id, options)",
            "it returns a handle that waits for the copy",
        ),
        "viewDuplicateCourse" => (
            "lms.course_copy(id)",
            "it waits for the copy, within a deadline",
        ),
        _ => return None,
    })
}

/// The summary, the description and the parameters of the document.
fn description(operation: &Operation) -> String {
    let summary = operation.summary.trim_end_matches(['.', ',']).to_owned();
    let sends = format!(
        "Sends a `{}` request to `{}`",
        operation.method, operation.path
    );
    let mut parts = vec![summary, operation.description.trim_end().to_owned(), sends];
    let parameters = operation.parameters.iter();
    let parameters = parameters.map(|of| (of.setter_name(), of.description.as_str()));
    let body = operation.body.as_ref();
    let body = body.map(|body| ("body".to_owned(), body.description.as_str()));
    let parameters: Vec<_> = parameters.chain(body).collect();
    if parameters.iter().any(|(_, about)| !about.is_empty()) {
        let lines = parameters.into_iter().map(|(name, about)| match about {
            "" => format!("\n- `{name}`"),
            about => format!("\n- `{name}`: {}", about.trim_end()),
        });
        parts.push("Parameters:".to_owned() + &lines.collect::<String>());
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// The result of a call.
fn returns(operation: &Operation) -> String {
    match &operation.response {
        Response::Empty => "Awaiting it returns nothing. ".to_owned(),
        Response::Inline => "Awaiting it returns the value. ".to_owned(),
        Response::Object(name) => format!("Awaiting it returns {}. ", link(name)),
        Response::List { page, item, cursor } => {
            let all = if *cursor { " of all pages" } else { "" };
            let page = link(page);
            let item = item.as_deref().map_or_else(|| "value".to_owned(), link);
            format!("`.items()` is a stream of each {item}{all}; awaiting it returns one {page}. ")
        }
    }
}

fn link(schema: &str) -> String {
    let name = type_name(schema);
    format!("[`{name}`](types::{name})")
}

/// The row of the operation in the table of `lms_ext`'s retries.
fn retries(operation: &Operation) -> &'static str {
    match operation.method.as_str() {
        "GET" | "HEAD" => "It is retried.",
        "DELETE" => {
            "It is retried, since a second request has no further effect; a 404 after a lost response is a success."
        }
        _ if operation.idempotent => {
            "It is retried, since a second request has the same effect as the first."
        }
        _ => "It is sent again only if the server cannot have processed it, such as after a 429.",
    }
}

/// The kinds of errors that not every operation has.
fn errors(operation: &Operation) -> String {
    let method = operation.method.as_str();
    let reads = matches!(method, "GET" | "HEAD");
    let has_path = operation
        .parameters_in(ParameterLocation::Path)
        .next()
        .is_some();
    let cursor = matches!(operation.response, Response::List { cursor: true, .. });
    let kinds = [
        ("`NotFound`", has_path),
        (
            "`Conflict` and `Rejected` (its values)",
            !reads && method != "DELETE",
        ),
        (
            "`Ambiguous` (it may have been processed: check before you send it again)",
            !reads,
        ),
        (
            "`Server`, `NotJson` and `Decode` (no usable response)",
            reads,
        ),
        ("`Pagination` and `CursorRejected`", cursor),
    ];
    let kinds = kinds.iter().filter(|(_, applies)| *applies);
    let kinds: Vec<&str> = kinds.map(|(kind, _)| *kind).collect();
    format!(
        "\n\nError kinds: {}, and those of every call, which concern credentials, connections, limits and timeouts.",
        kinds.join(", ")
    )
}

/// A call with the values of the document. `None` if it has no value for an argument.
fn example(
    document: &Document,
    operation: &Operation,
    names: &[&str],
    body: Option<&Struct>,
) -> Option<String> {
    let values = Values::of(document, operation);
    let mut imports = String::new();
    let mut arguments = Vec::new();
    for name in names {
        arguments.push(match body {
            Some(body) if *name == "body" => {
                imports = format!("use lms_ext::types::{};\n\n", body.name);
                values.body(body)?
            }
            _ => values.argument(name)?,
        });
    }
    let mut call = format!("lms.{}({})", operation.method_name(), arguments.join(", "));
    // Each filter narrows a deletion.
    let filters = operation.parameters_in(ParameterLocation::Query);
    for name in filters.filter(|_| operation.method == "DELETE") {
        let name = field_name(name);
        let value = values.argument(&name)?;
        if !names.contains(&name.as_str()) {
            let _ = write!(call, ".{name}({value})");
        }
    }
    Some(
        imports
            + &match &operation.response {
                Response::Empty => format!("{call}.await?;"),
                Response::Inline => format!("let value = {call}.await?;"),
                Response::Object(name) => format!("let {} = {call}.await?;", variable(name)),
                Response::List { item, .. } => {
                    let item = variable(item.as_deref().unwrap_or("value"));
                    format!(
                        "let mut items = {call}.items();\n\
                         while let Some({item}) = items.try_next().await? {{\n    println!(\"{{{item}:?}}\");\n}}"
                    )
                }
            },
    )
}

fn variable(schema: &str) -> String {
    field_name(&schema.to_snake_case())
}

/// The example values of an operation.
struct Values<'a> {
    document: &'a Document,
    operation: &'a Operation,
    /// The example of the body and its schema.
    body: Option<(&'a Value, &'a Value)>,
}

impl<'a> Values<'a> {
    fn of(document: &'a Document, operation: &'a Operation) -> Self {
        let body = operation.body.as_ref();
        let body = body.and_then(|body| {
            let schema = resolve(document.value(), &body.media["schema"])?;
            let example = body.media.get("example").unwrap_or(&schema["example"]);
            Some((example, schema))
        });
        Self {
            document,
            operation,
            body,
        }
    }

    /// The value of a parameter or of a field of the body, as Rust.
    fn argument(&self, name: &str) -> Option<String> {
        let mut parameters = self.operation.parameters.iter();
        if let Some(parameter) = parameters.find(|parameter| parameter.setter_name() == name) {
            let schema = resolve(self.document.value(), &parameter.schema)?;
            return literal(self.of_schema(&parameter.name, schema)?, schema);
        }
        let (example, schema) = self.body?;
        let properties = schema["properties"].as_object()?;
        let (property, schema) = properties.iter().find(|(of, _)| field_name(of) == name)?;
        let value = example.get(property);
        literal(value.or_else(|| self.of_schema(property, schema))?, schema)
    }

    /// The builder of a body, which begins with the fields that are required.
    fn body(&self, of: &Struct) -> Option<String> {
        let required = of.start.iter();
        let required = required.map(|argument| self.argument(&argument.name));
        let required = required.collect::<Option<Vec<_>>>()?;
        let mut body = format!("{}::builder({})", of.name, required.join(", "));
        let (example, _) = self.body?;
        if required.is_empty() {
            let fields = example.as_object().into_iter().flatten();
            for (name, value) in fields
                .filter(|(_, value)| value.is_string())
                .take(MOST_FIELDS)
            {
                let _ = write!(body, ".{}({value})", field_name(name));
            }
        }
        Some(body)
    }

    /// The example of a parameter or a property. If it has none, that of a property with the same format of ids, or the
    /// same name.
    fn of_schema(&self, name: &str, schema: &'a Value) -> Option<&'a Value> {
        if let Some(example) = schema.get("example").or_else(|| schema["enum"].get(0)) {
            return Some(example);
        }
        let schemas = self.document.value()["components"]["schemas"].as_object()?;
        let format = schema["format"].as_str().filter(|of| of.ends_with("-id"));
        let like = |(property, of): (&String, &Value)| match format {
            Some(format) => of["format"] == format,
            None => property == name && of["type"] == schema["type"],
        };
        schemas.values().find_map(|of| {
            let mut properties = of["properties"].as_object()?.iter();
            let (property, _) = properties.find(|property| like(*property))?;
            of["example"].get(property)
        })
    }
}

/// A value as Rust that a setter takes.
fn literal(value: &Value, schema: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(format!("{text:?}")),
        Value::Bool(_) => Some(value.to_string()),
        Value::Number(number) if schema["type"] == "number" => Some(format!("{number}_f64")),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(values) => {
            let values = values.iter().map(|value| literal(value, &schema["items"]));
            let values: Option<Vec<_>> = values.collect();
            values
                .filter(|values| !values.is_empty())
                .map(|values| format!("[{}]", values.join(", ")))
        }
        Value::Null | Value::Object(_) => None,
    }
}
