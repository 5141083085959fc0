//! The journal: a record of every request that arrived, for tests that check the requests of a client.
//!
//! It wraps all other layers, so it also records requests that were rejected, and requests whose client disconnected
//! before the response. The last [`CAPACITY`] requests are kept. If older requests would belong to the result, reading
//! the journal is an error, because an assertion on incomplete records could be wrong.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
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
    record: Mutex<RequestRecord>,
    faults: OnceLock<ChosenFaults>,
}

impl RequestContext {
    pub(crate) fn new<B: hyper::body::Body>(
        journal: &Arc<Journal>,
        clock: &Clock,
        request: &axum::http::Request<B>,
    ) -> Self {
        let record = RequestRecord {
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            query: request.uri().query().map(str::to_owned),
            operation: None,
            body_size: request.body().size_hint().exact().unwrap_or(0),
            processed: false,
            status: None,
            effects: Vec::new(),
            token: request.headers().get(AUTHORIZATION).map(fingerprint),
            at: Duration::ZERO,
        };
        Self {
            journal: Arc::clone(journal),
            clock: clock.clone(),
            record: Mutex::new(record),
            faults: OnceLock::new(),
        }
    }

    /// Adds facts to the record.
    pub(crate) fn record(&self) -> MutexGuard<'_, RequestRecord> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the faults that the plan chose, and returns them. Only the first call has an effect.
    pub(crate) fn set_faults(&self, faults: Option<ChosenFaults>) -> Option<&ChosenFaults> {
        if let Some(faults) = faults {
            let _ = self.faults.set(faults);
        }
        self.faults()
    }

    pub(crate) fn faults(&self) -> Option<&ChosenFaults> {
        self.faults.get()
    }
}

impl Drop for RequestContext {
    fn drop(&mut self) {
        let mut record = self.record().clone();
        record.effects = self.faults().map(ChosenFaults::applied).unwrap_or_default();
        record.at = self.clock.now();
        self.journal.add(record);
    }
}
