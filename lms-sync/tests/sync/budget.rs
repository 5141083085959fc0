//! Derived collections that are read within a budget of requests, over several runs.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

use lms_ext::prelude::*;
use lms_sandbox::Sandbox;
use lms_sync::{
    Completeness, CompletenessRecord, ErrorKind, Export,
    mirror::Mirror,
    sink::{
        Sink,
        files::{FilesOptions, FilesSink, Format},
        postgres::PostgresSink,
        sqlite::SqliteSink,
    },
};

use crate::{
    client,
    extract::small,
    postgres::server,
    sqlite::{learner, number, texts},
};

const USERS: &str = "SELECT DISTINCT \"user\" FROM records ORDER BY \"user\"";

const COUNT: &str = "SELECT count(*) FROM records";

/// The learners whose records a run asked for.
fn asked(sandbox: &Sandbox) -> BTreeSet<String> {
    let requests = sandbox.requests().unwrap().into_iter();
    let learners = requests.filter_map(|request| {
        let path = request.path.strip_suffix("/record")?;
        let (_, rest) = path.split_once("/users/")?;
        Some(rest.split('/').next()?.to_owned())
    });
    learners.collect()
}

async fn run(
    sandbox: &Sandbox,
    sink: impl Sink + 'static,
    change: fn(Export) -> Export,
) -> CompletenessRecord {
    sandbox.clear_requests();
    // The derived collection comes last, whatever the order.
    let export = Export::new(&client(sandbox)).collections(["records", "learners"]);
    let export = change(export.unwrap().max_requests(100));
    let mut summary = export.run(sink).await.unwrap();
    assert!(summary.is_committed(), "{summary:?}");
    assert_eq!(summary.collections[0].collection.name, "learners");
    summary.collections.pop().unwrap().record
}

fn assert_intact(mirror: &Mirror) {
    for verified in mirror.verify().unwrap() {
        let known =
            |problem: &String| problem.starts_with("not all rows were read recently enough");
        assert!(verified.problems.iter().all(known), "{verified:?}");
    }
}

#[tokio::test]
async fn runs_continue_where_the_last_one_stopped_and_are_complete_when_all_items_were_read() {
    let (sandbox, folder) = (small().await, tempfile::tempdir().unwrap());
    let path = folder.path().join("mirror.db");
    let mut seen = BTreeSet::new();
    let mut rows = 0;
    for night in 1.. {
        let record = run(&sandbox, SqliteSink::new(&path), |export| export).await;
        let read = asked(&sandbox);
        let sent = crate::reads(&sandbox).len();
        assert!((80..=106).contains(&sent), "{night}: {sent}");
        assert!(!read.is_empty());
        assert_intact(&Mirror::sqlite(&path));
        // The record is about all rows, and none is lost.
        assert_eq!(number(&path, COUNT), i64::try_from(record.rows).unwrap());
        assert!(record.rows > rows);
        rows = record.rows;
        if record.is_complete() {
            assert!(
                night > 2 && record.oldest_read.is_some(),
                "{night}: {record:?}"
            );
            break;
        }
        assert_eq!(record.completeness, Completeness::Partial);
        assert!(
            record.because[0].contains("of 120 learners were not read within 7d"),
            "{record:?}"
        );
        assert_eq!(record.oldest_read, None);
        assert!(seen.is_disjoint(&read), "{night}");
        seen.extend(read);
    }
    assert_eq!(rows, 240);
    // Nothing is current enough now: no row is deleted because of that.
    let record = run(&sandbox, SqliteSink::new(&path), |export| {
        export.refresh_within(Duration::ZERO)
    })
    .await;
    assert_eq!(
        (record.completeness, record.rows),
        (Completeness::Partial, 240)
    );
    // A new learner comes first.
    let new = sandbox.seed().add_learner(&learner(1)).unwrap();
    let record = run(&sandbox, SqliteSink::new(&path), |export| export).await;
    assert!(record.is_complete(), "{record:?}");
    assert!(asked(&sandbox).contains(&new));
}

/// A mirror for which a budget was enough.
async fn whole_mirror(sandbox: &Sandbox, folder: &Path) -> PathBuf {
    let path = folder.join("mirror.db");
    let whole = |export: Export| export.max_requests(1000);
    let record = run(sandbox, SqliteSink::new(&path), whole).await;
    assert!(record.is_complete());
    path
}

#[tokio::test]
async fn rows_that_were_not_read_stay_and_those_of_a_deleted_learner_go() {
    let (sandbox, folder) = (small().await, tempfile::tempdir().unwrap());
    let path = whole_mirror(&sandbox, folder.path()).await;
    let users = texts(&path, USERS);
    let lms = client(&sandbox);
    lms.delete_learner(users.last().unwrap())
        .call()
        .await
        .unwrap();
    let none = |export: Export| export.max_requests(1).refresh_within(Duration::ZERO);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let first =
        "UPDATE _lms_reads SET read_at = 1000000 WHERE item = (SELECT min(item) FROM _lms_reads)";
    connection.execute(first, ()).unwrap();
    // An earlier list lacked the rows of a learner that no run reads again.
    for lacked in [
        "UPDATE records SET _missing_since = '2026-01-01T00:00:00Z' WHERE \"user\" = (SELECT min(\"user\") FROM records)",
        "UPDATE _lms_collections SET missing_count = 2 WHERE name = 'records'",
    ] {
        connection.execute(lacked, ()).unwrap();
    }
    for _ in 0..3 {
        let record = run(&sandbox, SqliteSink::new(&path), none).await;
        assert_eq!(
            (record.completeness, record.rows),
            (Completeness::Partial, 236)
        );
        assert_eq!(record.oldest_read.as_deref(), Some("1970-01-01T00:00:01Z"));
        let left =
            "119 of 119 learners were not read within 0s, 0 of them never; 238 requests are left";
        assert!(record.because[0].contains(left), "{:?}", record.because);
        assert!(asked(&sandbox).is_empty());
        assert_intact(&Mirror::sqlite(&path));
        let missing = "SELECT missing_count FROM _lms_collections WHERE name = 'records'";
        assert_eq!(number(&path, missing), 2);
    }
    assert_eq!(texts(&path, USERS), users[..119]);
    assert_eq!(number(&path, "SELECT count(*) FROM _lms_reads"), 119);
}

#[tokio::test]
async fn items_that_changed_come_first_and_runs_without_a_budget_count() {
    let (sandbox, folder) = (small().await, tempfile::tempdir().unwrap());
    let path = whole_mirror(&sandbox, folder.path()).await;
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute("UPDATE _lms_reads SET read_at = 1", ())
        .unwrap();
    let export = Export::new(&client(&sandbox)).collections(["learners", "records"]);
    let summary = export.unwrap().run(SqliteSink::new(&path)).await.unwrap();
    assert!(summary.is_complete());
    assert!(number(&path, "SELECT min(read_at) FROM _lms_reads") > 1);
    let changed = texts(&path, USERS).swap_remove(70);
    let lms = client(&sandbox);
    lms.update_learner(&changed, |learner| learner.surname = "Jones".into())
        .await
        .unwrap();
    // A run without a request for it leaves it to the next one, which does not find the change again.
    let none = |export: Export| export.max_requests(1);
    _ = run(&sandbox, SqliteSink::new(&path), none).await;
    assert!(asked(&sandbox).is_empty());
    let few = |export: Export| export.max_requests(15);
    _ = run(&sandbox, SqliteSink::new(&path), few).await;
    let read = asked(&sandbox);
    assert!(read.len() < 10 && read.contains(&changed), "{read:?}");
    // A run that does not read the records finds the next change.
    let changed = texts(&path, USERS).swap_remove(60);
    assert!(!read.contains(&changed));
    lms.update_learner(&changed, |learner| learner.surname = "Jones".into())
        .await
        .unwrap();
    let export = Export::new(&lms).collections(["learners"]).unwrap();
    assert!(
        export
            .run(SqliteSink::new(&path))
            .await
            .unwrap()
            .is_complete()
    );
    _ = run(&sandbox, SqliteSink::new(&path), few).await;
    let read = asked(&sandbox);
    assert!(read.contains(&changed), "{read:?}");
}

#[tokio::test]
async fn collections_share_the_budget() {
    let (sandbox, folder) = (small().await, tempfile::tempdir().unwrap());
    let names = ["learners", "records", "user_field_permissions"];
    let export = Export::new(&client(&sandbox)).collections(names).unwrap();
    let sink = SqliteSink::new(folder.path().join("mirror.db"));
    let summary = export.max_requests(60).run(sink).await.unwrap();
    for outcome in &summary.collections[1..] {
        assert!(outcome.record.rows > 0, "{outcome:?}");
    }
    let sent = crate::reads(&sandbox).len();
    assert!((40..=70).contains(&sent), "{sent}");
}

#[tokio::test]
async fn an_export_refuses_a_budget() {
    let (sandbox, folder) = (small().await, tempfile::tempdir().unwrap());
    let sink = FilesSink::new(folder.path(), FilesOptions::new(Format::Ndjson));
    let export = Export::new(&client(&sandbox))
        .collections(["records"])
        .unwrap();
    let error = export.max_requests(10).run(sink).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(
        error.to_string().contains("only a mirror keeps the rows"),
        "{error}"
    );
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn postgres_keeps_rows_that_were_not_read() {
    let sandbox = small().await;
    let (_, schema) = server::new_schema();
    let mut rows = 0;
    loop {
        let record = run(&sandbox, PostgresSink::new(schema.clone()), |export| export).await;
        assert!(record.rows > rows);
        rows = record.rows;
        assert_intact(&Mirror::postgres(&schema));
        if record.is_complete() {
            break;
        }
    }
    assert_eq!(rows, 240);
}
