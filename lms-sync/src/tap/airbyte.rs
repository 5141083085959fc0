//! The Airbyte protocol: `spec`, `check`, `discover` and `read` of a source.
//!
//! A stream has the status `COMPLETE` only after a complete read. Otherwise it has the status `INCOMPLETE` and a trace of the
//! error, so that the platform keeps the rows of the previous sync.

use std::{
    collections::BTreeMap,
    error::Error as StdError,
    fmt::Display,
    io::{self, BufWriter, Write},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    config::TapConfig,
    engine::{self, Messages, States, TapSummary},
    state::{ReadEnd, StreamState},
    stream::Stream,
};
use crate::{
    collection::{Row, collections, known},
    error::{Error, ErrorKind},
    extract::tenant_id,
};

/// PyAirbyte gives every sync this id, so it does not tell syncs apart.
const CONSTANT_SYNC_ID: i64 = 1;

/// The `SPEC` message: the schema of the configuration.
#[must_use]
pub fn spec() -> Value {
    json!({
        "type": "SPEC",
        "spec": {
            "connectionSpecification": TapConfig::schema(),
            "supportsIncremental": false,
        },
    })
}

/// The `CONNECTION_STATUS` message. Requests a token and `me` from every tenant. The status is `SUCCEEDED` if all respond;
/// otherwise `FAILED`, with the errors of all tenants or of the configuration.
pub async fn check(config: &Result<TapConfig, Error>) -> Value {
    let mut problems = Vec::new();
    match config {
        Err(error) => problems.push(error.to_string()),
        Ok(config) => {
            for tenant in &config.tenants {
                let checked: Result<_, Box<dyn StdError>> =
                    async { Ok(tenant_id(&config.client(tenant, true)?).await?) }.await;
                problems.extend(checked.err().map(|error| named(&tenant.name, &error)));
            }
        }
    }
    let status = if problems.is_empty() {
        json!({"status": "SUCCEEDED"})
    } else {
        json!({"status": "FAILED", "message": problems.join("; ")})
    };
    json!({"type": "CONNECTION_STATUS", "connectionStatus": status})
}

/// The `CATALOG` message: all streams with their schemas.
#[must_use]
pub fn discover(config: &TapConfig) -> Value {
    let streams: Vec<Value> = collections()
        .iter()
        .map(|collection| {
            let stream = Stream::new(collection, config.many, |_| true);
            let key: Vec<[&str; 1]> = stream.key().into_iter().map(|column| [column]).collect();
            json!({
                "name": collection.name,
                "json_schema": stream.schema(),
                "supported_sync_modes": ["full_refresh"],
                "source_defined_primary_key": key,
                "is_resumable": true,
            })
        })
        .collect();
    json!({"type": "CATALOG", "catalog": {"streams": streams}})
}

/// Reads the streams of a configured catalog, and writes messages to `output`.
///
/// `state` is the array of state messages that the platform stored.
///
/// # Errors
///
/// [`Usage`](ErrorKind::Usage) for a catalog or a state that cannot be read; [`Destination`](ErrorKind::Destination) when
/// messages cannot be written. The failure of a stream is in the summary.
pub async fn read(
    config: &TapConfig,
    catalog: &str,
    state: Option<&str>,
    output: impl Write,
) -> Result<TapSummary, Error> {
    let catalog: ConfiguredCatalog = serde_json::from_str(catalog)
        .map_err(|error| Error::usage("the catalog cannot be read").with_source(error))?;
    let (mut states, complete) = read_states(state)?;
    let mut messages = AirbyteMessages {
        output: BufWriter::new(output),
        running: false,
        rows: 0,
        sync_ids: BTreeMap::new(),
    };
    let mut streams = Vec::new();
    for ConfiguredStream { stream, sync_id } in &catalog.streams {
        let collection = known(&stream.name)?;
        let properties = stream.json_schema.get("properties");
        let properties = properties.and_then(Value::as_object);
        let selected = Stream::new(collection, config.many, |column| {
            properties.is_none_or(|properties| properties.contains_key(column))
        });
        let sync_id = sync_id.filter(|id| *id != CONSTANT_SYNC_ID);
        if sync_id.is_some() && complete.get(&stream.name) == sync_id.as_ref() {
            messages
                .status(&selected, "STARTED")
                .and_then(|()| messages.status(&selected, "COMPLETE"))
                .map_err(engine::unwritable)?;
        } else {
            if let Some(id) = sync_id {
                messages.sync_ids.insert(stream.name.clone(), id);
            }
            streams.push(selected);
        }
    }
    engine::run(config, &streams, &mut states, &mut messages).await
}

/// The message for an error that ends the program before any stream.
#[must_use]
pub fn error(error: &Error) -> Value {
    let trace = trace_of_error(error, "", None);
    json!({"type": "TRACE", "trace": trace})
}

#[derive(Deserialize)]
struct ConfiguredCatalog {
    streams: Vec<ConfiguredStream>,
}

#[derive(Deserialize)]
struct ConfiguredStream {
    stream: CatalogStream,
    /// Of this sync; the same in each of its attempts.
    #[serde(default)]
    sync_id: Option<i64>,
}

#[derive(Deserialize)]
struct CatalogStream {
    name: String,
    #[serde(default)]
    json_schema: Value,
}

#[derive(Deserialize)]
struct StateMessage {
    stream: Option<StreamStateMessage>,
}

#[derive(Deserialize)]
struct StreamStateMessage {
    stream_descriptor: StreamDescriptor,
    #[serde(default)]
    stream_state: Option<StoredState>,
}

#[derive(Default, Serialize, Deserialize)]
struct StoredState {
    /// The stream is complete in this sync. The platform removes such a state before the next sync.
    #[serde(default, rename = "__ab_full_refresh_sync_complete")]
    complete: bool,
    /// The sync that a complete state belongs to. Runners that keep the state would otherwise never read the stream again.
    #[serde(default)]
    sync_id: Option<i64>,
    #[serde(flatten)]
    state: StreamState,
}

#[derive(Deserialize)]
struct StreamDescriptor {
    name: String,
}

/// The states of all streams, and the syncs of complete ones.
fn read_states(text: Option<&str>) -> Result<(States, BTreeMap<String, i64>), Error> {
    let unreadable = |error| Error::usage("the state cannot be read").with_source(error);
    let mut states = States::new();
    let mut complete = BTreeMap::new();
    let text = text.map(str::trim).unwrap_or_default();
    if text.is_empty() || text == "{}" {
        return Ok((states, complete));
    }
    let messages: Vec<StateMessage> = serde_json::from_str(text).map_err(unreadable)?;
    for stream in messages.into_iter().filter_map(|message| message.stream) {
        let (name, stored) = (stream.stream_descriptor.name, stream.stream_state);
        let stored = stored.unwrap_or_default();
        if let (true, Some(id)) = (stored.complete, stored.sync_id) {
            complete.insert(name.clone(), id);
        }
        states.insert(name, stored.state);
    }
    Ok((states, complete))
}

struct AirbyteMessages<W: Write> {
    output: BufWriter<W>,
    /// `true` if the stream has the status `RUNNING`.
    running: bool,
    /// The rows since the last state.
    rows: usize,
    sync_ids: BTreeMap<String, i64>,
}

fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// An error with the name of its tenant, which is empty if there is only one.
fn named(tenant: &str, error: &dyn Display) -> String {
    match tenant {
        "" => error.to_string(),
        tenant => format!("{tenant}: {error}"),
    }
}

fn trace_of_error(error: &Error, tenant: &str, stream: Option<&str>) -> Value {
    use lms_ext::ErrorKind::{Forbidden, Unauthenticated};
    let failure = match (error.kind(), error.tenant_error()) {
        (ErrorKind::Usage, _) => "config_error",
        (ErrorKind::Tenant, Some(error)) if error.is_retryable() => "transient_error",
        (ErrorKind::Tenant, Some(error)) if matches!(error.kind(), Unauthenticated | Forbidden) => {
            "config_error"
        }
        // A contradiction in the pages may be gone at the next attempt.
        (ErrorKind::Incomplete, _) => "transient_error",
        _ => "system_error",
    };
    let mut details = json!({
        "message": named(tenant, error),
        "failure_type": failure,
    });
    if let Some(stream) = stream {
        details["stream_descriptor"] = json!({ "name": stream });
    }
    json!({"type": "ERROR", "emitted_at": now(), "error": details})
}

impl<W: Write> AirbyteMessages<W> {
    /// Writes a message that is no row.
    fn write(&mut self, message: &Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, message)?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }

    fn write_state(&mut self, stream: &Stream, state: &impl Serialize) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.write(&json!({
            "type": "STATE",
            "state": {
                "type": "STREAM",
                "stream": {
                    "stream_descriptor": {"name": stream.name()},
                    "stream_state": state,
                },
                "sourceStats": {"recordCount": rows},
            },
        }))
    }

    fn status(&mut self, stream: &Stream, status: &str) -> io::Result<()> {
        self.write(&json!({
            "type": "TRACE",
            "trace": {
                "type": "STREAM_STATUS",
                "emitted_at": now(),
                "stream_status": {
                    "stream_descriptor": {"name": stream.name()},
                    "status": status,
                },
            },
        }))
    }
}

impl<W: Write> Messages for AirbyteMessages<W> {
    fn begin(&mut self, stream: &Stream) -> io::Result<()> {
        self.running = false;
        self.status(stream, "STARTED")
    }

    fn rows(
        &mut self,
        stream: &Stream,
        tenant: &str,
        _version: i64,
        rows: &[Row],
    ) -> io::Result<()> {
        if !rows.is_empty() && !self.running {
            self.status(stream, "RUNNING")?;
            self.running = true;
        }
        self.rows += rows.len();
        let emitted_at = now();
        for row in rows {
            // Written manually around the row, so that its fields are not copied into a `Value`.
            write!(
                self.output,
                r#"{{"type":"RECORD","record":{{"stream":"{}","emitted_at":{emitted_at},"data":"#,
                stream.name()
            )?;
            serde_json::to_writer(&mut self.output, &stream.object(tenant, row))?;
            self.output.write_all(b"}}\n")?;
        }
        Ok(())
    }

    fn state(&mut self, stream: &Stream, states: &States) -> io::Result<()> {
        self.write_state(stream, &states.get(stream.name()))
    }

    fn failed(&mut self, stream: &Stream, tenant: &str, error: &Error) -> io::Result<()> {
        let trace = trace_of_error(error, tenant, Some(stream.name()));
        self.write(&json!({"type": "TRACE", "trace": trace}))
    }

    fn end(
        &mut self,
        stream: &Stream,
        states: &States,
        _version: i64,
        end: ReadEnd,
    ) -> io::Result<()> {
        if end == ReadEnd::Incomplete {
            self.state(stream, states)?;
            return self.status(stream, "INCOMPLETE");
        }
        let complete = StoredState {
            complete: true,
            sync_id: self.sync_ids.get(stream.name()).copied(),
            state: states
                .get(stream.name())
                .map(StreamState::of_known)
                .unwrap_or_default(),
        };
        self.write_state(stream, &complete)?;
        self.status(stream, "COMPLETE")
    }
}
