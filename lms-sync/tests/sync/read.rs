//! Exports that are read back.

use std::{fs, path::Path};

use lms_ext::{prelude::*, types};
use lms_sync::{
    Error, ErrorKind, Export, collections, read_files,
    sink::files::{FilesOptions, FilesSink, Format},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    client, demo,
    verify::{edit_record, ways},
};

async fn export(lms: &Lms, to: &Path, options: FilesOptions) {
    let names = ["courses", "learners", "user_fields"];
    let export = Export::new(lms).collections(names).unwrap();
    let summary = export.run(FilesSink::new(to, options)).await.unwrap();
    assert!(summary.is_complete());
}

/// The rows of a collection as JSON, after they were read as values of a type.
fn read<T: DeserializeOwned + Serialize>(folder: &Path, collection: &str) -> Vec<Value> {
    let rows: Result<Vec<T>, Error> = read_files(folder, collection).unwrap().collect();
    json_of(&rows.unwrap())
}

fn json_of(items: &[impl Serialize]) -> Vec<Value> {
    let values = items.iter().map(serde_json::to_value);
    values.collect::<Result<_, _>>().unwrap()
}

#[tokio::test]
async fn rows_of_every_format_are_what_the_service_sent() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    lms.add_learner("=1+1", "a \"b\"\r\nc,", "odd@acme.example")
        .await
        .unwrap();
    let learners = json_of(&lms.list_learners().collect_all().await.unwrap());
    let courses = json_of(&lms.list_courses().collect_all().await.unwrap());
    let fields = json_of(&lms.list_user_fields().collect_all().await.unwrap());
    for options in ways() {
        let folder = tempfile::tempdir().unwrap();
        export(&lms, folder.path(), options).await;
        let folder = folder.path();
        assert_eq!(
            read::<types::Learner>(folder, collections::LEARNERS),
            learners
        );
        assert_eq!(read::<types::Course>(folder, collections::COURSES), courses);
        assert_eq!(
            read::<types::UserField>(folder, collections::USER_FIELDS),
            fields
        );
    }
}

#[tokio::test]
async fn an_export_that_is_not_complete_is_refused() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let folder = folder.path();
    let refused = |collection| read_files::<Value>(folder, collection).unwrap_err();
    let error = refused("learners");
    assert_eq!(error.kind(), ErrorKind::Incomplete);
    assert!(error.to_string().contains("no manifest.json"), "{error}");
    export(&client(&sandbox), folder, FilesOptions::new(Format::Csv)).await;
    assert_eq!(refused("enrolments").kind(), ErrorKind::Incomplete);
    assert_eq!(refused("pupils").kind(), ErrorKind::Usage);
    edit_record(
        &folder.join("manifest.json"),
        "completeness",
        json!("changed"),
    );
    let error = refused("learners");
    assert_eq!(error.kind(), ErrorKind::Incomplete);
    assert!(
        error
            .to_string()
            .contains("its list changed while it was read"),
        "{error}"
    );
}

#[tokio::test]
async fn a_damaged_export_is_an_error_after_which_nothing_follows() {
    let sandbox = demo().await;
    for (damage, expected) in [
        ("remove", "is missing"),
        ("change", "has been changed since it was written"),
        ("forget", "and their record has"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let parts = FilesOptions::new(Format::Ndjson).rows_per_part(300.try_into().unwrap());
        export(&client(&sandbox), folder, parts).await;
        let second = folder.join("learners/part-00002.ndjson");
        match damage {
            "remove" => fs::remove_file(second).unwrap(),
            "change" => fs::write(second, "{}\n").unwrap(),
            _ => edit_record(&folder.join("manifest.json"), "rows", json!(1_000_000)),
        }
        let mut rows = read_files::<Value>(folder, "learners").unwrap();
        let error = rows.find_map(Result::err).unwrap();
        assert_eq!(error.kind(), ErrorKind::Damaged, "{damage}");
        assert!(error.to_string().contains(expected), "{damage}: {error}");
        assert!(rows.next().is_none(), "{damage}");
    }
}

#[tokio::test]
async fn rows_of_another_type_do_not_hide_the_others() {
    #[derive(Deserialize)]
    enum Firstname {
        Odd,
    }

    #[derive(Deserialize)]
    struct Row {
        firstname: Firstname,
    }

    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    lms.add_learner("Odd", "One", "odd@acme.example")
        .await
        .unwrap();
    export(&lms, folder.path(), FilesOptions::new(Format::Csv)).await;
    let rows = read_files::<Row>(folder.path(), collections::LEARNERS).unwrap();
    let total = rows.record().rows;
    let (read, failed): (Vec<_>, Vec<_>) = rows.partition(Result::is_ok);
    assert!(matches!(
        read[..],
        [Ok(Row {
            firstname: Firstname::Odd
        })]
    ));
    assert_eq!(failed.len() as u64, total - 1);
    let kinds = failed.iter().filter_map(|row| row.as_ref().err());
    assert!(
        kinds
            .into_iter()
            .all(|error| error.kind() == ErrorKind::Decode)
    );
}
