//! A document as the generators see it: read, checked, and with its operations laid out in order.

use heck::{ToPascalCase, ToSnakeCase};
use serde_json::Value;

use crate::{Error, check};

/// An OpenAPI 3.0 document that passed every check the generators rely on.
#[derive(Debug, Clone)]
pub struct Document {
    value: Value,
    operations: Vec<Operation>,
}

/// One operation of a [`Document`].
#[derive(Debug, Clone)]
pub struct Operation {
    /// The id as the document writes it, e.g. `listLearners`.
    pub id: String,
    /// The HTTP method in capitals.
    pub method: String,
    /// The path template, relative to the server address.
    pub path: String,
    /// The first tag, for grouping; empty when there is none.
    pub tag: String,
    /// The one-line summary; empty when there is none.
    pub summary: String,
    /// Whether the operation lies behind the bearer check.
    ///
    /// The token endpoint itself is never behind it, whatever the document's `security` says.
    pub authenticated: bool,
    /// Path and query parameters, in the order of the document.
    pub parameters: Vec<Parameter>,
    /// Name of the schema of the request body.
    pub body: Option<String>,
    /// What a 200 carries.
    pub response: Response,
}

/// One parameter of an [`Operation`].
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name on the wire.
    pub name: String,
    /// Where it goes.
    pub place: ParameterPlace,
    /// Whether a call without it is refused.
    pub required: bool,
}

/// Where a parameter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterPlace {
    /// Into the path template.
    Path,
    /// Behind the `?`.
    Query,
}

/// What a successful answer carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Response {
    /// No body.
    Empty,
    /// One object of the named schema.
    Object(String),
    /// A list: a schema with an `items` array.
    List {
        /// Name of the schema of the whole answer.
        page: String,
        /// Name of the schema of one item.
        item: String,
        /// Whether the list is walked with `cursor` and `next_cursor`.
        cursor: bool,
    },
}

impl Document {
    /// Reads a document from YAML or JSON text and checks it.
    ///
    /// # Errors
    ///
    /// Names the place of the first fault: text that is no YAML, an OpenAPI version other than 3.0, a
    /// reference that leads nowhere, an operation without a usable id, a path parameter that is not in
    /// the path, a `required` name that is no property, or anything else the generators cannot read.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let value: Value =
            serde_saphyr::from_str(text).map_err(|error| Error::at("", error.to_string()))?;
        check::check(&value)?;
        let operations = operations(&value)?;
        Ok(Self { value, operations })
    }

    /// The whole document.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The path of the first server, without a slash at its end: `/api/v1` of `https://acme.example/api/v1`.
    ///
    /// The host may be written out, be a variable (`{base_url}/api/v1`), or be left out. Without a server
    /// the path is empty.
    pub fn server_path(&self) -> &str {
        let url = self
            .value
            .pointer("/servers/0/url")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let behind_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
        behind_scheme
            .find('/')
            .map_or("", |slash| &behind_scheme[slash..])
            .trim_end_matches('/')
    }

    /// Every operation, in the order of the document.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }
}

impl Operation {
    /// The method of the generated client: `listLearners` becomes `list_learners`.
    pub fn method_name(&self) -> String {
        self.id.to_snake_case()
    }

    /// The type of the generated builder: `listLearners` becomes `ListLearners`.
    pub fn builder_name(&self) -> String {
        self.id.to_pascal_case()
    }

    /// Whether sending the request twice has the same effect as sending it once.
    ///
    /// True for every method but POST: the service has no idempotency key.
    pub fn repeatable(&self) -> bool {
        self.method != "POST"
    }

    /// Names of the parameters that stand in the path.
    pub fn path_parameters(&self) -> impl Iterator<Item = &str> {
        self.parameters
            .iter()
            .filter(|parameter| parameter.place == ParameterPlace::Path)
            .map(|parameter| parameter.name.as_str())
    }
}

/// The methods that an OpenAPI path item can hold, in the order in which they are laid out.
pub(crate) const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// The object or value behind a `$ref`, or the value itself.
pub(crate) fn resolve<'a>(root: &'a Value, value: &'a Value) -> Option<&'a Value> {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.strip_prefix('#')?),
        None => Some(value),
    }
}

/// `Course` of `#/components/schemas/Course`.
fn schema_name(schema: &Value) -> Option<&str> {
    schema
        .get("$ref")?
        .as_str()?
        .strip_prefix("#/components/schemas/")
}

fn operations(root: &Value) -> Result<Vec<Operation>, Error> {
    let token_path = token_path(root);
    let mut operations = Vec::new();
    let paths = root["paths"].as_object().into_iter().flatten();
    for (path, item) in paths {
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                let place = format!("paths.{path}.{method}");
                let mut read = read(root, path, item, method, operation, &place)?;
                if token_path.as_deref() == Some(path) {
                    read.authenticated = false;
                }
                operations.push(read);
            }
        }
    }
    Ok(operations)
}

fn read(
    root: &Value,
    path: &str,
    item: &Value,
    method: &str,
    operation: &Value,
    place: &str,
) -> Result<Operation, Error> {
    let text = |key: &str| operation[key].as_str().unwrap_or_default().to_owned();
    let security = operation.get("security").unwrap_or(&root["security"]);
    let both = [&item["parameters"], &operation["parameters"]];
    let parameters = both
        .into_iter()
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(|parameter| {
            let parameter = resolve(root, parameter)?;
            let place = match parameter["in"].as_str()? {
                "path" => ParameterPlace::Path,
                "query" => ParameterPlace::Query,
                _ => return None,
            };
            Some(Parameter {
                name: parameter["name"].as_str()?.to_owned(),
                place,
                required: parameter["required"].as_bool().unwrap_or(false),
            })
        })
        .collect();
    let body = resolve(root, &operation["requestBody"])
        .map(|body| &body["content"]["application/json"]["schema"])
        .and_then(schema_name)
        .map(str::to_owned);
    Ok(Operation {
        id: text("operationId"),
        method: method.to_uppercase(),
        path: path.to_owned(),
        tag: operation["tags"][0].as_str().unwrap_or_default().to_owned(),
        summary: text("summary"),
        authenticated: security.as_array().is_some_and(|list| !list.is_empty()),
        parameters,
        body,
        response: response(root, operation, place)?,
    })
}

/// The path of the token endpoint of the first OAuth scheme, relative to the server address.
fn token_path(root: &Value) -> Option<String> {
    let schemes = root["components"]["securitySchemes"].as_object()?;
    let token_url = schemes
        .values()
        .find_map(|scheme| scheme["flows"]["clientCredentials"]["tokenUrl"].as_str())?;
    root["paths"]
        .as_object()?
        .keys()
        .find(|path| token_url.ends_with(path.as_str()))
        .cloned()
}

fn response(root: &Value, operation: &Value, place: &str) -> Result<Response, Error> {
    let success = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .find(|(status, _)| status.starts_with('2'));
    let Some((status, success)) = success else {
        return Err(Error::at(
            format!("{place}.responses"),
            "no successful response is declared; add one, such as \"200\"",
        ));
    };
    let success = resolve(root, success).unwrap_or(success);
    let Some(schema) = success["content"]
        .get("application/json")
        .map(|media| &media["schema"])
    else {
        return Ok(Response::Empty);
    };
    let Some(name) = schema_name(schema) else {
        return Err(Error::at(
            format!("{place}.responses.{status}.content.application/json.schema"),
            "an answer must be a `$ref` to a named schema, so that its Rust type has a name",
        ));
    };
    let properties = &root["components"]["schemas"][name]["properties"];
    let items = resolve(root, &properties["items"]).filter(|items| items["type"] == "array");
    Ok(match items {
        None => Response::Object(name.to_owned()),
        Some(items) => {
            let Some(item) = schema_name(&items["items"]) else {
                return Err(Error::at(
                    format!("components.schemas.{name}.properties.items.items"),
                    "the items of a list must be a `$ref` to a named schema",
                ));
            };
            Response::List {
                page: name.to_owned(),
                item: item.to_owned(),
                cursor: properties.get("next_cursor").is_some(),
            }
        }
    })
}
