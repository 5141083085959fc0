//! Lists that are read in concurrent parts.

use std::collections::BTreeSet;

use lms_ext::{EnrolmentScope, Lms};
use lms_sandbox::Sandbox;
use lms_sync::{
    Completeness, CompletenessRecord, ErrorKind, Export, Extract, ExtractCheckpoint, Row, Value,
    sink::files::{FilesOptions, FilesSink, Format},
};

use crate::{
    client, demo,
    extract::{extract, rest, sorted},
};

/// The columns that partition a list, with a list of the demo tenant that is long enough.
const PARTITIONS: [(&str, &str); 3] = [
    ("enrolments", "course"),
    ("topic_progress", "course"),
    ("topic_progress", "topic"),
];

/// An extract of a list in pages of 20 items.
fn whole(lms: &Lms, name: &str) -> Extract {
    extract(lms, name, |export| export.page_size(20))
}

/// An extract of a list in parts, this number of them at a time.
fn partitioning(lms: &Lms, name: &str, filter: &str, concurrency: usize) -> Extract {
    extract(lms, name, |export| {
        let export = export.page_size(20).concurrency(concurrency);
        export.partition_by(name, filter).unwrap()
    })
}

fn text(row: &Row, column: &str) -> String {
    match row.get(column) {
        Some(Value::Text(text)) => text.clone(),
        other => panic!("{other:?}"),
    }
}

fn parts_of(rows: &[Row], column: &str) -> BTreeSet<String> {
    rows.iter()
        .map(|row| format!("{:?}", row.get(column)))
        .collect()
}

fn add(sandbox: &Sandbox, rule: &str) {
    sandbox.faults().add(rule).unwrap();
}

#[tokio::test]
async fn parts_have_the_rows_and_the_hash_of_the_whole_list() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    for (name, filter) in PARTITIONS {
        let mut undivided = whole(&lms, name);
        let expected = rest(&mut undivided).await;
        let mut extract = partitioning(&lms, name, filter, 32);
        let rows = rest(&mut extract).await;
        assert_eq!(sorted(&rows), sorted(&expected), "{name}");
        let (record, undivided) = (extract.record(), undivided.record());
        assert!(record.is_complete(), "{record:#?}");
        assert_eq!(record.not_partitioned_because, None);
        assert_eq!(record.rows_sha256, undivided.rows_sha256);
        assert_eq!(record.number_found_first, undivided.number_found_first);
        assert_eq!(record.number_found_last, undivided.number_found_last);
        let read = u64::try_from(parts_of(&rows, filter).len()).unwrap();
        assert!(record.parts >= read && read > 1, "{record:#?}");
        assert_eq!(undivided.parts, 0);
    }
}

#[tokio::test]
async fn pages_of_several_parts_are_requested_at_the_same_time() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let mut extract = partitioning(&lms, "enrolments", "course", 8);
    let first = extract.next_batch().await.unwrap().unwrap();
    let mut rows = first.rows;
    for _ in 1..8 {
        rows.extend(extract.next_batch().await.unwrap().unwrap().rows);
    }
    // One page of each of the first eight parts.
    assert_eq!(parts_of(&rows, "course").len(), 8);
}

#[tokio::test]
async fn a_listing_in_parts_continues_after_any_page_with_the_same_rows() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let mut undisturbed = partitioning(&lms, "enrolments", "course", 8);
    let mut checkpoints = Vec::new();
    let mut before = Vec::new();
    let mut rows = Vec::new();
    while let Some(batch) = undisturbed.next_batch().await.unwrap() {
        rows.extend(batch.rows);
        before.push(rows.clone());
        checkpoints.push(serde_json::to_string(&batch.checkpoint).unwrap());
    }
    let expected = undisturbed.record();
    assert!(expected.is_complete() && checkpoints.len() > 20);
    for (stored, mut read) in checkpoints.iter().zip(before).step_by(17) {
        let checkpoint: ExtractCheckpoint = serde_json::from_str(stored).unwrap();
        let keys: Vec<u128> = read.iter().filter_map(Row::key_fingerprint).collect();
        let resumed = partitioning(&lms, "enrolments", "course", 8);
        let mut resumed = resumed.resume(&checkpoint, keys).unwrap();
        read.extend(rest(&mut resumed).await);
        assert_eq!(read, rows);
        let record = resumed.record();
        assert!(record.is_complete(), "{record:#?}");
        assert_eq!(record.parts, expected.parts);
        assert_eq!(record.rows_sha256, expected.rows_sha256);
    }
}

/// A list of parts has an end, so parts without rows are no sign that it has none.
#[tokio::test]
async fn parts_without_rows_are_not_stale_pages() {
    let sandbox = demo().await;
    sandbox.seed().add_course("Without enrolments").unwrap();
    let lms = client(&sandbox);
    let extract = extract(&lms, "enrolments", |export| {
        let export = export.page_size(20).max_stale_pages(0);
        export.partition_by("enrolments", "course").unwrap()
    });
    let (_, record, error) = outcome(extract).await;
    assert!(error.is_none() && record.is_complete(), "{record:#?}");
    assert!(record.parts > 0, "{record:#?}");
}

/// Reads to the end, and returns the rows, the record and the error at the end.
async fn outcome(mut extract: Extract) -> (Vec<Row>, CompletenessRecord, Option<lms_sync::Error>) {
    let mut rows = Vec::new();
    loop {
        match extract.next_batch().await {
            Ok(Some(batch)) => rows.extend(batch.rows),
            Ok(None) => return (rows, extract.record(), None),
            Err(error) => return (rows, extract.record_of_failure(&error), Some(error)),
        }
    }
}

#[tokio::test]
async fn a_list_whose_parts_are_not_all_of_it_is_read_as_a_whole() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let expected = rest(&mut whole(&lms, "enrolments")).await;
    // The list of courses skips one.
    add(&sandbox, "listCourses: always: max-page 5");
    add(&sandbox, "listCourses: always: shift-page -1");
    let (rows, record, error) = outcome(partitioning(&lms, "enrolments", "course", 8)).await;
    assert!(error.is_none() && record.is_complete(), "{record:#?}");
    assert_eq!(rows, expected);
    assert_eq!(record.parts, 0);
    let because = record.not_partitioned_because.unwrap();
    assert!(because.contains("in its parts"), "{because}");
    let total = expected.len().to_string();
    assert!(
        because.contains(&format!("{total} items in the list before")),
        "{because}"
    );
}

#[tokio::test]
async fn a_list_whose_parts_cannot_be_counted_again_at_the_end_has_changed() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let mut extract = partitioning(&lms, "enrolments", "course", 8);
    let first = extract.next_batch().await.unwrap().unwrap();
    let [user, course] = ["user", "course"].map(|column| text(&first.rows[0], column));
    lms.unenrol(EnrolmentScope::learner_in_course(user, course))
        .await
        .unwrap();
    // From now on, the list of courses skips one, so the parts cannot be counted again.
    add(&sandbox, "listCourses: always: max-page 5");
    add(&sandbox, "listCourses: always: shift-page -1");
    let (_, record, error) = outcome(extract).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(record.completeness, Completeness::Changed);
    let because = record.because.join("; ");
    assert!(because.contains("may be in none of them"), "{because}");
}

#[tokio::test]
async fn an_export_in_parts_continues_only_with_the_same_cut() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let folder = tempfile::tempdir().unwrap();
    let export = |partitioning: bool| {
        let export = Export::new(&lms).collections(["enrolments"]).unwrap();
        let export = export.page_size(10);
        if partitioning {
            export.partition_by("enrolments", "course").unwrap()
        } else {
            export
        }
    };
    let sink = || FilesSink::new(folder.path(), FilesOptions::new(Format::Csv));
    add(&sandbox, "listEnrolments: nth 90: status 403 json");
    let summary = export(true).run(sink()).await.unwrap();
    assert!(!summary.is_complete());
    let error = export(false).run(sink()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OtherRun);
    assert!(error.to_string().contains("parts of enrolments"), "{error}");
    let summary = export(true).run(sink()).await.unwrap();
    assert!(summary.is_complete(), "{summary:#?}");
    let resumed = std::fs::read(folder.path().join("enrolments.csv")).unwrap();
    let undisturbed = tempfile::tempdir().unwrap();
    let sink = FilesSink::new(undisturbed.path(), FilesOptions::new(Format::Csv));
    assert!(export(true).run(sink).await.unwrap().is_complete());
    let undisturbed = std::fs::read(undisturbed.path().join("enrolments.csv")).unwrap();
    assert!(resumed == undisturbed);
}

#[tokio::test]
async fn cuts_that_cannot_be_checked_are_refused() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    // Completions have no number.
    for (name, filter) in [
        ("course_completions", "course"),
        ("enrolments", "user_id"),
        ("tags", "course"),
    ] {
        let export = Export::new(&lms).collections([name]).unwrap();
        let error = export.partition_by(name, filter).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    let export = || {
        Export::new(&lms)
            .collections(["enrolments"])
            .unwrap()
            .partition_by("enrolments", "course")
            .unwrap()
    };
    let filtered = export().filter("enrolments", "course", "c1").unwrap();
    for export in [export().ignore_number_found(), filtered] {
        let sink = FilesSink::new(folder.path().join("out"), FilesOptions::new(Format::Csv));
        let error = export.run(sink).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        assert!(!folder.path().join("out").exists());
    }
}
