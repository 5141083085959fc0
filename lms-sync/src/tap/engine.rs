//! Reads the streams of a tap from all tenants, and decides which of them are complete.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::Lms;
use serde::de::DeserializeOwned;
use serde_json::Value;

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

/// The messages of a protocol.
pub(super) trait Protocol {
    /// A stream begins.
    fn begin(&mut self, stream: &Stream) -> Value;

    /// This number of rows follows, at least one. Returns a message before them, and the text of each row's message before and
    /// after the row, so that its fields are not copied into a `Value`.
    fn rows(&mut self, stream: &Stream, number: usize) -> (Option<Value>, String, &'static str);

    /// All rows before this message are covered by the states.
    fn state(&mut self, stream: &Stream, states: &States) -> Value;

    /// A stream failed at a tenant, whose name is empty if there is only one.
    fn failed(&self, stream: &Stream, tenant: &str, error: &Error) -> Option<Value>;

    /// A stream ended, with these states. Rows of other versions may be deleted only if the version is activated.
    fn end(&mut self, stream: &Stream, states: &States, end: ReadEnd) -> Vec<Value>;
}

/// The results of a tap.
#[derive(Debug, Default)]
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
    /// The record of the stream. `None` if it could not begin.
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

/// The lines of a protocol. Writing them blocks when their reader is slow, which slows down reading.
pub(super) struct Messages<P, W: Write> {
    protocol: P,
    output: BufWriter<W>,
}

impl<P: Protocol, W: Write> Messages<P, W> {
    pub(super) fn new(protocol: P, output: W) -> Self {
        Self {
            protocol,
            output: BufWriter::new(output),
        }
    }

    fn begin(&mut self, stream: &Stream, states: &States) -> Result<(), Error> {
        let begin = self.protocol.begin(stream);
        let state = self.protocol.state(stream, states);
        self.write([begin, state])
    }

    fn end(
        &mut self,
        stream: &Stream,
        states: &States,
        outcomes: &[TapOutcome],
        end: ReadEnd,
    ) -> Result<(), Error> {
        let failures = outcomes.iter().filter_map(|outcome| {
            let error = outcome.error.as_ref()?;
            self.protocol.failed(stream, &outcome.tenant, error)
        });
        let failures: Vec<Value> = failures.collect();
        let end = self.protocol.end(stream, states, end);
        self.write(failures.into_iter().chain(end))
    }

    /// Writes messages that are no rows.
    pub(super) fn write(&mut self, messages: impl IntoIterator<Item = Value>) -> Result<(), Error> {
        let write = |message| writeln!(self.output, "{message}");
        let written = messages.into_iter().try_for_each(write);
        written
            .and_then(|()| self.output.flush())
            .map_err(unwritable)
    }

    fn write_rows(&mut self, stream: &Stream, tenant: &str, rows: &[Row]) -> Result<(), Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let (before, head, tail) = self.protocol.rows(stream, rows.len());
        self.write(before)?;
        let written = rows.iter().try_for_each(|row| {
            self.output.write_all(head.as_bytes())?;
            serde_json::to_writer(&mut self.output, &stream.object(tenant, row))?;
            writeln!(self.output, "{tail}")
        });
        written.map_err(unwritable)
    }
}

/// Reads a file of a runner.
pub(super) fn read_json<T: DeserializeOwned>(text: &str, name: &str) -> Result<T, Error> {
    serde_json::from_str(text)
        .map_err(|error| Error::usage(format!("the {name} cannot be read")).with_source(error))
}

fn unwritable(error: io::Error) -> Error {
    Error::destination("cannot write a message to the output", error)
}

/// A tenant and its client.
struct Tenant<'a> {
    config: &'a TenantConfig,
    lms: Lms,
    /// Or the reason why the tenant is not tried any more.
    identity: Result<Identity, Error>,
}

/// Reads the streams one after the other, each from all tenants. The state is written before rows, so that an interrupted read is
/// continued with its version.
///
/// # Errors
///
/// Fails if the configuration cannot be used, or messages cannot be written. The failure of a stream is in the summary.
pub(super) async fn run<P: Protocol, W: Write>(
    config: &TapConfig,
    streams: Vec<Stream>,
    mut states: States,
    messages: Messages<P, W>,
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
    let (messages, mut summary) = (Mutex::new(messages), TapSummary::default());
    for mut stream in streams {
        let state = states.entry(stream.name().to_owned()).or_default();
        stream.version = state.begin();
        let checked = tenants.iter().map(|tenant| {
            let found = tenant.identity.clone()?;
            let counted = state.check_identity(&tenant.config.name, &found.tenant_id)?;
            Ok((found, counted))
        });
        let checked: Vec<Result<_, Error>> = checked.collect();
        lock(&messages).begin(&stream, &states)?;
        let outcomes: Vec<TapOutcome> = stream::iter(tenants.iter().zip(checked))
            .map(|(tenant, checked)| outcome(tenant, checked, &stream, &messages))
            .buffered(CONCURRENT_TENANTS)
            .try_collect()
            .await?;
        let state = states.entry(stream.name().to_owned()).or_default();
        for (tenant, outcome) in tenants.iter_mut().zip(&outcomes) {
            match (&outcome.error, &outcome.record) {
                (Some(error), _) if error.is_unreachable() => {
                    tenant.identity = Err(error.clone());
                }
                (None, Some(record)) if record.number_found_last.is_some() => {
                    state.note_count(&outcome.tenant);
                }
                _ => {}
            }
        }
        // Tenants that are complete are also read again after a failure, since days may pass until the others are repaired.
        let end = match outcomes.iter().all(|outcome| outcome.error.is_none()) {
            true => state.complete(outcomes.iter().map(|it| it.tenant.clone()).collect()),
            false => ReadEnd::Incomplete,
        };
        lock(&messages).end(&stream, &states, &outcomes, end)?;
        summary.outcomes.extend(outcomes);
    }
    Ok(summary)
}

fn lock<M>(messages: &Mutex<M>) -> MutexGuard<'_, M> {
    messages.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a stream from a tenant, whose identity is known, and whether its list had a count. The error of this function is that of
/// writing.
async fn outcome<P: Protocol, W: Write>(
    tenant: &Tenant<'_>,
    checked: Result<(Identity, bool), Error>,
    stream: &Stream,
    messages: &Mutex<Messages<P, W>>,
) -> Result<TapOutcome, Error> {
    let (collection, name) = (stream.collection, &tenant.config.name);
    let (record, error) = match checked {
        Err(error) => (None, Some(error)),
        Ok((found, counted)) => {
            let reading = Reading {
                was_counted: counted,
                ..tenant.config.reading.clone()
            };
            let mut extract = Extract::with(&tenant.lms, collection, reading);
            extract.tenant = Some(found);
            let mut loader = Loader {
                stream,
                tenant: name,
                messages,
            };
            match drive(&mut extract, &mut loader, &mut std::future::pending()).await {
                Err(error) if error.kind() == ErrorKind::Destination => return Err(error),
                Err(error) => (Some(extract.record_of_failure(&error)), Some(error)),
                Ok(()) => (Some(extract.record()), None),
            }
        }
    };
    Ok(TapOutcome {
        collection,
        tenant: name.clone(),
        record,
        error,
    })
}

/// Writes the batches of a tenant.
struct Loader<'a, P, W: Write> {
    stream: &'a Stream,
    tenant: &'a str,
    messages: &'a Mutex<Messages<P, W>>,
}

impl<P: Protocol, W: Write> Consumer for Loader<'_, P, W> {
    async fn take(&mut self, batch: Batch) -> Result<(), Error> {
        let stream = self.stream;
        if batch.rows.iter().any(|row| row.key_fingerprint().is_none()) {
            return Err(ErrorKind::Incomplete.error(format!(
                "{}: a row has no {}, so it cannot be loaded",
                stream.name(),
                stream.collection.key.join(" and ")
            )));
        }
        lock(self.messages).write_rows(stream, self.tenant, &batch.rows)
    }

    /// The rows of both readings have the same version.
    async fn restart(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
