//! Reads the streams of a tap from all tenants, and decides which of them are complete.

use std::{
    collections::BTreeMap,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::Lms;

use super::{
    config::{TapConfig, TenantConfig},
    state::{ReadEnd, StreamState},
    stream::Stream,
};
use crate::{
    collection::{Collection, Row},
    error::{Error, ErrorKind},
    extract::{Batch, Consumer, Extract, Identity, drive, identity_at_start},
    record::CompletenessRecord,
};

/// Number of tenants that are read at a time.
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

    /// All rows before this message are covered by the states.
    fn state(&mut self, stream: &Stream, states: &States) -> io::Result<()>;

    /// A stream failed at a tenant, whose name is empty if there is only one.
    fn failed(&mut self, stream: &Stream, tenant: &str, error: &Error) -> io::Result<()>;

    /// A stream ended, with these states. Rows of other versions may be deleted only if the version is activated.
    fn end(
        &mut self,
        stream: &Stream,
        states: &States,
        version: i64,
        end: ReadEnd,
    ) -> io::Result<()>;
}

/// The results of a tap.
#[derive(Debug)]
#[non_exhaustive]
pub struct TapSummary {
    /// One entry for each stream and tenant.
    pub outcomes: Vec<TapOutcome>,
}

/// The result of a tap for one stream at one tenant.
#[derive(Debug)]
#[non_exhaustive]
pub struct TapOutcome {
    /// The collection.
    pub collection: &'static Collection,
    /// The name of the tenant; empty if there is only one.
    pub tenant: String,
    /// The record of the stream. `None` if an earlier run had completed it, or if it could not begin.
    pub record: Option<CompletenessRecord>,
    /// The reason why the stream is not complete.
    pub error: Option<Error>,
}

impl TapSummary {
    /// Returns `true` if every stream is complete at every tenant.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.error.is_none())
    }
}

/// A tenant and its client.
struct Tenant<'a> {
    config: &'a TenantConfig,
    lms: Lms,
    /// Or the reason why the tenant is not tried any more.
    identity: Result<Identity, Error>,
}

/// State that is shared by the tenants of a stream.
struct Shared<'a, M> {
    stream: &'a Stream,
    version: i64,
    /// The messages, and the states that they contain.
    output: Mutex<(&'a mut M, &'a mut States)>,
}

/// Reads the streams one after the other, each from all tenants.
///
/// # Errors
///
/// Fails if the configuration cannot be used, or messages cannot be written. The failure of a stream is in the summary.
pub(super) async fn run<M: Messages>(
    config: &TapConfig,
    streams: &[Stream],
    states: &mut States,
    messages: &mut M,
) -> Result<TapSummary, Error> {
    let mut tenants: Vec<Tenant<'_>> = stream::iter(&config.tenants)
        .map(async |tenant| {
            let (quick, lms) = (config.client(tenant, true)?, config.client(tenant, false)?);
            Ok::<_, Error>(Tenant {
                config: tenant,
                identity: identity_at_start(&quick, &lms).await,
                lms,
            })
        })
        .buffered(CONCURRENT_TENANTS)
        .try_collect()
        .await?;
    let mut summary = TapSummary {
        outcomes: Vec::new(),
    };
    for stream in streams {
        let version = states.entry(stream.name().to_owned()).or_default().begin();
        messages.begin(stream).map_err(unwritable)?;
        let shared = Shared {
            stream,
            version,
            output: Mutex::new((&mut *messages, &mut *states)),
        };
        let outcomes: Vec<Result<TapOutcome, Error>> = stream::iter(&tenants)
            .map(|tenant| shared.outcome(tenant))
            .buffered(CONCURRENT_TENANTS)
            .collect()
            .await;
        let outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>()?;
        let complete = outcomes.iter().all(|outcome| outcome.error.is_none());
        for (tenant, outcome) in tenants.iter_mut().zip(&outcomes) {
            if let Some(error) = &outcome.error {
                messages
                    .failed(stream, &outcome.tenant, error)
                    .map_err(unwritable)?;
                if error.is_unreachable() {
                    tenant.identity = Err(error.clone());
                }
            }
        }
        let state = states.entry(stream.name().to_owned()).or_default();
        let end = if complete {
            let names = config.tenants.iter().map(|tenant| tenant.name.clone());
            state.complete(names.collect())
        } else {
            state.fail()
        };
        messages
            .end(stream, states, version, end)
            .map_err(unwritable)?;
        summary.outcomes.extend(outcomes);
    }
    Ok(summary)
}

impl<'s, M: Messages> Shared<'s, M> {
    /// Reads the stream from a tenant. The error of this function is that of writing.
    async fn outcome(&self, tenant: &Tenant<'_>) -> Result<TapOutcome, Error> {
        let mut record = None;
        match self.read(tenant, &mut record).await {
            Err(error) if error.kind() == ErrorKind::Destination => Err(error),
            read => Ok(TapOutcome {
                collection: self.stream.collection,
                tenant: tenant.config.name.clone(),
                record,
                error: read.err(),
            }),
        }
    }

    /// Reads the stream, unless an earlier run has read it completely. A state is written before its rows, so that an interrupted
    /// read is continued with its version.
    async fn read(
        &self,
        tenant: &Tenant<'_>,
        record: &mut Option<CompletenessRecord>,
    ) -> Result<(), Error> {
        let (config, found) = (
            tenant.config,
            tenant.identity.as_ref().map_err(Error::clone)?,
        );
        let (is_complete, was_counted) = self.write_state(|state| {
            let was_counted = state.check_identity(&config.name, &found.tenant_id)?;
            Ok((state.current_read.contains(&config.name), was_counted))
        })?;
        if is_complete {
            return Ok(());
        }
        let (of, reading) = (self.stream.collection, config.reading.clone());
        let extract = Extract::with(&tenant.lms, of, reading).of_tenant(found.clone());
        let mut extract = extract.was_counted(was_counted);
        let mut loader = Loader {
            shared: self,
            tenant: &config.name,
        };
        let read = drive(&mut extract, &mut loader, &mut std::future::pending()).await;
        let read_record = match &read {
            Ok(()) => extract.record(),
            Err(error) => extract.record_of_failure(error),
        };
        let counted = record.insert(read_record).number_found_last.is_some();
        read?;
        self.write_state(|state| {
            state.note_complete(&config.name, counted);
            Ok(())
        })
    }

    /// Changes the state of the stream, and writes all states.
    fn write_state<T>(
        &self,
        change: impl FnOnce(&mut StreamState) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut output = self.lock();
        let (messages, states) = &mut *output;
        let changed = change(states.entry(self.stream.name().to_owned()).or_default())?;
        messages.state(self.stream, states).map_err(unwritable)?;
        Ok(changed)
    }

    fn lock(&self) -> MutexGuard<'_, (&'s mut M, &'s mut States)> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes the batches of a tenant.
struct Loader<'a, 'b, M> {
    shared: &'a Shared<'b, M>,
    tenant: &'a str,
}

impl<M: Messages> Consumer for Loader<'_, '_, M> {
    async fn take(&mut self, batch: Batch) -> Result<(), Error> {
        let Stream { collection, .. } = self.shared.stream;
        for row in &batch.rows {
            if row.key_fingerprint().is_none() {
                return Err(ErrorKind::Incomplete.error(format!(
                    "{}: a row has no {}, so it cannot be loaded",
                    collection.name,
                    collection.key.join(" and ")
                )));
            }
        }
        let (shared, messages) = (self.shared, &mut self.shared.lock().0);
        let written = messages.rows(shared.stream, self.tenant, shared.version, &batch.rows);
        written.map_err(unwritable)
    }

    /// The rows of both readings have the same version.
    async fn restart(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

pub(super) fn unwritable(error: io::Error) -> Error {
    Error::destination("cannot write a message to the output", error)
}
