//! Data of a release whose document has other fields.

use std::{fs, path::Path};

use lms_sandbox::Sandbox;
use lms_sync::{
    CompletenessRecord, Export,
    changes::ChangeKind,
    mirror::MirrorPolicy,
    sink::{
        Sink,
        files::{FilesOptions, FilesSink, Format},
    },
};
use serde_json::{Value, json};

use crate::{client, demo, sqlite::Mirrored};

/// Runs an export of the learners in pages of 100.
async fn export(sandbox: &Sandbox, sink: impl Sink + 'static) -> CompletenessRecord {
    let export = Export::new(&client(sandbox)).page_size(100);
    let export = export.collections(["learners"]).unwrap();
    let mut summary = export.run(sink).await.unwrap();
    summary.collections.remove(0).record
}

/// Runs an export that is interrupted after two pages.
async fn interrupted(sandbox: &Sandbox, sink: impl Sink + 'static) {
    let fault = "listLearners: after 2: status 403 json";
    sandbox.faults().add(fault).unwrap();
    assert!(!export(sandbox, sink).await.is_complete());
    sandbox.faults().clear();
}

/// Changes the last checkpoint of a collection in a folder.
fn edit_journal(journals: &Path, edit: impl FnOnce(&mut Value)) {
    let journal = fs::read_dir(journals).unwrap().next().unwrap().unwrap();
    let files = fs::read_dir(journal.path()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let last = names.filter(|name| name.starts_with("rows")).max().unwrap();
    let path = journal.path().join(last);
    let text = fs::read_to_string(&path).unwrap();
    // A line with the CRC, a line with the checkpoint, and rows.
    let mut parts = text.splitn(3, '\n').skip(1);
    let (json, rows) = (parts.next().unwrap(), parts.next().unwrap());
    let mut line: Value = serde_json::from_str(json).unwrap();
    edit(&mut line);
    let segment = format!("{line}\n{rows}");
    let crc = crc32fast::hash(segment.as_bytes());
    fs::write(path, format!("{crc:08x}\n{segment}")).unwrap();
}

#[tokio::test]
async fn an_unfinished_collection_with_other_columns_begins_again() {
    let sandbox = demo().await;
    for options in [
        FilesOptions::new(Format::Csv),
        FilesOptions::new(Format::Parquet),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let sink = |name| FilesSink::new(folder.path().join(name), options.clone());
        let whole = export(&sandbox, sink("whole")).await;
        for (name, other) in [("same", false), ("other", true)] {
            interrupted(&sandbox, sink(name)).await;
            let journal = folder.path().join(name).join(".lms-sync/learners");
            edit_journal(&journal, |checkpoint| {
                assert!(checkpoint["columns"].is_string());
                if other {
                    checkpoint["columns"] = json!("other");
                }
            });
            let record = export(&sandbox, sink(name)).await;
            assert!(record.is_complete(), "{record:?}");
            assert_eq!(record.resumes, u64::from(!other), "{options:?}");
            assert_eq!(record.rows_sha256, whole.rows_sha256);
            let file = |name: &str| {
                let file = format!("learners.{}", options.extension());
                fs::read(folder.path().join(name).join(file)).unwrap()
            };
            assert_eq!(file(name), file("whole"), "{options:?}");
        }
    }
}

#[tokio::test]
async fn an_unfinished_mirror_with_other_columns_begins_again() {
    let at = Mirrored::demo().await;
    interrupted(&at.sandbox, at.sink()).await;
    // As the release before left it, which also had no such column in the staging table.
    let sql = "UPDATE _lms_collections SET checkpoint = json_set(checkpoint, '$.columns', 'other'); \
               ALTER TABLE _lms_staging_learners DROP COLUMN notes; ALTER TABLE learners DROP COLUMN notes";
    at.execute(sql);
    let record = export(&at.sandbox, at.sink()).await;
    assert!(record.is_complete(), "{record:?}");
    assert_eq!(record.resumes, 0);
    assert!(at.mirror().verify().unwrap()[0].is_intact());
}

#[tokio::test]
async fn a_mirror_that_lacks_a_column_is_intact_and_gets_it_without_a_change() {
    let at = Mirrored::demo().await;
    at.run(&["learners"]).await;
    // As a release without the column left it.
    at.execute("ALTER TABLE learners DROP COLUMN image");
    assert!(at.mirror().verify().unwrap()[0].is_intact());
    at.run(&["learners"]).await;
    assert_eq!(
        at.number("SELECT count(*) FROM learners WHERE image IS NOT NULL"),
        0
    );
    let [inserted, updated, deleted, unchanged] = at.written("learners");
    assert_eq!([inserted, updated, deleted], [0; 3]);
    assert!(unchanged > 0);
    assert_eq!(at.number("SELECT count(*) FROM _lms_changes"), 0);
    assert!(at.mirror().verify().unwrap()[0].is_intact());
}

#[tokio::test]
async fn a_value_that_gets_a_column_is_a_change_of_this_column_and_of_extra() {
    let at = Mirrored::demo().await;
    at.run(&["learners"]).await;
    // As a release without the column stores the row. The hash is only known to be another one.
    let sql = "UPDATE learners SET _extra = json_object('username', username), _hash = 0 WHERE username IS NOT NULL";
    at.execute(sql);
    let rows = at.number("SELECT count(*) FROM learners WHERE _hash = 0");
    at.execute("ALTER TABLE learners DROP COLUMN username");
    at.run(&["learners"]).await;
    assert_eq!(at.written("learners")[1], rows);
    let sql = "SELECT DISTINCT event || (SELECT group_concat(key ORDER BY key) FROM json_each(fields)) FROM _lms_changes";
    assert_eq!(at.texts(sql), ["learner.changed_extra,username"]);
    assert!(at.mirror().verify().unwrap()[0].is_intact());
}

#[tokio::test]
async fn fields_without_a_column_are_one_change_unless_each_is_asked_for() {
    let at = Mirrored::demo().await;
    at.run(&["learners"]).await;
    let all = at.number("SELECT count(*) FROM learners");
    let run = async |policy: MirrorPolicy| {
        // As if the service had a new field in every learner since, and one learner another name.
        let sql = "DELETE FROM _lms_changes;
            UPDATE learners SET _extra = json_object('x', 1), _hash = 0;
            UPDATE learners SET surname = 'X' WHERE id = (SELECT min(id) FROM learners)";
        at.execute(sql);
        let export = Export::new(&at.lms).collections(["learners"]).unwrap();
        let sink = at.sink().policy(policy);
        assert!(export.run(sink).await.unwrap().is_complete());
        assert_eq!(at.written("learners")[1], all);
        let sql = "SELECT event || ' ' || coalesce(fields -> '$._extra.new.rows', '') || ' ' || count(*) \
                   FROM _lms_changes GROUP BY event, fields -> '$._extra.new.rows' ORDER BY event";
        at.texts(sql)
    };
    let (default, others) = (MirrorPolicy::default(), all - 1);
    let once = run(default.clone()).await;
    assert_eq!(
        once,
        [
            "learner.changed  1".to_owned(),
            format!("learner.extra_changed {others} 1")
        ]
    );
    let changes = at.changes();
    let changes = changes.since(&changes.start().await.unwrap(), 10).await;
    let change = changes.unwrap().pop().unwrap();
    assert_eq!(
        (change.kind(), change.key.get()),
        (ChangeKind::ExtraChanged, "{}")
    );
    assert_eq!(
        run(default.extra_changes()).await,
        [format!("learner.changed  {all}")]
    );
}
