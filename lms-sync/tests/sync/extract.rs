//! Extracts of the demo tenant.

use lms_ext::Lms;
use lms_sandbox::json;
use lms_sync::{
    CompletenessRecord, ErrorKind, Export, Extract, Row, Value, collection, collections,
};

use crate::{client, demo};

/// The rows that are left.
pub(crate) async fn rest(extract: &mut Extract) -> Vec<Row> {
    let mut rows = Vec::new();
    while let Some(batch) = extract.next_batch().await.unwrap() {
        rows.extend(batch.rows);
    }
    rows
}

/// The rows that are left, read on after the only request that the tenant refuses.
async fn rest_after_an_error(extract: &mut Extract) -> Vec<Row> {
    let (mut rows, mut errors) = (Vec::new(), 0);
    loop {
        match extract.next_batch().await {
            Ok(Some(batch)) => rows.extend(batch.rows),
            Ok(None) => break,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Tenant, "{error}");
                errors += 1;
            }
        }
    }
    assert_eq!(errors, 1);
    rows
}

async fn all(mut extract: Extract) -> (Vec<Row>, CompletenessRecord) {
    (rest(&mut extract).await, extract.record())
}

/// An extract of a collection with these settings.
pub(crate) fn extract(lms: &Lms, name: &str, set: impl FnOnce(Export) -> Export) -> Extract {
    let export = Export::new(lms).collections([name]).unwrap();
    set(export).extracts().unwrap().remove(0)
}

fn whole(lms: &Lms, name: &str) -> Extract {
    Extract::new(lms, collection(name).unwrap())
}

#[tokio::test]
async fn an_extract_that_was_not_finished_is_not_complete() {
    let sandbox = demo().await;
    let mut extract = whole(&client(&sandbox), "learners");
    assert!(!extract.record().is_complete());
    extract.next_batch().await.unwrap();
    let record = extract.record();
    assert!(!record.is_complete() && record.rows > 0, "{record:?}");
}

#[test]
fn unknown_and_empty_filters_are_refused() {
    let lms = Lms::builder("http://localhost")
        .client_credentials("1", "secret")
        .build()
        .unwrap();
    for (name, value) in [("colour", "red"), ("cursor", "x"), ("course", "")] {
        let export = Export::new(&lms).collections(["enrolments"]).unwrap();
        let error = export.filter("enrolments", name, value).unwrap_err();
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
    let text = r#"{"id":"l1","archived":false}"#;
    for with_nulls in [text, r#"{"archived": false, "surname": null, "id": "l1"}"#] {
        let row = Row::from_json(learners, with_nulls).unwrap();
        assert_eq!(row.to_json(), text);
    }
    for other in ["[1]", r#"{"id": 1}"#, r#"{"id": "l1", "badge": null}"#] {
        assert!(Row::from_json(learners, other).is_err(), "{other}");
    }
}

/// The rows as JSON, sorted.
pub(crate) fn sorted(rows: &[Row]) -> Vec<String> {
    let mut rows: Vec<String> = rows.iter().map(Row::to_json).collect();
    rows.sort();
    rows
}

#[tokio::test]
async fn derived_rows_are_the_same_one_by_one_and_concurrently() {
    let sandbox = small().await;
    let lms = client(&sandbox);
    for name in ["user_field_permissions", "records"] {
        let at_a_time = |calls| extract(&lms, name, |export| export.concurrency(calls));
        let (one_by_one, first) = all(at_a_time(1)).await;
        let (concurrent, second) = all(at_a_time(16)).await;
        assert!(
            !concurrent.is_empty() && first.is_complete() && second.is_complete(),
            "{first:?}"
        );
        assert_eq!(one_by_one, concurrent);
        assert!(concurrent.iter().all(|row| row.key().is_some()));
    }
}

#[tokio::test]
async fn filters_of_a_derived_collection_save_the_calls_for_what_they_do_not_select() {
    let sandbox = small().await;
    let tagged = json!({ "email": "tagged@acme.example", "tags": ["emea"] });
    let tagged = sandbox.seed().add_learner(&tagged).unwrap();
    let lms = client(&sandbox);
    for (filters, calls) in [
        (vec![], 242),
        (vec![("user_field", "f1")], 121),
        (vec![("tags", "emea")], 2),
        (vec![("user", &*tagged), ("user_field", "f2")], 1),
        (vec![("user_field", "f3")], 0),
    ] {
        sandbox.clear_requests();
        let filtered = extract(&lms, "records", |export| {
            let filter = |export: Export, (name, value): &(&str, &str)| {
                export.filter("records", name, value).unwrap()
            };
            filters.iter().fold(export, filter)
        });
        let (rows, record) = all(filtered).await;
        assert!(record.is_complete(), "{filters:?}: {record:?}");
        let selected = |(name, value): &(&str, &str)| {
            let names = |row: &Row| row.get(name) == Some(&Value::Text((*value).to_owned()));
            *name == "tags" || rows.iter().all(names)
        };
        assert!(filters.iter().all(selected), "{filters:?}");
        let requests = sandbox.requests().unwrap();
        let records = requests
            .iter()
            .filter(|request| request.path.ends_with("/record"));
        assert_eq!(records.count(), calls, "{filters:?}");
    }
    let export = Export::new(&lms).collections(["records"]).unwrap();
    let unknown = export.filter("records", "course", "c1").unwrap_err();
    let sentence = "records has no filter \"course\"; it has ";
    assert!(unknown.to_string().contains(sentence), "{unknown}");
}

/// A tenant with a few learners, custom fields, permissions and records.
pub async fn small() -> lms_sandbox::Sandbox {
    let sandbox = lms_sandbox::Sandbox::builder().start().await.unwrap();
    let seed = sandbox.seed();
    let fields =
        ["Badge", "Licence"].map(|name| seed.add_user_field(&json!({ "name": name })).unwrap());
    for index in 0..120 {
        let learner = json!({
            "firstname": "Ann", "surname": "Lee", "email": format!("ann{index}@acme.example"),
        });
        let learner = seed.add_learner(&learner).unwrap();
        for field in &fields {
            let permission = json!({ "user": learner, "user_field": field });
            seed.set_permission(&permission).unwrap();
        }
        let record =
            json!({ "user": learner, "user_field": fields[index % 2], "value": index.to_string() });
        seed.set_record(&record).unwrap();
    }
    sandbox
}

#[tokio::test]
async fn a_derived_listing_reads_a_page_again_after_an_error() {
    let sandbox = small().await;
    let lms = client(&sandbox);
    let (undisturbed, _) = all(whole(&lms, "records")).await;
    let rule = "getActiveRecord: nth 70: status 403 json";
    sandbox.faults().add(rule).unwrap();
    let mut extract = whole(&lms, "records");
    let rows = rest_after_an_error(&mut extract).await;
    assert_eq!(sorted(&rows), sorted(&undisturbed));
    assert!(extract.record().is_complete());
}
