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

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    config::TapConfig,
    engine::{self, Messages, States, TapSummary},
    schema,
    state::ReadEnd,
    stream::Stream,
};
use crate::{
    collection::{Row, collections, known},
    error::{Error, ErrorKind},
    extract::tenant_id,
};

/// Marks the state of a stream that is complete in this sync. The platform removes such a state before the next sync.
const COMPLETE: &str = "__ab_full_refresh_sync_complete";

/// The sync that a complete state belongs to. Runners that keep the state would otherwise never read the stream again.
const SYNC_ID: &str = "sync_id";

/// The facts about the tenants, so that the state of another tenant is refused and a missing count is noticed.
const KNOWN: &str = "known";

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
                    async { Ok(tenant_id(&config.quick_client(tenant)?).await?) }.await;
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
            let key = schema::key(collection, config.many);
            let key: Vec<[&str; 1]> = key.into_iter().map(|column| [column]).collect();
            json!({
                "name": collection.name,
                "json_schema": schema::schema(collection.columns.iter(), config.many),
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
    stream_state: Option<BTreeMap<String, Value>>,
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
        let name = stream.stream_descriptor.name;
        let Some(state) = stream.stream_state.filter(|state| !state.is_empty()) else {
            continue;
        };
        if state.contains_key(COMPLETE)
            && let Some(id) = state.get(SYNC_ID).and_then(Value::as_i64)
        {
            complete.insert(name.clone(), id);
        }
        let state = serde_json::to_value(state).and_then(serde_json::from_value);
        states.insert(name, state.map_err(unreadable)?);
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
    let failure = match error.kind() {
        ErrorKind::Usage => "config_error",
        ErrorKind::Tenant => match error.tenant_error() {
            Some(error) if error.is_retryable() => "transient_error",
            Some(error)
                if matches!(
                    error.kind(),
                    lms_ext::ErrorKind::Unauthenticated | lms_ext::ErrorKind::Forbidden
                ) =>
            {
                "config_error"
            }
            _ => "system_error",
        },
        // A contradiction in the pages may be gone at the next attempt.
        ErrorKind::Incomplete => "transient_error",
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
    fn write(&mut self, message: &Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, message)?;
        self.output.write_all(b"\n")
    }

    fn write_state(&mut self, stream: &Stream, state: &Value) -> io::Result<()> {
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
        }))?;
        self.output.flush()
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
        }))?;
        self.output.flush()
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
        let state = serde_json::to_value(states.get(stream.name()))?;
        self.write_state(stream, &state)
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
        let state = serde_json::to_value(states.get(stream.name()))?;
        let state = json!({
            COMPLETE: true,
            SYNC_ID: self.sync_ids.get(stream.name()),
            KNOWN: state.get(KNOWN),
        });
        self.write_state(stream, &state)?;
        self.status(stream, "COMPLETE")
    }
}
