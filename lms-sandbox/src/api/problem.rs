//! Error responses.
//!
//! The service's documentation does not specify them. The sandbox sends a status and one JSON object with the mistake,
//! the field and a remedy: `{"error": {"code": "not_found", "message": "there is no learner with id l9"}}`.

use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::Response;

use super::id::Kind;
use super::json;

/// The reason why a request failed.
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

    /// Names the field, parameter or header that is wrong.
    pub(crate) fn about(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// 400: the request cannot be parsed.
    pub(crate) fn malformed(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 400 for a query parameter.
    pub(crate) fn bad_query(parameter: &str, message: impl Into<String>) -> Self {
        Self::malformed("bad_query", message).about(parameter)
    }

    /// 401: the credentials or the token are not valid.
    pub(crate) fn unauthorized(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }

    /// 404 with a message of its own.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// 404 for an unknown id.
    pub(crate) fn no_such(kind: Kind, id: &str) -> Self {
        Self::not_found(format!("there is no {} with id {}", kind.noun(), plain(id)))
    }

    /// 405: the path exists, but not with this method.
    pub(crate) fn method_not_allowed(method: &Method, uri: &Uri) -> Self {
        let path = quote(uri.path());
        let message =
            format!("{method} is not supported on {path}; use a method from the Allow header");
        let status = StatusCode::METHOD_NOT_ALLOWED;
        Self::new(status, "method_not_allowed", message)
    }

    /// 409: it exists already.
    pub(crate) fn conflict(field: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", message).about(field)
    }

    /// 410: it is not kept any longer.
    pub(crate) fn gone(message: impl Into<String>) -> Self {
        Self::new(StatusCode::GONE, "gone", message)
    }

    /// 413: the body is too large.
    pub(crate) fn too_large(max_bytes: usize) -> Self {
        let message =
            format!("the body is larger than the limit of {max_bytes} bytes; send a smaller one");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// 421: the request is for a host that is not served.
    pub(crate) fn misdirected(message: impl Into<String>) -> Self {
        Self::new(StatusCode::MISDIRECTED_REQUEST, "misdirected", message).about("Host")
    }

    /// 415: the content type is not JSON.
    pub(crate) fn not_json(content_type: Option<&str>) -> Self {
        let found = content_type.map(|found| format!("Content-Type {}", quote(found)));
        let message = format!(
            "the request has {}; send a JSON body with Content-Type: application/json",
            found.as_deref().unwrap_or("no Content-Type")
        );
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Self::new(status, "unsupported_media_type", message).about("Content-Type")
    }

    /// 422: a field is not valid.
    pub(crate) fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message).about(field)
    }

    /// 422 for a field with an unknown id.
    pub(crate) fn unknown_reference(field: &str, kind: Kind, id: &str) -> Self {
        let (noun, id) = (kind.noun(), plain(id));
        Self::invalid(field, format!("{field}: there is no {noun} with id {id}"))
    }

    /// 429: too many requests.
    pub(crate) fn rate_limited() -> Self {
        let message = "too many requests; wait as long as the Retry-After header says, then retry";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", message)
    }

    /// An error that the fault plan asks for.
    pub(crate) fn planned(status: StatusCode) -> Self {
        let message =
            "the request was not processed, because the fault plan of this sandbox says so";
        Self::new(status, "planned", message)
    }

    /// 500: the sandbox itself failed.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// The body of the error response.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let error = json::object([
            ("code", self.code.into()),
            ("message", self.message.as_str().into()),
            ("field", self.field.as_deref().into()),
        ]);
        [b"{\"error\":", error.as_slice(), b"}"].concat()
    }

    /// The error response.
    pub(crate) fn into_response(self) -> Response {
        let mut response = json::response(self.to_json());
        *response.status_mut() = self.status;
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
        Self::internal(format!("the store holds an unexpected value: {error}"))
    }
}

/// Quotes a text from a request, shortened for use in a message.
pub(crate) fn quote(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    if text.chars().count() <= MAX_CHARS {
        format!("{text:?}")
    } else {
        format!("{:?}…", text.chars().take(MAX_CHARS).collect::<String>())
    }
}

/// An id, quoted only if it does not look like one.
fn plain(id: &str) -> String {
    let simple = !id.is_empty()
        && id.len() <= 40
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if simple { id.into() } else { quote(id) }
}
