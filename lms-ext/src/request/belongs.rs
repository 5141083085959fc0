//! Decides whether a response belongs to its request.
//!
//! A gateway, a cache or a fault of the service may send the response to another request, a page of a list without its
//! filter, or an object that only describes an error. All of these are a 200 with valid JSON. A response therefore must
//! not contradict the path and the filters of its request:
//!
//! | field of the response | contradicts the request |
//! |---|---|
//! | of an object, with the name of a path parameter | if it has another value |
//! | of a new object, with the name of an id or address in the body of the request | if it has another value |
//! | around the items of a list, with the name of a parameter: [the echo](lms_client::service#pagination) | if it has another value, or holds an id although none was sent |
//! | around the items of a list, with the name `error` or `errors` | always |
//! | of an item, with the name of a parameter | if it is another id, another flag, a text without the requested one, or a list without it |
//!
//! A field that is absent, `null` or an empty text contradicts nothing. But a new object must have an id: `{}` and the JSON error
//! of a proxy would be an object all of whose fields are absent. An object without any value of its path must
//! have another documented field, and none that says `error`. No other JSON value is an object, and one that says `error` is
//! no confirmation of a deletion.

use std::{borrow::Cow, collections::BTreeSet};

use lms_client::operation::OPERATIONS;
use percent_encoding::percent_decode;
use reqwest::{Method, Url};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, value::RawValue};

use super::json::Members;
use crate::{
    error::{Error, ErrorKind},
    values::OperationInfo,
};

/// Fails if the body of a success contradicts its request. A body that cannot be read contradicts nothing.
pub(super) fn check(
    operation: &'static OperationInfo,
    url: &Url,
    sent: Option<&[u8]>,
    body: &[u8],
) -> Result<(), Error> {
    if has_key_at_start(operation, url, body) == Some(true) {
        return Ok(());
    }
    let is_object = !operation.response_fields.is_empty() && !is_list(operation);
    if is_object && after(body, b'{').is_none() {
        // serde also decodes a struct from an array.
        let is_json = serde_json::from_slice::<IgnoredAny>(body).is_ok();
        return match is_json {
            true => Err(no_object(operation)),
            false => Ok(()),
        };
    }
    let requested = match sent.filter(|_| is_object && operation.method == Method::POST) {
        Some(sent) => Requested::of_body(operation, sent),
        None => Requested::of(operation, url),
    };
    requested.check(body)
}

/// Returns `true` if an object has the only value of the path before anything nested: the usual response, which is thus not
/// read twice. `None` if this does not tell.
fn has_key_at_start(operation: &'static OperationInfo, url: &Url, body: &[u8]) -> Option<bool> {
    if operation.path_parameters.len() != 1 || is_list(operation) {
        return None;
    }
    let (key, segment) = path_values(operation, url).next()?;
    let mut text = after(body, b'{')?;
    loop {
        let (name, rest) = plain_text(text)?;
        let value = after(rest, b':')?;
        let read = plain_text(value);
        if name == key.as_bytes() {
            return Some(percent_decode(segment).eq(read?.0.iter().copied()));
        }
        let rest = read.map_or(value, |(_, rest)| rest);
        // A number or a word has none of these in it.
        let end = rest.iter().position(|byte| b",{[\"}".contains(byte))?;
        text = after(rest.get(end..)?, b',')?;
    }
}

/// The parameters of the path with their encoded values, from the last.
fn path_values<'a>(
    operation: &'static OperationInfo,
    url: &'a Url,
) -> impl Iterator<Item = (&'static str, &'a [u8])> {
    // The path begins with that of the base URL. Bytes are split faster than characters.
    let segments = |path: &'a str| path.as_bytes().rsplit(|byte| *byte == b'/');
    let segments = segments(operation.path).zip(segments(url.path()));
    let named = segments.filter_map(|(template, segment)| {
        let template = template.strip_prefix(b"{")?.strip_suffix(b"}")?;
        let mut names = operation.path_parameters.iter();
        let name = names.find(|name| name.as_bytes() == template)?;
        Some((*name, segment))
    });
    named.take(operation.path_parameters.len())
}

fn is_list(operation: &OperationInfo) -> bool {
    operation.response_fields.contains(&"items")
}

/// Parameters that choose a page, and not the items of the list.
const PAGE: [&str; 2] = ["cursor", "limit"];

/// The values of a request that its response must not contradict.
#[derive(Clone, Debug)]
pub(crate) struct Requested {
    operation: &'static OperationInfo,
    parameters: Vec<Parameter>,
}

#[derive(Clone, Debug)]
struct Parameter {
    name: &'static str,
    in_path: bool,
    /// `true` if it is an id, which is compared as it is.
    is_id: bool,
    /// Several if it was sent several times.
    values: Vec<String>,
}

impl Requested {
    /// The values in the URL of a request.
    pub(crate) fn of(operation: &'static OperationInfo, url: &Url) -> Self {
        let parameter = |name, in_path, values| Parameter {
            name,
            in_path,
            is_id: in_path && name == "id" || operation.id_parameters.contains(&name),
            values,
        };
        let mut parameters = Vec::new();
        for (name, segment) in path_values(operation, url) {
            let value = percent_decode(segment).decode_utf8_lossy().into_owned();
            parameters.push(parameter(name, true, vec![value]));
        }
        if url.query().is_some() {
            let filters = operation.query_parameters.iter().copied();
            for name in filters.filter(|name| !PAGE.contains(name)) {
                let values = url.query_pairs().filter(|(known, _)| known == name);
                let values = values.map(|(_, value)| value.into_owned());
                let values: Vec<_> = values.filter(|value| !value.trim().is_empty()).collect();
                if !values.is_empty() {
                    parameters.push(parameter(name, false, values));
                }
            }
        }
        Self {
            operation,
            parameters,
        }
    }

    /// The ids and addresses in the body of a request.
    fn of_body(operation: &'static OperationInfo, body: &[u8]) -> Self {
        let sent = serde_json::from_slice(body).unwrap_or(Members(Vec::new()));
        let is_id = |name: &str| OPERATIONS.iter().any(|of| of.id_parameters.contains(&name));
        let is_key = |name: &str| {
            OPERATIONS
                .iter()
                .any(|of| of.path_parameters.contains(&name))
        };
        let names = operation.response_fields.iter().copied();
        let parameters = names.filter(|name| is_key(name)).filter_map(|name| {
            let (_, json) = sent.0.iter().find(|(known, _)| known == name)?;
            let value: Value = serde_json::from_str(json.get()).ok()?;
            Some(Parameter {
                name,
                in_path: true,
                is_id: is_id(name),
                values: vec![text(&value)?.into_owned()],
            })
        });
        Self {
            operation,
            parameters: parameters.collect(),
        }
    }

    fn check(&self, body: &[u8]) -> Result<(), Error> {
        if !is_list(self.operation) {
            return serde_json::from_slice(body)
                .map_or(Ok(()), |object| self.check_object(&object));
        }
        if self.parameters.is_empty() {
            return Ok(());
        }
        // Decoding reads a filtered page again: the caller's type may lack the fields of the filter.
        let items = serde_json::from_slice(body).map(|Listed { items }| items);
        let items: Vec<Members<'_>> = items.or_else(|_| objects(body)).unwrap_or_default();
        items.iter().try_for_each(|item| self.check_item(item))
    }

    /// Fails if a field around the items of a page contradicts the request or describes an error.
    pub(crate) fn check_echo(&self, name: &str, json: &str) -> Result<(), Error> {
        if says_error(self.operation, name, json) {
            let detail = "the page describes an error, so it is no page of the list; try again, and check what the server returns";
            return Err(Error::new(ErrorKind::Decode, detail));
        }
        let Ok(value) = serde_json::from_str(json) else {
            return Ok(());
        };
        let mut parameters = self.parameters.iter();
        let fits = match parameters.find(|parameter| parameter.name == name) {
            Some(parameter) => parameter.is_echoed_as(&value),
            // A filter for an id has no default.
            None => {
                let of = self.operation;
                let filters = [of.query_parameters, of.id_parameters];
                text(&value).is_none() || !filters.iter().all(|of| of.contains(&name))
            }
        };
        if fits {
            Ok(())
        } else {
            Err(mismatch(
                name,
                "the page is one of a list with another filter: it states",
            ))
        }
    }

    fn check_item(&self, item: &Members<'_>) -> Result<(), Error> {
        for (parameter, value) in self.compared(item, false) {
            if !parameter.is_in(&value) {
                return Err(mismatch(
                    parameter.name,
                    "the list has an item that its filter excludes: it has",
                ));
            }
        }
        Ok(())
    }

    fn check_object(&self, object: &Members<'_>) -> Result<(), Error> {
        let mut has_key = self.operation.creates;
        if has_key && !has_id(object) {
            return Err(no_object(self.operation));
        }
        for (parameter, value) in self.compared(object, true) {
            if !parameter.is_echoed_as(&value) {
                return Err(mismatch(
                    parameter.name,
                    "the response is another object than the requested one: it has",
                ));
            }
            has_key |= text(&value).is_some();
        }
        let known = self.operation.response_fields;
        let fields = object.0.iter();
        let mut fields = fields.filter(|(_, json)| has_value(json.get()));
        let method = &self.operation.method;
        let is_asked_for =
            [Method::GET, Method::PUT].contains(method) && !self.parameters.is_empty();
        let has_field = fields.clone().any(|(name, _)| known.contains(&&**name));
        let is_error = fields.any(|(name, json)| says_error(self.operation, name, json.get()));
        if *method == Method::DELETE && is_error {
            let detail = "the response describes an error, so whether the object was removed is not known; look for it";
            return Err(Error::new(ErrorKind::Decode, detail));
        }
        if has_key || known.is_empty() || ((has_field || !is_asked_for) && !is_error) {
            return Ok(());
        }
        let keys = self.parameters.iter().filter(|parameter| parameter.in_path);
        let keys = keys.map(|parameter| parameter.name.to_owned()).collect();
        Err(no_object(self.operation).with_fields(keys))
    }

    /// The values of an object that have the name of a parameter.
    fn compared<'a>(
        &'a self,
        object: &'a Members<'_>,
        in_path: bool,
    ) -> impl Iterator<Item = (&'a Parameter, Value)> {
        object.0.iter().filter_map(move |(name, json)| {
            let mut parameters = self.parameters.iter();
            let of = parameters
                .find(|of| of.name.eq_ignore_ascii_case(name) && (of.in_path || !in_path))?;
            Some((of, serde_json::from_str(json.get()).ok()?))
        })
    }
}

impl Parameter {
    /// Returns `true` if a response may state its value like this: several values in any order, as a list or as one text.
    fn is_echoed_as(&self, value: &Value) -> bool {
        let stated = self.words(texts(value).as_slice());
        let requested = self.words(&self.values);
        // A text of separators has no words.
        stated.is_empty() || requested.is_empty() || stated == requested
    }

    /// Returns `true` if an item with this value may be in the list.
    fn is_in(&self, value: &Value) -> bool {
        let found = texts(value);
        let values = self.values.iter().map(|value| self.folded(value));
        // The service may read one text as several values.
        let parts = values.clone().flat_map(|value| {
            let parts = value.split(',').filter(|_| !self.is_id);
            parts.map(|part| part.trim().to_owned()).collect::<Vec<_>>()
        });
        let values: Vec<_> = values.chain(parts).filter(|it| !it.is_empty()).collect();
        // A text may be searched for by a part of it.
        let by_part = value.is_string() && !self.is_id && !self.in_path;
        let is_found = |found: &Cow<'_, str>| {
            let found = self.folded(found);
            let mut values = values.iter();
            values.any(|value| *value == found || by_part && found.contains(value.as_str()))
        };
        found.iter().any(is_found) || (found.is_empty() && !value.is_array())
    }

    /// The text of a value as it is compared.
    fn folded(&self, text: &str) -> String {
        match self.is_id {
            true => text.to_owned(),
            false => text.trim().to_lowercase(),
        }
    }

    /// The words of texts, without regard to how they are separated; ids as they are.
    fn words(&self, texts: &[impl AsRef<str>]) -> BTreeSet<String> {
        let separates = |c: char| !self.is_id && (c.is_whitespace() || ",;|[]\"".contains(c));
        let texts = texts.iter().map(|text| self.folded(text.as_ref()));
        let words = texts.flat_map(|text| {
            let words = text.split(separates).filter(|word| !word.is_empty());
            words.map(str::to_owned).collect::<Vec<_>>()
        });
        words.collect()
    }
}

/// The rest after a byte and the white space before it.
fn after(text: &[u8], byte: u8) -> Option<&[u8]> {
    text.trim_ascii_start().strip_prefix(&[byte])
}

/// The text of a JSON string without escapes, and what follows it.
fn plain_text(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = after(text, b'"')?;
    let end = text.iter().position(|byte| b"\"\\".contains(byte))?;
    let (text, rest) = text.split_at(end);
    Some((text, rest.strip_prefix(b"\"")?))
}

/// A value as text, if it is one that can be requested and is not empty.
fn text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) => Some(text.into()),
        Value::Number(number) => Some(number.to_string().into()),
        Value::Bool(true) => Some("true".into()),
        Value::Bool(false) => Some("false".into()),
        _ => None,
    }
}

/// The texts of a value or of a list.
fn texts(value: &Value) -> Vec<Cow<'_, str>> {
    match value {
        Value::Array(list) => list.iter().filter_map(text).collect(),
        value => text(value).into_iter().collect(),
    }
}

fn has_value(json: &str) -> bool {
    !matches!(json, "null" | "\"\"" | "[]")
}

/// Returns `true` if a field that the operation does not document describes an error.
fn says_error(operation: &OperationInfo, name: &str, json: &str) -> bool {
    matches!(name, "error" | "errors")
        && has_value(json)
        && !operation.response_fields.contains(&name)
}

fn has_id(object: &Members<'_>) -> bool {
    let mut ids = object.0.iter().filter(|(name, _)| name == "id");
    ids.any(|(_, json)| serde_json::from_str(json.get()).is_ok_and(|id| text(&id).is_some()))
}

fn no_object(operation: &OperationInfo) -> Error {
    if operation.creates {
        let detail = "the response has no `id` of a new object";
        return Error::new(ErrorKind::Decode, detail).with_fields(vec!["id".to_owned()]);
    }
    let detail = "the response is not the requested object: it has neither its id nor another field of it; check the id, and what the server returns for it";
    Error::new(ErrorKind::Decode, detail)
}

fn mismatch(field: &str, what: &str) -> Error {
    let detail = format!("{what} another `{field}`; try again, and check what the server returns");
    Error::new(ErrorKind::Mismatch, detail).with_fields(vec![field.to_owned()])
}

/// The items of a list.
#[derive(Deserialize)]
struct Listed<T> {
    items: Vec<T>,
}

/// The objects among the items of a list. Another item contradicts nothing.
fn objects(body: &[u8]) -> serde_json::Result<Vec<Members<'_>>> {
    let Listed::<&RawValue> { items } = serde_json::from_slice(body)?;
    let objects = items.iter().map(|item| serde_json::from_str(item.get()));
    Ok(objects.filter_map(Result::ok).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: &str, below: &str) -> (&'static OperationInfo, Url) {
        let mut operations = OPERATIONS.iter();
        let operation = operations.find(|known| known.id == id).unwrap();
        let url = format!("https://acme.example/api/v1{below}");
        (operation, Url::parse(&url).unwrap())
    }

    fn requested(id: &str, below: &str) -> Requested {
        let (operation, url) = request(id, below);
        Requested::of(operation, &url)
    }

    /// The fields with which a body contradicts the request.
    fn contradicts(id: &str, below: &str, body: &str) -> Vec<String> {
        let (operation, url) = request(id, below);
        let checked = check(operation, &url, None, body.as_bytes());
        checked.map_or_else(|error| error.fields().to_vec(), |()| Vec::new())
    }

    #[test]
    fn an_object_has_the_key_of_its_request_or_another_field() {
        let nothing: [&str; 0] = [];
        let course = ("get_course", "/courses/c%201");
        let edit = ("edit_course", "/courses/c1");
        let email = ("get_learner_by_email", "/learners/email/Jo@acme.example");
        let progress = ("get_course_progress", "/course_progress/c1/u1");
        let topic = ("get_topic_progress", "/topic_progress/u1/t1?course=c1");
        for ((id, below), body, expected) in [
            (course, r#"{"id": "c 1"}"#, &nothing[..]),
            (course, r#"{"id": "C 1"}"#, &["id"]),
            (course, r#"{"id": "c2"}"#, &["id"]),
            (course, r#"{"id": 2}"#, &["id"]),
            (course, r#"{"ID": "c2", "name": "Safety"}"#, &["id"]),
            (course, r#"{"id": null, "name": "Safety"}"#, &[]),
            (course, r#"{"id": "", "name": "Safety"}"#, &[]),
            (course, r#"{"id": "", "name": null}"#, &["id"]),
            (course, "{}", &["id"]),
            (course, r#"{"title": "Safety"}"#, &["id"]),
            (course, r#"{"error": "not found"}"#, &["id"]),
            (course, r#"{"error": {}, "name": "NotFound"}"#, &["id"]),
            (course, r#"{"error": null, "name": "Safety"}"#, &[]),
            (course, r#"{"error": "none", "id": "c 1"}"#, &[]),
            (
                course,
                r#"{"archived": false, "name": "a", "id": "c2"}"#,
                &["id"],
            ),
            (
                course,
                r#"{"archived": false, "name": "a, \"id\": \"c 1\"", "id": "c2"}"#,
                &["id"],
            ),
            (course, r#"{"a": {"id": "c 1"}, "id": "c2"}"#, &["id"]),
            (course, r#"{"n": -1.5e3 , "id" : "c\u00201"}"#, &[]),
            (course, r#"{"name": "a", "id": "c 1"}"#, &[]),
            (email, r#"{"id": "l1", "email": "jo@ACME.example"}"#, &[]),
            (email, r#"{"id": "l1"}"#, &[]),
            (email, r#"{"id": "l1", "error": "none"}"#, &["email"]),
            (
                email,
                r#"{"id": "l2", "email": "joe@acme.example"}"#,
                &["email"],
            ),
            (edit, r#"{"id": "c2", "name": "Safety"}"#, &["id"]),
            (edit, "{}", &["id"]),
            (edit, r#"{"name": "Safety"}"#, &[]),
            (progress, r#"{"user": "u1", "course": "c1"}"#, &[]),
            (progress, r#"{"user": "c1", "course": "u1"}"#, &["user"]),
            (progress, r#"{"completed": false}"#, &[]),
            (progress, "{}", &["user", "course"]),
            (topic, r#"{"user": "u2", "course": "c1"}"#, &["user"]),
        ] {
            assert_eq!(contradicts(id, below, body), expected, "{below} {body}");
        }
    }

    #[test]
    fn a_success_is_an_object_of_its_request_and_no_error() {
        let enrolment = (
            "add_enrolment",
            "/enrolments",
            r#"{"course": "c1", "user": "u1"}"#,
        );
        let learner = (
            "add_learner",
            "/learners",
            r#"{"email": "Jo@acme.example"}"#,
        );
        let course = ("get_course", "/courses/c1", "");
        let me = ("me", "/oauth/me", "");
        let delete = ("delete_course", "/courses/c1", "");
        for ((id, below, sent), body, fits) in [
            (
                enrolment,
                r#"{"id": "e1", "course": "c1", "user": "u1"}"#,
                true,
            ),
            (enrolment, r#"{"id": "e1"}"#, true),
            (
                enrolment,
                r#"{"id": "e1", "course": "c2", "user": "u1"}"#,
                false,
            ),
            (enrolment, r#"[{"id": "e1"}]"#, false),
            (enrolment, r#"{"error": "busy"}"#, false),
            (learner, r#"{"id": "l1", "email": "jo@acme.example"}"#, true),
            (
                learner,
                r#"{"id": "l2", "email": "sam@acme.example"}"#,
                false,
            ),
            (course, "[]", false),
            (course, r#"["c1", "Safety"]"#, false),
            (course, "null", false),
            (course, "5", false),
            (me, r#"["t1"]"#, false),
            (me, r#"{"error": "busy"}"#, false),
            (me, "{}", true),
            (delete, "", true),
            (delete, "{}", true),
            (delete, r#"{"errors": []}"#, true),
            (delete, r#"{"error": "busy"}"#, false),
        ] {
            let (operation, url) = request(id, below);
            let checked = check(operation, &url, Some(sent.as_bytes()), body.as_bytes());
            assert_eq!(checked.is_ok(), fits, "{id} {body}");
        }
    }

    #[test]
    fn an_item_is_one_that_the_filter_selects() {
        // The operation, the request, items that it may return, and items that it may not.
        let rows = r#"
            list_enrolments | /enrolments?course=c1 | {"course": "c1"} {"course": null} {} | {"course": "c2"} {"course": "c10"}
            list_enrolments | /enrolments?course= | {"course": "c2"} |
            list_enrolments | /enrolments?limit=5&cursor=x | {"cursor": "y"} |
            list_enrolments | /enrolments?course=c1&user=u1 | | {"user": "u2"}
            list_learners | /learners?tags=emea | {"tags": ["a", "EMEA"]} | {"tags": ["a"]} {"tags": []}
            list_learners | /learners?tags=a&tags=b | {"tags": ["b"]} | {"tags": ["c"]}
            list_learners | /learners?tags=a,b | {"tags": ["B"]} {"tags": ["a,b"]} {"tags": "b; c"} | {"tags": ["c"]}
            list_learners | /learners?username=jo | {"username": "Joanna"} | {"username": "sam"}
            list_courses | /courses?archived=true | | {"archived": false}
            list_courses | /courses?archived=True | {"archived": true} |
            list_user_field_permissions | /users/u1/user_field_permissions | {"user_field": "f2"} | {"user": "u2"}
        "#;
        let mut compared = 0;
        for row in rows.lines().filter(|row| !row.trim().is_empty()) {
            let cells: Vec<_> = row.split('|').map(str::trim).collect();
            for (items, fits) in [(cells[2], true), (cells[3], false)] {
                for item in serde_json::Deserializer::from_str(items).into_iter::<Value>() {
                    let body = format!(r#"{{"items": [{{}}, null, {}]}}"#, item.unwrap());
                    let contradicted = contradicts(cells[0], cells[1], &body);
                    assert_eq!(contradicted.is_empty(), fits, "{row}: {body}");
                    compared += 1;
                }
            }
        }
        assert_eq!(compared, 23);
    }

    #[test]
    fn an_echo_is_the_filter_of_the_request() {
        for (below, name, json, fits) in [
            ("?username=Jo", "username", r#""jo""#, true),
            ("?username=Jo", "username", r#""joe""#, false),
            ("?username=Jo", "username", "null", true),
            ("?username=Jo", "username", r#""""#, true),
            ("?tags=a", "tags", r#"["a"]"#, true),
            ("?tags=a", "tags", r#""a""#, true),
            ("?tags=a", "tags", r#"["a", "b"]"#, false),
            ("?tags=a&tags=b", "tags", r#"["b", "a"]"#, true),
            ("?tags=a&tags=b", "tags", r#"["a"]"#, false),
            ("?tags=a&tags=b", "tags", r#""B, a""#, true),
            ("?tags=a&tags=b", "tags", r#""[\"a\",\"b\"]""#, true),
            ("?tags=a&tags=b", "tags", r#"["a,b"]"#, true),
            ("?tags=a&tags=b", "tags", r#""a,c""#, false),
            ("?tags=a&tags=b", "tags", r#""a""#, false),
            ("?tags=a,b", "tags", r#"["b", "A"]"#, true),
            ("?tags=a,b", "tags", r#"["b", "c"]"#, false),
            ("?tags=,", "tags", r#"["a"]"#, true),
            ("?tags=a", "tags", "[]", true),
            (
                "?order_direction=ASC",
                "order_direction",
                r#""DESC""#,
                false,
            ),
            ("?limit=500", "limit", r#""200""#, true),
            ("", "order_by", r#""created""#, true),
            ("", "email", r#""jo@acme.example""#, true),
            ("", "total", "7", true),
        ] {
            let requested = requested("list_learners", &format!("/learners{below}"));
            assert_eq!(
                requested.check_echo(name, json).is_ok(),
                fits,
                "{below} {name} {json}"
            );
        }
        for (below, name, json, fits) in [
            ("?course=c1", "course", r#""c1""#, true),
            ("?course=c1", "course", r#""C1""#, false),
            ("?course=c1", "user", r#""""#, true),
            ("?course=c1", "user", r#""u1""#, false),
            ("", "course", "null", true),
            ("", "course", r#""c2""#, false),
        ] {
            let requested = requested("list_enrolments", &format!("/enrolments{below}"));
            assert_eq!(
                requested.check_echo(name, json).is_ok(),
                fits,
                "{below} {name} {json}"
            );
        }
    }
}
