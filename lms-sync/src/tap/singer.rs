//! The Singer protocol, as Meltano and its targets speak it.
//!
//! Each row has the version of its read. After `ACTIVATE_VERSION`, a target deletes the rows of other versions. The tap
//! writes this message only after two complete reads with the same version: rows without the version are in neither
//! list.

use std::io::{self, BufWriter, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    config::TapConfig,
    engine::{self, Messages, States, TapSummary},
    state::ReadEnd,
    stream::{Object, Stream},
};
use crate::{
    collection::{Collection, Row, collections, known},
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
    let mut states = match state.filter(|text| !text.trim().is_empty()) {
        Some(text) => {
            let state: SingerState = serde_json::from_str(text)
                .map_err(|error| Error::usage("the state cannot be read").with_source(error))?;
            state.bookmarks
        }
        None => States::new(),
    };
    let mut messages = SingerMessages {
        output: BufWriter::new(output),
    };
    engine::run(config, &streams, &mut states, &mut messages).await
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
    let catalog: Catalog = serde_json::from_str(catalog)
        .map_err(|error| Error::usage("the catalog cannot be read").with_source(error))?;
    let mut streams = Vec::new();
    for entry in &catalog.streams {
        let collection: &Collection = known(&entry.tap_stream_id)?;
        if entry.selected.or_else(|| entry.selection(&[])) == Some(true) {
            streams.push(Stream::new(collection, many, |column| {
                entry.selection(&["properties", column]) != Some(false)
            }));
        }
    }
    Ok(streams)
}

struct SingerMessages<W: Write> {
    output: BufWriter<W>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
enum Message<'a> {
    Schema {
        stream: &'a str,
        schema: Value,
        key_properties: Vec<&'a str>,
    },
    Record {
        stream: &'a str,
        version: i64,
        time_extracted: &'a str,
        record: Object<'a>,
    },
    State {
        value: Value,
    },
    ActivateVersion {
        stream: &'a str,
        version: i64,
    },
}

impl<W: Write> SingerMessages<W> {
    fn write(&mut self, message: &Message<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, message)?;
        self.output.write_all(b"\n")
    }
}

impl<W: Write> Messages for SingerMessages<W> {
    fn begin(&mut self, stream: &Stream) -> io::Result<()> {
        self.write(&Message::Schema {
            stream: stream.name(),
            schema: stream.schema(),
            key_properties: stream.key(),
        })
    }

    fn rows(
        &mut self,
        stream: &Stream,
        tenant: &str,
        version: i64,
        rows: &[Row],
    ) -> io::Result<()> {
        let time = jiff::Timestamp::now().to_string();
        rows.iter().try_for_each(|row| {
            self.write(&Message::Record {
                stream: stream.name(),
                version,
                time_extracted: &time,
                record: stream.object(tenant, row),
            })
        })
    }

    fn state(&mut self, _stream: &Stream, states: &States) -> io::Result<()> {
        self.write(&Message::State {
            value: json!({ "bookmarks": states }),
        })?;
        self.output.flush()
    }

    fn failed(&mut self, _stream: &Stream, _tenant: &str, _error: &Error) -> io::Result<()> {
        // The protocol has no message for failures. The program writes them to stderr and exits with an error.
        Ok(())
    }

    fn end(
        &mut self,
        stream: &Stream,
        states: &States,
        version: i64,
        end: ReadEnd,
    ) -> io::Result<()> {
        if end == ReadEnd::Activate {
            self.write(&Message::ActivateVersion {
                stream: stream.name(),
                version,
            })?;
        }
        self.state(stream, states)
    }
}
