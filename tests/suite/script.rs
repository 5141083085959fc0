//! A tenant made of a closure: no socket, so that hours pass in milliseconds on a paused clock, and the
//! answers may be such as no real tenant would give.

use std::{
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use lms_ext::{
    Lms, LmsBuilder,
    http::{HttpClient, HttpError, HttpFailure, HttpFuture},
};
use reqwest::{Method, Request, Response, Url, header::HeaderMap};
use serde_json::Value;
use tokio::time::{Instant, sleep};

/// What arrived.
#[derive(Clone, Debug)]
pub struct Seen {
    /// How many requests came before it.
    pub index: usize,
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub at: Instant,
}

impl Seen {
    /// The path below `/api/v1`.
    pub fn path(&self) -> &str {
        self.url.path().trim_start_matches("/api/v1")
    }

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

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The token that came with it.
    pub fn token(&self) -> Option<&str> {
        self.headers
            .get("authorization")?
            .to_str()
            .ok()?
            .strip_prefix("Bearer ")
    }
}

/// What the tenant does with a request.
#[derive(Clone, Debug)]
pub struct Act {
    delay: Duration,
    outcome: Outcome,
}

#[derive(Clone, Debug)]
enum Outcome {
    Answer {
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<(Duration, Result<Bytes, &'static str>)>,
    },
    Fail(HttpFailure),
}

/// An answer with a status and nothing else.
pub fn status(status: u16) -> Act {
    Act {
        delay: Duration::ZERO,
        outcome: Outcome::Answer {
            status,
            headers: Vec::new(),
            body: Vec::new(),
        },
    }
}

/// A 200 with a JSON body.
#[expect(
    clippy::needless_pass_by_value,
    reason = "what is passed is always a literal, and reads better without a reference"
)]
pub fn json(body: Value) -> Act {
    status(200)
        .header("content-type", "application/json")
        .body(body.to_string())
}

/// No connection.
pub fn refused() -> Act {
    fail(HttpFailure::Connect)
}

/// The request arrives, the answer does not.
pub fn lost() -> Act {
    fail(HttpFailure::Lost)
}

/// A failure of the network.
pub fn fail(failure: HttpFailure) -> Act {
    Act {
        delay: Duration::ZERO,
        outcome: Outcome::Fail(failure),
    }
}

/// Nothing, for a year.
pub fn silence() -> Act {
    lost().after(Duration::from_secs(31_536_000))
}

impl Act {
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Outcome::Answer { headers, .. } = &mut self.outcome {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The same with another status.
    pub fn status(mut self, code: u16) -> Self {
        if let Outcome::Answer { status, .. } = &mut self.outcome {
            *status = code;
        }
        self
    }

    /// Appends a piece to the body.
    pub fn body(self, piece: impl Into<Bytes>) -> Self {
        self.piece(Duration::ZERO, Ok(piece.into()))
    }

    /// Appends a piece that comes after a pause.
    pub fn body_after(self, pause: Duration, piece: impl Into<Bytes>) -> Self {
        self.piece(pause, Ok(piece.into()))
    }

    /// Breaks the connection at this point of the body.
    pub fn broken(self) -> Self {
        self.piece(Duration::ZERO, Err("the connection was reset"))
    }

    fn piece(mut self, pause: Duration, piece: Result<Bytes, &'static str>) -> Self {
        if let Outcome::Answer { body, .. } = &mut self.outcome {
            body.push((pause, piece));
        }
        self
    }

    /// Whether it is an answer that says: too much.
    pub fn is_refusal(&self) -> bool {
        matches!(self.outcome, Outcome::Answer { status: 429, .. })
    }

    /// Lets time pass before it.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}

type Handler = dyn Fn(&Seen) -> Act + Send + Sync;

/// A scripted tenant and the record of what it saw.
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
    /// A tenant that does with every request, token requests included, what `handler` says.
    pub fn new(handler: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        Self {
            handler: Arc::new(handler),
            seen: Arc::default(),
        }
    }

    /// A tenant that answers one request after the other with the acts of a list; one request more is a
    /// failed test.
    pub fn of(acts: impl IntoIterator<Item = Act>) -> Self {
        let acts: Vec<_> = acts.into_iter().collect();
        Self::new(move |seen| {
            acts.get(seen.index)
                .unwrap_or_else(|| panic!("request {} was not expected: {seen:?}", seen.index))
                .clone()
        })
    }

    /// Everything that arrived so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// How many requests arrived so far.
    pub fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    /// A client of this tenant with a fixed token; to be changed and built.
    pub fn builder(&self) -> LmsBuilder {
        Lms::builder("https://tenant.example")
            .token("a-token")
            .http_client(self.clone())
    }

    /// A client of this tenant with a fixed token and every default.
    pub fn lms(&self) -> Lms {
        self.builder().build().unwrap()
    }
}

impl HttpClient for Script {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let act = {
            let mut seen = self.seen.lock().unwrap();
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
                Outcome::Answer {
                    status,
                    headers,
                    body,
                } => Ok(answer(status, headers, body)),
            }
        })
    }
}

fn answer(
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<(Duration, Result<Bytes, &'static str>)>,
) -> Response {
    let pieces = futures_util::stream::unfold(body.into_iter(), |mut pieces| async move {
        let (pause, piece) = pieces.next()?;
        if !pause.is_zero() {
            sleep(pause).await;
        }
        Some((piece.map_err(std::io::Error::other), pieces))
    });
    let mut response = http::Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response
        .body(reqwest::Body::wrap_stream(pieces))
        .unwrap()
        .into()
}
