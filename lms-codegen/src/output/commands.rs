//! The commands of the command line: one table of all operations, and the JSON Schemas of their output.
//!
//! The table holds the data that `lms-cli` needs at run time to make a command for an operation: its name, its arguments
//! with type and description, and the fields of its output. A command is named after the first segment of the path and
//! the method, unless the operation has [`COMMAND`].

use std::collections::BTreeSet;

use heck::{ToKebabCase, ToShoutySnakeCase};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use serde_json::{Value, json};

use super::secrets::{is_secret, object_secrets};
use crate::{
    ast::{option, render},
    document::{Body, Document, Operation, ParameterLocation, Response},
    error::Error,
    formats::is_id,
    openapi::{reached, resolve, schema_name},
};

/// The words of the command, such as `courses duplicate`, where they do not follow from the path and the method.
const COMMAND: &str = "x-command";

/// Commands of `lms-cli` that are not operations.
const OTHER_COMMANDS: [&str; 13] = [
    "api",
    "changes",
    "completion",
    "export",
    "help",
    "man",
    "mirror",
    "profile",
    "report",
    "schema",
    "status",
    "tap",
    "verify",
];

/// The client requests tokens itself.
const WITHOUT_COMMAND: &str = "getToken";

/// Fields of request bodies that are positional arguments.
const POSITIONAL: [(&str, &str); 1] = [("addDuplicateCourse", "course")];

/// Parameters of lists that pagination sets.
const OF_THE_LISTING: [&str; 2] = ["cursor", "limit"];

/// The table of commands as formatted Rust, to be compiled as the module `operations::generated` of `lms-cli`.
///
/// `origin` names the document in the notice at the top. The code refers to the hand-written module `operations::table`.
///
/// # Errors
///
/// Fails if two commands, or two options of a command, have the same name.
pub fn commands(document: &Document, origin: &str) -> Result<String, Error> {
    let root = document.value();
    let mut names = BTreeSet::new();
    let rows = operations(document)
        .map(|operation| command(root, operation, &mut names))
        .collect::<Result<Vec<_>, Error>>()?;
    let used: BTreeSet<&str> = operations(document)
        .flat_map(|operation| {
            let body = operation.body.as_ref().and_then(Body::schema_name);
            body.into_iter().chain(output(operation))
        })
        .collect();
    let schemas = used.into_iter().map(|name| schema(root, name));
    let secrets = object_secrets(document).into_iter();
    let code = quote! {
        use super::table::{Command, Field, Kind, Output, Schema};

        /// The commands, in the order of the document.
        pub(crate) static COMMANDS: &[Command] = &[ #(#rows),* ];

        /// The names of all fields with a secret, in any object.
        pub(crate) static SECRETS: &[&str] = &[ #(#secrets),* ];

        #(#schemas)*
    };
    render(code, origin)
}

/// The JSON Schemas of the output of the commands, by the name of the schema.
pub fn command_schemas(document: &Document) -> String {
    let root = document.value();
    let schemas = &root["components"]["schemas"];
    let outputs = operations(document).filter_map(output);
    let names: BTreeSet<&str> = outputs
        .flat_map(|name| {
            let within = reached(root, &schemas[name]).into_iter();
            within.filter_map(schema_name).chain([name])
        })
        .collect();
    let found = names.into_iter().map(|name| {
        let mut schema = schemas[name].clone();
        convert(root, &mut schema);
        (name.to_owned(), schema)
    });
    format!("{:#}\n", Value::Object(found.collect()))
}

fn operations(document: &Document) -> impl Iterator<Item = &Operation> {
    let operations = document.operations().iter();
    operations.filter(|operation| operation.id != WITHOUT_COMMAND)
}

/// The parameters of a place, except those that the pagination sets.
fn parameters(root: &Value, operation: &Operation, place: ParameterLocation) -> Vec<TokenStream> {
    let pages = matches!(operation.response, Response::List { cursor: true, .. });
    let is_set = |name: &str| pages && OF_THE_LISTING.contains(&name);
    let all = || operation.parameters.iter();
    all()
        .filter(|parameter| parameter.location == place && !is_set(&parameter.name))
        .map(|parameter| {
            let others = all().map(|parameter| parameter.name.as_str());
            field(
                root,
                &parameter.name,
                resolve(root, &parameter.schema).unwrap_or(&parameter.schema),
                &parameter.description,
                parameter.required,
                others,
            )
        })
        .collect()
}

fn command(
    root: &Value,
    operation: &Operation,
    names: &mut BTreeSet<String>,
) -> Result<TokenStream, Error> {
    let id = operation.method_name();
    let (resource, verb) = name(root, operation, names)?;
    let description = plain(&operation.description);
    let summary = &operation.summary;
    let about = about(root, &operation.tag);
    let path = parameters(root, operation, ParameterLocation::Path);
    let query = parameters(root, operation, ParameterLocation::Query);
    let positional = POSITIONAL.iter().filter(|(of, _)| *of == operation.id);
    let positional = positional.map(|(_, name)| name);
    let body = operation.body.as_ref().and_then(Body::schema_name);
    let body = option(body.map(constant).map(|schema| quote!(&#schema)));
    let schema = output(operation).map(|name| constant(name).into_token_stream());
    let schema = schema.unwrap_or_else(|| {
        quote!(Schema {
            name: "",
            fields: &[]
        })
    });
    let output = match &operation.response {
        Response::Empty => quote!(Output::Nothing),
        Response::Inline | Response::Object(_) => quote!(Output::Object(&#schema)),
        Response::List { cursor, .. } => quote!(Output::List { item: &#schema, pages: #cursor }),
    };
    Ok(quote! {
        Command {
            resource: #resource,
            about: #about,
            verb: #verb,
            operation: #id,
            summary: #summary,
            description: #description,
            path: &[ #(#path),* ],
            query: &[ #(#query),* ],
            positional: &[ #(#positional),* ],
            body: #body,
            output: #output,
        }
    })
}

/// The resource, which is empty for a command of one word, and the verb of an operation.
fn name(
    root: &Value,
    operation: &Operation,
    names: &mut BTreeSet<String>,
) -> Result<(String, String), Error> {
    let method = operation.method.to_lowercase();
    let (resource, verb) = match root["paths"][&operation.path][&method][COMMAND].as_str() {
        Some(words) => words.split_once(' ').unwrap_or(("", words)),
        None => (
            operation.path.split('/').nth(1).unwrap_or_default(),
            match (operation.method.as_str(), &operation.response) {
                ("GET", Response::List { .. }) => "list",
                ("GET", _) => "get",
                ("POST", _) => "add",
                ("PUT" | "PATCH", _) => "edit",
                ("DELETE", _) => "rm",
                _ => &method,
            },
        ),
    };
    let (resource, verb) = (resource.to_kebab_case(), verb.to_kebab_case());
    let words = format!("{resource} {verb}");
    let words = words.trim();
    let first = words.split(' ').next().unwrap_or_default();
    let taken = OTHER_COMMANDS.contains(&first);
    if taken || !names.insert(words.to_owned()) {
        let prefix = if taken { "api-" } else { "" };
        return Err(Error::at(
            format!("paths.{}.{method}.{COMMAND}", operation.path),
            format!(
                "`lms {words}` is another command; name this one, for example `{COMMAND}: {prefix}{first} {}`",
                operation.id.to_kebab_case(),
            ),
        ));
    }
    Ok((resource, verb))
}

/// The schema of an object, or of an item of a list, that an operation returns.
fn output(operation: &Operation) -> Option<&str> {
    match &operation.response {
        Response::Empty | Response::Inline => None,
        Response::Object(name) => Some(name),
        Response::List { item, .. } => item.as_deref(),
    }
}

fn constant(schema: &str) -> Ident {
    format_ident!("{}", schema.to_shouty_snake_case())
}

/// A schema as a constant.
fn schema(root: &Value, name: &str) -> TokenStream {
    let constant = constant(name);
    let fields = fields(root, &root["components"]["schemas"][name]);
    quote! {
        static #constant: Schema = Schema { name: #name, fields: &[ #(#fields),* ] };
    }
}

/// The description of a tag.
fn about(root: &Value, tag: &str) -> String {
    let mut tags = root["tags"].as_array().into_iter().flatten();
    tags.find(|known| known["name"] == *tag)
        .and_then(|known| known["description"].as_str())
        .map(plain)
        .unwrap_or_default()
}

/// The properties of an object schema that a command line can set or show.
fn fields(root: &Value, schema: &Value) -> Vec<TokenStream> {
    let required = schema["required"].as_array();
    let properties = || schema["properties"].as_object().into_iter().flatten();
    properties()
        .map(|(name, property)| {
            let required = required.is_some_and(|names| names.iter().any(|known| known == name));
            let others = properties().map(|(name, _)| name.as_str());
            let description = property["description"].as_str().unwrap_or_default();
            field(root, name, property, description, required, others)
        })
        .collect()
}

/// `others` are the names of all other fields.
fn field<'a>(
    root: &Value,
    name: &str,
    schema: &Value,
    description: &str,
    required: bool,
    mut others: impl Iterator<Item = &'a str>,
) -> TokenStream {
    let list = schema["type"] == "array";
    let of = if list { &schema["items"] } else { schema };
    let kind = match (of["type"].as_str(), of["format"].as_str()) {
        (Some("string"), Some("int64")) | (Some("integer"), _) => quote!(Kind::Integer),
        (Some("string"), Some("date-time")) => quote!(Kind::Timestamp),
        (Some("string"), Some(format)) if is_id(format) => quote!(Kind::Id(#format)),
        (Some("string"), _) => quote!(Kind::Text),
        (Some("boolean"), _) => quote!(Kind::Boolean),
        (Some("number"), _) => quote!(Kind::Number),
        _ => quote!(Kind::Json),
    };
    // A secret must not be an argument, where other users see it.
    let secret = is_secret(root, name, schema);
    let kebab = name.to_kebab_case();
    let flag = match kebab.strip_suffix('s') {
        Some(one) if list && others.all(|other| other.to_kebab_case() != one) => one,
        _ => &kebab,
    };
    let values = of["enum"].as_array().into_iter().flatten();
    let values = values.filter_map(Value::as_str);
    let about = plain(description);
    quote! {
        Field {
            name: #name,
            flag: #flag,
            about: #about,
            kind: #kind,
            list: #list,
            required: #required,
            secret: #secret,
            values: &[ #(#values),* ],
        }
    }
}

/// A description without the marks of code and emphasis.
fn plain(description: &str) -> String {
    description.replace(['`', '*'], "").trim().to_owned()
}

/// Turns a schema of OpenAPI 3.0 into JSON Schema, without secrets and examples.
fn convert(root: &Value, schema: &mut Value) {
    if let Some(name) = schema_name(schema) {
        *schema = json!({ "$ref": format!("#/$defs/{name}") });
        return;
    }
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    members.retain(|name, _| name != "example" && name != "required" && !name.starts_with("x-"));
    let nullable = members.remove("nullable") == Some(Value::Bool(true));
    if let Some(properties) = members.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, property| !is_secret(root, name, property));
        for property in properties.values_mut() {
            convert(root, property);
            allow_null(property);
        }
    }
    if let Some(items) = members.get_mut("items") {
        convert(root, items);
    }
    if nullable {
        allow_null(schema);
    }
}

/// Allows null besides the values of a schema: in a response, it stands for an absent member.
fn allow_null(schema: &mut Value) {
    if schema.get("$ref").is_some() {
        *schema = json!({ "anyOf": [schema.take(), { "type": "null" }] });
    } else if let Some(kind) = schema.get_mut("type").filter(|kind| kind.is_string()) {
        *kind = json!([kind.take(), "null"]);
        if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            values.push(Value::Null);
        }
    }
}
