//! A fake server made of a closure. It needs no socket, so that hours pass in milliseconds on a paused clock, and it can
//! send responses that no real server would.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use lms_ext::{
    Lms, LmsBuilder,
    http::{HttpClient, HttpError, HttpFailure, HttpFuture},
};
use reqwest::{
    Method, Request, Response, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::Value;
use tokio::time::{Instant, sleep};

/// A request that arrived.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The number of requests before it.
    pub index: usize,
    /// The method.
    pub method: Method,
    /// The address.
    pub url: Url,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
    /// Time of its arrival.
    pub at: Instant,
}

impl Seen {
    /// The path below `/api/v1`.
    pub fn path(&self) -> &str {
        self.url.path().trim_start_matches("/api/v1")
    }

    /// Returns `true` if the request asks for a token.
    pub fn is_token_request(&self) -> bool {
        self.path() == "/oauth/token"
    }

    /// The value of a query parameter.
    pub fn query(&self, name: &str) -> Option<String> {
        self.url
            .query_pairs()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
    }

    /// The body as JSON; `null` if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The bearer token.
    pub fn token(&self) -> Option<&str> {
        self.headers
            .get("authorization")?
            .to_str()
            .ok()?
            .strip_prefix("Bearer ")
    }
}

/// The reaction of the server to a request.
#[derive(Clone, Debug)]
pub struct Act {
    delay: Duration,
    outcome: Outcome,
}

#[derive(Clone, Debug)]
enum Outcome {
    Response {
        status: u16,
        headers: HeaderMap,
        body: Vec<(Duration, Result<Bytes, &'static str>)>,
    },
    Fail(HttpFailure),
}

/// A response without headers and body.
pub fn status(status: u16) -> Act {
    Act {
        delay: Duration::ZERO,
        outcome: Outcome::Response {
            status,
            headers: HeaderMap::new(),
            body: Vec::new(),
        },
    }
}

/// A 200 with a JSON body.
pub fn json(body: Value) -> Act {
    status(200)
        .header("content-type", "application/json")
        .body(body.to_string())
}

/// No connection is made.
pub fn refused() -> Act {
    fail(HttpFailure::Connect)
}

/// The request arrives, but the response is lost.
pub fn lost() -> Act {
    fail(HttpFailure::Lost)
}

/// A network failure.
pub fn fail(failure: HttpFailure) -> Act {
    Act {
        delay: Duration::ZERO,
        outcome: Outcome::Fail(failure),
    }
}

/// No response for a year.
pub fn silence() -> Act {
    lost().after(Duration::from_secs(31_536_000))
}

impl Act {
    /// Adds a header.
    pub fn header(self, name: &str, value: &str) -> Self {
        let name = HeaderName::try_from(name).expect("the name of a header");
        let value = HeaderValue::try_from(value).expect("the value of a header");
        self.headers([(name, value)])
    }

    /// Adds headers.
    pub fn headers(mut self, more: impl IntoIterator<Item = (HeaderName, HeaderValue)>) -> Self {
        if let Outcome::Response { headers, .. } = &mut self.outcome {
            for (name, value) in more {
                headers.append(name, value);
            }
        }
        self
    }

    /// Replaces the status.
    pub fn status(mut self, code: u16) -> Self {
        if let Outcome::Response { status, .. } = &mut self.outcome {
            *status = code;
        }
        self
    }

    /// Appends a chunk to the body.
    pub fn body(self, piece: impl Into<Bytes>) -> Self {
        self.piece(Duration::ZERO, Ok(piece.into()))
    }

    /// Appends a chunk that is sent after a pause.
    pub fn body_after(self, pause: Duration, piece: impl Into<Bytes>) -> Self {
        self.piece(pause, Ok(piece.into()))
    }

    /// Breaks the connection at this point of the body.
    pub fn broken(self) -> Self {
        self.piece(Duration::ZERO, Err("the connection was reset"))
    }

    fn piece(mut self, pause: Duration, piece: Result<Bytes, &'static str>) -> Self {
        if let Outcome::Response { body, .. } = &mut self.outcome {
            body.push((pause, piece));
        }
        self
    }

    /// Returns `true` if it is a 429.
    pub fn is_refusal(&self) -> bool {
        matches!(self.outcome, Outcome::Response { status: 429, .. })
    }

    /// Delays the reaction.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}

type Handler = dyn Fn(&Seen) -> Act + Send + Sync;

/// A scripted server, which records requests.
#[derive(Clone)]
pub struct Script {
    handler: Arc<Handler>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}

impl Script {
    /// A server that reacts to each request, including token requests, as `handler` says.
    pub fn new(handler: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        Self {
            handler: Arc::new(handler),
            seen: Arc::default(),
        }
    }

    /// A server that reacts to one request after the other as listed. A further request fails the test.
    pub fn of(acts: impl IntoIterator<Item = Act>) -> Self {
        let acts: Vec<_> = acts.into_iter().collect();
        Self::new(move |seen| {
            acts.get(seen.index)
                .unwrap_or_else(|| panic!("request {} was not expected: {seen:?}", seen.index))
                .clone()
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.lock().clone()
    }

    /// The number of requests so far.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// The requests with this method that arrived so far.
    pub fn sent(&self, method: &Method) -> Vec<Seen> {
        let mut seen = self.seen();
        seen.retain(|seen| seen.method == *method);
        seen
    }

    /// A builder of a client of this server, with a fixed token.
    pub fn builder(&self) -> LmsBuilder {
        Lms::builder("https://tenant.example")
            .token("a-token")
            .http_client(self.clone())
    }

    /// A client of this server, with a fixed token and default settings.
    pub fn lms(&self) -> Lms {
        self.lms_with(|builder| builder)
    }

    /// A client of this server with other settings.
    pub fn lms_with(&self, settings: impl FnOnce(LmsBuilder) -> LmsBuilder) -> Lms {
        settings(self.builder()).build().expect("a client")
    }
}

impl HttpClient for Script {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let act = {
            let mut seen = self.lock();
            let body = request
                .body()
                .and_then(|body| body.as_bytes())
                .map(Bytes::copy_from_slice)
                .unwrap_or_default();
            let this = Seen {
                index: seen.len(),
                method: request.method().clone(),
                url: request.url().clone(),
                headers: request.headers().clone(),
                body,
                at: Instant::now(),
            };
            seen.push(this.clone());
            drop(seen);
            (self.handler)(&this)
        };
        Box::pin(async move {
            if !act.delay.is_zero() {
                sleep(act.delay).await;
            }
            match act.outcome {
                Outcome::Fail(failure) => Err(HttpError::new(failure, "scripted")),
                Outcome::Response {
                    status,
                    headers,
                    body,
                } => Ok(response(status, headers, body)),
            }
        })
    }
}

fn response(
    status: u16,
    headers: HeaderMap,
    body: Vec<(Duration, Result<Bytes, &'static str>)>,
) -> Response {
    let pieces = futures_util::stream::unfold(body.into_iter(), |mut pieces| async move {
        let (pause, piece) = pieces.next()?;
        if !pause.is_zero() {
            sleep(pause).await;
        }
        Some((piece.map_err(std::io::Error::other), pieces))
    });
    let response = http::Response::builder().status(status);
    let mut response = response
        .body(reqwest::Body::wrap_stream(pieces))
        .expect("a response");
    *response.headers_mut() = headers;
    response.into()
}
