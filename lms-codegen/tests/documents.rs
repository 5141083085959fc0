//! The output for documents. The constructs that a document may contain are in `constructs`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test stops here"
)]

use lms_codegen::{Document, client, collections, command_schemas, commands, openapi_json};

/// A small document with one of everything that the generators look at.
const SMALL: &str = r##"
openapi: 3.0.3
info: { title: Small, version: "1" }
servers: [{ url: "https://tenant.example/api/v1" }]
security: [{ oauth: [fullaccess] }]
paths:
  /things:
    get:
      operationId: listThings
      tags: [Things]
      summary: List things
      parameters:
        - { name: limit, in: query, schema: { type: string, format: int64 } }
        - { name: cursor, in: query, schema: { type: string } }
      responses:
        "200":
          description: A page.
          content: { application/json: { schema: { $ref: "#/components/schemas/ThingList" } } }
  /things/{id}:
    put:
      operationId: editThing
      tags: [Things]
      summary: Edit a thing
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } }
      responses:
        "200":
          description: The thing.
          content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } }
  /oauth/token:
    post:
      operationId: getToken
      responses: { "200": { description: A token. } }
components:
  securitySchemes:
    oauth:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: /oauth/token, scopes: { fullaccess: All. } } }
  schemas:
    ThingList:
      type: object
      properties:
        items: { type: array, items: { $ref: "#/components/schemas/Thing" } }
        next_cursor: { type: string }
    Thing:
      type: object
      required: [name]
      properties:
        name: { type: string }
        size: { type: string, format: int64, pattern: "^[0-9]+$", example: "7" }
        happened: { type: string, format: date-time }
        password: { type: string, format: password }
        seen: { type: string, format: timestamp }
        owner: { type: string, format: learner-id }
        tags: { type: array, items: { type: string } }
"##;

fn document(text: &str) -> Document {
    Document::parse(text).unwrap()
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let (one, two) = (document(SMALL), document(SMALL));
    assert_eq!(client(&one, "x").unwrap(), client(&two, "x").unwrap());
    assert_eq!(openapi_json(&one), openapi_json(&two));
}

#[test]
fn the_json_document_gives_the_same_code() {
    let yaml = document(SMALL);
    let json = document(&openapi_json(&yaml));
    assert_eq!(client(&yaml, "x").unwrap(), client(&json, "x").unwrap());
}

#[test]
fn generated_code_names_the_command_that_generates_it() {
    let document = document(SMALL);
    let client = client(&document, "spec/small.yaml").unwrap();
    let head = client.lines().next().unwrap();
    assert!(head.contains("@generated"), "{head}");
    assert!(head.contains("`cargo xtask regen`"), "{head}");
}

#[test]
fn a_schema_with_an_optional_id_can_require_it() {
    let with = |properties: &str, required: &str| {
        let text = SMALL
            .replace("        size:", &format!("{properties}        size:"))
            .replace("[name]", required);
        client(&document(&text), "x").unwrap()
    };
    let id = "        id: { type: string }\n";
    let known = "impl crate::operation::HasId for types::Thing";
    assert!(with(id, "[name]").contains(known));
    assert!(!with("", "[name]").contains(known));
    // A required id is a plain field.
    assert!(!with(id, "[id, name]").contains(known));
    let identified = "impl crate::operation::Identified for types::Thing";
    assert!(with(id, "[id, name]").contains(identified));
    assert!(with("", "[name]\n      x-identified-by: [name]").contains(identified));
    assert!(!with("", "[name]").contains(identified));
}

/// A blank is an absent value of any field but text: also with a name of its own, and if the field must be there.
#[test]
fn a_blank_is_read_as_an_absent_number_or_list_with_a_name() {
    let text = SMALL.replace(
        "    Thing:\n      type: object\n      required: [name]\n      properties:\n",
        r##"    Size: { type: integer }
    Names: { type: array, items: { type: string } }
    Word: { type: string }
    Thing:
      type: object
      required: [name, weight]
      properties:
        area: { $ref: "#/components/schemas/Size" }
        names: { $ref: "#/components/schemas/Names" }
        word: { $ref: "#/components/schemas/Word" }
        weight: { type: number, nullable: true }
"##,
    );
    let code = client(&document(&text), "x").unwrap();
    for (field, reader) in [
        ("area: ::std::option::Option<Size>", Some("blank_is_absent")),
        ("names: ::std::option::Option<Names>", Some("object")),
        ("word: ::std::option::Option<Word>", None),
        (
            "weight: ::std::option::Option<f64>",
            Some("blank_is_absent"),
        ),
    ] {
        let (before, _) = code.split_once(&format!("pub {field},")).expect(field);
        let attribute = before.trim_end().rsplit_once('\n').unwrap().1;
        let found = attribute.split("crate::wire::").nth(1);
        let found = found.and_then(|found| found.split('"').next());
        assert_eq!(found, reader, "{field}: {attribute}");
    }
}

#[test]
fn the_operations_table_describes_parameters_and_responses() {
    let code = client(&document(SMALL), "x").unwrap();
    let code = &code[code.find("pub static OPERATIONS").unwrap()..];
    let list = &code[code.find("\"list_things\"").unwrap()..];
    assert!(list.contains("authenticated: true"));
    assert!(code.contains("impl<T: Clone> crate::operation::List for requests::ListThings<'_, T>"));
    assert!(code.contains("const CURSOR: bool = true"));
    let token = &code[code.find("\"get_token\"").unwrap()..];
    let token = &token[..token.find('}').unwrap()];
    // The token endpoint never needs a token, whatever the document's default is.
    assert!(token.contains("authenticated: false"), "{token}");
    // It changes nothing, although it is a POST.
    assert!(token.contains("idempotent: true"), "{token}");
}

/// `name` has an example in the schema, `id` has that of another property with the same name.
#[test]
fn a_method_documents_its_result_its_retries_and_its_errors_with_an_example() {
    let text = SMALL.replace(
        "      required: [name]\n",
        "      required: [name]\n      example: { id: t1, name: Bolt \"M5\" }\n",
    );
    let with_id = text.replace(
        "        size:",
        "        id: { type: string }\n        size:",
    );
    let docs = |text: &str, method: &str| {
        let code = client(&document(text), "x").unwrap();
        let (before, _) = code.split_once(&format!("pub fn {method}(")).unwrap();
        before.rsplit_once("/**").unwrap().1.to_owned()
    };
    let edit = docs(&with_id, "edit_thing");
    for expected in [
        r#"let thing = lms.edit_thing("t1", Thing::builder("Bolt \"M5\"")).await?;"#,
        "Awaiting it returns [`Thing`](types::Thing). It is retried, since",
        "`NotFound`, `Conflict` and `Rejected` (its values), `Ambiguous`",
    ] {
        assert!(edit.contains(expected), "{expected} in {edit}");
    }
    let code = client(&document(&with_id), "x").unwrap();
    let (before, _) = code.split_once("pub struct Thing {").unwrap();
    let docs_of_body = before.rsplit_once("[`builder`](Self::builder)").unwrap().1;
    assert!(!docs_of_body.contains("struct"), "{docs_of_body}");
    let list = docs(&with_id, "list_things");
    for expected in [
        "lms.list_things().items();",
        "stream of each [`Thing`](types::Thing) of all pages",
        "`CursorRejected`",
    ] {
        assert!(list.contains(expected), "{expected} in {list}");
    }
    assert!(
        !list.contains("Ambiguous") && !list.contains("NotFound"),
        "{list}"
    );
    // Without an example of the id, there is no call to show.
    let edit = docs(&text, "edit_thing");
    assert!(
        !edit.contains("# Example") && edit.contains("It is retried"),
        "{edit}"
    );
}

#[test]
fn what_the_client_does_not_have_is_noted() {
    assert_eq!(document(SMALL).notes(), [""; 0]);
    for (from, to, note) in [
        (
            "application/json: { schema: { $ref: \"#/components/schemas/Thing\" } } }\n      responses",
            "image/png: {} }\n      responses",
            "paths./things/{id}.put.requestBody: the body has no JSON",
        ),
        (
            "required: [name]",
            "required: [name, colour]",
            "components.schemas.Thing: \"colour\" is required and not declared",
        ),
        (
            "\"200\": { description: A token. }",
            "default: { description: A token. }",
            "paths./oauth/token.post.responses: no successful response",
        ),
        (
            "openapi: 3.0.3",
            "openapi: 3.1.0\nwebhooks: { done: {} }",
            "the client does not have the webhooks",
        ),
        (
            "      operationId: listThings\n      tags: [Things]\n      summary: List things\n      parameters:\n",
            "      operationId: listThings\n      parameters:\n        - { name: kind, in: query, required: true, schema: { type: string } }\n",
            "paths./things.get: exports and mirrors leave this list out, because `kind` has no",
        ),
    ] {
        let text = SMALL.replace(from, to);
        let document = document(&text);
        let [found] = document.notes() else {
            panic!("{to}: {:?}", document.notes());
        };
        assert!(found.starts_with(note), "{found}");
        let whole = document.operations().len() == 3;
        assert_eq!(whole, !note.contains("no JSON"), "{found}");
    }
}

#[test]
fn invalid_yaml_is_reported_with_its_line() {
    let error = Document::parse("openapi: 3.0.3\npaths: {\n").unwrap_err();
    assert!(error.to_string().contains("line"), "{error}");
}

/// A command is named after path and method, and a secret has no place in its output.
#[test]
fn a_command_has_the_arguments_and_the_output_of_its_operation() {
    let secret = SMALL.replacen(
        "name: { type: string }",
        "name: { type: string }\n        code: { type: string, format: password }",
        1,
    );
    assert_ne!(secret, SMALL);
    let document = document(&secret);
    let table = commands(&document, "x").unwrap();
    let table: String = table.split_whitespace().collect();
    for expected in [
        r#"resource:"things",about:"",verb:"list",operation:"list_things""#,
        r#"verb:"edit",operation:"edit_thing""#,
        r#"name:"code",flag:"code",about:"",kind:Kind::Text,list:false,required:false,secret:true"#,
        "body:Some(&THING),output:Output::Object(&THING)",
        "output:Output::List{item:&THING,pages:true,}",
    ] {
        assert!(table.contains(expected), "{expected} in {table}");
    }
    // The token, and the parameters of pagination.
    for absent in ["get_token", "cursor", "limit"] {
        assert!(!table.contains(&format!("\"{absent}\"")), "{absent}");
    }
    let schemas = command_schemas(&document);
    assert!(
        schemas.contains("\"name\"") && !schemas.contains("\"code\""),
        "{schemas}"
    );
}

/// `SMALL` with a list of its own, in which a text is replaced.
fn with_a_second_list(from: &str, to: &str) -> Document {
    const PATHS: &str = r##"paths:
  /archive/things:
    get:
      operationId: listArchivedThings
      x-collection: archived_things
      x-command: things archived
      responses:
        "200":
          description: A page.
          content: { application/json: { schema: { $ref: "#/components/schemas/ThingList" } } }
"##;
    let text = SMALL.replace("paths:\n", PATHS).replace(
        "    Thing:\n",
        "    Thing:\n      x-identified-by: [name]\n",
    );
    assert!(text.contains(from), "{text}");
    document(&text.replacen(from, to, 1))
}

#[test]
fn collections_and_commands_have_different_names_and_rows_a_key() {
    let good = with_a_second_list("Small", "Small");
    let tables = collections(&good, "x").unwrap() + &commands(&good, "x").unwrap();
    for expected in ["name: \"archived_things\"", "verb: \"archived\""] {
        assert!(tables.contains(expected), "{expected} in {tables}");
    }
    for (from, to, location) in [
        (
            "x-collection: archived_things",
            "x-collection: things",
            "paths./things.get.x-collection",
        ),
        (
            "x-identified-by: [name]",
            "description: x",
            "paths./archive/things.get.responses",
        ),
    ] {
        let error = collections(&with_a_second_list(from, to), "x").unwrap_err();
        assert_eq!(error.location(), location, "{error}");
    }
    for command in ["things list", "export", "tap things"] {
        let document = with_a_second_list(
            "x-command: things archived",
            &format!("x-command: {command}"),
        );
        let error = commands(&document, "x").unwrap_err();
        assert!(error.location().ends_with(".x-command"), "{error}");
        let resource = if command == "things list" {
            "things"
        } else {
            "api-"
        };
        assert!(
            error.reason().contains(&format!("x-command: {resource}")),
            "{error}"
        );
        assert!(error.reason().contains("is another command"), "{error}");
    }
}

#[test]
fn secrets_have_no_column_and_those_of_tokens_are_no_names_of_fields() {
    let text = SMALL
        .replace(
            "responses: { \"200\": { description: A token. } }",
            r##"requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/TokenRequest" } } } }
      responses: { "200": { description: A token. } }"##,
        )
        .replace(
            "        size:",
            r##"        id: { type: string }
        pin: { $ref: "#/components/schemas/Pin" }
        backup_codes: { type: array, items: { type: string, format: password } }
        keys: { type: object, additionalProperties: { type: string, format: password } }
        details: { $ref: "#/components/schemas/Details" }
        size:"##,
        )
        + r##"    Pin: { type: string, format: password }
    TokenRequest: { type: object, properties: { code: { type: string, format: password } } }
    Details:
      type: object
      properties:
        answer: { allOf: [{ $ref: "#/components/schemas/Pin" }] }
        inner: { $ref: "#/components/schemas/Details" }
        hint: { type: string }
"##;
    let document = document(&text);
    let names = |table: &str, name: &str| -> Vec<String> {
        let list = table
            .split_once(&format!("{name}: &[&str] = &["))
            .unwrap()
            .1;
        let names = list.split_once(']').unwrap().0.split(',').map(str::trim);
        let names = names.filter(|name| !name.is_empty());
        names.map(|name| name.replace('"', "")).collect()
    };
    let of_objects = ["answer", "backup_codes", "keys", "password", "pin"];
    let with_tokens = ["answer", "backup_codes", "code", "keys", "password", "pin"];
    let code = client(&document, "x").unwrap();
    assert_eq!(names(&code, "OBJECT_SECRETS"), of_objects);
    assert_eq!(names(&code, "SECRET_PROPERTIES"), with_tokens);
    assert_eq!(
        names(&commands(&document, "x").unwrap(), "SECRETS"),
        of_objects
    );
    let table = collections(&document, "x").unwrap();
    for name in of_objects {
        assert!(!table.contains(&format!("{name:?}")), "{name} in {table}");
    }
    assert!(table.contains("\"details\""), "{table}");
}

#[test]
fn a_collection_has_a_constant_with_its_name() {
    let text = SMALL.replace(
        "        size:",
        "        id: { type: string }\n        size:",
    );
    let table = collections(&document(&text), "x").unwrap();
    assert!(
        table.contains("pub const THINGS: &str = \"things\";"),
        "{table}"
    );
}

/// The page in its own place, put together with `allOf`, with an inline item, and with items that are no objects.
#[test]
fn a_list_is_a_list_in_the_client_the_collections_and_the_commands() {
    let with_id = SMALL.replace(
        "        size:",
        "        id: { type: string }\n        size:",
    );
    let page = r##"{ $ref: "#/components/schemas/ThingList" }"##;
    let things = r##"{ type: array, items: { $ref: "#/components/schemas/Thing" } }"##;
    let item = "{ type: object, properties: { id: { type: string } } }";
    let inline_item = format!("{{ type: array, items: {item} }}");
    let with = |items: &str| {
        format!(
            "{{ type: object, properties: {{ items: {items}, next_cursor: {{ type: string }} }} }}"
        )
    };
    let parts = format!(
        "{{ allOf: [{{ type: object, properties: {{ next_cursor: {{ type: string }} }} }}, {{ required: [items], properties: {{ items: {things} }} }}] }}"
    );
    let generated = "types::ListThingsItem";
    for (schema, item, constant) in [
        (page.to_owned(), "types::Thing", Some("THING")),
        (with(things), "types::Thing", Some("THING")),
        (parts, "types::Thing", Some("THING")),
        (with(&inline_item), generated, Some("LIST_THINGS_ITEM")),
        (
            with(&things.replace("type: array", "type: array, nullable: true")),
            "types::Thing",
            Some("THING"),
        ),
        (
            with("{ type: array, items: { type: string } }"),
            "::std::string::String",
            None,
        ),
    ] {
        let document = document(&with_id.replace(page, &schema));
        let code = client(&document, "x").unwrap();
        let list = "crate::operation::List for requests::ListThings";
        let (_, list) = code.split_once(list).expect(&schema);
        assert!(list.contains(&format!("type Item = {item};")), "{schema}");
        let tables = collections(&document, "x").unwrap();
        assert_eq!(
            tables.contains("pub const THINGS"),
            constant.is_some(),
            "{schema}"
        );
        assert_eq!(tables.contains(r#"name: "size""#), item == "types::Thing");
        let table = commands(&document, "x").unwrap();
        let table: String = table.split_whitespace().collect();
        let schema_of_item = constant.unwrap_or(r#"Schema{name:"","#);
        let output = format!("Output::List{{item:&{schema_of_item}");
        assert!(table.contains(&output), "{output} in {table}");
        let schemas = command_schemas(&document);
        assert_eq!(schemas.contains("ListThingsItem"), item == generated);
    }
}

/// `--tag` sets the text `tag`, so the list `tags` is `--tags`.
#[test]
fn an_option_of_a_list_is_singular_unless_another_field_has_that_name() {
    let table = |text: &str| -> String {
        let table = commands(&document(text), "x").unwrap();
        table.split_whitespace().collect()
    };
    let list = r#"name:"tags",flag:"tag","#;
    assert!(table(SMALL).contains(list));
    let both = table(&SMALL.replace("tags: {", "tag: { type: string }\n        tags: {"));
    assert!(both.contains(r#"name:"tags",flag:"tags","#) && !both.contains(list));
}
