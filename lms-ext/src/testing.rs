//! Scripted responses for unit tests of code that uses a client.
//!
//! Most tests are best run against [lms-sandbox](https://docs.rs/lms-sandbox), which behaves like the service. A test of
//! the exact requests of a function, or of a response that the service would not send, needs one response for each
//! expected request:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), lms_ext::Error> {
//! use lms_ext::{prelude::*, testing::{Scripted, response}};
//!
//! let service = Scripted::new();
//! service.expect("GET", "/learners/email/jo@acme.example", response(404, ""));
//! service.expect("POST", "/learners", response(200, r#"{"id": "l1"}"#));
//!
//! let wanted = types::AddLearner::builder("Jo", "Bell", "jo@acme.example");
//! let learner = service.lms().ensure_learner(wanted).await?;
//! assert!(learner.is_new());
//! // Fails if a request was not sent, or another one was.
//! service.finish();
//! # Ok(())
//! # }
//! ```
#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a mistake in a test panics"
)]

use std::{
    fmt::Display,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use percent_encoding::percent_decode_str;
use reqwest::{Request, Url};

use crate::{
    client::{Lms, LmsBuilder},
    http::{HttpClient, HttpError, HttpFailure, HttpFuture, Response},
};

/// The base URL of the clients.
const BASE: &str = "https://tenant.example/api/v1";

/// A service that sends one response for each expected request, and 400 to all others. Clones share the requests.
#[derive(Clone, Debug, Default)]
#[must_use = "expect requests, and finish with `.finish()`"]
pub struct Scripted(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
struct Script {
    /// A request is the method and the decoded path with the sorted query.
    expected: Vec<(String, Result<Response<String>, HttpFailure>)>,
    unexpected: Vec<String>,
    sent: Vec<Request>,
}

/// A response with a JSON body: text or a `serde_json::Value`. For other headers, use the builder of
/// [`http::Response`].
pub fn response(status: u16, body: impl Display) -> Response<String> {
    let mut response = Response::new(body.to_string());
    let status = status.try_into();
    *response.status_mut() = status.expect("a status between 100 and 999");
    let json = reqwest::header::HeaderValue::from_static("application/json");
    response.headers_mut().insert("content-type", json);
    response
}

impl Scripted {
    /// A service that expects nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Expects a request once, and responds to it. The path is below `/api/v1`, and has the query parameters in any
    /// order: `/learners?tags=emea&limit=50`. Different requests may come in any order.
    #[inline]
    pub fn expect(&self, method: &str, path: &str, response: Response<String>) {
        self.push(method, path, Ok(response));
    }

    /// Expects a request once, and loses its response, or fails to connect.
    #[inline]
    pub fn expect_failure(&self, method: &str, path: &str, failure: HttpFailure) {
        self.push(method, path, Err(failure));
    }

    #[inline]
    fn push(&self, method: &str, path: &str, outcome: Result<Response<String>, HttpFailure>) {
        let url = Url::parse(&format!("{BASE}{path}")).expect("a path such as /learners");
        self.lock().expected.push((key(method, &url), outcome));
    }

    /// A client of this service, with [`for_tests`](LmsBuilder::for_tests) and a token that needs no request.
    #[must_use]
    #[inline]
    pub fn lms(&self) -> Lms {
        self.builder().build().expect("a client")
    }

    /// The builder of such a client.
    #[inline]
    pub fn builder(&self) -> LmsBuilder {
        let builder = Lms::builder("https://tenant.example").for_tests();
        builder.token("scripted").http_client(self.clone())
    }

    /// The requests so far.
    #[must_use]
    #[inline]
    pub fn sent(&self) -> Vec<Request> {
        let script = self.lock();
        script.sent.iter().filter_map(Request::try_clone).collect()
    }

    /// Checks that every expected request was sent, and no other.
    ///
    /// # Panics
    ///
    /// If not, with a list of the requests.
    #[track_caller]
    #[inline]
    pub fn finish(&self) {
        let script = self.lock();
        let missing: Vec<_> = script.expected.iter().map(|(request, _)| request).collect();
        assert!(
            missing.is_empty() && script.unexpected.is_empty(),
            "requests that were expected and not sent: {missing:?}; requests that were not expected: {:?}",
            script.unexpected
        );
    }

    #[inline]
    fn lock(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The method and the decoded path of a request, with its query parameters in order.
#[inline]
fn key(method: &str, url: &Url) -> String {
    let path = url.path().strip_prefix("/api/v1").unwrap_or(url.path());
    let mut query: Vec<_> = url
        .query_pairs()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    query.sort_unstable();
    let mark = if query.is_empty() { "" } else { "?" };
    format!(
        "{method} {}{mark}{}",
        percent_decode_str(path).decode_utf8_lossy(),
        query.join("&")
    )
}

impl HttpClient for Scripted {
    #[inline]
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let sent = key(request.method().as_str(), request.url());
        let mut script = self.lock();
        script.sent.extend(request.try_clone());
        let outcome = match script
            .expected
            .iter()
            .position(|(expected, _)| *expected == sent)
        {
            Some(index) => script.expected.remove(index).1,
            None => {
                let message = format!("the test does not expect {sent}");
                script.unexpected.push(sent);
                Ok(response(400, serde_json::json!({ "message": message })))
            }
        };
        let outcome = outcome.map(reqwest::Response::from);
        Box::pin(async { outcome.map_err(|failure| HttpError::new(failure, "scripted")) })
    }
}
