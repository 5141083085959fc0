//! Writing JSON.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Serialize;
use serde_json::{Map, Value};

use super::schema::Schema;

/// A 200 response with this JSON body; without a content type if it is empty.
pub(crate) fn response(body: Vec<u8>) -> Response {
    let is_empty = body.is_empty();
    let mut response = Response::new(Body::from(body));
    if !is_empty {
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
    }
    response
}

/// Appends a value.
pub(crate) fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Writing to a `Vec` does not fail.
    let _ = serde_json::to_writer(out, value);
}

/// A value as text.
pub(crate) fn to_string(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Appends an object with these fields: the documented ones in the order of the schema, then the others.
pub(crate) fn write_object(out: &mut Vec<u8>, schema: &Schema, mut fields: Map<String, Value>) {
    let mut object = Parts::object(out);
    for (name, _) in schema.fields {
        if let Some(value) = fields.remove(*name) {
            write(object.key(name), &value);
        }
    }
    for (name, value) in fields {
        object.field(&name, &value);
    }
    object.close();
}

/// An object with these fields in their order, without those that are null.
pub(crate) fn object<const N: usize>(fields: [(&'static str, Value); N]) -> Vec<u8> {
    let mut out = Vec::with_capacity(256);
    let mut object = Parts::object(&mut out);
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_null()) {
        write(object.key(name), &value);
    }
    object.close();
    out
}

/// An object or an array that is written part by part.
pub(crate) struct Parts<'a> {
    out: &'a mut Vec<u8>,
    is_empty: bool,
    end: u8,
}

impl<'a> Parts<'a> {
    pub(crate) fn object(out: &'a mut Vec<u8>) -> Self {
        Self::open(out, b'{', b'}')
    }

    pub(crate) fn array(out: &'a mut Vec<u8>) -> Self {
        Self::open(out, b'[', b']')
    }

    fn open(out: &'a mut Vec<u8>, start: u8, end: u8) -> Self {
        out.push(start);
        Self {
            out,
            is_empty: true,
            end,
        }
    }

    pub(crate) fn close(self) {
        self.out.push(self.end);
    }

    /// Writes a key that needs no escaping. The caller appends the value.
    pub(crate) fn key(&mut self, key: &'static str) -> &mut Vec<u8> {
        let out = self.item();
        out.push(b'"');
        out.extend_from_slice(key.as_bytes());
        out.extend_from_slice(b"\":");
        out
    }

    /// Writes any field.
    pub(crate) fn field(&mut self, key: &str, value: &Value) {
        let out = self.item();
        write(out, key);
        out.push(b':');
        write(out, value);
    }

    /// Starts an item of an array. The caller appends it.
    pub(crate) fn item(&mut self) -> &mut Vec<u8> {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
        self.out
    }
}
