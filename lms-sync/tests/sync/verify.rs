//! Checks of exported files against their records.

use std::fs;

use lms_sync::{
    Export,
    sink::files::{FilesOptions, FilesSink, Format},
    verify_files,
};

use crate::{client, demo};

#[tokio::test]
async fn changed_and_missing_files_are_found() {
    let sandbox = demo().await;
    for format in [Format::Ndjson, Format::Csv] {
        let folder = tempfile::tempdir().unwrap();
        let options = FilesOptions::new(format);
        let extension = options.extension();
        let summary = Export::new(&client(&sandbox))
            .collections(["tags", "courses", "learners"])
            .unwrap()
            .run(FilesSink::new(folder.path(), options))
            .await
            .unwrap();
        assert!(summary.is_complete());
        let verified = verify_files(folder.path()).unwrap();
        assert!(
            verified
                .iter()
                .all(|one| one.is_whole() && one.record.is_some()),
            "{verified:?}"
        );

        let learners = folder.path().join(format!("learners.{extension}"));
        let mut text = fs::read_to_string(&learners).unwrap();
        text.truncate(text.len() / 2);
        fs::write(&learners, text).unwrap();
        fs::remove_file(folder.path().join(format!("tags.{extension}"))).unwrap();
        for one in verify_files(folder.path()).unwrap() {
            let expected = match one.collection.as_str() {
                "learners" => "has been changed",
                "tags" => "is missing",
                _ => {
                    assert!(one.is_whole());
                    continue;
                }
            };
            assert!(one.problems.join("; ").contains(expected), "{one:?}");
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
    export.run(sink).await.unwrap();
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
