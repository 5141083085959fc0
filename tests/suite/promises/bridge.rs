//! A sandbox in real time below a client on a paused clock.
//!
//! A request is sent on a runtime of its own, while the paused clock stands still. What takes time, a delay or a slow
//! body, passes on the paused clock afterwards: a millisecond in the plan of the sandbox is a second for the client. The
//! clock of the sandbox follows the paused one.

use std::{
    sync::{Arc, LazyLock, Mutex},
    time::{Duration, UNIX_EPOCH},
};

use bytes::Bytes;
use lms_ext::http::{HttpClient, HttpError, HttpFailure, HttpFuture};
use lms_sandbox::{Clock, Effect, FaultPlan, Operation, Sandbox};
use reqwest::{Request, Response, StatusCode, header::HeaderMap};
use tokio::{
    runtime::{Builder, Runtime},
    time::{Instant, sleep},
};

static REAL_TIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap()
});

/// Factor by which the client's clock is slower than the real one.
const SECONDS_PER_MILLISECOND: u32 = 1000;

/// An HTTP client of a sandbox.
#[derive(Clone, Debug)]
pub struct Bridge(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sandbox: Sandbox,
    http: reqwest::Client,
    /// One request at a time, so that the last one in the journal is the one that was sent.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The time to which the sandbox's clock was set.
    now: Instant,
    /// The effects that occurred.
    effects: Vec<Effect>,
    /// The operations that were sent.
    operations: Vec<Operation>,
    /// Number of enrolments that the service refused to add because they existed.
    conflicts: usize,
}

/// The result of a request in the sandbox.
struct Exchange {
    response: Result<(StatusCode, HeaderMap, Bytes), HttpFailure>,
    /// The connection broke in the body.
    breaks: bool,
    effects: Vec<Effect>,
}

impl Bridge {
    pub async fn start() -> Self {
        let start = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let builder = Sandbox::builder()
            .clock(Clock::stopped_at(start))
            .token_lifetime(Duration::from_secs(60));
        let sandbox = REAL_TIME.spawn(builder.start()).await.unwrap().unwrap();
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .pool_max_idle_per_host(0)
            .build()
            .unwrap();
        let state = State {
            now: Instant::now(),
            effects: Vec::new(),
            operations: Vec::new(),
            conflicts: 0,
        };
        Self(Arc::new(Inner {
            sandbox,
            http,
            state: Mutex::new(state),
        }))
    }

    pub fn sandbox(&self) -> &Sandbox {
        &self.0.sandbox
    }

    /// Sets the faults from here on.
    pub fn disturb(&self, plan: FaultPlan) {
        self.0.sandbox.faults().replace(plan);
    }

    /// Removes and returns the operations that were sent and the effects that occurred.
    pub fn take_sent(&self) -> (Vec<Operation>, Vec<Effect>) {
        let mut state = self.0.state.lock().unwrap();
        let sent = std::mem::take(&mut state.operations);
        (sent, std::mem::take(&mut state.effects))
    }

    /// Number of enrolments that were sent and existed.
    pub fn conflicts(&self) -> usize {
        self.0.state.lock().unwrap().conflicts
    }
}

impl Inner {
    fn exchange(&self, request: Request, now: Instant) -> Exchange {
        let mut state = self.state.lock().unwrap();
        self.sandbox.clock().advance(now.duration_since(state.now));
        state.now = state.now.max(now);
        let (response, breaks) = REAL_TIME.block_on(self.send(request));
        // A request is recorded when it has ended, which the client may see first.
        let record = loop {
            match self.sandbox.take_requests().unwrap().pop() {
                Some(record) => break record,
                None => std::thread::yield_now(),
            }
        };
        state.effects.extend(record.effects.iter().cloned());
        state.operations.extend(record.operation);
        let of_a_fault = |effect: &Effect| matches!(effect, Effect::Status { .. });
        let conflict = record.operation == Some(Operation::AddEnrolment)
            && record.status == Some(StatusCode::CONFLICT)
            && !record.effects.iter().any(of_a_fault);
        state.conflicts += usize::from(conflict);
        Exchange {
            response,
            breaks,
            effects: record.effects,
        }
    }

    async fn send(
        &self,
        request: Request,
    ) -> (Result<(StatusCode, HeaderMap, Bytes), HttpFailure>, bool) {
        let mut response = match self.http.execute(request).await {
            Ok(response) => response,
            Err(error) if error.is_connect() => return (Err(HttpFailure::Connect), false),
            Err(_) => return (Err(HttpFailure::Lost), false),
        };
        let (status, headers) = (response.status(), response.headers().clone());
        let mut body = Vec::new();
        let breaks = loop {
            match response.chunk().await {
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                end => break end.is_err(),
            }
        };
        (Ok((status, headers, body.into())), breaks)
    }
}

impl HttpClient for Bridge {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let (inner, now) = (Arc::clone(&self.0), Instant::now());
        Box::pin(async move {
            // The paused clock stands still while a blocking task runs.
            let exchange = tokio::task::spawn_blocking(move || inner.exchange(request, now));
            let exchange = exchange.await.unwrap();
            let mut chunks = (usize::MAX, Duration::ZERO);
            for effect in &exchange.effects {
                match effect {
                    Effect::Delay { time } => sleep(*time.end() * SECONDS_PER_MILLISECOND).await,
                    Effect::Trickle { chunk, pause } => {
                        chunks = (*chunk, *pause * SECONDS_PER_MILLISECOND);
                    }
                    _ => {}
                }
            }
            let (status, headers, body) = exchange
                .response
                .map_err(|failure| HttpError::new(failure, "lost"))?;
            let mut response = http::Response::new(chunked(body, chunks, exchange.breaks));
            *response.status_mut() = status;
            *response.headers_mut() = headers;
            Ok(Response::from(response))
        })
    }
}

/// A body in chunks with a pause after each, which breaks at its end or not.
fn chunked(body: Bytes, (size, pause): (usize, Duration), breaks: bool) -> reqwest::Body {
    let rest = (Some(body), breaks);
    let chunks = futures_util::stream::unfold(rest, move |(rest, breaks)| async move {
        match rest {
            Some(mut rest) if !rest.is_empty() => {
                let chunk = rest.split_to(size.min(rest.len()));
                if !pause.is_zero() {
                    sleep(pause).await;
                }
                Some((Ok(chunk), (Some(rest), breaks)))
            }
            Some(_) if breaks => {
                let error = std::io::Error::other("the connection was reset");
                Some((Err(error), (None, false)))
            }
            _ => None,
        }
    });
    reqwest::Body::wrap_stream(chunks)
}
