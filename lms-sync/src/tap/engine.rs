//! Reads the streams of a tap from all tenants, and decides which of them are complete.

use std::{
    collections::BTreeMap,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_util::{StreamExt as _, stream};
use lms_ext::Lms;

use super::{
    config::{TapConfig, TenantConfig},
    state::{StreamState, TenantState},
    stream::Stream,
};
use crate::{
    collection::{Collection, Row},
    error::{Error, ErrorKind},
    extract::Extract,
    record::CompletenessRecord,
    run::is_refusal,
};

/// How many tenants are read at a time.
const CONCURRENT_TENANTS: usize = 8;

/// The states of all streams, by name.
pub(super) type States = BTreeMap<String, StreamState>;

/// Writes the messages of a protocol. Blocks when the reader of the messages is slow, which slows down reading.
pub(super) trait Messages {
    /// A stream begins.
    fn begin(&mut self, stream: &Stream) -> io::Result<()>;

    /// Rows of a tenant, all with the version of the read.
    fn rows(&mut self, stream: &Stream, tenant: &str, version: i64, rows: &[Row])
    -> io::Result<()>;

    /// All rows before this message are covered by the states. `rows` is their number since the last state.
    fn state(&mut self, stream: &Stream, states: &States, rows: usize) -> io::Result<()>;

    /// A stream failed at a tenant, whose name is empty if there is only one.
    fn failed(&mut self, stream: &Stream, tenant: &str, error: &Error) -> io::Result<()>;

    /// A stream ended, with these states. Rows of older versions may be deleted only if it is complete.
    fn end(
        &mut self,
        stream: &Stream,
        states: &States,
        version: i64,
        complete: bool,
    ) -> io::Result<()>;
}

/// What a tap did.
#[derive(Debug)]
#[non_exhaustive]
pub struct TapSummary {
    /// One entry for each stream and tenant.
    pub outcomes: Vec<TapOutcome>,
}

/// What a tap did with one stream at one tenant.
#[derive(Debug)]
#[non_exhaustive]
pub struct TapOutcome {
    /// The collection.
    pub collection: &'static Collection,
    /// The name of the tenant; empty if there is only one.
    pub tenant: String,
    /// How the stream was read. `None` if an earlier run had completed it, or if it could not begin.
    pub record: Option<CompletenessRecord>,
    /// Why the stream is not complete.
    pub error: Option<Error>,
}

impl TapSummary {
    /// Whether every stream is complete at every tenant.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.error.is_none())
    }
}

/// A tenant and its client.
struct Tenant<'a> {
    config: &'a TenantConfig,
    lms: Lms,
}

/// What the walks of a stream share.
struct Shared<'a, M> {
    stream: &'a Stream,
    version: i64,
    output: Mutex<Output<'a, M>>,
}

/// The messages, and the states that they contain.
struct Output<'a, M> {
    messages: &'a mut M,
    states: &'a mut States,
}

/// Reads the streams one after the other, each from all tenants.
///
/// # Errors
///
/// When the configuration cannot be used, or messages cannot be written. The failure of a stream is in the summary.
pub(super) async fn run<M: Messages>(
    config: &TapConfig,
    streams: &[Stream],
    states: &mut States,
    messages: &mut M,
) -> Result<TapSummary, Error> {
    let mut tenants = Vec::new();
    for tenant in &config.tenants {
        tenants.push(Tenant {
            config: tenant,
            lms: tenant.client()?,
        });
    }
    let mut summary = TapSummary {
        outcomes: Vec::new(),
    };
    for stream in streams {
        let version = states.entry(stream.name().to_owned()).or_default().begin();
        messages.begin(stream).map_err(unwritable)?;
        let shared = Shared {
            stream,
            version,
            output: Mutex::new(Output {
                messages: &mut *messages,
                states: &mut *states,
            }),
        };
        let outcomes: Vec<Result<TapOutcome, Error>> = stream::iter(&tenants)
            .map(|tenant| shared.outcome(tenant))
            .buffered(CONCURRENT_TENANTS)
            .collect()
            .await;
        let outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>()?;
        let complete = outcomes.iter().all(|outcome| outcome.error.is_none());
        for outcome in &outcomes {
            if let Some(error) = &outcome.error {
                messages
                    .failed(stream, &outcome.tenant, error)
                    .map_err(unwritable)?;
            }
        }
        let state = states.entry(stream.name().to_owned()).or_default();
        if complete {
            state.complete();
        } else {
            state.fail();
        }
        messages
            .end(stream, states, version, complete)
            .map_err(unwritable)?;
        summary.outcomes.extend(outcomes);
    }
    Ok(summary)
}

impl<'a, M: Messages> Shared<'a, M> {
    /// Reads the stream from a tenant. The error of this function is that of writing.
    async fn outcome(&self, tenant: &Tenant<'_>) -> Result<TapOutcome, Error> {
        let mut extract = None;
        let result = self.read(tenant, &mut extract).await;
        let error = match result {
            Err(error) if error.kind() == ErrorKind::Destination => return Err(error),
            result => result.err(),
        };
        // A walk that contradicts itself at its end is read anew by the next run.
        if error.is_some() && extract.as_ref().is_some_and(Extract::is_finished) {
            let mut output = self.lock();
            if let Some(state) = output.states.get_mut(self.stream.name()) {
                state.tenants.remove(&tenant.config.name);
            }
        }
        let record = extract.map(|extract| match &error {
            Some(error) => extract.record_of_failure(error),
            None => extract.record(),
        });
        Ok(TapOutcome {
            collection: self.stream.collection,
            tenant: tenant.config.name.clone(),
            record,
            error,
        })
    }

    async fn read(&self, tenant: &Tenant<'_>, slot: &mut Option<Extract>) -> Result<(), Error> {
        let mut resumable = match self.state_of(tenant) {
            Some(TenantState::Complete) => return Ok(()),
            Some(TenantState::At(checkpoint)) => {
                *slot = Some(self.extract(tenant).resume(&checkpoint)?);
                true
            }
            None => false,
        };
        loop {
            let extract = slot.get_or_insert_with(|| self.extract(tenant));
            match extract.next_batch().await {
                Ok(Some(batch)) => {
                    resumable = false;
                    if batch.rows.iter().any(|row| row.key().is_none()) {
                        return Err(Error::new(
                            ErrorKind::Incomplete,
                            format!(
                                "{}: a row has no {}, so it cannot be loaded",
                                self.stream.name(),
                                self.stream.collection.key.join(" and ")
                            ),
                        ));
                    }
                    let at = TenantState::At(Box::new(batch.checkpoint));
                    self.write(tenant, &batch.rows, at)?;
                }
                Ok(None) => break,
                // The cursor of the state may have expired.
                Err(error) if resumable && is_refusal(&error) => {
                    resumable = false;
                    *slot = None;
                }
                Err(error) => return Err(error),
            }
        }
        let record = slot.as_ref().map(Extract::record);
        if let Some(reason) = record.and_then(|record| record.incomplete_because) {
            return Err(Error::new(ErrorKind::Incomplete, reason));
        }
        self.write(tenant, &[], TenantState::Complete)
    }

    fn extract(&self, tenant: &Tenant<'_>) -> Extract {
        let extract = Extract::new(&tenant.lms, self.stream.collection);
        match tenant.config.page_size {
            Some(items) => extract.page_size(items),
            None => extract,
        }
    }

    fn state_of(&self, tenant: &Tenant<'_>) -> Option<TenantState> {
        let output = self.lock();
        let state = output.states.get(self.stream.name())?;
        state.tenants.get(&tenant.config.name).cloned()
    }

    /// Writes rows and the state after them.
    fn write(&self, tenant: &Tenant<'_>, rows: &[Row], at: TenantState) -> Result<(), Error> {
        let name = &tenant.config.name;
        let mut output = self.lock();
        let Output { messages, states } = &mut *output;
        messages
            .rows(self.stream, name, self.version, rows)
            .map_err(unwritable)?;
        let state = states.entry(self.stream.name().to_owned()).or_default();
        state.tenants.insert(name.clone(), at);
        messages
            .state(self.stream, states, rows.len())
            .map_err(unwritable)
    }

    fn lock(&self) -> MutexGuard<'_, Output<'a, M>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn unwritable(error: io::Error) -> Error {
    Error::destination("cannot write a message to the output", error)
}
