//! What does a request that cannot be served get back?
//!
//! The service description leaves errors open (§7). Here each is a status and one JSON object that says what was
//! wrong, with which field, and what to do about it:
//! `{"error": {"code": "not_found", "message": "there is no learner with id l9"}}`.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::ids::Kind;
use crate::json::Object;

/// Why a request was not served.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    code: &'static str,
    pub(crate) message: String,
    field: Option<String>,
}

impl Problem {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            field: None,
        }
    }

    /// Names the field, parameter or header that is to blame.
    pub(crate) fn about(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// 400: the request cannot be understood.
    pub(crate) fn malformed(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 400 for a query parameter.
    pub(crate) fn bad_query(parameter: &str, message: impl Into<String>) -> Self {
        Self::malformed("bad_query", message).about(parameter)
    }

    /// 401: who is asking is not known.
    pub(crate) fn unauthorized(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }

    /// 404 in other words than [`no_such`](Self::no_such).
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// 404 for an id that names nothing.
    pub(crate) fn no_such(kind: Kind, id: &str) -> Self {
        Self::not_found(format!("there is no {} with id {}", kind.noun(), plain(id)))
    }

    /// 405: the path is known and the method is not.
    pub(crate) fn wrong_method(method: &str, path: &str) -> Self {
        let message = format!(
            "{method} is not possible on {}; the Allow header lists what is",
            shorten(path)
        );
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            message,
        )
    }

    /// 408: the body did not arrive.
    pub(crate) fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "timeout",
            "the request body did not arrive in time; send it again",
        )
    }

    /// 409: it would be there twice.
    pub(crate) fn conflict(field: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", message).about(field)
    }

    /// 413: the body is too long.
    pub(crate) fn too_large(most: usize) -> Self {
        let message = format!(
            "the body is longer than {most} bytes, the most that is accepted; send less at once"
        );
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// 415: the body is not said to be JSON.
    pub(crate) fn not_json(content_type: Option<&str>) -> Self {
        let came = content_type.map_or_else(
            || "no Content-Type".into(),
            |t| format!("Content-Type {}", shorten(t)),
        );
        let message =
            format!("the request has {came}; send a JSON body with Content-Type: application/json");
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            message,
        )
        .about("Content-Type")
    }

    /// 422: the request is understood and a field in it is not acceptable.
    pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message).about(field)
    }

    /// 422 for a field that refers to nothing.
    pub(crate) fn refers_to_nothing(field: &str, kind: Kind, id: &str) -> Self {
        Self::invalid(
            field,
            format!(
                "{field} names no {}: there is none with id {}",
                kind.noun(),
                plain(id)
            ),
        )
    }

    /// 429: too many requests.
    pub(crate) fn rate_limited() -> Self {
        let message = "too many requests; wait as long as the Retry-After header says and send this one again";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message)
    }

    /// Any error, because the fault plan says so.
    pub(crate) fn planned(status: StatusCode) -> Self {
        let message = "the request was not carried out; the fault plan of this sandbox has it so";
        Self::new(status, "planned", message)
    }

    /// 500: the sandbox's own failure.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// The response that says so.
    pub(crate) fn into_response(self) -> Response {
        let mut body = Vec::with_capacity(160);
        let mut outer = Object::open(&mut body);
        let mut error = Object::open(outer.key("error"));
        error.text("code", self.code);
        error.text("message", &self.message);
        error.some_text("field", self.field.as_deref());
        error.close();
        outer.close();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        if self.status == StatusCode::UNAUTHORIZED {
            let challenge = if self.code == "invalid_token" {
                r#"Bearer realm="lms", error="invalid_token""#
            } else {
                r#"Bearer realm="lms""#
            };
            response.headers_mut().insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static(challenge),
            );
        }
        response
    }
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(format!("the store failed: {error}"))
    }
}

impl From<rusqlite::types::FromSqlError> for Problem {
    fn from(error: rusqlite::types::FromSqlError) -> Self {
        Self::internal(format!("the store holds something unexpected: {error}"))
    }
}

/// What a client sent, short enough to be part of a message.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 80;
    if text.chars().count() <= MOST {
        format!("{text:?}")
    } else {
        format!("{:?}…", text.chars().take(MOST).collect::<String>())
    }
}

/// An id without quotes when it looks like one.
fn plain(id: &str) -> String {
    let simple = !id.is_empty()
        && id.len() <= 40
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if simple { id.into() } else { shorten(id) }
}
