//! Only one run may write into a destination: the last one that began, of the tenant whose data the destination has.

use std::{fs, os::unix::fs::symlink, path::Path};

use lms_sync::{
    Error, ErrorKind, Export, RunSummary, VerifiedCollection, collection,
    internals::{CollectionPlan, CollectionState, Plan, SinkCalls},
    mirror::Mirror,
    sink::{
        Sink,
        files::{FilesOptions, FilesSink, Format},
        sqlite::SqliteSink,
    },
    verify_files,
};

use crate::{
    kit::{self, rows::Rows},
    sqlite::number,
    tenant::Tenant,
};

fn plan() -> Plan {
    Plan::new("t", collection("tags").map(CollectionPlan::new))
}

/// Runs an export of the learners of a tenant.
async fn run(
    tenant: &Tenant,
    tid: &str,
    sink: impl Sink + 'static,
    change: impl FnOnce(Export) -> Export,
) -> Result<RunSummary, Error> {
    tenant.state().tid = Some(tid.to_owned());
    let export = Export::new(&tenant.lms())
        .collections(["learners"])
        .unwrap();
    tokio::spawn(change(export).run(sink)).await.unwrap()
}

#[tokio::test]
async fn a_collection_that_an_interrupted_run_has_not_begun_is_unfinished() {
    let (tenant, folder) = (Tenant::new(20), tempfile::tempdir().unwrap());
    let path = folder.path().join("mirror.db");
    let is_unfinished = || {
        let overview = Mirror::sqlite(&path).overview().unwrap();
        let collections = overview.collections.iter();
        let unfinished = collections.map(|of| of.is_unfinished);
        (overview.unfinished_since.is_some(), unfinished.collect())
    };
    let summary = run(&tenant, "t", SqliteSink::new(&path), |it| it).await;
    assert!(summary.unwrap().is_complete());
    assert_eq!(is_unfinished(), (false, vec![false]));
    let learners = collection("learners").map(CollectionPlan::new);
    let mut killed = SqliteSink::new(&path);
    killed.begin(&Plan::new("t", learners)).unwrap();
    drop(killed);
    assert_eq!(is_unfinished(), (true, vec![true]));
    let sink = SqliteSink::new(&path).discard_unfinished();
    let summary = run(&tenant, "t", sink, |it| it).await;
    assert!(summary.unwrap().is_complete());
    assert_eq!(is_unfinished(), (false, vec![false]));
}

#[test]
fn a_link_to_a_mirror_is_the_same_mirror() {
    let folder = tempfile::tempdir().unwrap();
    let [file, link, name] =
        ["mirror.db", "link.db", "name.db"].map(|name| folder.path().join(name));
    let mut first = SqliteSink::new(&file);
    first.begin(&plan()).unwrap();
    symlink(&file, &link).unwrap();
    let error = SqliteSink::new(&link).begin(&plan()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked, "{error}");
    fs::hard_link(&file, name).unwrap();
    let error = SqliteSink::new(&file).begin(&plan()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Foreign, "{error}");
}

#[test]
fn a_run_cannot_write_after_another_one_has_begun() {
    fn check<S: Sink>(mut first: S, mut second: S, lose_lock: impl FnOnce()) {
        let tags = collection("tags").unwrap();
        first.begin(&plan()).unwrap();
        lose_lock();
        assert_eq!(second.begin(&plan()).unwrap(), [CollectionState::Fresh]);
        let error = first.restart(tags).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Locked, "{error}");
        second.restart(tags).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let [path, lock, out, moved] =
        ["mirror.db", "mirror.db-lock", "out", "moved"].map(|name| folder.path().join(name));
    let sink = || SqliteSink::new(&path);
    check(sink(), sink(), || fs::remove_file(lock).unwrap());
    let sink = || FilesSink::new(&out, FilesOptions::new(Format::Ndjson));
    check(sink(), sink(), || fs::rename(&out, moved).unwrap());
}

#[test]
fn the_lock_of_a_folder_is_held_without_its_file_and_by_every_path() {
    let folder = tempfile::tempdir().unwrap();
    let [out, moved, link] = ["out", "moved", "link"].map(|name| folder.path().join(name));
    let sink = |path: &Path| FilesSink::new(path, FilesOptions::new(Format::Ndjson));
    let mut first = sink(&out);
    first.begin(&plan()).unwrap();
    symlink(&out, &link).unwrap();
    let refused = |path: &Path| {
        let error = sink(path).begin(&plan()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Locked, "{error}");
        error.to_string()
    };
    let holder = format!("in use by process {}", std::process::id());
    assert!(refused(&link).contains(&holder));
    fs::remove_dir_all(out.join(".lms-sync")).unwrap();
    refused(&out);
    fs::rename(&out, &moved).unwrap();
    refused(&moved);
    drop(first);
    sink(&moved).begin(&plan()).unwrap();
}

#[tokio::test]
async fn another_tenant_behind_the_same_url_is_refused_until_it_may_replace_the_first() {
    let (tenant, folder) = (Tenant::new(20), tempfile::tempdir().unwrap());
    let path = folder.path().join("mirror.db");
    let mirror = || SqliteSink::new(&path);
    let files = || FilesSink::new(folder.path().join("out"), FilesOptions::new(Format::Ndjson));
    _ = run(&tenant, "t1", mirror(), |export| export).await.unwrap();
    _ = run(&tenant, "t1", files(), |export| export).await.unwrap();
    tenant.state().rows = (5..30).collect();
    for refused in [
        run(&tenant, "t2", mirror(), |export| export).await,
        run(&tenant, "t2", files(), |export| export).await,
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OtherRun);
        assert!(
            error
                .to_string()
                .contains(r#""t1", and this run reads "t2""#),
            "{error}"
        );
    }
    assert_eq!(number(&path, "SELECT count(*) FROM learners"), 20);
    _ = run(&tenant, "t2", mirror(), Export::replace_tenant)
        .await
        .unwrap();
    _ = run(&tenant, "t2", files(), Export::replace_tenant)
        .await
        .unwrap();
    assert_eq!(number(&path, "SELECT count(*) FROM learners"), 25);
    let rows = fs::read_to_string(folder.path().join("out/learners.ndjson")).unwrap();
    assert_eq!(rows.lines().count(), 25);
    _ = run(&tenant, "t2", mirror(), |export| export).await.unwrap();
}

#[tokio::test]
async fn a_run_asks_which_tenant_it_reads_once_and_again_after_each_collection() {
    let (tenant, folder) = (Tenant::new(20), tempfile::tempdir().unwrap());
    let sink = FilesSink::new(folder.path(), FilesOptions::new(Format::Ndjson));
    let both = |export: Export| export.collections(["enrolments"]).unwrap();
    _ = run(&tenant, "t", sink, both).await.unwrap();
    assert_eq!(tenant.questions(), 3);
}

#[tokio::test]
async fn nothing_is_written_removed_or_read_outside_of_the_folder() {
    let (tenant, folder) = (Tenant::new(5), tempfile::tempdir().unwrap());
    let (out, outside) = (folder.path().join("out"), folder.path().join("outside"));
    let export = async || {
        let sink = FilesSink::new(&out, FilesOptions::new(Format::Ndjson));
        run(&tenant, "t", sink, |export| export).await
    };
    let refused = |outcome: Result<RunSummary, Error>, kind| {
        assert_eq!(outcome.unwrap_err().kind(), kind);
        assert_eq!(fs::read_to_string(outside.join("kept")).unwrap(), "kept");
    };
    _ = export().await.unwrap();
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("kept"), "kept").unwrap();
    let manifest = out.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    for path in ["../outside", outside.to_str().unwrap(), "../outside/kept"] {
        fs::write(&manifest, text.replace("learners.ndjson", path)).unwrap();
        refused(export().await, ErrorKind::Foreign);
        assert_eq!(verify_files(&out).unwrap_err().kind(), ErrorKind::Foreign);
    }
    fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    refused(export().await, ErrorKind::Damaged);
    fs::write(&manifest, &text).unwrap();
    for name in ["manifest.json", ".lms-sync/lock"] {
        let file = out.join(name);
        let before = fs::read(&file).ok();
        drop(fs::remove_file(&file));
        symlink(outside.join("kept"), &file).unwrap();
        refused(export().await, ErrorKind::Destination);
        fs::remove_file(&file).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&file).status();
        assert!(made.unwrap().success());
        refused(export().await, ErrorKind::Destination);
        fs::remove_file(&file).unwrap();
        if let Some(before) = before {
            fs::write(&file, before).unwrap();
        }
    }
    symlink(outside.join("kept"), out.join("manifest.json.new")).unwrap();
    _ = export().await.unwrap();
    symlink(&outside, out.join(".lms-sync/learners")).unwrap();
    refused(export().await, ErrorKind::Destination);
    // Reading a pipe would wait for ever.
    let pipe = folder.path().join("pipe.db");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mirror = run(&tenant, "t", SqliteSink::new(&pipe), |export| export);
    refused(mirror.await, ErrorKind::Destination);
    let verified = Mirror::sqlite(&pipe).verify();
    assert_eq!(verified.unwrap_err().kind(), ErrorKind::Destination);
}

#[test]
fn the_journal_of_an_unfinished_run_is_not_read_or_changed_through_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, plan) = (Rows::new(0), kit::rows::plan("t"));
    let (out, moved) = (folder.path().join("out"), folder.path().join("moved"));
    let sink = || FilesSink::new(&out, FilesOptions::new(Format::Ndjson));
    rows.run(&mut sink(), &plan, &rows.steps()[..1]);
    let mut journals = fs::read_dir(out.join(".lms-sync/learners")).unwrap();
    let journal = journals.next().unwrap().unwrap().path();
    fs::rename(&journal, &moved).unwrap();
    symlink(&moved, &journal).unwrap();
    // A segment that was not stored completely is removed.
    let stored = moved.join("rows-0000000000");
    fs::write(&stored, "part").unwrap();
    let error = sink().begin(&plan).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Destination);
    assert_eq!(fs::read(&stored).unwrap(), b"part");
}

#[tokio::test]
async fn what_is_not_finished_is_a_problem() {
    let (tenant, folder) = (Tenant::new(30), tempfile::tempdir().unwrap());
    let (out, mirror) = (folder.path().join("out"), folder.path().join("mirror.db"));
    let sink = || FilesSink::new(&out, FilesOptions::new(Format::Ndjson));
    let problems = |verified: Vec<VerifiedCollection>| {
        let learners = verified.iter().find(|found| found.collection == "learners");
        learners.unwrap().problems.concat()
    };
    _ = run(&tenant, "t", sink(), |export| export).await.unwrap();
    assert_eq!(problems(verify_files(&out).unwrap()), "");
    let learners = || Plan::new("t", collection("learners").map(CollectionPlan::new));
    sink().begin(&learners()).unwrap();
    assert!(problems(verify_files(&out).unwrap()).contains("unfinished"));
    SqliteSink::new(&mirror).begin(&learners()).unwrap();
    assert!(problems(Mirror::sqlite(&mirror).verify().unwrap()).contains("never"));
}

#[tokio::test]
async fn changed_rows_are_named_and_can_be_repaired() {
    let (tenant, folder) = (Tenant::new(30), tempfile::tempdir().unwrap());
    let path = folder.path().join("mirror.db");
    _ = run(&tenant, "t", SqliteSink::new(&path), |export| export)
        .await
        .unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let change = "UPDATE learners SET surname = 'x' WHERE id IN ('id4', 'id7')";
    connection.execute(change, ()).unwrap();
    let problems = Mirror::sqlite(&path).verify().unwrap()[0].problems.concat();
    assert!(
        problems.contains("2 rows were changed after the mirror was written"),
        "{problems}"
    );
    assert!(problems.contains("with id id4, id7"), "{problems}");
    connection
        .execute("DELETE FROM learners WHERE id IN ('id4', 'id7')", ())
        .unwrap();
    _ = run(&tenant, "t", SqliteSink::new(&path), |export| export)
        .await
        .unwrap();
    assert_eq!(Mirror::sqlite(&path).verify().unwrap()[0].problems, [""; 0]);
}
