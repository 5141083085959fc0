//! tower services as the HTTP client.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use futures_util::stream;
use http::{Request, Response};
use lms_ext::{
    ErrorKind, RetryPolicy,
    http::{HttpError, HttpFailure, TowerClient},
    prelude::*,
};
use lms_sandbox::Sandbox;
use reqwest::Body;
use tower::{ServiceBuilder, ServiceExt as _, service_fn};

use crate::servers::{at_once, builder, disturb};

/// A client of a service that responds like `respond`, and the number of requests.
fn client<E>(
    respond: impl Fn(usize) -> Result<Response<Body>, E> + Clone + Send + 'static,
) -> (Lms, Arc<AtomicUsize>)
where
    E: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
{
    let requests = Arc::new(AtomicUsize::new(0));
    let counter = requests.clone();
    let service = service_fn(move |_: Request<Body>| {
        let response = respond(counter.fetch_add(1, Ordering::Relaxed));
        async move { response }
    });
    let builder = Lms::builder("https://tenant.example").token("a-token");
    let builder = builder.retry(at_once());
    let builder = builder.http_client(TowerClient::new(service));
    (builder.build().unwrap(), requests)
}

fn course() -> Response<Body> {
    Response::new(Body::from(r#"{"id": "c1"}"#))
}

async fn add(lms: &Lms) -> Result<types::Course, Error> {
    lms.add_course("Safety").call().await
}

#[tokio::test]
async fn an_error_of_the_service_is_ambiguous_unless_it_says_that_nothing_was_sent() {
    let (lms, requests) = client(|_| Err(io::Error::other("broken")));
    assert!(add(&lms).await.unwrap_err().is_ambiguous());
    assert_eq!(requests.load(Ordering::Relaxed), 1);

    let (lms, requests) = client(|request| match request {
        0 => Err(HttpError::new(HttpFailure::Connect, "refused")),
        _ => Ok(course()),
    });
    add(&lms).await.unwrap();
    assert_eq!(requests.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_service_that_is_not_ready_sends_nothing() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = calls.clone();
    let service = service_fn(move |_: Request<Body>| {
        counter.fetch_add(1, Ordering::Relaxed);
        async { Ok::<_, io::Error>(course()) }
    });
    // The readiness of this service is that of a future that fails.
    let service = ServiceBuilder::new().concurrency_limit(1).service(service);
    let unready = Unready(service);
    let lms = Lms::builder("https://tenant.example")
        .token("a-token")
        .retry(RetryPolicy::disabled())
        .http_client(TowerClient::new(unready))
        .build()
        .unwrap();
    let error = add(&lms).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connect);
    assert_eq!(calls.load(Ordering::Relaxed), 0);
}

/// A service that is never ready.
#[derive(Clone)]
struct Unready<S>(S);

impl<S, R> tower::Service<R> for Unready<S>
where
    S: tower::Service<R, Error = io::Error>,
{
    type Response = S::Response;
    type Error = io::Error;
    type Future = S::Future;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), io::Error>> {
        std::task::Poll::Ready(Err(io::Error::other("closed")))
    }

    fn call(&mut self, request: R) -> S::Future {
        self.0.call(request)
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_is_an_error_and_read_again() {
    let broken = || {
        let pieces = [
            Ok(Bytes::from_static(b"{\"id\":")),
            Err(io::Error::other("reset")),
        ];
        Response::new(Body::wrap_stream(stream::iter(pieces)))
    };
    let (lms, requests) =
        client(move |request| Ok::<_, io::Error>(if request == 0 { broken() } else { course() }));
    let read = lms.get_course("c1").call().await.unwrap();
    assert_eq!(read.id.as_deref(), Some("c1"));
    assert_eq!(requests.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn layers_above_reqwest_work_under_faults() {
    let sandbox = Sandbox::builder().start().await.unwrap();
    disturb(&sandbox, ["all: every 4: status 503"]);
    let seen = Arc::new(AtomicUsize::new(0));
    let counter = seen.clone();
    let service = ServiceBuilder::new()
        .concurrency_limit(4)
        .map_request(move |request: Request<Body>| {
            counter.fetch_add(1, Ordering::Relaxed);
            reqwest::Request::try_from(request).unwrap()
        })
        .service(reqwest::Client::new())
        .map_response(Response::<Body>::from);
    let builder = builder(&sandbox).retry(at_once());
    let builder = builder.http_client(TowerClient::new(service));
    let lms = builder.build().unwrap();
    let course = sandbox.seed().add_course("Safety").unwrap();
    for _ in 0..20 {
        lms.get_course(&course).call().await.unwrap();
    }
    let requests = sandbox.requests().unwrap().len();
    assert_eq!(seen.load(Ordering::Relaxed), requests);
    assert!(requests > 21);
}
