//! Tenants whose responses are written here: their rows are not complete, or are stored as they were sent.

use std::{
    collections::BTreeMap,
    fmt, fs,
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
        files::{FilesOptions, FilesSink, Format},
        sqlite::SqliteSink,
    },
    tap::TapConfig,
    verify_files,
};

/// The body of the response for a path and a cursor; the status 404 if there is none.
type Script = dyn Fn(&str, Option<&str>) -> Option<String> + Send + Sync;

#[derive(Clone)]
struct Tenant(Arc<Script>);

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
        let body = (self.0)(path, cursor);
        let response = http::Response::builder()
            .status(if body.is_some() { 200 } else { 404 })
            .header("content-type", "application/json")
            .body(body.unwrap_or_else(|| "{}".into()));
        Box::pin(async move { Ok(reqwest::Response::from(response.unwrap())) })
    }
}

fn tenant(script: impl Fn(&str, Option<&str>) -> Option<String> + Send + Sync + 'static) -> Lms {
    Lms::builder("https://acme.example")
        .token("token")
        .http_client(Tenant(Arc::new(script)))
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

const FIELDS: &str = r#"{"items": [{"id": "f"}], "number_found": "1", "more": false}"#;
const LEARNERS: &str = r#"{"items": [{"id": "a"}, {"id": "b"}], "number_found": 2, "more": false}"#;

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
        .resume(&checkpoint, [])
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
            .resume(&checkpoint, [])
            .unwrap();
        let (_, record) = read_with(resumed).await;
        assert_eq!(record.completeness, expected, "{record:?}");
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

/// A list that names a new page for ever.
fn endless(items: impl Fn(u64) -> (u64, u64) + Send + Sync + 'static, count: u64) -> Lms {
    tenant(endless_list(items, count))
}

fn endless_list(
    items: impl Fn(u64) -> (u64, u64) + Send + Sync + 'static,
    count: u64,
) -> impl Fn(&str, Option<&str>) -> Option<String> + Send + Sync + 'static {
    move |path, cursor| {
        if path != "/learners" {
            return Some(r#"{"access_token": "t"}"#.into());
        }
        let page: u64 = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        let (from, to) = items(page);
        let items: Vec<_> = (from..to)
            .map(|id| format!(r#"{{"id": "{id}"}}"#))
            .collect();
        let (items, next) = (items.join(","), page + 1);
        Some(format!(
            r#"{{"items": [{items}], "number_found": {count}, "more": true, "next_cursor": "{next}"}}"#
        ))
    }
}

#[tokio::test]
async fn a_list_without_an_end_is_given_up() {
    let learners = collection("learners").unwrap();
    // No items, and items that are known.
    for (to, rows) in [(0, 0), (2, 2)] {
        let lms = endless(move |_| (0, to), 2);
        let (read, record) = read_with(Extract::new(&lms, learners)).await;
        assert_eq!(read.len(), rows);
        assert_eq!(record.completeness, Completeness::Incomplete);
        let because = record.because.concat();
        assert!(because.contains("1001 pages in a row"), "{because}");
    }
    // Each item is new.
    let lms = endless(|page| (page * 500, page * 500 + 500), 500);
    let (read, record) = read_with(Extract::new(&lms, learners)).await;
    assert_eq!(read.len(), 11_000);
    assert!(
        record.because[0].contains("twice the items"),
        "{:?}",
        record.because
    );
}

#[tokio::test]
async fn a_part_without_an_end_is_given_up() {
    let lms = tenant(|path, cursor| {
        let page: u64 = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        Some(match path {
            "/courses" => r#"{"items": [{"id": "c1"}], "number_found": 1, "more": false}"#.into(),
            // The items differ, and the rows are known.
            "/enrolments" => format!(
                r#"{{"items": [{{"id": "e", "course": "c1", "v": {page}}}], "number_found": 1, "more": true, "next_cursor": "{}"}}"#,
                page + 1
            ),
            _ => "{}".into(),
        })
    });
    let extract = crate::extract::extract(&lms, "enrolments", |export| {
        let export = export.max_stale_pages(5);
        export.partition_by("enrolments", "course").unwrap()
    });
    let (read, record) = read_with(extract).await;
    assert_eq!((read.len(), record.not_partitioned_because), (1, None));
    assert!(
        record.because[0].contains("6 pages in a row"),
        "{:?}",
        record.because
    );
}

#[tokio::test]
async fn a_tap_gives_up_a_list_after_the_pages_of_its_configuration() {
    let config = r#"{"base_url": "https://acme.example", "client_id": 1, "client_secret": "s", "max_stale_pages": 5}"#;
    let list = Tenant(Arc::new(endless_list(|_| (0, 2), 2)));
    let config = TapConfig::parse(config).unwrap();
    let config = config.configure_clients(move |builder| builder.http_client(list.clone()));
    let (summary, _) = crate::tap::sync(&config, &["learners"], None).await;
    let because = &summary.outcomes[0].record.as_ref().unwrap().because;
    assert!(because[0].contains("6 pages in a row"), "{because:?}");
}

#[tokio::test]
async fn a_list_that_was_given_up_is_read_from_its_start_again() {
    let folder = tempfile::tempdir().unwrap();
    let export = async |lms: &Lms| {
        let export = Export::new(lms).collections(["learners"]).unwrap();
        let sink = FilesSink::new(folder.path(), FilesOptions::new(Format::Csv));
        export.run(sink).await.unwrap()
    };
    assert!(!export(&endless(|_| (0, 2), 2)).await.is_complete());
    let summary = export(&bodies([("/oauth/me", "{}"), ("/learners", LEARNERS)])).await;
    let record = &summary.collections[0].record;
    assert_eq!(
        (record.is_complete(), record.rows, record.resumes),
        (true, 2, 0)
    );
}

#[tokio::test]
async fn a_record_has_the_first_and_the_last_count() {
    let lms = bodies([
        ("/oauth/me", "{}"),
        (
            "/learners",
            r#"{"items": [{"id": "a"}], "number_found": 3, "more": true, "next_cursor": "2"}"#,
        ),
        (
            "/learners?2",
            r#"{"items": [{"id": "b"}], "number_found": 2, "more": false}"#,
        ),
    ]);
    let (_, record) = read_with(Extract::new(&lms, collection("learners").unwrap())).await;
    assert_eq!(
        (record.number_found_first, record.number_found_last),
        (Some(3), Some(2))
    );
}
