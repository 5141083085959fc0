//! Exports that read a mirror in place of the tenant.

use std::path::Path;

use lms_sync::{
    ErrorKind, Export, RowsDigest, RunSummary, export_mirror,
    mirror::Mirror,
    sink::files::{FileInfo, FilesOptions, FilesSink, Format, Manifest},
    verify_files,
};
use rusqlite::Connection;

use crate::{client, demo, sqlite};

const NAMES: [&str; 3] = ["learners", "enrolments", "tags"];

fn sink(folder: &Path) -> FilesSink {
    FilesSink::new(folder, FilesOptions::new(Format::Ndjson))
}

async fn from_mirror(path: &Path, folder: &Path) -> Result<RunSummary, lms_sync::Error> {
    let (mirror, sink) = (Mirror::sqlite(path), sink(folder));
    let exported = tokio::task::spawn_blocking(move || export_mirror(&mirror, NAMES, sink));
    exported.await.unwrap()
}

fn files(folder: &Path) -> Vec<FileInfo> {
    let entries = Manifest::read(folder).unwrap().collections.into_values();
    entries.flat_map(|entry| entry.files).collect()
}

/// The hash and the size of each collection. The order of the rows may differ.
fn rows(folder: &Path) -> Vec<(RowsDigest, u64)> {
    let entries = Manifest::read(folder).unwrap().collections.into_values();
    let rows = entries.map(|entry| (entry.record.unwrap().rows_sha256, entry.files[0].bytes));
    rows.collect()
}

#[tokio::test]
async fn an_export_from_a_mirror_has_the_rows_of_one_from_the_tenant() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let (lms, path) = (client(&sandbox), folder.path().join("mirror.db"));
    _ = sqlite::mirror(&lms, &path, &NAMES).await.unwrap();
    let (tenant, mirror) = (folder.path().join("tenant"), folder.path().join("mirror"));
    let export = Export::new(&lms).collections(NAMES).unwrap();
    export
        .run(sink(&tenant))
        .await
        .unwrap()
        .into_result()
        .unwrap();
    sandbox.clear_requests();
    for _ in 0..2 {
        let outcomes = from_mirror(&path, &mirror).await.unwrap().into_result();
        assert_eq!(outcomes.unwrap().len(), NAMES.len());
        assert_eq!(rows(&mirror), rows(&tenant));
    }
    assert!(sandbox.requests().unwrap().is_empty());
    let verified = verify_files(&mirror).unwrap();
    assert!(
        verified.iter().all(lms_sync::VerifiedCollection::is_intact),
        "{verified:?}"
    );
}

#[tokio::test]
async fn rows_that_were_changed_in_a_mirror_are_not_exported() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let (lms, path) = (client(&sandbox), folder.path().join("mirror.db"));
    _ = sqlite::mirror(&lms, &path, &NAMES).await.unwrap();
    let out = folder.path().join("out");
    from_mirror(&path, &out)
        .await
        .unwrap()
        .into_result()
        .unwrap();
    let before = files(&out);
    let database = Connection::open(&path).unwrap();
    database.execute("UPDATE tags SET name = 'x'", []).unwrap();
    let summary = from_mirror(&path, &out).await.unwrap();
    let error = summary.collections[2].error.as_ref().unwrap();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(
        summary.collections[..2]
            .iter()
            .all(|outcome| outcome.error.is_none())
    );
    assert_eq!(files(&out), before);
    let unknown = Mirror::sqlite(&path);
    let sink = sink(&folder.path().join("other"));
    let refused = tokio::task::spawn_blocking(move || export_mirror(&unknown, ["courses"], sink));
    assert_eq!(refused.await.unwrap().unwrap_err().kind(), ErrorKind::Usage);
    assert!(!folder.path().join("other").exists());
}
