//! The Singer protocol, as Meltano and its targets speak it.
//!
//! Each row has the version of its read. After `ACTIVATE_VERSION`, a target deletes the rows of other versions. The tap
//! writes this message only after two complete reads with the same version: rows without the version are in neither
//! list.

use std::io::Write;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    config::TapConfig,
    engine::{self, Messages, Protocol, States, TapSummary, read_json},
    state::ReadEnd,
    stream::Stream,
};
use crate::{
    collection::{collections, known},
    error::Error,
};

/// The catalog: all streams with their schemas. Derived collections, which cost a request per row, are not selected by
/// default.
#[must_use]
pub fn discover(config: &TapConfig) -> Value {
    let streams: Vec<Value> = collections()
        .iter()
        .map(|collection| {
            let stream = Stream::new(collection, config.many, |_| true);
            let (key, schema) = (stream.key(), stream.schema());
            let mut metadata = vec![json!({
                "breadcrumb": [],
                "metadata": {
                    "inclusion": "available",
                    "selected-by-default": !collection.is_derived(),
                    "table-key-properties": key,
                    "forced-replication-method": "FULL_TABLE",
                },
            })];
            let names = schema["properties"].as_object().into_iter().flatten();
            metadata.extend(names.map(|(name, _)| {
                let automatic = key.contains(&name.as_str());
                json!({
                    "breadcrumb": ["properties", name],
                    "metadata": {
                        "inclusion": if automatic { "automatic" } else { "available" },
                        "selected-by-default": true,
                    },
                })
            }));
            json!({
                "tap_stream_id": collection.name,
                "stream": collection.name,
                "key_properties": key,
                "replication_method": "FULL_TABLE",
                "schema": schema,
                "metadata": metadata,
            })
        })
        .collect();
    json!({ "streams": streams })
}

/// Reads the selected streams, and writes messages to `output`.
///
/// Without a catalog, all collections that are not derived are selected. `state` is the last state that the target wrote.
///
/// # Errors
///
/// [`Usage`](crate::ErrorKind::Usage) for a catalog or a state that cannot be read;
/// [`Destination`](crate::ErrorKind::Destination) when messages cannot be written. The failure of a stream is in the summary.
pub async fn sync(
    config: &TapConfig,
    catalog: Option<&str>,
    state: Option<&str>,
    output: impl Write,
) -> Result<TapSummary, Error> {
    let streams = match catalog {
        Some(text) => selected(text, config.many)?,
        None => {
            let all = collections().iter().filter(|known| !known.is_derived());
            all.map(|known| Stream::new(known, config.many, |_| true))
                .collect()
        }
    };
    let state = match state.filter(|text| !text.trim().is_empty()) {
        Some(text) => read_json(text, "state")?,
        None => SingerState::default(),
    };
    engine::run(
        config,
        streams,
        state.bookmarks,
        Messages::new(Singer, output),
    )
    .await
}

#[derive(Default, Deserialize)]
struct SingerState {
    #[serde(default)]
    bookmarks: States,
}

#[derive(Deserialize)]
struct Catalog {
    streams: Vec<CatalogStream>,
}

#[derive(Deserialize)]
struct CatalogStream {
    tap_stream_id: String,
    #[serde(default)]
    selected: Option<bool>,
    #[serde(default)]
    metadata: Vec<CatalogMetadata>,
}

#[derive(Deserialize)]
struct CatalogMetadata {
    #[serde(default)]
    breadcrumb: Vec<String>,
    #[serde(default)]
    metadata: Selection,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Selection {
    #[serde(default)]
    selected: Option<bool>,
    #[serde(default)]
    selected_by_default: Option<bool>,
}

impl CatalogStream {
    fn selection(&self, breadcrumb: &[&str]) -> Option<bool> {
        let entry = self
            .metadata
            .iter()
            .find(|entry| entry.breadcrumb == breadcrumb)?;
        let Selection {
            selected,
            selected_by_default,
        } = entry.metadata;
        selected.or(selected_by_default)
    }
}

fn selected(catalog: &str, many: bool) -> Result<Vec<Stream>, Error> {
    let catalog: Catalog = read_json(catalog, "catalog")?;
    let mut streams = Vec::new();
    for entry in &catalog.streams {
        let collection = known(&entry.tap_stream_id)?;
        if entry.selected.or_else(|| entry.selection(&[])) == Some(true) {
            streams.push(Stream::new(collection, many, |column| {
                entry.selection(&["properties", column]) != Some(false)
            }));
        }
    }
    Ok(streams)
}

struct Singer;

impl Protocol for Singer {
    fn begin(&mut self, stream: &Stream) -> Value {
        let (schema, key) = (stream.schema(), stream.key());
        json!({"type": "SCHEMA", "stream": stream.name(), "schema": schema, "key_properties": key})
    }

    fn rows(&mut self, stream: &Stream, _: usize) -> (Option<Value>, String, &'static str) {
        let (name, version, now) = (stream.name(), stream.version, jiff::Timestamp::now());
        let head = format!(
            r#"{{"type":"RECORD","stream":"{name}","version":{version},"time_extracted":"{now}","record":"#
        );
        (None, head, "}")
    }

    fn state(&mut self, _: &Stream, states: &States) -> Value {
        json!({"type": "STATE", "value": {"bookmarks": states}})
    }

    /// The protocol has no message for failures. The program writes them to stderr and exits with an error.
    fn failed(&self, _: &Stream, _: &str, _: &Error) -> Option<Value> {
        None
    }

    fn end(&mut self, stream: &Stream, states: &States, end: ReadEnd) -> Vec<Value> {
        let (name, version) = (stream.name(), stream.version);
        let activate = json!({"type": "ACTIVATE_VERSION", "stream": name, "version": version});
        let activate = (end == ReadEnd::Activate).then_some(activate);
        activate
            .into_iter()
            .chain([self.state(stream, states)])
            .collect()
    }
}
