//! Any tower service as the HTTP client.

use std::{
    error::Error as StdError,
    fmt,
    future::poll_fn,
    sync::{Mutex, PoisonError},
};

use bytes::Bytes;
use http_body_util::BodyDataStream;
use reqwest::{Body, Request};
use tower_service::Service;

use super::{CancellationToken, HttpClient, HttpError, HttpFailure, HttpFuture};

type BoxError = Box<dyn StdError + Send + Sync>;

/// Sends requests through a [`tower_service::Service`]: a stack of layers, another HTTP client, or a router in the same
/// process. Requires the feature `tower`.
///
/// The service must not follow redirects and must not retry. Each request gets its own clone of the service, which is
/// polled until it is ready.
///
/// ```
/// use lms_ext::{http::TowerClient, prelude::*};
///
/// # async fn example() -> Result<(), Error> {
/// let service = tower::service_fn(async |request: http::Request<reqwest::Body>| {
///     assert_eq!(request.uri().path(), "/api/v1/courses/c1");
///     let body = reqwest::Body::from(r#"{"id": "c1", "name": "Fire safety"}"#);
///     Ok::<_, std::io::Error>(http::Response::new(body))
/// });
/// let lms = Lms::builder("https://acme.example")
///     .token("a-token")
///     .http_client(TowerClient::new(service))
///     .build()?;
/// assert_eq!(lms.get_course("c1").call().await?.name.as_deref(), Some("Fire safety"));
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(example()).unwrap();
/// ```
///
/// # Errors of the service
///
/// After an error of `poll_ready`, the request counts as not sent. After an error of `call`, it may have been
/// processed, unless the error is an [`HttpError`] or a [`reqwest::Error`] that says otherwise. Map other errors to
/// `HttpError`, so that a `POST` that was not sent is retried.
pub struct TowerClient<S> {
    // Locked only to be cloned, so that the service need not be `Sync`.
    service: Mutex<S>,
}

impl<S> TowerClient<S> {
    /// Creates an HTTP client for [`LmsBuilder::http_client`](crate::LmsBuilder::http_client).
    pub fn new(service: S) -> Self {
        Self {
            service: Mutex::new(service),
        }
    }
}

impl<S, B> HttpClient for TowerClient<S>
where
    S: Service<::http::Request<Body>, Response = ::http::Response<B>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<BoxError>,
    B: http_body::Body + Send + 'static,
    Bytes: From<B::Data>,
    B::Error: Into<BoxError>,
{
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let never = CancellationToken::new();
        Box::pin(async move { self.send_unless(request, &never).await })
    }

    fn send_unless<'a>(
        &'a self,
        request: Request,
        cancelled: &'a CancellationToken,
    ) -> HttpFuture<'a> {
        let service = self.service.lock();
        let mut service = service.unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(async move {
            let not_sent = |error| HttpError::new(HttpFailure::Connect, error);
            let request =
                ::http::Request::try_from(request).map_err(|error| not_sent(error.into()))?;
            let ready = poll_fn(|cx| service.poll_ready(cx));
            let ready = cancelled.run_until_cancelled(ready).await;
            ready
                .ok_or_else(|| HttpError::new(HttpFailure::Cancelled, "cancelled in a queue"))?
                .map_err(|error| not_sent(error.into()))?;
            let response = service.call(request).await;
            let response = response.map_err(|error| failed(error.into()))?;
            let response = response.map(|body| Body::wrap_stream(BodyDataStream::new(body)));
            Ok(response.into())
        })
    }
}

fn failed(error: BoxError) -> HttpError {
    match error.downcast::<HttpError>() {
        Ok(error) => *error,
        Err(error) => match error.downcast::<reqwest::Error>() {
            Ok(error) => HttpError::from(*error),
            Err(error) => HttpError::new(HttpFailure::Lost, error),
        },
    }
}

impl<S> fmt::Debug for TowerClient<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TowerClient")
    }
}
