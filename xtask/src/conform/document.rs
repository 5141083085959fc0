//! What the checkers read in place of spec/openapi.json.
//!
//! Several of them pass over what the document says in its own way: an integer in a string is any string to them, and
//! OAuth is no authentication. So they get a copy that says the same in words they heed. Schemathesis, which makes up
//! requests, gets one that also says what the sandbox has chosen to refuse (the tables in spec/README.md), because to
//! it a request that fits the document must be accepted.

use std::{fs, path::Path};

use anyhow::Context as _;
use serde_json::{Map, Value, json};

/// Statuses that the sandbox refuses with, besides 401 and those by which it fails.
const REFUSALS: [&str; 8] = ["400", "401", "404", "405", "409", "413", "415", "422"];

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

    /// The same in words that the checkers heed, for a tenant at `address`.
    pub(crate) fn for_checkers(&self, address: &str) -> Self {
        let mut copy = self.0.clone();
        spell_out_integers(&mut copy);
        copy["servers"] = json!([{ "url": address }]);
        // A scheme whose absence the checkers notice and whose token they can be given.
        copy["components"]["securitySchemes"] =
            json!({ "bearer": { "type": "http", "scheme": "bearer" } });
        copy["security"] = json!([{ "bearer": [] }]);
        copy["components"]["schemas"]["Refusal"] = refusal();
        // The base path goes into the paths: Prism forgets it when it forwards.
        let paths: Map<String, Value> = object(&mut copy["paths"])
            .into_iter()
            .map(|(path, item)| (format!("/api/v1{path}"), item))
            .collect();
        copy["paths"] = Value::Object(paths);
        let mut copy = Self(copy);
        copy.each_operation(|operation| {
            for status in REFUSALS {
                operation["responses"][status] = json!({
                    "description": "What the sandbox refuses with.",
                    "content": { "application/json": {
                        "schema": { "$ref": "#/components/schemas/Refusal" } } },
                });
            }
        });
        // The token request carries no token (§5); that the document asks for one is its reading of §4.
        if let Some(operation) = copy.operation("getToken") {
            operation["security"] = json!([]);
        }
        copy
    }

    /// The copy for Schemathesis: with ids that the tenant has, and with what the sandbox refuses by its own choice.
    pub(crate) fn narrowed(&self, ids: &Value) -> Self {
        let mut copy = self.clone();
        copy.pin_addresses(ids);
        copy.narrow_lists();
        copy.narrow_bodies(ids);
        copy
    }

    /// Real ids in the addresses. What is deleted or edited is not what is read, so that reads go on finding it.
    fn pin_addresses(&mut self, ids: &Value) {
        let one = |name: &str| json!([ids[name]]);
        let spare = |name: &str, from: usize, to: usize| {
            let all = ids[name].as_array().map_or(&[][..], Vec::as_slice);
            json!(
                all.get(from.min(all.len())..to.min(all.len()))
                    .unwrap_or_default()
            )
        };
        let pins = [
            ("getCourse", "id", one("course")),
            ("editCourse", "id", spare("spare_courses", 0, 1)),
            ("deleteCourse", "id", spare("spare_courses", 1, 3)),
            ("viewDuplicateCourse", "id", one("task")),
            ("getTopic", "id", one("topic")),
            ("getLearnerByEmail", "email", one("email")),
            ("getLearnerById", "id", one("learner")),
            ("editLearner", "id", spare("spare_learners", 0, 1)),
            ("deleteLearner", "id", spare("spare_learners", 1, 40)),
            ("getTopicProgress", "user", one("learner")),
            ("getTopicProgress", "topic", one("topic")),
            ("getCourseProgress", "course", one("course")),
            ("getCourseProgress", "user", one("learner")),
            ("getUserField", "id", one("user_field")),
            ("listUserFieldPermissions", "user", one("learner")),
            ("getActiveRecord", "user", one("learner")),
            ("getActiveRecord", "user_field", one("user_field")),
        ];
        for (id, parameter, values) in pins {
            if let Some(operation) = self.operation(id) {
                let parameters = &mut operation["parameters"];
                if parameters.is_null() {
                    *parameters = json!([]);
                }
                if let Some(parameters) = parameters.as_array_mut() {
                    parameters.push(json!({
                        "name": parameter, "in": "path", "required": true,
                        "schema": { "type": "string", "enum": values },
                    }));
                }
            }
        }
    }

    /// A limit is 1 or more; an order is by a field there is. A cursor cannot be made up, and one that is real is tied
    /// to its filters, so cursors are left to tests of our own and to the walks through Prism.
    fn narrow_lists(&mut self) {
        let parameters = &mut self.0["components"]["parameters"];
        parameters["Limit"]["schema"]["pattern"] = json!("^[1-9][0-9]{0,17}$");
        self.each_operation(|operation| {
            if let Some(parameters) = operation
                .get_mut("parameters")
                .and_then(Value::as_array_mut)
            {
                parameters.retain(|parameter| {
                    parameter["$ref"] != json!("#/components/parameters/Cursor")
                });
                for parameter in parameters {
                    if parameter["name"] == json!("order_by") {
                        parameter["schema"]["enum"] = json!([
                            "created",
                            "updated",
                            "firstname",
                            "surname",
                            "email",
                            "username"
                        ]);
                    }
                }
            }
        });
    }

    fn narrow_bodies(&mut self, ids: &Value) {
        let schemas = &mut self.0["components"]["schemas"];
        // What is read and what is put is one schema in the document; here the body alone is narrowed.
        schemas["PutCourse"] = schemas["Course"].clone();
        let one = |name: &str| json!({ "type": "string", "enum": [ids[name]] });
        let any = |name: &str| json!({ "type": "string", "enum": ids[name] });
        let filled = json!({ "type": "string", "pattern": "\\S" });
        let address = json!({
            "type": "string", "maxLength": 254,
            "pattern": "^[a-zA-Z0-9.+_-]+@[a-z0-9-]+(\\.[a-z0-9-]+)*$",
        });
        let narrower = [
            ("AddCourse", "name", filled.clone()),
            ("AddDuplicateCourse", "course", one("course")),
            ("AddEnrolment", "course", one("course")),
            ("AddEnrolment", "user", any("pupils")),
            ("AddLearner", "firstname", filled.clone()),
            ("AddLearner", "surname", filled.clone()),
            ("AddLearner", "email", address.clone()),
            ("AddLearner", "signup_page", one("signup_page")),
            (
                "AddLearner",
                "password",
                json!({ "type": "string", "minLength": 1 }),
            ),
            ("EditLearner", "firstname", filled.clone()),
            ("EditLearner", "surname", filled.clone()),
            ("EditLearner", "email", address),
            (
                "EditLearner",
                "password",
                json!({ "type": "string", "minLength": 1 }),
            ),
            (
                "TokenRequest",
                "grant_type",
                json!({ "type": "string", "enum": ["client_credentials"] }),
            ),
            (
                "TokenRequest",
                "client_id",
                json!({ "type": "string", "enum": [super::tenant::CLIENT_ID] }),
            ),
            (
                "TokenRequest",
                "client_secret",
                json!({ "type": "string", "enum": [super::tenant::CLIENT_SECRET] }),
            ),
        ];
        for (schema, property, narrow) in narrower {
            schemas[schema]["properties"][property] = narrow;
        }
        for (schema, property, items) in [
            ("AddLearner", "courses", one("course")),
            ("AddLearner", "profiles", one("profile")),
            ("AddLearner", "tags", filled.clone()),
            ("EditLearner", "tags", filled),
        ] {
            schemas[schema]["properties"][property]["items"] = items;
        }
        // It must be the id in the path, which a schema cannot say.
        remove(&mut schemas["EditLearner"]["properties"], "id");
        schemas["TokenRequest"]["required"] = json!(["grant_type", "client_id", "client_secret"]);
        // The rule on passwords (§2), which the document has in words only.
        schemas["AddLearner"]["anyOf"] = json!([
            { "required": ["password"],
              "properties": { "password": { "type": "string", "minLength": 1 } } },
            { "properties": { "generate_password": { "enum": [true, null] } } },
        ]);
        // `null` in a body is absence.
        for schema in [
            "AddCourse",
            "PutCourse",
            "AddDuplicateCourse",
            "AddEnrolment",
            "AddLearner",
            "EditLearner",
            "TokenRequest",
        ] {
            let required = schemas[schema]["required"].clone();
            // Its ids are made up.
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
        if let Some(operation) = self.operation("editCourse") {
            operation["requestBody"]["content"]["application/json"]["schema"] =
                json!({ "$ref": "#/components/schemas/PutCourse" });
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

/// Gives every integer that travels as text a pattern, since the checkers pass over its format.
fn spell_out_integers(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if object.get("type") == Some(&json!("string"))
                && object.get("format") == Some(&json!("int64"))
            {
                object.insert("pattern".to_owned(), json!("^-?[0-9]{1,19}$"));
            }
            object.values_mut().for_each(spell_out_integers);
        }
        Value::Array(values) => values.iter_mut().for_each(spell_out_integers),
        _ => {}
    }
}

fn refusal() -> Value {
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

pub(crate) fn remove(value: &mut Value, name: &str) {
    if let Some(object) = value.as_object_mut() {
        object.remove(name);
    }
}

#[cfg(test)]
mod tests;
