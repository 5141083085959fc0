//! A validated document with a list of its operations.

use serde_json::Value;

use crate::{
    error::Error,
    lenient::accept,
    lists::name_lists,
    lower::lower,
    openapi::{METHODS, json_content, resolve, schema_name},
    typify_names::{field_name, type_name},
    validate::validate,
};

/// A valid OpenAPI 3.0 document, or one of version 3.1 that was lowered to 3.0.
#[derive(Debug, Clone)]
pub struct Document {
    value: Value,
    operations: Vec<Operation>,
    notes: Vec<String>,
}

/// An operation of a [`Document`].
#[derive(Debug, Clone)]
pub struct Operation {
    /// The id as the document spells it, for example `listLearners`.
    pub id: String,
    /// The HTTP method in capitals.
    pub method: String,
    /// The path template, relative to the server URL.
    pub path: String,
    /// The first tag; empty when there is none.
    pub tag: String,
    /// The one-line summary; empty when there is none.
    pub summary: String,
    /// `true` if requests need a bearer token.
    ///
    /// Always false for the token endpoint, whatever `security` the document declares.
    pub authenticated: bool,
    /// `true` if sending the request twice has the same effect as sending it once.
    ///
    /// True for every method but POST, because the service has no idempotency keys, and for the token endpoint, which
    /// changes nothing.
    pub idempotent: bool,
    /// Parameters, in the order of the document.
    pub parameters: Vec<Parameter>,
    /// Name of the schema of the request body.
    pub body: Option<String>,
    /// The content of a successful response.
    pub response: Response,
}

/// A parameter of an [`Operation`].
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The name in the request.
    pub name: String,
    /// Part of the request in which it is sent.
    pub location: ParameterLocation,
    /// The description; empty when there is none.
    pub description: String,
    /// `true` if it must be given.
    pub required: bool,
    /// The schema of its values.
    pub schema: Value,
}

/// The part of a request in which a parameter is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterLocation {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
}

/// The content of a successful response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Response {
    /// No body.
    Empty,
    /// An object of the named schema.
    Object(String),
    /// A value of a schema without a name of its own in the document.
    Inline,
    /// A list: a schema with an `items` array.
    List {
        /// Name of the schema of the whole response.
        page: String,
        /// Name of the schema of an item. `None` if the items are not objects.
        item: Option<String>,
        /// `true` if the list has pages, requested with `cursor` and `next_cursor`.
        cursor: bool,
    },
}

impl Document {
    /// Parses and validates a document in YAML or JSON.
    ///
    /// A document of version 3.1 is lowered to 3.0. An operation without an id gets one from its method and path.
    ///
    /// # Errors
    ///
    /// The first fault: invalid YAML, an OpenAPI version other than 3.0 and 3.1, a construct of 3.1 that 3.0 cannot
    /// express, a reference that does not resolve, an id that cannot be a Rust name, a path parameter that is not in the
    /// path, or anything else that no code can be generated from.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut value: Value = serde_saphyr::from_str(text).map_err(Error::new)?;
        let mut notes = lower(&mut value)?;
        notes.extend(accept(&mut value));
        validate(&value)?;
        name_lists(&mut value);
        let operations = operations(&value)?;
        Ok(Self {
            value,
            operations,
            notes,
        })
    }

    /// The parts of the document that the client does not have, one sentence each. Usually empty.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The whole document.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// All operations, in the order of the document.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }
}

impl Operation {
    /// The method of the generated client: `list_learners` for `listLearners`.
    pub fn method_name(&self) -> String {
        field_name(&self.id)
    }

    /// The generated builder: `ListLearners` for `listLearners`.
    pub fn builder_name(&self) -> String {
        type_name(&self.id)
    }

    /// Names of the parameters at a location.
    pub fn parameters_in(&self, location: ParameterLocation) -> impl Iterator<Item = &str> {
        self.parameters
            .iter()
            .filter(move |parameter| parameter.location == location)
            .map(|parameter| parameter.name.as_str())
    }
}

impl Parameter {
    /// The setter of the generated builder: `type_` for `type`.
    pub fn setter_name(&self) -> String {
        field_name(&self.name)
    }
}

fn operations(root: &Value) -> Result<Vec<Operation>, Error> {
    let token_path = token_path(root);
    let mut operations = Vec::new();
    let paths = root["paths"].as_object().into_iter().flatten();
    for (path, item) in paths {
        for method in METHODS {
            if let Some(value) = item.get(method) {
                let mut operation = operation(root, path, item, method, value)?;
                let token = token_path == Some(path);
                operation.authenticated &= !token;
                operation.idempotent |= token;
                operations.push(operation);
            }
        }
    }
    Ok(operations)
}

fn operation(
    root: &Value,
    path: &str,
    item: &Value,
    method: &str,
    operation: &Value,
) -> Result<Operation, Error> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let security = operation.get("security").unwrap_or(&root["security"]);
    let declared = [item, operation]
        .into_iter()
        .filter_map(|of| of["parameters"].as_array())
        .flatten()
        .filter_map(|parameter| resolve(root, parameter));
    // A parameter of the operation replaces that of the path with the same name and location.
    let mut parameters: Vec<&Value> = Vec::new();
    for parameter in declared {
        let same = |known: &&mut &Value| {
            ["name", "in"]
                .iter()
                .all(|key| known[*key] == parameter[*key])
        };
        match parameters.iter_mut().find(same) {
            Some(known) => *known = parameter,
            None => parameters.push(parameter),
        }
    }
    let parameters = parameters
        .into_iter()
        .filter_map(|parameter| {
            let location = match parameter["in"].as_str()? {
                "path" => ParameterLocation::Path,
                "query" => ParameterLocation::Query,
                "header" => ParameterLocation::Header,
                _ => return None,
            };
            Some(Parameter {
                name: text(&parameter["name"]),
                location,
                description: text(&parameter["description"]),
                required: parameter["required"] == true,
                schema: resolve(root, &parameter["schema"])?.clone(),
            })
        })
        .collect();
    let body = resolve(root, &operation["requestBody"])
        .and_then(json_content)
        .and_then(|(_, media)| schema_name(&media["schema"]));
    Ok(Operation {
        id: text(&operation["operationId"]),
        method: method.to_uppercase(),
        path: path.to_owned(),
        tag: text(&operation["tags"][0]),
        summary: text(&operation["summary"]),
        authenticated: security.as_array().is_some_and(|list| !list.is_empty()),
        idempotent: method != "post",
        parameters,
        body: body.map(str::to_owned),
        response: response(root, operation, &format!("paths.{path}.{method}"))?,
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

fn response(root: &Value, operation: &Value, location: &str) -> Result<Response, Error> {
    let responses = operation["responses"].as_object();
    let success = responses
        .into_iter()
        .flatten()
        .find(|(status, _)| status.starts_with('2'));
    let Some((_, success)) = success else {
        return Err(Error::at(
            format!("{location}.responses"),
            "no successful response is declared; add one such as \"200\"",
        ));
    };
    let success = resolve(root, success).unwrap_or(success);
    let Some((_, media)) = json_content(success) else {
        return Ok(Response::Empty);
    };
    let Some(name) = schema_name(&media["schema"]) else {
        return Ok(Response::Inline);
    };
    let properties = &root["components"]["schemas"][name]["properties"];
    let items = resolve(root, &properties["items"]).filter(|items| items["type"] == "array");
    let Some(items) = items else {
        return Ok(Response::Object(name.to_owned()));
    };
    Ok(Response::List {
        page: name.to_owned(),
        item: schema_name(&items["items"]).map(str::to_owned),
        cursor: properties.get("next_cursor").is_some(),
    })
}
