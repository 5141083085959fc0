//! Tenants whose responses are written here: their rows are not complete, or are stored as they were sent.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use lms_ext::{
    Lms,
    http::{HttpClient, HttpFuture},
};
use lms_sync::{
    Completeness, CompletenessRecord, ErrorKind, Export, Extract, ExtractCheckpoint, Row,
    collection,
    sink::{
        Sink,
        files::{Compression, FilesOptions, FilesSink, Format},
        objects::{ObjectsSink, object_store::memory::InMemory},
        sqlite::{self, SqliteSink},
    },
    verify_files,
};

/// The body of the response for a path and a cursor; the status 404 if there is none.
type Script = dyn Fn(&str, Option<&str>) -> Option<String> + Send + Sync;

#[derive(Clone)]
struct Tenant {
    script: Arc<Script>,
    content_type: &'static str,
}

impl fmt::Debug for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tenant")
    }
}

impl HttpClient for Tenant {
    fn send(&self, request: reqwest::Request) -> HttpFuture<'_> {
        let url = request.url();
        let mut query = url.query_pairs();
        let cursor = query.find(|(name, _)| name == "cursor");
        let cursor = cursor.as_ref().map(|(_, value)| &**value);
        let path = url.path().strip_prefix("/api/v1").unwrap();
        let body = (self.script)(path, cursor);
        let response = http::Response::builder()
            .status(if body.is_some() { 200 } else { 404 })
            .header("content-type", self.content_type)
            .body(body.unwrap_or_else(|| "{}".into()));
        Box::pin(async move { Ok(reqwest::Response::from(response.unwrap())) })
    }
}

fn tenant(script: impl Fn(&str, Option<&str>) -> Option<String> + Send + Sync + 'static) -> Lms {
    client(Tenant {
        script: Arc::new(script),
        content_type: "application/json",
    })
}

fn client(tenant: Tenant) -> Lms {
    Lms::builder("https://acme.example")
        .token("token")
        .http_client(tenant)
        .build()
        .unwrap()
}

/// A tenant with these bodies, by path, or by path and cursor: `/learners?2`.
fn bodies<const N: usize>(bodies: [(&str, &str); N]) -> Lms {
    let bodies = bodies.map(|(path, body)| (path.to_owned(), body.to_owned()));
    let bodies = BTreeMap::from(bodies);
    tenant(move |path, cursor| {
        let cursor = cursor.map_or(String::new(), |cursor| format!("?{cursor}"));
        bodies.get(&format!("{path}{cursor}")).cloned()
    })
}

async fn read_with(mut extract: Extract) -> (Vec<Row>, CompletenessRecord) {
    let mut rows = Vec::new();
    loop {
        match extract.next_batch().await {
            Ok(Some(batch)) => rows.extend(batch.rows),
            Ok(None) => return (rows, extract.record()),
            Err(error) => return (rows, extract.record_of_failure(&error)),
        }
    }
}

/// The verdict on a collection of a tenant, and its reasons.
async fn said(lms: &Lms, name: &str) -> (Completeness, String) {
    let (_, record) = read_with(Extract::new(lms, collection(name).unwrap())).await;
    (record.completeness, record.because.join("; "))
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
async fn lists_that_lie_are_not_complete() {
    let first = r#"{"items": [{"id": "a"}, {"id": "b"}], "number_found": "3", "more": true, "next_cursor": "2"}"#;
    let completed = r#"{"items": [{"id": "a"}, {"id": "b"}], "more": true, "next_cursor": "2"}"#;
    for (first, second, expected, because) in [
        (
            first,
            r#"{"items": [{"id": "c"}], "number_found": "3", "more": false}"#,
            Completeness::Complete,
            "",
        ),
        (
            first,
            r#"{"items": [{"id": "c"}], "number_found": "0", "more": false}"#,
            Completeness::Incomplete,
            "has 1 items and counts 0",
        ),
        (
            first,
            r#"{"items": [{"id": "b"}], "number_found": "3", "more": false}"#,
            Completeness::Changed,
            "returned twice",
        ),
        (
            first,
            r#"{"items": [{"id": null}], "number_found": "3", "more": false}"#,
            Completeness::Incomplete,
            "has no id",
        ),
        (
            first,
            r#"{"items": [{"id": "\ud800"}], "number_found": "3", "more": false}"#,
            Completeness::Incomplete,
            "has no id",
        ),
        (
            first,
            r#"{"items": []}"#,
            Completeness::Incomplete,
            "lack the count",
        ),
        (
            completed,
            r#"{"items": [{"id": "c"}], "more": false}"#,
            Completeness::Complete,
            "",
        ),
        (
            completed,
            r#"{"items": [{"id": "a"}, {"id": "b"}], "more": false}"#,
            Completeness::Changed,
            "returned twice (and 1 more)",
        ),
        (
            completed,
            r#"{"items": [{"id": "c"}], "next_cursor": "3"}"#,
            Completeness::Incomplete,
            "has a cursor",
        ),
        (
            completed,
            r#"{"items": []}"#,
            Completeness::Incomplete,
            "does not say that it is the last",
        ),
        (
            completed,
            r#"{"error": "busy"}"#,
            Completeness::Incomplete,
            "missing field `items`",
        ),
    ] {
        let (path, name) = match first.contains("number_found") {
            true => ("/learners", "learners"),
            false => ("/course_completions", "course_completions"),
        };
        let lms = bodies([(path, first), (&format!("{path}?2"), second)]);
        let (completeness, sentence) = said(&lms, name).await;
        assert_eq!(completeness, expected, "{second}: {sentence}");
        assert!(sentence.contains(because), "{second}: {sentence}");
    }
}

const FIELDS: &str = r#"{"items": [{"id": "f"}], "number_found": "1", "more": false}"#;
const LEARNERS: &str = r#"{"items": [{"id": "a"}, {"id": "b"}], "number_found": 2, "more": false}"#;

#[tokio::test]
async fn every_list_that_a_collection_is_made_from_is_evidence() {
    let twice = r#"{"items": [{"id": "a"}, {"id": "a"}], "number_found": 2, "more": false}"#;
    let fewer = r#"{"items": [{"id": "f"}], "number_found": "2", "more": false}"#;
    let record = (
        "/users/b/user_fields/f/record",
        r#"{"id": "r", "user": "b", "user_field": "f"}"#,
    );
    let other = (
        "/users/b/user_fields/f/record",
        r#"{"id": "r", "user": "a", "user_field": "f"}"#,
    );
    for (learners, fields, record, expected, because) in [
        (LEARNERS, FIELDS, record, Completeness::Complete, ""),
        // Neither of the learners has a record that would show the repetition.
        (
            twice,
            FIELDS,
            record,
            Completeness::Changed,
            "the list of learners has an item twice",
        ),
        (
            LEARNERS,
            fewer,
            record,
            Completeness::Incomplete,
            "counts 2 user_fields",
        ),
        (
            LEARNERS,
            FIELDS,
            other,
            Completeness::Incomplete,
            "has another one",
        ),
    ] {
        let lms = bodies([("/learners", learners), ("/user_fields", fields), record]);
        let (completeness, sentence) = said(&lms, "records").await;
        assert_eq!(completeness, expected, "{sentence}");
        assert!(sentence.contains(because), "{sentence}");
    }
    let few = r#"{"items": [{"user_field": "f"}], "number_found": "2", "more": false}"#;
    let all = r#"{"items": [{"user_field": "f"}], "number_found": "1", "more": false}"#;
    for (of_b, expected) in [
        (all, Completeness::Complete),
        (few, Completeness::Incomplete),
    ] {
        let lms = bodies([
            ("/learners", LEARNERS),
            ("/users/b/user_field_permissions", of_b),
        ]);
        let (completeness, sentence) = said(&lms, "user_field_permissions").await;
        assert_eq!(completeness, expected, "{sentence}");
    }
}

#[tokio::test]
async fn a_response_that_is_not_json_by_its_type_is_not_complete() {
    let script: Arc<Script> = Arc::new(|path, _| (path == "/learners").then(|| LEARNERS.into()));
    for (content_type, expected) in [
        ("application/json", Completeness::Complete),
        ("text/html", Completeness::Incomplete),
    ] {
        let script = Arc::clone(&script);
        let lms = client(Tenant {
            script,
            content_type,
        });
        assert_eq!(said(&lms, "learners").await.0, expected);
    }
}

/// A tenant that is another one after this number of requests.
fn moving(after: usize) -> Lms {
    let asked = AtomicUsize::new(0);
    tenant(move |path, _| match path {
        "/oauth/me" if asked.fetch_add(1, Ordering::Relaxed) < after => {
            Some(r#"{"tid": "1"}"#.into())
        }
        "/oauth/me" => Some(r#"{"tid": "2"}"#.into()),
        "/learners" => Some(LEARNERS.into()),
        _ => None,
    })
}

#[tokio::test]
async fn a_tenant_that_became_another_one_is_not_complete() {
    assert_eq!(said(&moving(2), "learners").await.0, Completeness::Complete);
    let (completeness, because) = said(&moving(1), "learners").await;
    assert_eq!(completeness, Completeness::Incomplete);
    assert!(because.contains("from 2 at the end"), "{because}");
    // A checkpoint of another tenant is not continued.
    let learners = collection("learners").unwrap();
    let mut extract = Extract::new(&moving(1), learners);
    let checkpoint = extract.next_batch().await.unwrap().unwrap().checkpoint;
    let mut resumed = Extract::new(&moving(0), learners)
        .resume(&checkpoint)
        .unwrap();
    assert_eq!(
        resumed.next_batch().await.unwrap_err().kind(),
        ErrorKind::OtherRun
    );
}

#[tokio::test]
async fn a_count_that_an_earlier_run_had_is_missed() {
    let completions = collection("course_completions").unwrap();
    let counted = bodies([(
        "/course_completions",
        r#"{"items": [{"id": "a"}], "number_found": 1, "more": false}"#,
    )]);
    let (_, before) = read_with(Extract::new(&counted, completions)).await;
    assert!(before.is_complete());
    let lms = bodies([(
        "/course_completions",
        r#"{"items": [{"id": "a"}], "more": false}"#,
    )]);
    assert_eq!(
        said(&lms, "course_completions").await.0,
        Completeness::Complete
    );
    let (_, record) = read_with(Extract::new(&lms, completions).after(&before)).await;
    assert_eq!(record.completeness, Completeness::Incomplete);
    // As the sink of a run remembers it.
    let folder = tempfile::tempdir().unwrap();
    for (lms, complete) in [(&counted, true), (&lms, false)] {
        let sink = FilesSink::new(folder.path().join("files"), FilesOptions::new(Format::Csv));
        let mirror = SqliteSink::new(folder.path().join("mirror.db"));
        let export = || {
            Export::new(lms)
                .collections(["course_completions"])
                .unwrap()
        };
        assert_eq!(export().run(sink).await.unwrap().is_complete(), complete);
        assert_eq!(export().run(mirror).await.unwrap().is_complete(), complete);
    }
}

/// A list that changes the first times that it is read.
fn changing(times: usize) -> Lms {
    let read = AtomicUsize::new(0);
    tenant(move |path, cursor| match (path, cursor) {
        ("/learners", None) => Some(
            r#"{"items": [{"id": "a"}], "number_found": "2", "more": true, "next_cursor": "2"}"#
                .into(),
        ),
        ("/learners", _) if read.fetch_add(1, Ordering::Relaxed) < times => {
            Some(r#"{"items": [{"id": "c"}], "number_found": "3", "more": false}"#.into())
        }
        ("/learners", _) => {
            Some(r#"{"items": [{"id": "b"}], "number_found": "2", "more": false}"#.into())
        }
        _ => None,
    })
}

#[tokio::test]
async fn a_list_that_changed_is_read_again() {
    let export = |lms: &Lms| Export::new(lms).collections(["learners"]).unwrap();
    for (times, accept, expected, readings) in [
        (0, false, Completeness::Complete, 1),
        (1, false, Completeness::Complete, 2),
        (2, true, Completeness::Complete, 3),
        (3, false, Completeness::Changed, 3),
        (3, true, Completeness::Changed, 3),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let sink = FilesSink::new(folder.path(), FilesOptions::new(Format::Csv));
        let mut export = export(&changing(times));
        if accept {
            export = export.accept_changes();
        }
        let summary = export.run(sink).await.unwrap();
        let outcome = &summary.collections[0];
        assert_eq!(outcome.record.completeness, expected);
        assert_eq!(outcome.record.readings, readings);
        let complete = expected == Completeness::Complete;
        assert_eq!(summary.is_complete(), complete);
        assert_eq!(summary.is_committed(), complete || accept);
        let file = fs::read_to_string(folder.path().join("learners.csv"));
        assert_eq!(file.is_ok(), complete || accept);
        if complete {
            let file = file.unwrap();
            assert!(
                file.contains("\r\nb,") && !file.contains("\r\nc,"),
                "{file}"
            );
        } else if accept {
            let verified = verify_files(folder.path()).unwrap();
            assert!(verified[0].problems[0].contains("changed from 2 to 3"));
        } else {
            let error = outcome.error.as_ref().unwrap();
            assert_eq!(error.kind(), ErrorKind::Incomplete);
        }
    }
}

/// Learners with values that programs change or refuse, three on a page.
fn odd() -> Vec<String> {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let mut values = vec![
        r#""surname": "\ud800""#.to_owned(),
        r#""surname": "a\u0000b""#.into(),
        r#""surname": "\u0001\b\t\n\u001f\u007f\u2028\ufeff\ufffe""#.into(),
        r#""x": 1e400"#.into(),
        r#""x": 123456789012345678901234567890"#.into(),
        r#""x": [0.1000000000000000055511151231257827, -0.0, 1E+2]"#.into(),
        r#""x\ud800": "\udfff""#.into(),
        r#""created": "9999-12-31T23:59:59.999999Z""#.into(),
        r#""created": "0000-01-01T00:00:00Z""#.into(),
        r#""created": "0001-01-01T00:00:00Z""#.into(),
        r#""created": -1e400"#.into(),
        r#""tags": [1e400, {"a" : "\ud800"}]"#.into(),
        r#""surname": "a", "surname": "b""#.into(),
        r#""archived": "perhaps""#.into(),
    ];
    values.extend([127, 128, 5000].map(|depth| format!(r#""x": {}"#, deep(depth))));
    values.push(format!(r#""tags": {}"#, deep(200)));
    let learners = values.iter().enumerate();
    let learners: Vec<String> = learners
        .map(|(index, value)| format!(r#"{{"id": "l{index}", {value}}}"#))
        .collect();
    let (pages, count) = (learners.chunks(3), learners.len());
    let last = learners.len().div_ceil(3);
    let pages = (1..).zip(pages).map(|(page, items)| {
        format!(
            r#"{{"items": [{}], "number_found": "{count}", "more": {}, "next_cursor": "{page}"}}"#,
            items.join(", "),
            page < last
        )
    });
    pages.collect()
}

/// A tenant that stops at a page once.
fn odd_tenant(stop_at: Option<usize>) -> Lms {
    let (pages, stops) = (odd(), AtomicUsize::new(0));
    tenant(move |path, cursor| {
        let page: usize = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        let is_stop = path == "/learners" && stop_at == Some(page);
        if path != "/learners" || is_stop && stops.fetch_add(1, Ordering::Relaxed) == 0 {
            return None;
        }
        pages.get(page).cloned()
    })
}

/// All files of a folder but the manifest, which has the times.
fn data(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = crate::destination::files(folder);
    files.remove("manifest.json");
    files
}

#[tokio::test]
async fn any_value_is_stored_and_a_resumed_file_is_the_undisturbed_one() {
    for options in [
        FilesOptions::new(Format::Csv),
        FilesOptions::new(Format::Csv).compression(Compression::Gzip),
        FilesOptions::new(Format::Ndjson),
        FilesOptions::new(Format::Parquet),
    ] {
        let export = |lms: Lms| Export::new(&lms).collections(["learners"]).unwrap();
        let undisturbed = tempfile::tempdir().unwrap();
        let sink = |folder: &Path| FilesSink::new(folder, options.clone());
        let summary = export(odd_tenant(None))
            .run(sink(undisturbed.path()))
            .await
            .unwrap();
        assert!(summary.is_complete(), "{summary:#?}");
        let verified = verify_files(undisturbed.path()).unwrap();
        assert_eq!(verified[0].problems, [""; 0], "{options:?}");
        for stop_at in 1..odd().len() {
            let (folder, lms) = (tempfile::tempdir().unwrap(), odd_tenant(Some(stop_at)));
            let summary = export(lms.clone()).run(sink(folder.path())).await.unwrap();
            assert!(!summary.is_committed());
            let summary = export(lms).run(sink(folder.path())).await.unwrap();
            assert!(summary.is_complete(), "{summary:#?}");
            assert_eq!(summary.collections[0].record.resumes, 1);
            assert!(
                data(folder.path()) == data(undisturbed.path()),
                "{options:?} {stop_at}"
            );
        }
    }
}

#[tokio::test]
async fn a_mirror_keeps_any_value_and_does_not_change_when_the_tenant_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mirror.db");
    for run in 0..2 {
        let export = Export::new(&odd_tenant(None))
            .collections(["learners"])
            .unwrap();
        let summary = export.run(SqliteSink::new(&path)).await.unwrap();
        assert!(summary.is_complete(), "{summary:#?}");
        assert_eq!(sqlite::verify(&path).unwrap()[0].problems, [""; 0]);
        let written = sqlite::status(&path).unwrap();
        let written = written[0].written.unwrap();
        assert_eq!(written.inserted == 0 && written.updated == 0, run == 1);
    }
    let odd = odd().concat();
    let mut texts = Vec::new();
    let learners = collection("learners").unwrap();
    sqlite::visit_rows(&path, learners, &mut |row| texts.push(row.to_json())).unwrap();
    let texts = texts.concat();
    for kept in [
        "1e400",
        "\\ud800",
        "123456789012345678901234567890",
        "-0.0",
        "9999-12-31T23:59:59.999999Z",
    ] {
        assert!(odd.contains(kept) && texts.contains(kept), "{kept}");
    }
}

#[tokio::test]
async fn a_resumed_extract_of_objects_observes_what_an_undisturbed_one_does() {
    // Page 2 repeats the learner of page 1, none of whom has a record.
    let page = |id: &str, rest: &str| {
        format!(r#"{{"items": [{{"id": "{id}"}}], "number_found": "3", {rest}}}"#)
    };
    let lms = |third: &'static str, first: &'static str| {
        tenant(move |path, cursor| match (path, cursor) {
            ("/learners", None) => Some(page(first, r#""more": true, "next_cursor": "2""#)),
            ("/learners", Some("2")) => Some(page("b", r#""more": true, "next_cursor": "3""#)),
            ("/learners", _) => Some(page(third, r#""more": false"#)),
            ("/user_fields", _) => Some(FIELDS.to_owned()),
            _ => None,
        })
    };
    let records = collection("records").unwrap();
    for (third, first, expected) in [
        ("c", "a", Completeness::Complete),
        ("a", "a", Completeness::Changed),
        // The list is another one when the run is resumed.
        ("c", "d", Completeness::Changed),
    ] {
        let mut extract = Extract::new(&lms(third, "a"), records);
        extract.next_batch().await.unwrap();
        let checkpoint = extract.next_batch().await.unwrap().unwrap().checkpoint;
        let stored = serde_json::to_string(&checkpoint).unwrap();
        let checkpoint: ExtractCheckpoint = serde_json::from_str(&stored).unwrap();
        let resumed = Extract::new(&lms(third, first), records)
            .resume(&checkpoint)
            .unwrap();
        let (_, record) = read_with(resumed).await;
        assert_eq!(record.completeness, expected, "{record:?}");
    }
}

#[tokio::test]
async fn a_resumed_extract_without_the_keys_of_its_rows_is_not_complete() {
    let lms = odd_tenant(None);
    let mut extract = Extract::new(&lms, collection("learners").unwrap());
    let batch = extract.next_batch().await.unwrap().unwrap();
    let keys: Vec<u128> = batch.rows.iter().filter_map(Row::key_fingerprint).collect();
    let resumed = || {
        let extract = Extract::new(&lms, collection("learners").unwrap());
        extract.resume(&batch.checkpoint).unwrap()
    };
    let (_, record) = read_with(resumed()).await;
    assert_eq!(record.completeness, Completeness::Changed);
    let (_, record) = read_with(resumed().mark_seen(keys).unwrap()).await;
    assert!(record.is_complete(), "{record:?}");
}

#[tokio::test]
async fn a_page_that_is_requested_again_after_a_stop_hides_no_row() {
    let learners = collection("learners").unwrap();
    let before = bodies([(
        "/learners",
        r#"{"items": [{"id": "a"}, {"id": "b"}], "number_found": "3", "more": true}"#,
    )]);
    let mut extract = Extract::new(&before, learners);
    let checkpoint = extract.next_batch().await.unwrap().unwrap().checkpoint;
    assert_eq!(
        extract.next_batch().await.unwrap_err().kind(),
        ErrorKind::Incomplete
    );
    let after = bodies([(
        "/learners",
        r#"{"items": [{"id": "b"}, {"id": "c"}], "number_found": "2", "more": false}"#,
    )]);
    let resumed = Extract::new(&after, learners).resume(&checkpoint).unwrap();
    let (_, record) = read_with(resumed).await;
    assert_eq!(record.completeness, Completeness::Changed);
    let because = record.because.concat();
    assert!(because.contains("had to be requested again"), "{because}");
}

#[tokio::test]
async fn a_row_that_comes_again_after_a_stop_is_noticed_without_a_count() {
    // While the run is stopped, the rows move by one: b comes twice, and c never.
    let lms = |second: Option<&'static str>| {
        tenant(move |path, cursor| match (path, cursor) {
            ("/course_completions", None) => {
                let body =
                    r#"{"items": [{"id": "a"}, {"id": "b"}], "more": true, "next_cursor": "2"}"#;
                Some(body.to_owned())
            }
            ("/course_completions", _) => second.map(ToOwned::to_owned),
            _ => None,
        })
    };
    let moved = r#"{"items": [{"id": "b"}, {"id": "d"}], "more": false}"#;
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(InMemory::new());
    let options = || FilesOptions::new(Format::Ndjson);
    let sinks: [&dyn Fn() -> Box<dyn Sink>; 3] = [
        &|| Box::new(FilesSink::new(folder.path(), options())),
        &|| Box::new(SqliteSink::new(folder.path().join("mirror.db"))),
        &|| Box::new(ObjectsSink::new(store.clone(), "", options())),
    ];
    for sink in sinks {
        let run = async |second| {
            let lms = lms(second);
            let export = Export::new(&lms).collections(["course_completions"]);
            export
                .unwrap()
                .run(sink())
                .await
                .unwrap()
                .collections
                .remove(0)
        };
        assert_eq!(run(None).await.record.rows, 2);
        let outcome = run(Some(moved)).await;
        assert_eq!(outcome.record.completeness, Completeness::Changed);
    }
}

#[tokio::test]
async fn an_item_without_the_value_that_a_call_needs_is_asked_for_by_no_other() {
    for item in [
        "{}",
        r#"{"id": null}"#,
        r#"{"id": ""}"#,
        r#"{"id": " "}"#,
        r#"{"id": 5}"#,
        r#"{"id": "a", "id": "b"}"#,
    ] {
        let learners = format!(r#"{{"items": [{item}], "number_found": "1", "more": false}}"#);
        let lms = tenant(move |path, _| match path {
            "/learners" => Some(learners.clone()),
            "/user_fields" => Some(FIELDS.to_owned()),
            "/oauth/me" => None,
            path => panic!("{path} is requested"),
        });
        let (completeness, because) = said(&lms, "records").await;
        assert_eq!(completeness, Completeness::Incomplete, "{item}");
        assert!(because.contains("not known what to ask for"), "{because}");
    }
}
