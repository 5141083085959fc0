//! What was asked of the sandbox?
//!
//! A test of a client wants to know what really arrived: how many requests, to what, with which answer, and what was
//! done to them. The journal sits outside everything else, so it also sees what was refused and what the client gave
//! up on, and keeps the last [`KEPT`] requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::Body;

use crate::app::App;
use crate::case::Case;
use crate::faults::{Effect, Severed, Verdict};
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
    /// The size of its body in bytes: as `Content-Length` has it, or else what was read of it.
    pub body_size: u64,
    /// Whether the operation was carried out. What was refused, by the service or by a fault, was not.
    pub carried_out: bool,
    /// The status it was answered with; `None` when there was no answer, because a fault closed the connection or the
    /// client did.
    pub status: Option<StatusCode>,
    /// What the fault plan did to it, in the order of the plan's rules; rules that chose it in vain are left out.
    pub effects: Vec<Effect>,
    /// When it was over, by the sandbox's clock, since 1970.
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

    /// What is remembered of the requests to one operation, or of all.
    pub(crate) fn records(&self, to: Option<Operation>) -> Vec<RequestRecord> {
        self.records
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .filter(|record| to.is_none() || record.operation == to)
            .cloned()
            .collect()
    }

    /// Forgets everything, and gives what it was.
    pub(crate) fn take(&self) -> Vec<RequestRecord> {
        self.records
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..)
            .collect()
    }

    /// Forgets the requests to one operation, or all.
    pub(crate) fn forget(&self, to: Option<Operation>) {
        self.records
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|record| to.is_some() && record.operation != to);
    }
}

/// Writes down a request when it is over.
pub(crate) async fn record(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let case = Case::default();
    case.note_body(request.body().size_hint().exact().unwrap_or(0));
    let entry = Arc::new(Entry {
        app,
        case,
        method: request.method().clone(),
        path: request.uri().path().to_owned(),
        query: request.uri().query().map(str::to_owned),
        status: OnceLock::new(),
    });
    request.extensions_mut().insert(Arc::clone(&entry));
    let response = next.run(request).await;
    if response.extensions().get::<Severed>().is_none() {
        // It is answered once.
        let _ = entry.status.set(response.status());
    }
    response
}

/// A request that is being served. It is written down when the last of those who work on it drops this: usually when it
/// is answered, but also when the client has closed the connection before and the work that it began has come to its end.
pub(crate) struct Entry {
    app: Arc<App>,
    case: Case,
    method: Method,
    path: String,
    query: Option<String>,
    status: OnceLock<StatusCode>,
}

impl Entry {
    /// What is known of it.
    pub(crate) fn case(&self) -> &Case {
        &self.case
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.app.journal.add(RequestRecord {
            method: self.method.clone(),
            path: std::mem::take(&mut self.path),
            query: self.query.take(),
            operation: self.case.operation(),
            body_size: self.case.body_size(),
            carried_out: self.case.carried_out(),
            status: self.status.get().copied(),
            effects: self
                .case
                .verdict()
                .map(Verdict::effects)
                .unwrap_or_default(),
            at: self.app.clock.now(),
        });
    }
}
