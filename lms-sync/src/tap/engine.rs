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
    extract::{Batch, Consumer, Extract, Identity, Reading, drive, identity_at_start},
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

impl<'a> Tenant<'a> {
    async fn connect(config: &TapConfig, tenant: &'a TenantConfig) -> Result<Self, Error> {
        let (quick, lms) = (config.quick_client(tenant)?, config.client(tenant)?);
        Ok(Self {
            config: tenant,
            identity: identity_at_start(&quick, &lms).await,
            lms,
        })
    }
}

/// State that is shared by the tenants of a stream.
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
/// Fails if the configuration cannot be used, or messages cannot be written. The failure of a stream is in the summary.
pub(super) async fn run<M: Messages>(
    config: &TapConfig,
    streams: &[Stream],
    states: &mut States,
    messages: &mut M,
) -> Result<TapSummary, Error> {
    let mut tenants: Vec<Tenant<'_>> = stream::iter(&config.tenants)
        .map(|tenant| Tenant::connect(config, tenant))
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
        let (record, error) = match self.begin(tenant).await {
            Ok(None) => (None, None),
            Ok(Some(mut extract)) => match self.read(tenant, &mut extract).await {
                Ok(()) => (Some(extract.record()), None),
                Err(error) => (Some(extract.record_of_failure(&error)), Some(error)),
            },
            Err(error) => (None, Some(error)),
        };
        match error {
            Some(error) if error.kind() == ErrorKind::Destination => Err(error),
            error => Ok(TapOutcome {
                collection: self.stream.collection,
                tenant: tenant.config.name.clone(),
                record,
                error,
            }),
        }
    }

    /// The extract of a stream, unless an earlier run has read it completely. A state is written before its rows, so that an
    /// interrupted read is continued with its version.
    async fn begin(&self, tenant: &Tenant<'_>) -> Result<Option<Extract>, Error> {
        let found = tenant.identity.as_ref().map_err(Error::clone)?;
        let reading = Reading {
            page_size: tenant.config.page_size,
            max_stale_pages: tenant.config.max_stale_pages.map(u64::from),
            zone: tenant.config.time_zone.clone(),
            ..Reading::default()
        };
        let extract = Extract::with(&tenant.lms, self.stream.collection, reading);
        let extract = extract.of_tenant(found.clone());
        let name = &tenant.config.name;
        let (is_complete, was_counted) = self.write_state(|state| {
            let was_counted = state.check_identity(name, &found.tenant_id)?;
            Ok((state.current_read.contains(name), was_counted))
        })?;
        Ok((!is_complete).then(|| extract.was_counted(was_counted)))
    }

    async fn read(&self, tenant: &Tenant<'_>, extract: &mut Extract) -> Result<(), Error> {
        let name = &tenant.config.name;
        let mut loader = Loader {
            shared: self,
            tenant: name,
        };
        drive(extract, &mut loader, &mut std::future::pending()).await?;
        let counted = extract.record().number_found_last.is_some();
        self.write_state(|state| {
            state.note_complete(name, counted);
            Ok(())
        })
    }

    fn write(&self, tenant: &str, rows: &[Row]) -> Result<(), Error> {
        let mut output = self.lock();
        let messages = &mut output.messages;
        let written = messages.rows(self.stream, tenant, self.version, rows);
        written.map_err(unwritable)
    }

    /// Changes the state of the stream, and writes all states.
    fn write_state<T>(
        &self,
        change: impl FnOnce(&mut StreamState) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut output = self.lock();
        let Output { messages, states } = &mut *output;
        let changed = change(states.entry(self.stream.name().to_owned()).or_default())?;
        messages.state(self.stream, states).map_err(unwritable)?;
        Ok(changed)
    }

    fn lock(&self) -> MutexGuard<'_, Output<'s, M>> {
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
        self.shared.write(self.tenant, &batch.rows)
    }

    /// The rows of both readings have the same version.
    async fn restart(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

pub(super) fn unwritable(error: io::Error) -> Error {
    Error::destination("cannot write a message to the output", error)
}
