//! A tenant in place of the network, and a paused clock.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use lms_ext::{
    Lms, LmsBuilder, RateLimits,
    http::{HttpClient, HttpFuture},
};
use reqwest::{Method, Request, Url};
use tokio::time::Instant;

use crate::responses::{CannedResponse, TOKEN};

/// No input needs more requests.
const MAX_REQUESTS: usize = 1000;

/// A request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// How many requests of its kind came before; token requests are counted separately.
    pub(crate) index: usize,
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) bearer: Option<String>,
    pub(crate) body: Bytes,
    pub(crate) at: Instant,
}

impl Seen {
    pub(crate) fn asks_for_a_token(&self) -> bool {
        self.url.path().ends_with("/oauth/token")
    }
}

/// A tenant that is a function of the request.
#[derive(Clone)]
pub(crate) struct Tenant {
    response: Arc<dyn Fn(&Seen) -> CannedResponse + Send + Sync>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Tenant {
    pub(crate) fn new(response: impl Fn(&Seen) -> CannedResponse + Send + Sync + 'static) -> Self {
        Self {
            response: Arc::new(response),
            seen: Arc::default(),
        }
    }

    /// A tenant that returns these responses in turn, repeatedly.
    pub(crate) fn saying(responses: Vec<CannedResponse>) -> Self {
        Self::new(move |seen| responses[seen.index % responses.len()].clone())
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.lock().clone()
    }

    /// Returns a client with a fixed token and without adaptive throttling, which would delay requests.
    pub(crate) fn builder(&self) -> LmsBuilder {
        Lms::builder("https://tenant.example")
            .token(TOKEN)
            .rate_limits(RateLimits::default().without_adaptive_throttling())
            .http_client(self.clone())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tenant")
    }
}

impl HttpClient for Tenant {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let mut all = self.lock();
        assert!(
            all.len() < MAX_REQUESTS,
            "the client sends requests forever"
        );
        let mut seen = Seen {
            index: 0,
            method: request.method().clone(),
            url: request.url().clone(),
            bearer: request
                .headers()
                .get("authorization")
                .and_then(|value| Some(value.to_str().ok()?.strip_prefix("Bearer ")?.to_owned())),
            body: request
                .body()
                .and_then(|body| body.as_bytes())
                .map(Bytes::copy_from_slice)
                .unwrap_or_default(),
            at: Instant::now(),
        };
        seen.index = all
            .iter()
            .filter(|other| other.asks_for_a_token() == seen.asks_for_a_token())
            .count();
        all.push(seen.clone());
        drop(all);
        let CannedResponse {
            status,
            headers,
            body,
        } = (self.response)(&seen);
        let mut response = http::Response::new(reqwest::Body::from(body));
        *response.status_mut() = status;
        response.headers_mut().extend(headers);
        Box::pin(async move { Ok(response.into()) })
    }
}

/// Runs `work` on a paused clock, and panics when it does not end.
pub(crate) fn on_a_paused_clock<T>(work: impl Future<Output = T>) -> T {
    // The same input always behaves the same.
    fastrand::seed(7);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let year = Duration::from_secs(365 * 86_400);
    runtime
        .block_on(async { tokio::time::timeout(year, work).await })
        .expect("it ends within a year")
}
