//! A validated document with a list of its operations.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    error::Error,
    openapi::{FOR_EACH, METHODS, content, json_content, resolve, schema_name, text},
    typify_names::{field_name, type_name},
    validate::validate,
};

/// A valid OpenAPI 3.0 document.
#[derive(Debug, Clone)]
pub struct Document {
    value: Value,
    operations: Vec<Operation>,
    notes: Vec<String>,
}

/// An operation of a [`Document`].
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// The id as the document spells it, for example `listLearners`.
    pub(crate) id: String,
    /// The HTTP method in capitals.
    pub(crate) method: String,
    /// The path template, relative to the server URL.
    pub(crate) path: String,
    /// The first tag; empty when there is none.
    pub(crate) tag: String,
    /// The one-line summary; empty when there is none.
    pub(crate) summary: String,
    /// The description; empty when there is none.
    pub(crate) description: String,
    /// `true` if requests need a bearer token.
    ///
    /// Always false for the token endpoint, whatever `security` the document declares.
    pub(crate) authenticated: bool,
    /// `true` if sending the request twice has the same effect as sending it once.
    ///
    /// True for every method but POST, because the service has no idempotency keys, and for the token endpoint, which
    /// changes nothing.
    pub(crate) idempotent: bool,
    /// Parameters: those of the path in its order, then all others in the order of the document.
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
    pub(crate) response: Response,
    /// The schema of a successful response.
    pub(crate) content: Option<Value>,
}

/// The JSON body of a request.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    /// The description; empty when there is none.
    pub(crate) description: String,
    /// The media type object: the schema and its examples.
    pub(crate) media: Value,
}

/// A parameter of an [`Operation`].
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Parameter {
    /// As it is sent.
    pub(crate) name: String,
    #[serde(rename = "in")]
    pub(crate) location: ParameterLocation,
    /// Empty when there is none.
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) required: bool,
    /// The schema of its values, which may be a reference.
    pub(crate) schema: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ParameterLocation {
    Path,
    Query,
    Header,
}

/// The content of a successful response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Response {
    /// No body.
    Empty,
    /// An object of the named schema.
    Object(String),
    /// A value of a schema without a name of its own in the document.
    Inline,
    /// A list: a schema with an `items` array.
    List {
        /// The schema of the whole response.
        page: String,
        /// The schema of an item. `None` if the items are not objects.
        item: Option<String>,
        /// `true` if the list has pages, requested with `cursor` and `next_cursor`.
        cursor: bool,
    },
}

impl Document {
    /// Parses and validates a document in YAML or JSON.
    ///
    /// # Errors
    ///
    /// The first fault: invalid YAML, an OpenAPI version other than 3.0, a reference that does not resolve, an id that cannot
    /// be a Rust name, a path parameter that is not in the path, or anything else that no code can be generated from.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let value: Value = serde_saphyr::from_str(text).map_err(Error::new)?;
        validate(&value)?;
        let operations = operations(&value);
        let notes = operations
            .iter()
            .filter_map(|of| unreadable_list(&value, of))
            .collect();
        Ok(Self {
            value,
            operations,
            notes,
        })
    }

    /// The lists that exports and mirrors leave out, one sentence each. Usually empty.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    pub(crate) fn value(&self) -> &Value {
        &self.value
    }

    /// The fields of a struct that its schema lists under a keyword, such as `required`.
    pub(crate) fn listed_fields(&self, name: &str, keyword: &str) -> Vec<String> {
        let schemas = self.value["components"]["schemas"].as_object();
        let mut schemas = schemas.into_iter().flatten();
        let schema = schemas.find(|(schema, _)| type_name(schema) == name);
        let listed = schema.and_then(|(_, schema)| schema[keyword].as_array());
        let listed = listed.into_iter().flatten().filter_map(Value::as_str);
        listed.map(field_name).collect()
    }

    /// In the order of the document.
    pub(crate) fn operations(&self) -> &[Operation] {
        &self.operations
    }
}

impl Operation {
    /// The method of the generated client: `list_learners` for `listLearners`.
    pub(crate) fn method_name(&self) -> String {
        field_name(&self.id)
    }

    /// The generated builder: `ListLearners` for `listLearners`.
    pub(crate) fn builder_name(&self) -> String {
        type_name(&self.id)
    }

    /// Names of the parameters at a location.
    pub(crate) fn parameters_in(&self, location: ParameterLocation) -> impl Iterator<Item = &str> {
        self.parameters
            .iter()
            .filter(move |parameter| parameter.location == location)
            .map(|parameter| parameter.name.as_str())
    }
}

impl Body {
    /// The name of its schema in the document.
    pub(crate) fn schema_name(&self) -> Option<&str> {
        schema_name(&self.media["schema"])
    }
}

impl Parameter {
    /// The setter of the generated builder: `type_` for `type`.
    pub(crate) fn setter_name(&self) -> String {
        field_name(&self.name)
    }
}

fn operations(root: &Value) -> Vec<Operation> {
    let token_path = token_path(root);
    let mut operations = Vec::new();
    let paths = root["paths"].as_object().into_iter().flatten();
    for (path, item) in paths {
        for method in METHODS {
            if let Some(value) = item.get(method) {
                let mut operation = operation(root, path, item, method, value);
                let token = token_path == Some(path);
                operation.authenticated &= !token;
                operation.idempotent |= token;
                operations.push(operation);
            }
        }
    }
    operations
}

fn operation(root: &Value, path: &str, item: &Value, method: &str, operation: &Value) -> Operation {
    let security = operation.get("security").unwrap_or(&root["security"]);
    let body = resolve(root, &operation["requestBody"]).and_then(|body| {
        let (_, media) = json_content(body)?;
        Some(Body {
            description: text(&body["description"]).to_owned(),
            media: media.clone(),
        })
    });
    let content = content(root, operation);
    Operation {
        id: text(&operation["operationId"]).to_owned(),
        method: method.to_uppercase(),
        path: path.to_owned(),
        tag: text(&operation["tags"][0]).to_owned(),
        summary: text(&operation["summary"]).to_owned(),
        description: text(&operation["description"]).to_owned(),
        authenticated: security.as_array().is_some_and(|list| !list.is_empty()),
        idempotent: method != "post",
        parameters: parameters(root, path, item, operation),
        body,
        response: content.map_or(Response::Empty, |schema| response(root, schema)),
        content: content.cloned(),
    }
}

/// The parameters of an operation, of which one replaces that of the path with the same name and location.
fn parameters(root: &Value, path: &str, item: &Value, operation: &Value) -> Vec<Parameter> {
    let declared = [item, operation]
        .into_iter()
        .filter_map(|of| of["parameters"].as_array())
        .flatten()
        .filter_map(|parameter| resolve(root, parameter));
    let mut parameters: Vec<Parameter> = Vec::new();
    // A validated document has no others.
    for parameter in declared.filter_map(|of| Parameter::deserialize(of).ok()) {
        let same = |of: &Parameter| of.name == parameter.name && of.location == parameter.location;
        parameters.retain(|known| !same(known));
        parameters.push(parameter);
    }
    parameters.sort_by_key(|parameter| match parameter.location {
        ParameterLocation::Path => path.find(&format!("{{{}}}", parameter.name)),
        ParameterLocation::Query | ParameterLocation::Header => Some(usize::MAX),
    });
    parameters
}

/// A sentence on a list whose parameters have no known values, so it cannot be read completely.
fn unreadable_list(root: &Value, operation: &Operation) -> Option<String> {
    let path = &operation.path;
    let is_list = matches!(operation.response, Response::List { item: Some(_), .. });
    let mut parameters = operation.parameters.iter();
    let required = parameters.find(|parameter| parameter.required)?;
    let declared = root["paths"][path]["get"].get(FOR_EACH);
    (operation.method == "GET" && is_list && declared.is_none()).then(|| {
        format!(
            "paths.{path}.get: exports and mirrors leave this list out, because `{}` has no known values; add `{FOR_EACH}`, which names a list with them, or `{FOR_EACH}: []`",
            required.name
        )
    })
}

/// The path of the token endpoint of the first OAuth scheme.
pub(crate) fn token_path(root: &Value) -> Option<&String> {
    let schemes = root["components"]["securitySchemes"].as_object()?;
    let token_url = schemes
        .values()
        .find_map(|scheme| scheme["flows"]["clientCredentials"]["tokenUrl"].as_str())?;
    let mut paths = root["paths"].as_object()?.keys();
    paths.find(|path| token_url.ends_with(path.as_str()))
}

fn response(root: &Value, schema: &Value) -> Response {
    let Some(name) = schema_name(schema) else {
        return Response::Inline;
    };
    let properties = &root["components"]["schemas"][name]["properties"];
    let items = resolve(root, &properties["items"]).filter(|items| items["type"] == "array");
    match items {
        None => Response::Object(name.to_owned()),
        Some(items) => Response::List {
            page: name.to_owned(),
            item: schema_name(&items["items"]).map(str::to_owned),
            cursor: properties.get("next_cursor").is_some(),
        },
    }
}
