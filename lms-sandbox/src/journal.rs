//! The journal: a record of every request that arrived, for tests that check what a client really sent.
//!
//! It wraps all other layers, so it also records requests that were rejected, and requests whose client disconnected
//! before the response. The last [`CAPACITY`] requests are kept.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::{Method, StatusCode};

use crate::api::operation::Operation;
use crate::clock::Clock;
use crate::faults::{ChosenFaults, Effect};

/// How many requests are kept.
const CAPACITY: usize = 10_000;

/// One request that arrived.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequestRecord {
    /// The HTTP method.
    pub method: Method,
    /// The path, as received.
    pub path: String,
    /// The query string, as received.
    pub query: Option<String>,
    /// The operation that method and path select; `None` if there is no such operation.
    pub operation: Option<Operation>,
    /// The size of the body in bytes: the value of `Content-Length`, or the number of bytes read if there was none.
    pub body_size: u64,
    /// Whether the operation was processed. It is `false` for a request that the service or a fault rejected.
    pub processed: bool,
    /// The status of the response; `None` if no response was sent, because a fault or the client closed the
    /// connection.
    pub status: Option<StatusCode>,
    /// The effects that were applied, in the order of the plan's rules. An effect that was chosen but could not be
    /// applied, such as a repeated cursor on a first page, is not listed.
    pub effects: Vec<Effect>,
    /// When the request ended: the time since 1970 on the sandbox's clock.
    pub at: Duration,
}

/// The last requests, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    records: Mutex<VecDeque<RequestRecord>>,
}

impl Journal {
    fn records(&self) -> MutexGuard<'_, VecDeque<RequestRecord>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, record: RequestRecord) {
        let mut records = self.records();
        if records.len() == CAPACITY {
            records.pop_front();
        }
        records.push_back(record);
    }

    /// The requests to one operation, or to all.
    pub(crate) fn list(&self, operation: Option<Operation>) -> Vec<RequestRecord> {
        let wanted = |record: &&RequestRecord| operation.is_none() || record.operation == operation;
        self.records().iter().filter(wanted).cloned().collect()
    }

    /// Removes and returns all requests.
    pub(crate) fn take(&self) -> Vec<RequestRecord> {
        self.records().drain(..).collect()
    }

    /// Removes the requests to one operation, or all.
    pub(crate) fn clear(&self, operation: Option<Operation>) {
        self.records()
            .retain(|record| operation.is_some() && record.operation != operation);
    }
}

/// What is known about a request while it is served.
///
/// The journal gets its record when the last holder drops this. Usually that is when the response is ready. If the
/// client disconnects first, it is when the work that the request started has ended.
pub(crate) struct RequestContext {
    journal: Arc<Journal>,
    clock: Clock,
    method: Method,
    path: String,
    query: Option<String>,
    routed: OnceLock<(Operation, Option<ChosenFaults>)>,
    body_size: AtomicU64,
    processed: AtomicBool,
    status: OnceLock<StatusCode>,
}

impl RequestContext {
    pub(crate) fn new<B: hyper::body::Body>(
        journal: &Arc<Journal>,
        clock: &Clock,
        request: &axum::http::Request<B>,
    ) -> Self {
        Self {
            journal: Arc::clone(journal),
            clock: clock.clone(),
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            query: request.uri().query().map(str::to_owned),
            routed: OnceLock::new(),
            body_size: request.body().size_hint().exact().unwrap_or(0).into(),
            processed: AtomicBool::new(false),
            status: OnceLock::new(),
        }
    }

    /// Sets the operation and the faults that the plan chose. Only the first call has an effect.
    pub(crate) fn set_operation(&self, operation: Operation, faults: Option<ChosenFaults>) {
        let _ = self.routed.set((operation, faults));
    }

    pub(crate) fn set_body_size(&self, size: u64) {
        self.body_size.store(size, Ordering::Relaxed);
    }

    /// Records whether the operation succeeded.
    pub(crate) fn set_processed<T, E>(&self, result: &Result<T, E>) {
        self.processed.store(result.is_ok(), Ordering::Relaxed);
    }

    /// Sets the status of the response. Only the first call has an effect.
    pub(crate) fn set_status(&self, status: StatusCode) {
        let _ = self.status.set(status);
    }

    pub(crate) fn faults(&self) -> Option<&ChosenFaults> {
        self.routed.get()?.1.as_ref()
    }
}

impl Drop for RequestContext {
    fn drop(&mut self) {
        self.journal.add(RequestRecord {
            method: self.method.clone(),
            path: std::mem::take(&mut self.path),
            query: self.query.take(),
            operation: self.routed.get().map(|(operation, _)| *operation),
            body_size: *self.body_size.get_mut(),
            processed: *self.processed.get_mut(),
            status: self.status.get().copied(),
            effects: self.faults().map(ChosenFaults::applied).unwrap_or_default(),
            at: self.clock.now(),
        });
    }
}
