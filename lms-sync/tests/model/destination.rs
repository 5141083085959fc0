//! The destinations of rows, and their content afterwards.

use std::{
    cell::{OnceCell, RefCell},
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use lms_ext::{Lms, RetryPolicy};
use lms_sync::{
    Completeness, Error, ErrorKind, Export, Row,
    mirror::MirrorPolicy,
    sink::{
        Sink,
        files::{FilesOptions, FilesSink, Format, Manifest},
        sqlite::SqliteSink,
    },
    tap::{TapConfig, TapSummary, airbyte, singer},
};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{
    memory::Memory, server::Server, subject::Subject, subject::key_of, transcript::version_text,
};

thread_local! {
    /// The names of the observations in the runs of this thread.
    pub static SIGNS: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Two observations come after the last checkpoint, or are not made in memory. The record has them.
const IN_RECORDS: [(&str, &str); 2] = [
    ("other_tenant", "at the end"),
    ("not_read_within", "were not read within"),
];

/// A kind of destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Memory,
    Files,
    Sqlite,
    /// SQLite, with a budget of requests in some runs.
    Budgeted,
    Singer,
    Airbyte,
}

impl Kind {
    /// Returns `true` if each complete read replaces all rows. The others delete rows that have a witness.
    pub fn is_replaced(self) -> bool {
        matches!(self, Self::Memory | Self::Files | Self::Airbyte)
    }
}

/// The end of a run.
#[derive(Debug)]
pub struct Ended {
    pub complete: bool,
    pub why: String,
    /// Keys that the feed has told as removed in this run.
    pub removed: Vec<String>,
    /// `true` if the run was refused, because the destination has the rows of another tenant.
    pub of_other_tenant: bool,
}

/// A destination of one collection.
pub struct Destination {
    kind: Kind,
    subject: Subject,
    server: Server,
    /// The requests that the next run may send for a derived collection.
    pub budget: Option<u64>,
    lms: OnceCell<Lms>,
    memory: Memory,
    path: PathBuf,
    /// Removes the path in the end.
    _folder: Option<tempfile::TempDir>,
    table: BTreeMap<String, (i64, String)>,
    staged: BTreeMap<String, String>,
    state: Option<String>,
    /// The rows that the feed of changes leads to.
    told: BTreeMap<String, ()>,
    last_change: i64,
}

impl Destination {
    pub fn new(kind: Kind, subject: Subject, server: Server) -> Self {
        let folder = matches!(kind, Kind::Files | Kind::Sqlite | Kind::Budgeted)
            .then(|| tempfile::tempdir().unwrap());
        let path = folder
            .as_ref()
            .map_or_else(PathBuf::new, |folder| folder.path().to_owned());
        Self {
            _folder: folder,
            ..Self::at(kind, subject, server, &path)
        }
    }

    /// A destination in a folder.
    pub fn at(kind: Kind, subject: Subject, server: Server, path: &Path) -> Self {
        Self {
            kind,
            subject,
            server,
            budget: None,
            lms: OnceCell::new(),
            memory: Memory::default(),
            path: path.to_owned(),
            _folder: None,
            table: BTreeMap::new(),
            staged: BTreeMap::new(),
            state: None,
            told: BTreeMap::new(),
            last_change: 0,
        }
    }

    pub fn database(&self) -> PathBuf {
        self.path.join("mirror.db")
    }

    pub async fn run(&mut self) -> Ended {
        match self.kind {
            Kind::Memory => self.export(self.memory.clone()).await,
            Kind::Files => {
                let options = FilesOptions::new(Format::Ndjson);
                self.export(FilesSink::new(&self.path, options)).await
            }
            Kind::Sqlite | Kind::Budgeted => {
                let policy = MirrorPolicy::default().max_delete_share(1.0);
                let policy = policy.first_run_changes().extra_changes();
                let sink = SqliteSink::new(self.database()).policy(policy);
                if self.subject == Subject::Children && self.database().exists() {
                    self.server.state().mirror = Some((self.database(), self.last_change));
                }
                let mut ended = self.export(sink).await;
                self.server.state().mirror = None;
                ended.removed = self.follow_feed();
                ended
            }
            Kind::Singer => self.singer().await,
            Kind::Airbyte => self.airbyte().await,
        }
    }

    async fn export(&self, sink: impl Sink + 'static) -> Ended {
        // Building a client takes longer than a run. A token that is part of a header's name would hide the header.
        let lms = self.lms.get_or_init(|| {
            let lms = Lms::builder("https://tenant.example").token("3VQmJx9c");
            let lms = lms
                .retry(RetryPolicy::disabled())
                .http_client(self.server.clone());
            lms.build().unwrap()
        });
        let mut export = Export::new(lms)
            .collections(self.subject.collections())
            .unwrap();
        if self.subject == Subject::Children {
            // Each run reads both.
            export = export.max_age(std::time::Duration::ZERO);
        }
        if self.subject == Subject::Parts {
            // A list is not read in parts if that takes as long as without: with many at a time, it never does.
            export = export.partition_by(self.subject.name(), "course").unwrap();
            export = export.concurrency(1000);
        }
        if self.subject.is_derived() {
            // A batch for each item, so that a run can continue after any of them.
            export = export.page_size(1);
        }
        if let Some(requests) = self.budget {
            export = export.max_requests(requests);
        }
        match export.run(sink).await {
            Ok(summary) => {
                let mut outcomes = summary.collections.iter();
                let is_subject = |name| name == self.subject.name();
                let outcome = outcomes.find(|outcome| is_subject(outcome.collection.name));
                let outcome = outcome.unwrap();
                let of_records = IN_RECORDS.iter().filter(|(_, sentence)| {
                    let mut because = outcome.record.because.iter();
                    because.any(|because| because.contains(sentence))
                });
                SIGNS.with_borrow_mut(|signs| {
                    signs.extend(self.memory.signs());
                    signs.extend(of_records.map(|(name, _)| (*name).to_owned()));
                });
                let completeness = outcome.record.completeness;
                assert_eq!(
                    matches!(completeness, Completeness::Complete | Completeness::Partial),
                    outcome.error.is_none(),
                    "{outcome:?}"
                );
                Ended::with(outcome.record.is_complete(), outcome.error.as_ref())
            }
            Err(error) => Ended::refused(&error),
        }
    }

    fn config(&self) -> TapConfig {
        let config = json!({"base_url": "https://tenant.example", "client_id": "1", "client_secret": "8WzKp4rd"});
        let server = self.server.clone();
        let config = TapConfig::parse(&config.to_string()).unwrap();
        config.configure_clients(move |builder| {
            builder
                .retry(RetryPolicy::disabled())
                .http_client(server.clone())
        })
    }

    async fn singer(&mut self) -> Ended {
        let config = self.config();
        let catalog =
            json!({"streams": [{"tap_stream_id": self.subject.name(), "selected": true}]});
        let (catalog, mut output) = (catalog.to_string(), Vec::new());
        let read = singer::sync(&config, Some(&catalog), self.state.as_deref(), &mut output);
        let ended = Ended::of(read.await);
        for message in lines(&output) {
            match message["type"].as_str() {
                Some("RECORD") => {
                    let (key, version) = self.record(&message["record"]);
                    let read = message["version"].as_i64().unwrap();
                    self.table.insert(key, (read, version));
                }
                Some("ACTIVATE_VERSION") => {
                    let active = message["version"].as_i64().unwrap();
                    self.table.retain(|_, (read, _)| *read == active);
                }
                Some("STATE") => self.state = Some(message["value"].to_string()),
                _ => {}
            }
        }
        ended
    }

    async fn airbyte(&mut self) -> Ended {
        let config = self.config();
        let catalog = json!({"streams": [{
            "stream": {"name": self.subject.name(), "json_schema": {}, "supported_sync_modes": ["full_refresh"]},
            "sync_mode": "full_refresh",
            "destination_sync_mode": "overwrite",
        }]});
        let (catalog, mut output) = (catalog.to_string(), Vec::new());
        let read = airbyte::read(&config, &catalog, self.state.as_deref(), &mut output);
        let ended = Ended::of(read.await);
        for message in lines(&output) {
            let status = &message["trace"]["stream_status"]["status"];
            match message["type"].as_str() {
                Some("RECORD") => {
                    let (key, version) = self.record(&message["record"]["data"]);
                    self.staged.insert(key, version);
                }
                Some("STATE") => self.state = Some(json!([message["state"]]).to_string()),
                Some("TRACE") if status == "COMPLETE" => {
                    let rows = std::mem::take(&mut self.staged);
                    self.table = rows
                        .into_iter()
                        .map(|(key, version)| (key, (0, version)))
                        .collect();
                }
                _ => {}
            }
        }
        ended
    }

    fn record(&self, record: &Value) -> (String, String) {
        let extra = record["_extra"]
            .as_str()
            .map(|text| serde_json::from_str(text).unwrap());
        let extra: Value = extra.unwrap_or_else(|| record["_extra"].clone());
        let key = key_of(self.subject.key(), record).unwrap_or_default();
        (key, version_text(extra.get("v")))
    }

    /// The rows that the tenant truly has.
    pub fn truth(&self) -> BTreeMap<String, String> {
        let rows = self.server.state().tenant.rows().into_iter();
        rows.map(|(key, version)| (key, version.to_string()))
            .collect()
    }

    /// The rows with the versions of their values.
    pub fn rows(&self) -> BTreeMap<String, String> {
        match self.kind {
            Kind::Memory => {
                let rows = self.memory.rows();
                rows.iter()
                    .map(|row| (row.key().unwrap(), version_of_row(row)))
                    .collect()
            }
            Kind::Files => {
                let Ok(manifest) = Manifest::read(&self.path) else {
                    return BTreeMap::new();
                };
                let entries = manifest.collections.values().flat_map(|entry| &entry.files);
                let mut rows = BTreeMap::new();
                for file in entries {
                    let content = std::fs::read(self.path.join(&file.path)).unwrap();
                    rows.extend(lines(&content).iter().map(|row| self.record(row)));
                }
                rows
            }
            Kind::Sqlite | Kind::Budgeted => self.table_rows(),
            Kind::Singer | Kind::Airbyte => {
                let rows = self.table.iter();
                rows.map(|(key, (_, version))| (key.clone(), version.clone()))
                    .collect()
            }
        }
    }

    fn table_rows(&self) -> BTreeMap<String, String> {
        if !self.database().exists() {
            return BTreeMap::new();
        }
        let connection = Connection::open(self.database()).unwrap();
        let key = self.subject.key().join(" || char(10) || ");
        let sql = format!(
            "SELECT {key}, _extra FROM {} WHERE _deleted_at IS NULL AND {} IS NOT NULL",
            self.subject.name(),
            self.subject.key()[0]
        );
        // Before the first complete run, there may be no table.
        let Ok(mut statement) = connection.prepare(&sql) else {
            return BTreeMap::new();
        };
        let rows = statement.query_map((), |row| {
            let extra: Option<String> = row.get(1)?;
            let extra: Value =
                extra.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
            Ok((row.get(0)?, version_text(extra.get("v"))))
        });
        rows.unwrap().map(Result::unwrap).collect()
    }

    /// Reads the new changes of the feed. Returns the keys that it has removed.
    fn follow_feed(&mut self) -> Vec<String> {
        let mut removed = Vec::new();
        if !self.database().exists() {
            return removed;
        }
        let connection = Connection::open(self.database()).unwrap();
        let sql =
            "SELECT sequence, event, key FROM _lms_changes WHERE sequence > ?1 ORDER BY sequence";
        let Ok(mut statement) = connection.prepare(sql) else {
            return removed;
        };
        let changes = statement.query_map([self.last_change], |row| {
            Ok((
                row.get(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
            ))
        });
        for (sequence, event, key) in changes.unwrap().map(Result::unwrap) {
            self.last_change = sequence;
            if self.subject == Subject::Children && event.starts_with("learner.") {
                continue;
            }
            let key = key_of(self.subject.key(), &serde_json::from_str(&key).unwrap()).unwrap();
            match event.rsplit('.').next() {
                Some("added") => assert!(
                    self.told.insert(key.clone(), ()).is_none(),
                    "{key} was added twice"
                ),
                Some("changed") => assert!(
                    self.told.contains_key(&key),
                    "{key} changed before it was added"
                ),
                Some("removed") => {
                    assert!(
                        self.told.remove(&key).is_some(),
                        "{key} was removed before it was added"
                    );
                    removed.push(key);
                }
                _ => panic!("{event} is no event"),
            }
        }
        let rows = self.table_rows();
        assert!(
            rows.keys().eq(self.told.keys()),
            "the feed leads to {:?}, and the table has {rows:?}",
            self.told
        );
        removed
    }
}

fn version_of_row(row: &Row) -> String {
    let object = row
        .get("_extra")
        .map(|extra| serde_json::to_value(extra).unwrap());
    version_text(object.as_ref().and_then(|object| object.get("v")))
}

fn lines(text: &[u8]) -> Vec<Value> {
    let lines = std::str::from_utf8(text).unwrap().lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

impl Ended {
    /// Whether a list has no count, and an earlier run saw one.
    pub fn lacks_count(&self) -> bool {
        self.why.contains("lack the count")
    }

    fn refused(error: &Error) -> Self {
        Self::with(false, Some(error))
    }

    fn with(complete: bool, why: Option<&Error>) -> Self {
        Self {
            complete,
            why: why.map(ToString::to_string).unwrap_or_default(),
            removed: Vec::new(),
            of_other_tenant: why.is_some_and(|error| error.kind() == ErrorKind::OtherRun),
        }
    }

    fn of(read: Result<TapSummary, Error>) -> Self {
        match read {
            Ok(summary) => {
                let mut outcomes = summary.outcomes.iter();
                let why = outcomes.find_map(|outcome| outcome.error.as_ref());
                Self::with(summary.is_complete(), why)
            }
            Err(error) => Self::refused(&error),
        }
    }
}
