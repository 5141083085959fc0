//! Extracts of the demo tenant.

use lms_ext::{Lms, prelude::*};
use lms_sync::{
    Checkpoint, Collection, CompletenessRecord, ErrorKind, Extract, Row, collection, collections,
};

use crate::{client, demo};

async fn all(mut extract: Extract) -> (Vec<Row>, CompletenessRecord) {
    let mut rows = Vec::new();
    while let Some(batch) = extract.next_batch().await.unwrap() {
        rows.extend(batch.rows);
    }
    (rows, extract.record())
}

fn extract(lms: &Lms, name: &str) -> Extract {
    Extract::new(lms, collection(name).unwrap())
}

fn lists() -> impl Iterator<Item = &'static Collection> {
    collections()
        .iter()
        .filter(|collection| !collection.is_derived())
}

#[tokio::test]
async fn every_list_is_extracted_completely() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    for collection in lists() {
        let (rows, record) = all(Extract::new(&lms, collection)).await;
        assert!(record.complete && !record.drift, "{record:#?}");
        assert!(!rows.is_empty(), "{}", collection.name);
        assert_eq!(record.rows, u64::try_from(rows.len()).unwrap());
        assert_eq!(record.distinct_keys, Some(record.rows));
        if let Some(number) = record.number_found_first {
            assert_eq!(u64::try_from(number).unwrap(), record.rows);
        }
        assert!(rows.iter().all(|row| row.key().is_some()));
    }
}

#[tokio::test]
async fn rows_have_the_values_of_the_items() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let (rows, _) = all(extract(&lms, "course_completions")).await;
    let items: Vec<serde_json::Value> = lms
        .list_course_completions()
        .items_as()
        .collect_all()
        .await
        .unwrap();
    assert_eq!(rows.len(), items.len());
    for (row, item) in rows.iter().zip(&items) {
        for column in ["id", "course", "user", "happened"] {
            assert_eq!(serde_json::to_value(row.get(column)).unwrap(), item[column]);
        }
        let happened: jiff::Timestamp = item["happened"].as_str().unwrap().parse().unwrap();
        let utc = row.get("happened_utc").unwrap().utc_text().unwrap();
        assert_eq!(utc.parse::<jiff::Timestamp>().unwrap(), happened);
    }
}

#[tokio::test]
async fn a_resumed_extract_ends_with_the_same_rows_and_hashes() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    let (rows, undisturbed) = all(extract(&lms, "enrolments")).await;

    let mut first = extract(&lms, "enrolments");
    let mut before = first.next_batch().await.unwrap().unwrap();
    before
        .rows
        .extend(first.next_batch().await.unwrap().unwrap().rows);
    // The checkpoint of the second page, as another process would read it.
    let mut again = extract(&lms, "enrolments");
    again.next_batch().await.unwrap();
    let stored =
        serde_json::to_string(&again.next_batch().await.unwrap().unwrap().checkpoint).unwrap();
    let checkpoint: Checkpoint = serde_json::from_str(&stored).unwrap();
    let keys: Vec<u128> = before
        .rows
        .iter()
        .filter_map(Row::key_fingerprint)
        .collect();
    let resumed = extract(&lms, "enrolments")
        .resume(&checkpoint)
        .unwrap()
        .mark_seen(keys);
    let (after, record) = all(resumed).await;

    before.rows.extend(after);
    assert_eq!(before.rows, rows);
    assert!(record.complete);
    assert_eq!(record.resumes, 1);
    assert_eq!(record.rows_sha256, undisturbed.rows_sha256);
    assert_eq!(record.cursors_sha256, undisturbed.cursors_sha256);
    assert_eq!(record.distinct_keys, undisturbed.distinct_keys);
}

#[tokio::test]
async fn an_extract_that_was_not_finished_is_not_complete() {
    let sandbox = demo().await;
    let mut extract = extract(&client(&sandbox), "learners");
    assert!(!extract.record().complete);
    extract.next_batch().await.unwrap();
    let record = extract.record();
    assert!(!record.complete && record.rows > 0, "{record:?}");
}

#[test]
fn unknown_and_empty_filters_are_refused() {
    let lms = Lms::builder("http://localhost")
        .client_credentials("1", "secret")
        .build()
        .unwrap();
    for (name, value) in [("colour", "red"), ("cursor", "x"), ("course", "")] {
        let error = extract(&lms, "enrolments").filter(name, value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    }
}

#[test]
fn no_column_holds_a_secret() {
    for collection in collections() {
        for column in collection.columns {
            assert!(
                !column.name.contains("password"),
                "{} {}",
                collection.name,
                column.name
            );
        }
    }
}

#[test]
fn a_row_is_read_back_from_its_json() {
    let learners = collection("learners").unwrap();
    let mut values = vec!["null".to_owned(); learners.columns.len()];
    values[0] = "\"l1\"".into();
    let text = format!("[{}]", values.join(","));
    let row = Row::from_json(learners, &text).unwrap();
    assert_eq!(row.to_json(), text);
    assert!(Row::from_json(learners, "[1]").is_err());
}
