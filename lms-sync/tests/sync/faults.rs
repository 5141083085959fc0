//! Loads from a tenant that misbehaves into every kind of destination: each ends complete and equal to the tenant's own rows,
//! or not complete with an error that says why, and then nothing of the last load is deleted.
//!
//! The rows of a list without `number_found`, such as course completions, cannot be counted: nothing shows that a page of it
//! skipped some. Shifted pages are therefore tested with lists that are counted.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use futures_util::FutureExt as _;

use lms_ext::{Lms, LmsBuilder, RetryPolicy};
use lms_sandbox::{Effect, FaultPlan, Population, Sandbox};
use lms_sync::{
    Export, Row, RunSummary, collection,
    mirror::{Mirror, MirrorPolicy},
    sink::{
        Sink,
        files::{FilesOptions, FilesSink, Format},
        objects::{ObjectsSink, object_store::memory::InMemory},
        postgres::{PostgresSchema, PostgresSink},
        sqlite::SqliteSink,
    },
    tap::{TapConfig, TapSummary},
};
use serde_json::Value;

use crate::{
    demo,
    destination::files,
    loaders::{AirbyteDestination, SingerTarget},
    objects::published,
    postgres::server,
    tap::{read, sync, tenant},
};

const COLLECTIONS: [&str; 3] = ["learners", "enrolments", "course_completions"];

/// Rows of a page. Each list has at least five pages.
const PAGE: u32 = 20;

/// Faults that an export survives.
const HARMLESS: &[&str] = &[
    "lists: always: nulls",
    "lists: always: extra-fields",
    "lists: always: numbers",
    "lists: every 2: empty-page",
    "lists: every 3: max-page 6",
    "lists: every 3: status 503 html",
    "lists: every 4: rate-limited seconds",
    "lists: every 5: drop before",
    "lists: every 5: drop after",
    "lists: every 5: drop body",
    "lists: every 6: bad-json cut",
    "lists: every 7: bad-json garbage",
    "lists: every 5: long-length 10",
    "lists: every 5: refuse-token",
    "lists: every 5: revoke-tokens",
    "getToken: always: early-expiry 1s",
    "getToken: always: expires-in-string",
    "lists: every 3: trickle 8000 1ms",
    "lists: every 3: delay 1ms..3ms",
    "lists: every 3: announce-limit 0 1",
];

/// Faults that lose rows, move them, or make reading impossible.
const HARMFUL: &[&str] = &[
    "listLearners,listEnrolments: every 3: shift-page +3",
    "listLearners,listEnrolments: every 3: shift-page -3",
    "listLearners,listEnrolments: nth 4: shift-page -1",
    "lists: every 3: more-without-cursor",
    "lists: every 3: repeat-cursor",
    "lists: every 3: redirect https://elsewhere.example",
    "lists: after 3: status 500 json",
    "lists: after 3: status 403 json",
    "lists: after 2: bad-json cut",
    "lists: after 4: drop body",
];

/// Effects that no list shows, or only as time passes.
const ELSEWHERE: &[&str] = &[
    // It is a sequence of `rate-limited`, which depends on the time.
    "rate-limit",
    // It changes values.
    "zoneless-timestamps",
    // Of duplications.
    "stall-duplication",
    "fail-duplication",
];

#[test]
fn every_effect_on_lists_is_in_the_table() {
    let word = |form: &str| form.split(' ').next().unwrap().to_owned();
    let rules = HARMLESS.iter().chain(HARMFUL);
    let effects = rules.map(|rule| word(rule.rsplit(": ").next().unwrap()));
    let tried: BTreeSet<String> = effects.chain(ELSEWHERE.iter().map(|it| word(it))).collect();
    assert_eq!(tried, Effect::FORMS.iter().map(|it| word(it)).collect());
}

fn impatient(builder: LmsBuilder) -> LmsBuilder {
    let backoff = (Duration::from_millis(1), Duration::from_millis(2));
    let retry = RetryPolicy::default().max_attempts(4);
    builder
        .retry(retry.backoff(backoff.0, backoff.1))
        .retry_budget(u32::MAX)
}

fn client(sandbox: &Sandbox) -> Lms {
    let builder = Lms::builder(sandbox.base_url());
    impatient(builder.client_credentials(sandbox.client_id(), sandbox.client_secret()))
        .build()
        .unwrap()
}

/// The rows of each collection, by key.
type Rows = BTreeMap<&'static str, BTreeMap<String, String>>;

/// A row without the fields that a fault may change. A tenant that sends nulls also sends them for empty arrays, and `_extra` has what
/// was added.
fn normalized(row: &Value) -> (String, String) {
    let row = row.as_object().unwrap();
    let present = row.iter().filter(|(name, value)| {
        *name != "_extra" && !value.is_null() && value.as_array().is_none_or(|it| !it.is_empty())
    });
    let fields: BTreeMap<_, _> = present.collect();
    (row["id"].to_string(), format!("{fields:?}"))
}

/// A row as an object, as in NDJSON.
fn as_object(row: &Row) -> Value {
    let names = row.collection().columns.iter().map(|column| column.name);
    let values = names.zip(row.values());
    let fields =
        values.map(|(name, value)| (name.to_owned(), serde_json::to_value(value).unwrap()));
    Value::Object(fields.collect())
}

/// The destination of the rows, and their loader.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Files,
    Sqlite,
    Postgres,
    Objects,
    Singer,
    Airbyte,
}

/// A destination of a kind.
struct Destination {
    folder: tempfile::TempDir,
    store: Arc<InMemory>,
    kind: Kind,
    singer: SingerTarget,
    airbyte: AirbyteDestination,
}

async fn export(lms: &Lms, sink: impl Sink + 'static) -> RunSummary {
    let export = Export::new(lms)
        .collections(COLLECTIONS)
        .unwrap()
        .page_size(PAGE);
    export.run(sink).await.unwrap()
}

/// Why each collection is not complete.
type Failures = BTreeMap<&'static str, Option<String>>;

fn failures_of_tap(summary: &TapSummary) -> Failures {
    let outcomes = summary.outcomes.iter();
    outcomes
        .map(|outcome| {
            let record = outcome.record.as_ref();
            assert!(record.is_none_or(|it| it.is_complete() == outcome.error.is_none()));
            (
                outcome.collection.name,
                outcome.error.as_ref().map(ToString::to_string),
            )
        })
        .collect()
}

impl Destination {
    fn new(kind: Kind) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            store: Arc::default(),
            kind,
            singer: SingerTarget::default(),
            airbyte: AirbyteDestination::default(),
        }
    }

    fn mirror(&self) -> PathBuf {
        self.folder.path().join("mirror.db")
    }

    fn schema(&self) -> PostgresSchema {
        server::at(&server::schema_of(self.folder.path()))
    }

    /// Forgets where the last load came from.
    fn moves_to(&mut self) {
        if let Kind::Airbyte = self.kind {
            // The platform forgets the states of the last sync.
            self.airbyte.forget_states();
        }
    }

    /// Loads through a sink.
    async fn run(&self, sandbox: &Sandbox) -> RunSummary {
        let (lms, ndjson) = (client(sandbox), FilesOptions::new(Format::Ndjson));
        let policy = MirrorPolicy::default().max_delete_share(1.0);
        match self.kind {
            Kind::Sqlite => export(&lms, SqliteSink::new(self.mirror()).policy(policy)).await,
            Kind::Postgres => export(&lms, PostgresSink::new(self.schema()).policy(policy)).await,
            Kind::Objects => {
                let options = ndjson.rows_per_part(500.try_into().unwrap());
                let sink = ObjectsSink::new(self.store.clone(), "", options);
                export(&lms, sink).await
            }
            _ => export(&lms, FilesSink::new(self.folder.path(), ndjson)).await,
        }
    }

    /// Starts a load, or resumes one that was not complete.
    async fn load(&mut self, sandbox: &Sandbox) -> Failures {
        let mut config = tenant(sandbox, None);
        config["page_size"] = PAGE.into();
        let config = TapConfig::parse(&config.to_string())
            .unwrap()
            .configure_clients(impatient);
        match self.kind {
            Kind::Files | Kind::Sqlite | Kind::Postgres | Kind::Objects => {
                let summary = self.run(sandbox).await;
                let outcomes = summary.collections.into_iter();
                outcomes
                    .map(|outcome| {
                        assert_eq!(outcome.record.is_complete(), outcome.error.is_none());
                        assert_eq!(
                            outcome.record.is_complete(),
                            outcome.record.because.is_empty()
                        );
                        (
                            outcome.collection.name,
                            outcome.error.map(|it| it.to_string()),
                        )
                    })
                    .collect()
            }
            Kind::Singer => {
                let state = self.singer.state.clone();
                let (summary, messages) = sync(&config, &COLLECTIONS, state.as_deref()).await;
                self.singer.load(&messages);
                failures_of_tap(&summary)
            }
            Kind::Airbyte => {
                let state = self.airbyte.state();
                let (summary, messages) = read(&config, &COLLECTIONS, state.as_deref()).await;
                self.airbyte.load(&messages);
                let mut failures = failures_of_tap(&summary);
                // Streams that an earlier attempt has completed are not read again.
                for name in COLLECTIONS {
                    failures.entry(name).or_default();
                }
                failures
            }
        }
    }

    fn rows(&self) -> Rows {
        let rows = |name: &'static str| match self.kind {
            Kind::Files => {
                let file = &files(self.folder.path())[&format!("{name}.ndjson")];
                let lines = std::str::from_utf8(file).unwrap().lines();
                lines
                    .map(|line| normalized(&serde_json::from_str(line).unwrap()))
                    .collect()
            }
            Kind::Sqlite | Kind::Postgres => {
                let (mut rows, known) = (BTreeMap::new(), collection(name).unwrap());
                let mut visit = |row| rows.extend([normalized(&as_object(&row))]);
                let mirror = match self.kind {
                    Kind::Sqlite => Mirror::sqlite(self.mirror()),
                    _ => Mirror::postgres(&self.schema()),
                };
                let visited = mirror.read(|mirror| mirror.visit_rows(known, &mut visit));
                visited.unwrap();
                rows
            }
            Kind::Objects => {
                let rows = published(&*self.store, "", collection(name).unwrap());
                let rows = rows.now_or_never().unwrap().unwrap_or_default();
                rows.iter().map(|row| normalized(&as_object(row))).collect()
            }
            Kind::Singer => self.singer.rows(name).map(normalized).collect(),
            Kind::Airbyte => self.airbyte.rows(name).map(normalized).collect(),
        };
        COLLECTIONS.map(|name| (name, rows(name))).into()
    }
}

/// The faults, tried with one kind of destination.
struct Table {
    kind: Kind,
    older: Sandbox,
    sandbox: Sandbox,
    tenant: Rows,
}

impl Table {
    async fn new(kind: Kind) -> Self {
        let populated = async |learners| {
            let population = Population {
                learners,
                courses: 5,
                enrolments_per_learner: 3,
                ..Population::default()
            };
            let sandbox = Sandbox::builder().population(population).start();
            sandbox.await.unwrap()
        };
        let (older, sandbox) = (populated(7).await, populated(150).await);
        // Other destinations are compared with the same rows.
        let mut files = Destination::new(Kind::Files);
        assert!(files.load(&sandbox).await.values().all(Option::is_none));
        let tenant = files.rows();
        assert!(tenant.values().all(|rows| rows.len() > 80));
        Self {
            kind,
            older,
            sandbox,
            tenant,
        }
    }

    /// Returns `true` if a destination has the rows of the tenant. A Singer target also has older rows, until two
    /// complete reads lack them.
    fn is_loaded(&self, name: &str, found: &Rows) -> bool {
        let (rows, mut tenant) = (&found[name], self.tenant[name].iter());
        match self.kind {
            Kind::Singer => tenant.all(|(key, row)| rows.get(key) == Some(row)),
            Kind::Files | Kind::Sqlite | Kind::Postgres | Kind::Objects | Kind::Airbyte => {
                *rows == self.tenant[name]
            }
        }
    }

    /// Loads with faults into a destination with an older load, up to three times. Returns which run was complete.
    async fn survives(&self, faults: &[&str]) -> Option<u32> {
        let case = format!("{:?}: {faults:?}", self.kind);
        let mut destination = Destination::new(self.kind);
        let failures = destination.load(&self.older).await;
        assert!(failures.values().all(Option::is_none), "{failures:?}");
        // The result of the last complete load of each collection.
        let mut kept = destination.rows();
        assert!(kept.values().any(|rows| !rows.is_empty()));
        destination.moves_to();
        let rules = faults.iter().map(|rule| rule.parse().unwrap()).collect();
        self.sandbox.faults().replace(FaultPlan { seed: 5, rules });
        let mut complete = None;
        for run in 1..=3 {
            let failures = destination.load(&self.sandbox).await;
            let found = destination.rows();
            for (name, failure) in &failures {
                let Some(failure) = failure else {
                    assert!(
                        self.is_loaded(name, &found),
                        "{case}: {name} differs from the tenant"
                    );
                    kept.insert(name, found[name].clone());
                    continue;
                };
                assert!(!failure.is_empty());
                let mut keys = kept[name].keys();
                let untouched = match self.kind {
                    // Rows are loaded as they come, and deleted after a complete read only.
                    Kind::Singer => keys.all(|key| found[name].contains_key(key)),
                    Kind::Files | Kind::Sqlite | Kind::Postgres | Kind::Objects | Kind::Airbyte => {
                        found[name] == kept[name]
                    }
                };
                assert!(untouched, "{case}: {name} lost rows after {failure}");
            }
            if failures.values().all(Option::is_none) {
                complete = Some(run);
                break;
            }
        }
        self.sandbox.faults().clear();
        if complete.is_none() {
            // Without the faults, the run continues and is complete. If it finds the gap that a fault has left, the
            // next one is.
            let mut failures = destination.load(&self.sandbox).await;
            if failures.values().any(Option::is_some) {
                failures = destination.load(&self.sandbox).await;
            }
            assert!(
                failures.values().all(Option::is_none),
                "{case}: {failures:?}"
            );
            let found = destination.rows();
            assert!(
                COLLECTIONS.iter().all(|name| self.is_loaded(name, &found)),
                "{case}"
            );
        }
        complete
    }
}

async fn survives_what_loses_nothing(kind: Kind) {
    let table = Table::new(kind).await;
    for fault in HARMLESS {
        assert!(table.survives(&[fault]).await.is_some(), "{fault}");
    }
}

async fn reports_what_loses_rows(kind: Kind) {
    let table = Table::new(kind).await;
    for fault in HARMFUL {
        assert_ne!(table.survives(&[fault]).await, Some(1), "{fault}");
    }
}

/// Number of pairs of faults that an ordinary run of the tests tries. `LMS_TESTS=full` tries all.
const PAIRS: usize = 10;

async fn survives_pairs(kind: Kind) {
    let table = Table::new(kind).await;
    let all: Vec<&str> = HARMLESS.iter().chain(HARMFUL).copied().collect();
    let mut pairs: Vec<[&str; 2]> = Vec::new();
    for (index, first) in all.iter().enumerate() {
        pairs.extend(all[index + 1..].iter().map(|second| [*first, *second]));
    }
    fastrand::Rng::with_seed(11).shuffle(&mut pairs);
    if !crate::full() {
        pairs.truncate(PAIRS);
    }
    for pair in &pairs {
        table.survives(pair).await;
    }
}

/// The tests of a kind of destination.
macro_rules! tests {
    ($($name:ident: $kind:ident $(#[$attribute:meta])?,)*) => {$(
        mod $name {
            use super::{Kind, reports_what_loses_rows, survives_pairs, survives_what_loses_nothing};

            #[tokio::test]
            $(#[$attribute])?
            async fn loads_survive_faults_that_lose_nothing() {
                survives_what_loses_nothing(Kind::$kind).await;
            }

            #[tokio::test]
            $(#[$attribute])?
            async fn loads_report_faults_that_lose_rows() {
                reports_what_loses_rows(Kind::$kind).await;
            }

            #[tokio::test]
            $(#[$attribute])?
            async fn pairs_of_faults_end_complete_or_with_an_error() {
                survives_pairs(Kind::$kind).await;
            }
        }
    )*};
}

tests! {
    files: Files,
    sqlite_mirror: Sqlite,
    postgres_mirror: Postgres #[ignore = "run by .ci/postgres"],
    object_storage: Objects,
    singer: Singer,
    airbyte: Airbyte,
}

#[tokio::test]
async fn a_count_can_be_ignored() {
    let sandbox = demo().await;
    let rule = "listLearners: nth 3: shift-page -2";
    sandbox.faults().add(rule).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let sink = FilesSink::new(folder.path(), FilesOptions::new(Format::Csv));
    let export = Export::new(&client(&sandbox))
        .collections(["learners"])
        .unwrap();
    let summary = export
        .ignore_number_found()
        .page_size(100)
        .run(sink)
        .await
        .unwrap();
    let record = &summary.collections[0].record;
    assert!(record.is_complete(), "{record:?}");
}
