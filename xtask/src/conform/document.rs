//! Copies of the document for the tools.
//!
//! Some tools ignore parts of the document: to them, an int64 in a string is any string, and OAuth is not authentication.
//! Their copy declares the same in a way that they support. Schemathesis expects every valid request to be accepted, so
//! its copy also declares the values that the sandbox refuses by its own choice (the tables of `lms-client/src/service.md`).

use std::{fs, path::Path};

use anyhow::Context as _;
use serde_json::{Map, Value, json};

/// A number, as the schema of the token request documents client ids (`lms-client/src/service.md`, Authentication).
pub(crate) const CLIENT_ID: &str = "424242";
pub(crate) const CLIENT_SECRET: &str = "conform-secret";

/// Error statuses of the sandbox.
const ERROR_STATUSES: [&str; 8] = ["400", "401", "404", "405", "409", "413", "415", "422"];

const METHODS: [&str; 4] = ["get", "put", "post", "delete"];

/// The document, or a copy of it.
#[derive(Clone, Debug)]
pub(crate) struct Document(pub(crate) Value);

impl Document {
    /// The document as it is checked in.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let path = root.join("spec/openapi.json");
        let text = fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}; run `cargo xtask regen`", path.display()))?;
        Ok(Self(serde_json::from_str(&text).with_context(|| {
            format!("{} is not JSON", path.display())
        })?))
    }

    pub(crate) fn save(&self, path: &Path) -> anyhow::Result<()> {
        fs::write(path, format!("{:#}\n", self.0))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// The copy for all tools, for a tenant with this base URL.
    pub(crate) fn for_tools(&self, url: &str) -> Self {
        let mut copy = self.0.clone();
        add_integer_patterns(&mut copy);
        copy["servers"] = json!([{ "url": url }]);
        // A scheme that the tools support and can be given a token for.
        copy["components"]["securitySchemes"] =
            json!({ "bearer": { "type": "http", "scheme": "bearer" } });
        copy["security"] = json!([{ "bearer": [] }]);
        copy["components"]["schemas"]["SandboxError"] = sandbox_error();
        // Prism drops the base path when it forwards requests.
        let paths: Map<String, Value> = object(&mut copy["paths"])
            .into_iter()
            .map(|(path, item)| (format!("/api/v1{path}"), item))
            .collect();
        copy["paths"] = Value::Object(paths);
        let mut copy = Self(copy);
        copy.each_operation(|operation| {
            for status in ERROR_STATUSES {
                operation["responses"][status] = json!({
                    "description": "An error of the sandbox.",
                    "content": { "application/json": {
                        "schema": { "$ref": "#/components/schemas/SandboxError" } } },
                });
            }
        });
        // The token request needs no token (`lms-client/src/service.md`, Authentication).
        if let Some(operation) = copy.operation("getToken") {
            operation["security"] = json!([]);
        }
        copy
    }

    /// The copy for Schemathesis: with paths of existing objects, and without values that the sandbox refuses by its own choice.
    pub(crate) fn narrowed(&self, paths: &Value) -> Self {
        let mut copy = self.clone();
        copy.pin_paths(paths);
        copy.narrow_lists();
        copy.narrow_bodies();
        copy
    }

    /// Uses these values in paths: by method and path of an operation, an array for each parameter.
    fn pin_paths(&mut self, paths: &Value) {
        let items = self.0["paths"].as_object_mut();
        for (path, item) in items.into_iter().flatten() {
            let path = path.trim_start_matches("/api/v1");
            let names: Vec<_> = path.split(['{', '}']).skip(1).step_by(2).collect();
            for method in METHODS {
                let values = &paths[format!("{} {path}", method.to_uppercase())];
                let Some(operation) = item.get_mut(method) else {
                    continue;
                };
                for (name, values) in names.iter().zip(values.as_array().into_iter().flatten()) {
                    let parameters = &mut operation["parameters"];
                    if parameters.is_null() {
                        *parameters = json!([]);
                    }
                    if let Some(parameters) = parameters.as_array_mut() {
                        parameters.push(json!({
                            "name": name, "in": "path", "required": true,
                            "schema": { "type": "string", "enum": values },
                        }));
                    }
                }
            }
        }
    }

    /// Allows only positive limits and existing fields to order by. Removes cursors: they cannot be generated, and a real
    /// one is valid only with the filters of its list.
    fn narrow_lists(&mut self) {
        let parameters = &mut self.0["components"]["parameters"];
        parameters["Limit"]["schema"]["pattern"] = json!("^[1-9][0-9]{0,17}$");
        self.each_operation(|operation| {
            let parameters = operation.get_mut("parameters");
            let Some(parameters) = parameters.and_then(Value::as_array_mut) else {
                return;
            };
            parameters.retain(|parameter| parameter["$ref"] != "#/components/parameters/Cursor");
            for parameter in parameters {
                if parameter["name"] == "order_by" {
                    let fields = "created updated firstname surname email username";
                    let fields: Vec<_> = fields.split(' ').collect();
                    parameter["schema"]["enum"] = json!(fields);
                }
            }
        });
    }

    fn narrow_bodies(&mut self) {
        let schemas = &mut self.0["components"]["schemas"];
        // The document has one schema for reading and writing a course. Only that for writing is narrowed.
        schemas["PutCourse"] = schemas["Course"].clone();
        merge(schemas, narrow_schemas());
        self.accept_null();
        if let Some(operation) = self.operation("editCourse") {
            operation["requestBody"]["content"]["application/json"]["schema"] =
                json!({ "$ref": "#/components/schemas/PutCourse" });
        }
    }

    /// `null` in a body means absent.
    fn accept_null(&mut self) {
        let schemas = &mut self.0["components"]["schemas"];
        for schema in "AddCourse PutCourse AddDuplicateCourse AddEnrolment AddLearner EditLearner TokenRequest".split(' ') {
            let required = schemas[schema]["required"].clone();
            // Its ids do not exist.
            remove(&mut schemas[schema], "example");
            if let Some(properties) = schemas[schema]["properties"].as_object_mut() {
                for (name, property) in properties {
                    let needed = required
                        .as_array()
                        .is_some_and(|names| names.contains(&json!(name)));
                    if !needed {
                        property["nullable"] = json!(true);
                        if let Some(values) = property.get_mut("enum").and_then(Value::as_array_mut)
                        {
                            values.push(Value::Null);
                        }
                    }
                }
            }
        }
    }

    /// The operation with this id.
    pub(crate) fn operation(&mut self, id: &str) -> Option<&mut Value> {
        self.0["paths"]
            .as_object_mut()?
            .values_mut()
            .filter_map(Value::as_object_mut)
            .flat_map(Map::values_mut)
            .find(|operation| operation["operationId"] == json!(id))
    }

    /// Number of operations in the document.
    pub(crate) fn operations(&self) -> usize {
        let mut count = 0;
        self.clone().each_operation(|_| count += 1);
        count
    }

    fn each_operation(&mut self, mut change: impl FnMut(&mut Value)) {
        for item in self.0["paths"]
            .as_object_mut()
            .into_iter()
            .flat_map(Map::values_mut)
        {
            for method in METHODS {
                if let Some(operation) = item.get_mut(method) {
                    change(operation);
                }
            }
        }
    }
}

/// Adds a pattern to every integer in a string, because the tools ignore the format.
fn add_integer_patterns(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if object.get("type") == Some(&json!("string"))
                && object.get("format") == Some(&json!("int64"))
            {
                object.insert("pattern".to_owned(), json!("^-?[0-9]{1,19}$"));
            }
            object.values_mut().for_each(add_integer_patterns);
        }
        Value::Array(values) => values.iter_mut().for_each(add_integer_patterns),
        _ => {}
    }
}

fn sandbox_error() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "type": "object",
        "required": ["error"],
        "properties": { "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": { "code": text, "message": text, "field": text },
        } },
    })
}

fn object(value: &mut Value) -> Map<String, Value> {
    value
        .as_object_mut()
        .map(std::mem::take)
        .unwrap_or_default()
}

fn remove(value: &mut Value, name: &str) {
    if let Some(object) = value.as_object_mut() {
        object.remove(name);
    }
}

/// A merge patch of the schemas, with which most of the generated bodies are valid.
fn narrow_schemas() -> Value {
    let pupils: Vec<_> = (61..=90).map(|number| format!("l{number}")).collect();
    let filled = json!({ "pattern": "\\S" });
    let email =
        json!({ "maxLength": 254, "pattern": "^[a-zA-Z0-9.+_-]+@[a-z0-9-]+(\\.[a-z0-9-]+)*$" });
    let only = |value: &str| json!({ "enum": [value] });
    json!({
        "AddCourse": { "properties": { "name": filled } },
        "AddDuplicateCourse": { "properties": { "course": only("c1") } },
        "AddEnrolment": { "properties": { "course": only("c13"), "user": { "enum": pupils } } },
        "AddLearner": {
            "properties": {
                "firstname": filled, "surname": filled, "email": email, "password": { "minLength": 1 },
                "signup_page": only("s1"), "courses": { "items": only("c13") }, "profiles": { "items": only("p1") },
                "tags": { "items": filled },
            },
            // The rule on passwords, which is only in the description of the field.
            "anyOf": [
                { "required": ["password"],
                  "properties": { "password": { "type": "string", "minLength": 1 } } },
                { "properties": { "generate_password": { "enum": [true, null] } } },
            ],
        },
        "EditLearner": { "properties": {
            // It must equal the id in the path, which a schema cannot express.
            "id": null,
            "firstname": filled, "surname": filled, "email": email, "password": { "minLength": 1 },
            "tags": { "items": filled },
        } },
        "TokenRequest": {
            "required": ["grant_type", "client_id", "client_secret"],
            "properties": {
                "grant_type": only("client_credentials"), "client_id": only(CLIENT_ID),
                "client_secret": only(CLIENT_SECRET),
            },
        },
    })
}

/// Applies a merge patch: objects are merged, `null` removes, and any other value replaces.
fn merge(value: &mut Value, patch: Value) {
    match patch {
        Value::Object(patch) => {
            for (name, patch) in patch {
                merge(&mut value[&name], patch);
                if value[&name].is_null() {
                    remove(value, &name);
                }
            }
        }
        other => *value = other,
    }
}

#[cfg(test)]
mod tests;
