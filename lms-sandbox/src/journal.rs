//! The journal: a record of every request that arrived, for tests that check the requests of a client.
//!
//! It wraps all other layers, so it also records requests that were rejected, and requests whose client disconnected
//! before the response. The last [`CAPACITY`] requests are kept. If older requests would belong to the result, reading
//! the journal is an error, because an assertion on incomplete records could be wrong.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, Method, StatusCode, header::AUTHORIZATION};

use crate::api::operation::Operation;
use crate::api::problem::Problem;
use crate::clock::Clock;
use crate::faults::{ChosenFaults, Effect};

/// Number of requests after which the oldest one is forgotten.
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
    /// `true` if the operation was processed, `false` if the service or a fault rejected the request.
    pub processed: bool,
    /// The status of the response; `None` if no response was sent, because a fault or the client closed the
    /// connection.
    pub status: Option<StatusCode>,
    /// The effects that were applied, in the order of the plan's rules. An effect that was chosen but could not be
    /// applied, such as a repeated cursor on a first page, is not listed.
    pub effects: Vec<Effect>,
    /// A fingerprint of the `Authorization` header: requests with the same token have the same. `None` without the header.
    pub token: Option<u64>,
    /// End of the request: the time since 1970 on the sandbox's clock.
    pub at: Duration,
}

/// The last requests, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    records: Mutex<Records>,
}

#[derive(Debug, Default)]
struct Records {
    kept: VecDeque<RequestRecord>,
    /// Number of requests that were forgotten, by operation.
    forgotten: HashMap<Option<Operation>, u64>,
}

impl Records {
    /// Fails if requests to the operation, or any requests, were forgotten.
    fn check(&self, operation: Option<Operation>) -> Result<(), Problem> {
        let forgotten = match operation {
            Some(_) => self.forgotten.get(&operation).copied().unwrap_or(0),
            None => self.forgotten.values().sum(),
        };
        if forgotten == 0 {
            return Ok(());
        }
        Err(Problem::gone(format!(
            "{forgotten} of these requests were forgotten: the last {CAPACITY} requests are kept; clear or take them \
             more often"
        )))
    }
}

impl Journal {
    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, record: RequestRecord) {
        let mut records = self.records();
        if records.kept.len() == CAPACITY
            && let Some(oldest) = records.kept.pop_front()
        {
            *records.forgotten.entry(oldest.operation).or_default() += 1;
        }
        records.kept.push_back(record);
    }

    /// The requests to one operation, or to all.
    pub(crate) fn list(&self, operation: Option<Operation>) -> Result<Vec<RequestRecord>, Problem> {
        let records = self.records();
        records.check(operation)?;
        let wanted = |record: &&RequestRecord| operation.is_none() || record.operation == operation;
        Ok(records.kept.iter().filter(wanted).cloned().collect())
    }

    /// Removes and returns all requests.
    pub(crate) fn take(&self) -> Result<Vec<RequestRecord>, Problem> {
        let mut records = self.records();
        records.check(None)?;
        Ok(records.kept.drain(..).collect())
    }

    /// Removes the requests to one operation, or all.
    pub(crate) fn clear(&self, operation: Option<Operation>) {
        let mut records = self.records();
        let keep = |of: Option<Operation>| operation.is_some() && of != operation;
        records.kept.retain(|record| keep(record.operation));
        records.forgotten.retain(|of, _| keep(*of));
    }
}

fn fingerprint(header: &HeaderValue) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(header)
}

/// The facts about a request while it is served.
///
/// The journal gets its record when the last holder drops this. Usually that is when the response is ready. If the
/// client disconnects first, it is when the work that the request started has ended.
pub(crate) struct RequestContext {
    journal: Arc<Journal>,
    clock: Clock,
    method: Method,
    path: String,
    query: Option<String>,
    token: Option<u64>,
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
            token: request.headers().get(AUTHORIZATION).map(fingerprint),
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
            token: self.token,
            operation: self.routed.get().map(|(operation, _)| *operation),
            body_size: *self.body_size.get_mut(),
            processed: *self.processed.get_mut(),
            status: self.status.get().copied(),
            effects: self.faults().map(ChosenFaults::applied).unwrap_or_default(),
            at: self.clock.now(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_for_forgotten_requests_is_an_error() {
        let (journal, clock) = (Arc::<Journal>::default(), Clock::default());
        let add = |operation| {
            let request = axum::http::Request::new(axum::body::Body::empty());
            RequestContext::new(&journal, &clock, &request).set_operation(operation, None);
        };
        (0..2).for_each(|_| add(Operation::Me));
        (0..CAPACITY - 2).for_each(|_| add(Operation::Test));
        assert_eq!(journal.list(None).unwrap().len(), CAPACITY);
        add(Operation::Test);
        for operation in [None, Some(Operation::Me)] {
            let problem = journal.list(operation).unwrap_err();
            assert!(
                problem.message.starts_with("1 of these requests"),
                "{problem:?}"
            );
        }
        assert!(journal.take().is_err());
        // All requests to this operation are still there.
        assert_eq!(
            journal.list(Some(Operation::Test)).unwrap().len(),
            CAPACITY - 1
        );
        journal.clear(Some(Operation::Me));
        assert_eq!(journal.list(None).unwrap().len(), CAPACITY - 1);
        (0..2).for_each(|_| add(Operation::Test));
        assert!(journal.list(None).is_err());
        journal.clear(None);
        add(Operation::Me);
        assert_eq!(journal.take().unwrap().len(), 1);
    }
}
