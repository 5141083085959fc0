//! What was asked of the sandbox?
//!
//! A test of a client wants to know what really arrived: how many requests, to what, with which answer. The journal
//! sits outside everything else, so it also sees what was refused, and keeps the last [`KEPT`] requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::operations::Operation;

/// How many requests are remembered.
const KEPT: usize = 10_000;

/// One request that arrived.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequestRecord {
    /// Its method.
    pub method: Method,
    /// Its path, as it came.
    pub path: String,
    /// Its query, as it came.
    pub query: Option<String>,
    /// The operation it named; `None` when there is no such path or method.
    pub operation: Option<Operation>,
    /// The status it was answered with.
    pub status: StatusCode,
    /// When it was answered, by the sandbox's clock, since 1970.
    pub at: Duration,
}

/// The last requests, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    records: Mutex<VecDeque<RequestRecord>>,
}

impl Journal {
    fn add(&self, record: RequestRecord) {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if records.len() == KEPT {
            records.pop_front();
        }
        records.push_back(record);
    }

    /// All that is remembered.
    pub(crate) fn records(&self) -> Vec<RequestRecord> {
        self.records
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .cloned()
            .collect()
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.records
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}

/// Writes down a request and its answer. The router leaves the operation with the response.
pub(crate) async fn record(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let query = request.uri().query().map(str::to_owned);
    let response = next.run(request).await;
    app.journal.add(RequestRecord {
        method,
        path,
        query,
        operation: response.extensions().get().copied(),
        status: response.status(),
        at: app.clock.now(),
    });
    response
}
