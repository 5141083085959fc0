//! The Airbyte protocol: `spec`, `check`, `discover` and `read` of a source.
//!
//! A stream has the status `COMPLETE` only after a complete read. Otherwise it has the status `INCOMPLETE` and a trace of the
//! error, so that the platform keeps the rows of the previous sync.

use std::{collections::BTreeMap, error::Error as StdError, fmt::Display, io::Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    config::TapConfig,
    engine::{self, Messages, Protocol, States, TapSummary, read_json},
    state::{ReadEnd, StreamState},
    stream::Stream,
};
use crate::{
    collection::{collections, known},
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
    let catalog: ConfiguredCatalog = read_json(catalog, "catalog")?;
    let (states, complete) = read_states(state)?;
    let mut protocol = Airbyte::default();
    let (mut streams, mut unread) = (Vec::new(), Vec::new());
    for ConfiguredStream { stream, sync_id } in catalog.streams {
        let properties = stream.json_schema.get("properties");
        let properties = properties.and_then(Value::as_object);
        let selected = Stream::new(known(&stream.name)?, config.many, |column| {
            properties.is_none_or(|properties| properties.contains_key(column))
        });
        let sync_id = sync_id.filter(|id| *id != CONSTANT_SYNC_ID);
        if sync_id.is_some() && complete.get(&stream.name) == sync_id.as_ref() {
            unread.extend(["STARTED", "COMPLETE"].map(|status| status_of(&selected, status)));
        } else {
            protocol
                .sync_ids
                .extend(sync_id.map(|id| (stream.name, id)));
            streams.push(selected);
        }
    }
    let mut messages = Messages::new(protocol, output);
    messages.write(unread)?;
    engine::run(config, streams, states, messages).await
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

/// The states of all streams, and the syncs of complete ones.
fn read_states(text: Option<&str>) -> Result<(States, BTreeMap<String, i64>), Error> {
    let (mut states, mut complete) = (States::new(), BTreeMap::new());
    let text = text.map(str::trim).unwrap_or_default();
    if text.is_empty() || text == "{}" {
        return Ok((states, complete));
    }
    for mut message in read_json::<Vec<Value>>(text, "state")? {
        let stream = message["stream"].take();
        let Some(name) = stream["stream_descriptor"]["name"].as_str() else {
            continue;
        };
        let stored: Option<StoredState> = read_json(&stream["stream_state"].to_string(), "state")?;
        let stored = stored.unwrap_or_default();
        if let (true, Some(id)) = (stored.complete, stored.sync_id) {
            complete.insert(name.to_owned(), id);
        }
        states.insert(name.to_owned(), stored.state);
    }
    Ok((states, complete))
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

fn status_of(stream: &Stream, status: &str) -> Value {
    json!({
        "type": "TRACE",
        "trace": {
            "type": "STREAM_STATUS",
            "emitted_at": now(),
            "stream_status": {
                "stream_descriptor": {"name": stream.name()},
                "status": status,
            },
        },
    })
}

#[derive(Default)]
struct Airbyte {
    /// The rows of the stream. It has the status `RUNNING` if there are any.
    rows: usize,
    /// The rows before the last state.
    covered: usize,
    sync_ids: BTreeMap<String, i64>,
}

impl Airbyte {
    fn state_of(&mut self, stream: &Stream, state: &impl Serialize) -> Value {
        let rows = self.rows - std::mem::replace(&mut self.covered, self.rows);
        json!({
            "type": "STATE",
            "state": {
                "type": "STREAM",
                "stream": {
                    "stream_descriptor": {"name": stream.name()},
                    "stream_state": state,
                },
                "sourceStats": {"recordCount": rows},
            },
        })
    }
}

impl Protocol for Airbyte {
    fn begin(&mut self, stream: &Stream) -> Value {
        (self.rows, self.covered) = (0, 0);
        status_of(stream, "STARTED")
    }

    fn rows(&mut self, stream: &Stream, number: usize) -> (Option<Value>, String, &'static str) {
        let running = (self.rows == 0).then(|| status_of(stream, "RUNNING"));
        self.rows += number;
        let (name, now) = (stream.name(), now());
        let head =
            format!(r#"{{"type":"RECORD","record":{{"stream":"{name}","emitted_at":{now},"data":"#);
        (running, head, "}}")
    }

    fn state(&mut self, stream: &Stream, states: &States) -> Value {
        self.state_of(stream, &states.get(stream.name()))
    }

    fn failed(&self, stream: &Stream, tenant: &str, error: &Error) -> Option<Value> {
        let trace = trace_of_error(error, tenant, Some(stream.name()));
        Some(json!({"type": "TRACE", "trace": trace}))
    }

    fn end(&mut self, stream: &Stream, states: &States, end: ReadEnd) -> Vec<Value> {
        if end == ReadEnd::Incomplete {
            return vec![self.state(stream, states), status_of(stream, "INCOMPLETE")];
        }
        let known = states.get(stream.name()).map(StreamState::of_known);
        let complete = StoredState {
            complete: true,
            sync_id: self.sync_ids.get(stream.name()).copied(),
            state: known.unwrap_or_default(),
        };
        vec![
            self.state_of(stream, &complete),
            status_of(stream, "COMPLETE"),
        ]
    }
}
