//! Values: every format stores the values that the tenant sent, whether a run was stopped or not.
//!
//! A field of a row has what was sent, or `_extra` has it: the value, or its JSON as text if `_extra` were nested more than
//! 100 deep with it, because databases and parsers have limits. No value fails a run. A run that stops at any page and continues
//! leaves the same bytes as one that did not, and in a database the same rows.

mod feed;
mod json;
mod postgres;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
};

use lms_ext::{
    Lms, RetryPolicy,
    http::{HttpClient, HttpFuture},
};
use lms_sync::{
    Collection, ColumnKind, Export, Row, VerifiedCollection, collection,
    mirror::{Mirror, MirrorPolicy, Written},
    sink::{
        Sink,
        files::{FilesOptions, FilesSink, Format, Manifest},
        objects::{
            self, ObjectsSink,
            object_store::{ObjectStore, local::LocalFileSystem},
        },
        postgres::PostgresSink,
        sqlite::SqliteSink,
    },
    verify_files,
};
use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use reqwest::Request;

use crate::full;
use json::{Decimal, Json};

/// The items of a list, as JSON, in pages.
#[derive(Clone, Debug)]
struct Pages {
    collection: &'static str,
    pages: Vec<Vec<String>>,
}

/// The event in a run that reads the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    None,
    /// The page with this number fails.
    Stop(usize),
    /// The page with this number begins with the last row of the page before.
    Overlap(usize),
}

#[derive(Clone, Debug)]
struct PageServer(Arc<(Pages, Mutex<Trouble>)>);

impl PageServer {
    fn respond(&self, request: &Request) -> (u16, String) {
        let (Pages { collection, pages }, trouble) = &*self.0;
        if !request.url().path().ends_with(collection) {
            return (200, r#"{"tid":"tenant-1"}"#.to_owned());
        }
        let mut query = request.url().query_pairs();
        let cursor = query.find(|(name, _)| name == "cursor");
        let index = cursor.map_or(0, |(_, cursor)| cursor.parse().unwrap());
        let mut items = pages[index].clone();
        let mut trouble = trouble.lock().unwrap();
        match *trouble {
            Trouble::Stop(page) if page == index => return (500, String::new()),
            Trouble::Overlap(page) if page == index && index > 0 => {
                *trouble = Trouble::None;
                items.splice(0..0, pages[index - 1].last().cloned());
            }
            _ => {}
        }
        let (count, more) = (pages.iter().flatten().count(), index + 1 < pages.len());
        let next = if more {
            format!("\"{}\"", index + 1)
        } else {
            "null".to_owned()
        };
        let items = items.join(",");
        (
            200,
            format!(
                r#"{{"items":[{items}],"number_found":"{count}","next_cursor":{next},"more":{more}}}"#
            ),
        )
    }
}

impl HttpClient for PageServer {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let (status, body) = self.respond(&request);
        let response = http::Response::builder().status(status);
        let response = response
            .header("content-type", "application/json")
            .body(body);
        Box::pin(std::future::ready(Ok(response.unwrap().into())))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File(Format),
    Objects,
    Sqlite,
    Postgres,
}

/// A folder as an object storage.
fn store(folder: &Path) -> Arc<dyn ObjectStore> {
    Arc::new(LocalFileSystem::new_with_prefix(folder).unwrap())
}

fn verify(kind: Kind, folder: &Path) -> Vec<VerifiedCollection> {
    match kind {
        Kind::File(_) => verify_files(folder).unwrap(),
        Kind::Objects => {
            let store = store(folder);
            // It blocks, and must not be called from asynchronous code.
            let verified = thread::spawn(move || objects::verify(&store, ""));
            verified.join().unwrap().unwrap()
        }
        Kind::Sqlite | Kind::Postgres => mirror(kind, folder).verify().unwrap(),
    }
}

/// The mirror in a folder, or in the schema of the folder.
fn mirror(kind: Kind, folder: &Path) -> Mirror {
    match kind {
        Kind::Postgres => Mirror::postgres(&postgres::schema(folder)),
        _ => Mirror::sqlite(folder.join("mirror.db")),
    }
}

/// Runs an export into a folder. Returns whether it is complete, and why not.
async fn run(server: &PageServer, kind: Kind, folder: &Path) -> (bool, String) {
    let lms = Lms::builder("https://tenant.example")
        .token("3VQmJx9c")
        .retry(RetryPolicy::disabled())
        .http_client(server.clone())
        .build()
        .unwrap();
    let export = Export::new(&lms)
        .collections([server.0.0.collection])
        .unwrap();
    let sink: Box<dyn Sink> = match kind {
        Kind::File(format) => Box::new(FilesSink::new(folder, FilesOptions::new(format))),
        Kind::Objects => {
            let options = FilesOptions::new(Format::Ndjson).rows_per_part(2.try_into().unwrap());
            Box::new(ObjectsSink::new(store(folder), "", options))
        }
        Kind::Sqlite => {
            let sink = SqliteSink::new(folder.join("mirror.db"));
            Box::new(sink.policy(MirrorPolicy::default().extra_changes()))
        }
        Kind::Postgres => Box::new(PostgresSink::new(postgres::schema(folder))),
    };
    let summary = export.run(sink).await.unwrap();
    let error = summary.collections[0].error.as_ref();
    (
        summary.is_complete(),
        error.map(ToString::to_string).unwrap_or_default(),
    )
}

/// The rows of a table, by key.
fn table_rows(kind: Kind, of: &'static Collection, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut rows = BTreeMap::new();
    let mut visit = |row: Row| {
        let columns = of.columns.iter().filter_map(|column| {
            let value = serde_json::to_string(row.get(column.name)?).unwrap();
            Some(format!(r#""{}":{value}"#, column.name))
        });
        let json = format!("{{{}}}", columns.collect::<Vec<_>>().join(","));
        rows.insert(row.key().unwrap().into(), json.into_bytes());
    };
    mirror(kind, folder)
        .read(|mirror| mirror.visit_rows(of, &mut visit))
        .unwrap();
    rows
}

/// The rows that the last run has written into a table.
fn written(kind: Kind, folder: &Path) -> Written {
    mirror(kind, folder).status().unwrap()[0].written.unwrap()
}

/// Everything in a destination that does not depend on the time.
fn content(kind: Kind, of: &'static Collection, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if matches!(kind, Kind::Sqlite | Kind::Postgres) {
        return table_rows(kind, of, folder);
    }
    let manifest = Manifest::read(folder).unwrap();
    let files = manifest
        .collections
        .into_values()
        .flat_map(|entry| entry.files);
    files
        .map(|file| {
            let content = fs::read(folder.join(&file.path)).unwrap();
            let name = match kind {
                // The rest of the name is that of the run.
                Kind::Objects => file.path.split('/').next_back().unwrap()[..10].to_owned(),
                _ => file.path,
            };
            (name.into(), content)
        })
        .collect()
}

async fn check(pages: &Pages, kind: Kind) {
    let of = collection(pages.collection).unwrap();
    let server = PageServer(Arc::new((pages.clone(), Mutex::new(Trouble::None))));
    let undisturbed = tempfile::tempdir().unwrap();
    let (complete, why) = run(&server, kind, undisturbed.path()).await;
    assert!(complete, "{kind:?}: {why}");
    let expected = content(kind, of, undisturbed.path());
    for verified in verify(kind, undisturbed.path()) {
        assert!(verified.is_intact(), "{kind:?}: {verified:?}");
    }
    if matches!(
        kind,
        Kind::File(Format::Ndjson) | Kind::Sqlite | Kind::Postgres
    ) {
        check_rows(of, pages, expected.values());
    }
    if matches!(kind, Kind::Sqlite | Kind::Postgres) {
        assert!(run(&server, kind, undisturbed.path()).await.0);
        let written = written(kind, undisturbed.path());
        assert_eq!(
            (written.inserted, written.updated),
            (0, 0),
            "nothing has changed"
        );
    }
    for page in 0..pages.pages.len() {
        for trouble in [Trouble::None, Trouble::Overlap(page)] {
            let folder = tempfile::tempdir().unwrap();
            *server.0.1.lock().unwrap() = Trouble::Stop(page);
            assert!(
                !run(&server, kind, folder.path()).await.0,
                "the run did not stop"
            );
            *server.0.1.lock().unwrap() = trouble;
            let (complete, why) = run(&server, kind, folder.path()).await;
            assert!(complete, "{kind:?}: {why}");
            let found = content(kind, of, folder.path());
            assert!(
                found == expected,
                "{kind:?}: stopped at page {page}, then {trouble:?}: it differs"
            );
        }
    }
}

/// Compares rows, as lines of JSON, with the items that were sent.
fn check_rows<'a>(of: &Collection, pages: &Pages, stored: impl IntoIterator<Item = &'a Vec<u8>>) {
    let by_id = |json: Json| (json.field("id").unwrap().text().unwrap(), json);
    let stored = stored.into_iter().map(|text| str::from_utf8(text).unwrap());
    let rows: BTreeMap<String, Json> = stored
        .flat_map(str::lines)
        .map(|line| by_id(Json::read(line)))
        .collect();
    let items = pages.pages.iter().flatten();
    let items: BTreeMap<String, Json> = items.map(|item| by_id(Json::read(item))).collect();
    assert!(rows.keys().eq(items.keys()), "{rows:?}");
    for (item, row) in items.values().zip(rows.values()) {
        check_row(of, item, row);
    }
}

/// Every value of an item is in its column, or in `_extra`.
fn check_row(of: &Collection, item: &Json, row: &Json) {
    let Json::Object(fields) = item else {
        panic!("{item:?} is no object")
    };
    let extra = row.field("_extra").unwrap_or(&Json::Null);
    for (name, _) in fields {
        let name = String::from_utf16(name).unwrap();
        // The last one counts, as in every parser.
        let sent = item.field(&name).unwrap();
        let kind = of.column(&name).map(|column| column.kind);
        let stored = kind.and_then(|_| row.field(&name)).unwrap_or(&Json::Null);
        let kept = is_kept(kind, sent, stored)
            || extra
                .field(&name)
                .is_some_and(|extra| is_extra(sent, extra));
        assert!(
            kept,
            "{name} was sent as {sent:?}; the row has {stored:?}, and {extra:?}"
        );
    }
}

/// Returns `true` if `_extra` has a value, or its text if it is too deep for an object around it.
fn is_extra(sent: &Json, extra: &Json) -> bool {
    if sent.depth() < 100 {
        return sent == extra;
    }
    extra.text().is_some_and(|text| Json::read(&text) == *sent)
}

fn is_kept(kind: Option<ColumnKind>, sent: &Json, stored: &Json) -> bool {
    if sent == stored {
        return true;
    }
    match kind {
        // Numbers may be sent as text.
        Some(ColumnKind::Integer | ColumnKind::Float) => match (sent.text().as_deref(), stored) {
            (Some(""), Json::Null) => true,
            (Some(text), Json::Number(number)) => Decimal::read(text).as_ref() == Some(number),
            _ => false,
        },
        // Unix timestamps may be sent as numbers.
        Some(ColumnKind::Timestamp) => match (sent, stored.text()) {
            (Json::Number(number), Some(text)) => Decimal::read(&text).as_ref() == Some(number),
            _ => false,
        },
        _ => false,
    }
}

const TEXTS: &[&str] = &[
    r#""""#,
    r#""\ud800""#,
    r#""a\udfffb""#,
    r#""\ud83d\ude00""#,
    r#""\udc00\ud800""#,
    r#""\u0000""#,
    r#""a\u0000b""#,
    r#""\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f""#,
    r#""\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\u007f""#,
    r#""a,b;c\"d'e\r\nf""#,
    r#""\ufeff\u2028\u2029\u0085\u200f\ufffe""#,
    r#"" x ""#,
    r#""=1+1""#,
    r#""null""#,
    r#""\\N""#,
    r#""9999-12-31T23:59:59.999999Z""#,
    r#""0001-01-01T00:00:00Z""#,
    r#""9999-12-31T23:59:59.999999999-23:59""#,
    r#""0000-01-01T00:00:00Z""#,
    r#""-000001-01-01T00:00:00Z""#,
    r#""2024-02-29T24:00:00Z""#,
    r#""1970-01-01T00:00:00.000000001Z""#,
    r#""9223372036854775807""#,
    r#""9223372036854775808""#,
    r#""+1""#,
    r#""01""#,
    r#""1.50""#,
    r#""NaN""#,
    r#""Infinity""#,
    r#""-0.0""#,
];

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-0.0",
    "0.0",
    "1",
    "1.0",
    "1.50",
    "1e2",
    "1E-2",
    "0.1",
    "0.30000000000000004",
    "0.1000000000000000055511151231257827",
    "5e-324",
    "1e-400",
    "1e400",
    "-1e400",
    "1.7976931348623157e308",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "1710577210",
    "253402300799",
    "253402300800",
    "-62167219201",
];

fn texts() -> impl Strategy<Value = String> {
    let any = any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap());
    prop_oneof![3 => select(TEXTS).prop_map(ToOwned::to_owned), 1 => any]
}

fn values() -> impl Strategy<Value = String> {
    let deep =
        (1..300_usize).prop_map(|depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    let leaf = prop_oneof![
        4 => texts(),
        4 => select(NUMBERS).prop_map(ToOwned::to_owned),
        1 => select(&["null", "true", "false", "[]", "{}"][..]).prop_map(ToOwned::to_owned),
        1 => deep,
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(","))),
            vec((texts(), inner), 0..3).prop_map(|fields| {
                let fields = fields.iter().map(|(name, value)| format!("{name}:{value}"));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
            }),
        ]
    })
}

/// Every text and number, and arrays around the depth that databases and parsers allow.
fn all_values() -> Vec<String> {
    let deep =
        [99, 100, 101, 300].map(|depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
    let values = TEXTS.iter().chain(NUMBERS);
    let values = values.chain(&["null", "true", "[]", "{}"]);
    values
        .map(|value| (*value).to_owned())
        .chain(deep)
        .collect()
}

/// A column of each kind, and fields without a column.
fn names(collection: &str) -> &'static [&'static str] {
    match collection {
        "courses" => &[
            "name",
            "created",
            "archived",
            "display_priority",
            "pass_mark",
            "auto_due_date",
            "unknown",
            "Unknown-2",
        ],
        _ => &[
            "firstname",
            "updated",
            "is_admin",
            "tags",
            "unknown",
            "_row",
        ],
    }
}

/// Every value in every field, once after another value of the same field.
fn every_value(collection: &'static str) -> Pages {
    let (names, values) = (names(collection), all_values());
    let item = |number: usize| {
        let fields = names.iter().enumerate().map(|(field, name)| {
            let value = &values[(number + field) % values.len()];
            let before = (number >= values.len()).then(|| format!(r#","{name}":"a""#));
            format!(r#"{},"{name}":{value}"#, before.unwrap_or_default())
        });
        format!(r#"{{"id":"x{number}"{}}}"#, fields.collect::<String>())
    };
    let items: Vec<String> = (0..2 * values.len()).map(item).collect();
    let pages = items.chunks(values.len()).map(<[_]>::to_vec).collect();
    Pages { collection, pages }
}

fn lists() -> impl Strategy<Value = Pages> {
    select(&["courses", "learners"][..]).prop_flat_map(move |collection| {
        let fields = vec((select(names(collection).to_vec()), values()), 0..4);
        vec(vec(fields, 0..3), 1..4).prop_map(move |pages| {
            let mut id = 0;
            let item = |fields: Vec<(&str, String)>| {
                id += 1;
                let fields = fields
                    .iter()
                    .map(|(name, value)| format!(r#","{name}":{value}"#));
                format!(r#"{{"id":"x{id}"{}}}"#, fields.collect::<String>())
            };
            let mut item = item;
            let page =
                |page: Vec<Vec<(&'static str, String)>>| page.into_iter().map(&mut item).collect();
            Pages {
                collection,
                pages: pages.into_iter().map(page).collect(),
            }
        })
    })
}

/// Checks destinations of these kinds with arbitrary values.
fn check_all(kinds: &[Kind]) {
    let config = Config {
        cases: if full() { 2_000 } else { 12 },
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&lists(), |pages| {
        for kind in kinds {
            runtime.block_on(check(&pages, *kind));
            if *kind == Kind::Postgres {
                runtime.block_on(postgres::drop_schemas());
            }
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn what_is_stored_is_what_was_sent_and_a_stopped_run_leaves_the_same_bytes() {
    let ndjson = Kind::File(Format::Ndjson);
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    for collection in ["courses", "learners"] {
        runtime.block_on(check(&every_value(collection), ndjson));
    }
    check_all(&[
        ndjson,
        Kind::File(Format::Csv),
        Kind::File(Format::Parquet),
        Kind::Objects,
        Kind::Sqlite,
    ]);
}

#[test]
#[ignore = "run by .ci/postgres"]
fn postgres_stores_what_was_sent_and_a_stopped_run_leaves_the_same_rows() {
    check_all(&[Kind::Postgres]);
}
