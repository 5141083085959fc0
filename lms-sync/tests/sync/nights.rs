//! The cost of the nights of a tenant with 30,000 learners: requests, charged writes of an object storage, and rows of a mirror.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use lms_ext::prelude::*;
use lms_sandbox::{Population, Sandbox};
use lms_sync::{
    Completeness, Export, RunSummary,
    sink::{
        Sink,
        files::{FilesOptions, Format},
        objects::{ObjectsSink, object_store::memory::InMemory},
        sqlite::SqliteSink,
    },
};

use crate::{
    client,
    sqlite::{lists, written},
    store::Watched,
};

/// Requests of `records` that one night may cost.
const BUDGET: u64 = 5_000;

/// Reads all collections that are not derived. Returns the number of requests.
async fn read(sandbox: &Sandbox, sink: impl Sink + 'static) -> usize {
    sandbox.clear_requests();
    let export = Export::new(&client(sandbox)).collections(lists()).unwrap();
    let summary = export.run(sink).await.unwrap();
    assert!(summary.is_complete(), "{summary:?}");
    crate::reads(sandbox).len()
}

/// Reads `records` within a budget. Returns the number of requests for them.
async fn read_records(sandbox: &Sandbox, path: &Path) -> (usize, RunSummary) {
    sandbox.clear_requests();
    let names = ["learners", "user_fields", "records"];
    let export = Export::new(&client(sandbox)).collections(names).unwrap();
    let export = export.max_requests(BUDGET);
    let summary = export.run(SqliteSink::new(path)).await.unwrap();
    let requests = crate::reads(sandbox).into_iter();
    let of_records = requests.filter(|path| path.ends_with("/record"));
    (of_records.count(), summary)
}

/// Deletes five learners, and changes a hundred.
async fn change(sandbox: &Sandbox) {
    let lms = client(sandbox);
    for number in 1..=105 {
        let id = format!("l{}", number * 250);
        if number <= 5 {
            lms.delete_learner(&id).call().await.unwrap();
        } else {
            lms.update_learner(&id, |learner| learner.surname = "Jones".into())
                .await
                .unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; release-check runs it"]
#[expect(clippy::print_stdout, reason = "the figures are documented")]
async fn nights_of_thirty_thousand_learners_cost_little() {
    let population = Population {
        learners: 30_000,
        enrolments_per_learner: 4,
        ..Population::default()
    };
    let sandbox = Sandbox::builder().population(population).start();
    let sandbox = sandbox.await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [mirror, records] = ["mirror.db", "records.db"].map(|name| folder.path().join(name));
    let puts = Arc::new(AtomicU32::new(0));
    let store = Watched {
        store: Arc::new(InMemory::new()),
        watch: puts.clone(),
    };
    let mut nights = Vec::new();
    for night in 1..=3 {
        if night == 3 {
            change(&sandbox).await;
        }
        let requests = read(&sandbox, SqliteSink::new(&mirror)).await;
        let parquet = FilesOptions::new(Format::Parquet);
        // Without those that follow from the time that a run takes: one each 30 s.
        let sink = ObjectsSink::new(Arc::new(store.clone()), "acme", parquet)
            .checkpoint_every(16 << 20, Duration::MAX);
        read(&sandbox, sink).await;
        let puts = puts.swap(0, Ordering::Relaxed);
        let (of_records, summary) = read_records(&sandbox, &records).await;
        assert!(summary.is_committed(), "{summary:?}");
        let record = &summary.collections.last().unwrap().record;
        assert_eq!(record.completeness, Completeness::Partial, "{record:?}");
        assert!(of_records as u64 <= BUDGET, "{of_records}");
        let rows = lists().into_iter().flat_map(|name| {
            let [inserted, updated, deleted, _] = written(&mirror, name);
            [inserted, updated, deleted]
        });
        let rows: i64 = rows.sum();
        println!(
            "night {night}: {requests} requests, {puts} PUTs, {rows} rows written; records: {of_records} requests, {} rows",
            record.rows
        );
        nights.push((requests, puts, rows));
    }
    let [first, second, third] = nights[..] else {
        unreachable!("three nights");
    };
    assert!(first.0 > 3_000 && first.1 <= 60, "{first:?}");
    assert!(second.0 <= 4_400 && second.1 <= 15, "{second:?}");
    assert_eq!(second.2, 0);
    // The rows of learners who are gone, and those that were changed.
    assert!(third.0 <= 4_400 && third.2 < 1_000, "{third:?}");
}
