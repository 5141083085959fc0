//! Loaders that read the messages of a tap: a Singer target that deletes after `ACTIVATE_VERSION`, and an Airbyte
//! destination that replaces a table when its stream is complete.

use std::collections::BTreeMap;

use serde_json::Value;

/// The rows of a table, by key.
type Table = BTreeMap<String, Value>;

/// A Singer target.
#[derive(Clone, Default)]
pub struct SingerTarget {
    /// The keys and properties of each stream, from its schema.
    schemas: BTreeMap<String, (Vec<String>, Value)>,
    /// The rows with the versions that they were written under.
    tables: BTreeMap<String, BTreeMap<String, (i64, Value)>>,
    /// The last state, which a runner passes to the next run of the tap.
    pub state: Option<String>,
}

impl SingerTarget {
    pub fn load(&mut self, messages: &[Value]) {
        for message in messages {
            let stream = || message["stream"].as_str().unwrap().to_owned();
            match message["type"].as_str().unwrap() {
                "SCHEMA" => {
                    let keys = serde_json::from_value(message["key_properties"].clone()).unwrap();
                    let properties = message["schema"]["properties"].clone();
                    self.schemas.insert(stream(), (keys, properties));
                    self.tables.entry(stream()).or_default();
                }
                "RECORD" => {
                    let (keys, properties) = &self.schemas[&stream()];
                    let record = &message["record"];
                    for name in record.as_object().unwrap().keys() {
                        assert!(properties.get(name).is_some(), "{name} has no schema");
                    }
                    let key = keys.iter().map(|name| record[name].as_str().unwrap());
                    let key = key.collect::<Vec<_>>().join("\n");
                    let row = (message["version"].as_i64().unwrap(), record.clone());
                    self.tables.get_mut(&stream()).unwrap().insert(key, row);
                }
                "ACTIVATE_VERSION" => {
                    let table = self.tables.get_mut(&stream()).unwrap();
                    table.retain(|_, (version, _)| message["version"] == *version);
                }
                "STATE" => self.state = Some(message["value"].to_string()),
                other => panic!("{other} is no message of Singer"),
            }
        }
    }

    pub fn rows(&self, stream: &str) -> impl Iterator<Item = &Value> {
        let table = self.tables[stream].values();
        table.map(|(_, record)| record)
    }
}

/// An Airbyte destination in the mode "overwrite", and the platform that stores the states.
#[derive(Clone, Default)]
pub struct AirbyteDestination {
    tables: BTreeMap<String, Table>,
    /// The rows of streams that are not complete yet. They stay for the next attempt of the sync.
    staged: BTreeMap<String, Table>,
    states: BTreeMap<String, Value>,
}

impl AirbyteDestination {
    pub fn load(&mut self, messages: &[Value]) {
        for message in messages {
            match message["type"].as_str().unwrap() {
                "RECORD" => {
                    let record = &message["record"];
                    let stream = record["stream"].as_str().unwrap().to_owned();
                    let key = record["data"]["id"].as_str().unwrap().to_owned();
                    let table = self.staged.entry(stream).or_default();
                    table.insert(key, record["data"].clone());
                }
                "STATE" => {
                    let state = &message["state"];
                    let stream = &state["stream"]["stream_descriptor"]["name"];
                    let stream = stream.as_str().unwrap().to_owned();
                    self.states.insert(stream, state.clone());
                }
                "TRACE" if message["trace"]["stream_status"]["status"] == "COMPLETE" => {
                    let stream = &message["trace"]["stream_status"]["stream_descriptor"]["name"];
                    let stream = stream.as_str().unwrap().to_owned();
                    // A stream that an earlier attempt of the sync has completed comes without records.
                    if let Some(table) = self.staged.remove(&stream) {
                        self.tables.insert(stream, table);
                    }
                }
                "TRACE" => {}
                other => panic!("{other} is no message of a read"),
            }
        }
    }

    /// The states for the next attempt.
    pub fn state(&self) -> Option<String> {
        let states: Vec<&Value> = self.states.values().collect();
        (!states.is_empty()).then(|| serde_json::to_string(&states).unwrap())
    }

    /// Begins a new sync: the states of the last one do not count any more.
    pub fn forget_states(&mut self) {
        self.states.clear();
    }

    pub fn rows(&self, stream: &str) -> impl Iterator<Item = &Value> {
        self.tables[stream].values()
    }
}
