//! Requests by method and path, with JSON that is not decoded.
//!
//! A command line, a test tool or a connector chooses the operation at run time, where builders and types do not help.
//! A [`RawRequest`] sends any operation, and requests to undocumented paths, under the same policies as a builder:
//! tokens, retries, rate limits, and the checks before a request is sent.

use std::{fmt, sync::Arc};

use bytes::Bytes;
use lms_client::operation::{OPERATIONS, UNDOCUMENTED, encode_path};
use reqwest::{
    Method, Request, Url,
    header::{ACCEPT, CONTENT_TYPE, HeaderValue},
};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{
    client::Lms,
    error::Error,
    paging::{Items, Pages},
    request::{CallOptions, PreparedCall, Response, matches},
    values::OperationInfo,
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A request by method and path; returned by [`Lms::raw`] and [`Lms::raw_operation`].
#[derive(Clone)]
#[must_use = "nothing is sent: write `.call().await`"]
pub struct RawRequest {
    lms: Lms,
    operation: &'static OperationInfo,
    url: Url,
    body: Option<Bytes>,
    options: CallOptions,
}

/// Without the path, the query and the body, which may be personal or secret.
impl fmt::Debug for RawRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawRequest({})", self.operation.id)
    }
}

impl Lms {
    /// Starts a request by method and path. The path is relative to [`base_url`](Self::base_url), is encoded, and may have
    /// a query: `/learners?tags=emea`.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use reqwest::Method;
    ///
    /// let course = lms.raw(Method::GET, "/courses/c1")?.call().await?;
    /// println!("{}", course.value.as_deref().map_or("", |json| json.get()));
    ///
    /// let mut learners = lms.raw(Method::GET, "/learners")?.query("tags", "emea").items();
    /// while let Some(learner) = learners.try_next().await? {
    ///     println!("{}", learner.get());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) if the path does not start with `/`, has an empty segment, a dot segment, a
    /// fragment, a backslash, a space or a control character; if it is the path of an operation with another method or in
    /// another case; or if it is the path of no operation and contains encoded characters, which could hide one.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers write `Method::GET`, as with reqwest"
    )]
    #[inline]
    pub fn raw(&self, method: Method, path: &str) -> Result<RawRequest, Error> {
        check_path(path)?;
        let operation = operation(&method, path.split('?').next().unwrap_or(path))?;
        self.raw_at(operation, path)
    }

    /// Starts a request of an operation, with the values of its
    /// [`path_parameters`](OperationInfo::path_parameters), in that order.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// let operation = lms_ext::OPERATIONS.iter().find(|known| known.id == "get_course").unwrap();
    /// let course = lms.raw_operation(operation, &["c1"])?.call().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) if there are more or fewer values than parameters, or if a value is empty or a dot
    /// segment.
    pub fn raw_operation<S: AsRef<str>>(
        &self,
        operation: &'static OperationInfo,
        parameters: &[S],
    ) -> Result<RawRequest, Error> {
        let (expected, found) = (operation.path_parameters.len(), parameters.len());
        if expected != found {
            let detail = format!("the path has {expected} parameters, and {found} were given");
            return Err(Error::usage(detail).in_operation(operation));
        }
        let mut path = String::with_capacity(operation.path.len());
        for segment in operation.path.split('/').skip(1) {
            path.push('/');
            let name = segment.trim_matches(['{', '}']);
            let names = operation.path_parameters.iter();
            let value = names.zip(parameters).find(|(known, _)| **known == name);
            match value {
                Some((_, value)) if name != segment => path.push_str(&encode_path(value.as_ref())),
                _ => path.push_str(segment),
            }
        }
        check_segments(&path).map_err(|error| error.in_operation(operation))?;
        self.raw_at(operation, &path)
    }

    #[inline]
    fn raw_at(&self, operation: &'static OperationInfo, path: &str) -> Result<RawRequest, Error> {
        let url = format!("{}{path}", self.engine().base.as_str());
        let url = Url::parse(&url)
            .map_err(|_| Error::usage("the path is not valid in a URL").in_operation(operation))?;
        Ok(RawRequest {
            lms: self.clone(),
            operation,
            url,
            body: None,
            options: CallOptions::default(),
        })
    }
}

impl RawRequest {
    /// The operation. For an undocumented path, its `path` is empty.
    #[must_use]
    pub fn operation(&self) -> &'static OperationInfo {
        self.operation
    }

    /// The URL of the request.
    #[must_use]
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// Adds a query parameter.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    /// Sets the body, which should be JSON. It is sent unchanged. Serialize a type that contains a
    /// [`Secret`](crate::Secret) inside of [`expose_secrets`](crate::expose_secrets); otherwise, the text of the secret
    /// is `<hidden>`.
    pub fn body(mut self, json: impl Into<Bytes>) -> Self {
        self.body = Some(json.into());
        self
    }

    /// Sets options of this call that replace those of its client.
    pub fn options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }

    /// Sends the request and returns the JSON of the response; `None` if the response has no body.
    ///
    /// # Errors
    ///
    /// The errors of [`Call::call`](crate::Call::call), and [`NotJson`](crate::ErrorKind::NotJson) if the body is not
    /// JSON.
    #[inline]
    pub async fn call(self) -> Result<Response<Option<Box<RawValue>>>, Error> {
        self.prepared().with_optional_content().response().await
    }

    /// Like [`call`](Self::call), decoded into a type. A response without a body is an error, unless the document says that
    /// the operation has none: then the type is read from `null`.
    ///
    /// # Errors
    ///
    /// The errors of [`call`](Self::call), and [`Decode`](crate::ErrorKind::Decode) if the response does not have the
    /// type.
    pub async fn call_as<T: DeserializeOwned + 'static>(self) -> Result<Response<T>, Error> {
        self.prepared().response().await
    }

    /// The items of all pages as JSON, like [`ListExt::items`](crate::ListExt::items) of a builder.
    ///
    /// An undocumented path is read as one page.
    #[inline]
    pub fn items(self) -> Items<Box<RawValue>> {
        Items::new(self.pages())
    }

    /// The pages, with their items as JSON, like [`ListExt::pages`](crate::ListExt::pages) of a builder.
    #[inline]
    pub fn pages(self) -> Pages<Box<RawValue>> {
        let operation = self.operation;
        let paged = operation.query_parameters.contains(&"cursor");
        let pages = Pages::new(Ok(self.prepared()), operation, paged);
        pages.recognise_pages(|item| item.get().as_bytes())
    }

    fn prepared(self) -> PreparedCall {
        let mut request = Request::new(self.operation.method.clone(), self.url);
        request.headers_mut().insert(ACCEPT, JSON);
        if let Some(body) = self.body {
            request.headers_mut().insert(CONTENT_TYPE, JSON);
            *request.body_mut() = Some(body.into());
        }
        let engine = Arc::clone(self.lms.engine());
        let options = Some(Box::new(self.options));
        PreparedCall::raw(engine, Box::new(request), self.operation, options)
    }
}

/// The operation of a path; an undocumented one if the path resembles none that is documented.
#[inline]
fn operation(method: &Method, path: &str) -> Result<&'static OperationInfo, Error> {
    let segments = path.split('/').map(without_parameters);
    let read = segments.collect::<Vec<_>>().join("/").to_ascii_lowercase();
    let at_path: Vec<_> = OPERATIONS
        .iter()
        .filter(|known| matches(known.path, &read))
        .collect();
    let known = at_path
        .iter()
        .find(|known| known.method == *method && matches(known.path, path));
    if let Some(known) = known {
        return Ok(known);
    }
    // A server that ignores case or parameters of segments, or decodes the path once more, would run an operation without
    // its checks.
    if let Some(near) = at_path.first() {
        let methods: Vec<_> = at_path.iter().map(|known| known.method.as_str()).collect();
        return Err(Error::usage(format!(
            "{method} {path} is not an operation of the service; {} has {}",
            near.path,
            methods.join(", ")
        )));
    }
    if path.contains('%') {
        return Err(Error::usage(
            "the path is not one of the service's operations, and contains encoded characters; write it without them",
        ));
    }
    UNDOCUMENTED
        .iter()
        .find(|known| known.method == *method)
        .ok_or_else(|| {
            Error::usage(format!(
                "the method {method} is not supported; use GET, PUT, POST, PATCH or DELETE"
            ))
        })
}

#[inline]
fn check_path(path: &str) -> Result<(), Error> {
    let refuse = |reason: &str| Err(Error::usage(format!("the path {reason}")));
    if !path.starts_with('/') {
        return refuse("must start with /, and is relative to the base URL: write /courses/c1");
    }
    if path.starts_with("/api/v1/") {
        return refuse("must not contain /api/v1, which the base URL has already");
    }
    let forbidden = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '\\' | '#');
    if path.contains(forbidden) {
        return refuse(
            "contains a space, a control character, a backslash or a fragment; encode it",
        );
    }
    check_segments(path.split('?').next().unwrap_or(path))
}

/// Fails if a segment is empty or a dot segment, which would lead to another path.
#[inline]
fn check_segments(path: &str) -> Result<(), Error> {
    let changes_path = |segment: &str| {
        let decoded = without_parameters(segment).to_ascii_lowercase();
        matches!(decoded.replace("%2e", ".").trim(), "" | "." | "..")
    };
    if path.split('/').skip(1).any(changes_path) {
        return Err(Error::usage(
            "a segment of the path is empty or a dot segment; give the id of one object",
        ));
    }
    Ok(())
}

/// A segment as servers read it that treat the text after a semicolon as parameters (RFC 3986, 3.3).
#[inline]
fn without_parameters(segment: &str) -> &str {
    segment.split(';').next().unwrap_or(segment)
}
