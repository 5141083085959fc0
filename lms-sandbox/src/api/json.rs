//! How does a row become JSON without a tree in between?
//!
//! A page of 200 learners is 100 KB of text. Building a value tree first and printing it would cost several times
//! the query, so rows are written straight into the response body.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;

use super::id::Kind;
use super::timestamp;

/// One JSON object being written at the end of a body.
pub(crate) struct Object<'a> {
    out: &'a mut Vec<u8>,
    empty: bool,
}

impl<'a> Object<'a> {
    /// Opens an object.
    pub(crate) fn open(out: &'a mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, empty: true }
    }

    /// Closes it.
    pub(crate) fn close(self) {
        self.out.push(b'}');
    }

    /// Writes a key; the value is for the caller to append.
    pub(crate) fn key(&mut self, key: &str) -> &mut Vec<u8> {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    /// A text field.
    pub(crate) fn text(&mut self, key: &str, value: &str) {
        string(self.key(key), value);
    }

    /// A text field that is left out when there is none.
    pub(crate) fn some_text(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    /// A boolean field.
    pub(crate) fn flag(&mut self, key: &str, value: bool) {
        self.key(key)
            .extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// An int64, which travels as a string.
    pub(crate) fn int64(&mut self, key: &str, value: i64) {
        let out = self.key(key);
        out.push(b'"');
        digits(out, value);
        out.push(b'"');
    }

    /// An id.
    pub(crate) fn id(&mut self, key: &str, kind: Kind, number: i64) {
        let out = self.key(key);
        out.push(b'"');
        kind.write(out, number);
        out.push(b'"');
    }

    /// An id that is left out when there is none.
    pub(crate) fn some_id(&mut self, key: &str, kind: Kind, number: Option<i64>) {
        if let Some(number) = number {
            self.id(key, kind, number);
        }
    }

    /// A moment.
    pub(crate) fn time(&mut self, key: &str, seconds: i64) {
        let out = self.key(key);
        out.push(b'"');
        out.extend_from_slice(timestamp::format(seconds).as_bytes());
        out.push(b'"');
    }

    /// A moment that is left out when there is none.
    pub(crate) fn some_time(&mut self, key: &str, seconds: Option<i64>) {
        if let Some(seconds) = seconds {
            self.time(key, seconds);
        }
    }

    /// A field whose value is JSON text already.
    pub(crate) fn raw(&mut self, key: &str, json: &str) {
        self.key(key).extend_from_slice(json.as_bytes());
    }

    /// A field that someone else named.
    pub(crate) fn named(&mut self, key: &str, value: &serde_json::Value) {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        string(self.out, key);
        self.out.push(b':');
        self.out.extend_from_slice(value.to_string().as_bytes());
    }

    /// Fields that are JSON text already, `"a":1,"b":2`.
    pub(crate) fn raw_fields(&mut self, fields: &str) {
        if !fields.is_empty() {
            if !self.empty {
                self.out.push(b',');
            }
            self.empty = false;
            self.out.extend_from_slice(fields.as_bytes());
        }
    }
}

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

/// Appends a JSON string.
pub(crate) fn string(out: &mut Vec<u8>, value: &str) {
    let plain = value.bytes().all(|b| b >= 0x20 && b != b'"' && b != b'\\');
    if plain {
        out.push(b'"');
        out.extend_from_slice(value.as_bytes());
        out.push(b'"');
    } else {
        // Writing to a Vec cannot fail.
        let _ = serde_json::to_writer(out, value);
    }
}

/// Appends an array of strings.
pub(crate) fn strings<'t>(out: &mut Vec<u8>, values: impl IntoIterator<Item = &'t str>) {
    out.push(b'[');
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        string(out, value);
    }
    out.push(b']');
}

/// An array of strings as text.
pub(crate) fn strings_text<'t>(values: impl IntoIterator<Item = &'t str>) -> String {
    let mut out = Vec::new();
    strings(&mut out, values);
    String::from_utf8(out).unwrap_or_default()
}

/// Appends a whole number.
pub(crate) fn digits(out: &mut Vec<u8>, value: i64) {
    // Ids and counts are short: going through the formatter shows in a 200-row page.
    let mut buffer = [0u8; 20];
    let mut at = buffer.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        if let Some(slot) = buffer.get_mut(at) {
            *slot = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        }
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(buffer.get(at..).unwrap_or_default());
}
