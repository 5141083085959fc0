//! Checks of exported files against their records.

use std::{fs, path::Path};

use lms_sync::{
    Export, VerifiedCollection,
    sink::files::{Compression, FilesOptions, FilesSink, Format},
    verify_files,
};
use serde_json::json;

use crate::{client, demo};

/// Ways to write files, so that every reader is used.
pub fn ways() -> [FilesOptions; 6] {
    let parts = 300.try_into().unwrap();
    [
        FilesOptions::new(Format::Csv),
        FilesOptions::new(Format::Csv)
            .byte_order_mark()
            .formula_guard()
            .compression(Compression::Gzip),
        FilesOptions::new(Format::Ndjson).rows_per_part(parts),
        FilesOptions::new(Format::Ndjson).compression(Compression::Zstd),
        FilesOptions::new(Format::Parquet),
        FilesOptions::new(Format::Parquet)
            .rows_per_part(parts)
            .bytes_per_group(20_000.try_into().unwrap()),
    ]
}

/// Changes a field of the record of learners in a manifest.
pub fn edit_record(manifest: &Path, field: &str, value: serde_json::Value) {
    let mut json: serde_json::Value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
    json["collections"]["learners"]["record"][field] = value;
    fs::write(manifest, json.to_string()).unwrap();
}

#[tokio::test]
async fn the_rows_of_every_format_are_read_and_compared_with_the_record() {
    let sandbox = demo().await;
    // Text that a spreadsheet takes for a formula, quotes, line ends, and text that looks guarded.
    for (index, surname) in ["=1+1", "'=1+1", "a \"b\"\r\nc,", " ", "", "'"]
        .iter()
        .enumerate()
    {
        let learner = lms_sandbox::json!({
            "firstname": "-", "surname": surname, "email": format!("odd{index}@acme.example"),
        });
        sandbox.seed().add_learner(&learner).unwrap();
    }
    for options in ways() {
        let folder = tempfile::tempdir().unwrap();
        let summary = Export::new(&client(&sandbox))
            .collections(["learners", "user_fields", "courses"])
            .unwrap()
            .run(FilesSink::new(folder.path(), options.clone()))
            .await
            .unwrap();
        assert!(summary.is_complete());
        for verified in verify_files(folder.path()).unwrap() {
            assert_eq!(verified.problems, [""; 0], "{options:?}: {verified:?}");
        }
        let record = &summary.collections[0].record;
        let manifest = folder.path().join("manifest.json");
        let of_no_rows = "0".repeat(64);
        for (field, value, expected) in [
            ("rows", json!(record.rows + 1), "rows, and the record has"),
            ("rows_sha256", json!(of_no_rows), "the rows have the hash"),
            ("distinct_keys", json!(1), "different keys"),
            ("completeness", json!("incomplete"), "not complete"),
        ] {
            let whole = fs::read(&manifest).unwrap();
            edit_record(&manifest, field, value);
            let verified = verify_files(folder.path()).unwrap();
            let learners = verified.iter().find(|one| one.collection == "learners");
            let problems = learners.unwrap().problems.join("; ");
            assert!(problems.contains(expected), "{options:?}: {problems}");
            fs::write(&manifest, whole).unwrap();
        }
    }
}

#[tokio::test]
async fn a_manifest_that_hides_a_changed_row_does_not_agree_with_the_record() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let sink = FilesSink::new(folder.path(), FilesOptions::new(Format::Ndjson));
    let export = Export::new(&client(&sandbox))
        .collections(["tags"])
        .unwrap();
    _ = export.run(sink).await.unwrap();
    let path = folder.path().join("tags.ndjson");
    let text = fs::read_to_string(&path)
        .unwrap()
        .replacen("\"name\":\"", "\"name\":\"X", 1);
    fs::write(&path, &text).unwrap();
    let manifest = folder.path().join("manifest.json");
    let mut value: serde_json::Value =
        serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    let file = &mut value["collections"]["tags"]["files"][0];
    let hash = <sha2::Sha256 as sha2::Digest>::digest(text.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    file["sha256"] = hash.into();
    file["bytes"] = text.len().into();
    fs::write(&manifest, value.to_string()).unwrap();
    let problems = &verify_files(folder.path()).unwrap()[0].problems;
    assert!(
        problems.len() == 1 && problems[0].contains("have the hash"),
        "{problems:?}"
    );
}

#[tokio::test]
async fn files_that_the_manifest_does_not_list_are_named() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let options = FilesOptions::new(Format::Csv).rows_per_part(300.try_into().unwrap());
    let export = Export::new(&client(&sandbox)).collections(["tags", "learners", "courses"]);
    let sink = FilesSink::new(folder.path(), options);
    _ = export.unwrap().run(sink).await.unwrap();
    let path = |name: &str| folder.path().join(name);
    // No reader takes these for rows of a collection.
    for other in ["people.csv", "learners/.DS_Store", "notes.txt"] {
        fs::write(path(other), "").unwrap();
    }
    assert!(
        verify_files(folder.path())
            .unwrap()
            .iter()
            .all(VerifiedCollection::is_intact)
    );

    fs::create_dir(path("learners/more")).unwrap();
    let part = path("learners/part-00001.csv");
    for copy in [
        "learners/part-00009.csv",
        "learners/more/part.csv.gz",
        "profiles.parquet",
    ] {
        fs::copy(&part, path(copy)).unwrap();
    }
    let manifest = path("manifest.json");
    let mut json: serde_json::Value =
        serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    json["collections"]
        .as_object_mut()
        .unwrap()
        .remove("courses");
    fs::write(&manifest, json.to_string()).unwrap();
    let verified = verify_files(folder.path()).unwrap().into_iter();
    let found: Vec<(String, String)> = verified
        .map(|one| (one.collection.clone(), one.problems.join("; ")))
        .collect();
    let unlisted =
        |path: &str| format!("{path} is not in manifest.json, so an export did not write it");
    let copies = ["learners/more/part.csv.gz", "learners/part-00009.csv"].map(unlisted);
    assert_eq!(
        found,
        [
            ("learners".to_owned(), copies.join("; ")),
            ("tags".to_owned(), String::new()),
            ("courses".to_owned(), unlisted("courses/part-00001.csv")),
            ("profiles".to_owned(), unlisted("profiles.parquet")),
        ]
    );
}
