//! A mirror deletes rows that a witness says are gone, and no others.

use std::path::{Path, PathBuf};

use lms_ext::Call as _;
use lms_sync::{
    Completeness, Export, RunSummary,
    mirror::{self, Deletes, MirrorPolicy},
    sink::{
        files::{FilesOptions, FilesSink, Format, Manifest},
        sqlite::SqliteSink,
    },
};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    sqlite::{number, texts, written},
    tenant::Tenant,
};

/// A mirror of one collection of a tenant.
struct Mirror {
    tenant: Tenant,
    collection: &'static str,
    policy: MirrorPolicy,
    folder: TempDir,
}

impl Mirror {
    /// A mirror after its first run.
    async fn new(collection: &'static str, rows: u32) -> Self {
        let mirror = Self {
            tenant: Tenant::new(rows),
            collection,
            policy: MirrorPolicy::default(),
            folder: tempfile::tempdir().unwrap(),
        };
        assert!(mirror.run().await.is_complete());
        mirror
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("mirror.db")
    }

    /// Runs once, and checks the rows against the record.
    async fn run(&self) -> RunSummary {
        let sink = SqliteSink::new(self.path()).policy(self.policy.clone());
        let export = Export::new(&self.tenant.lms()).collections([self.collection]);
        let export = export.unwrap().accept_changes();
        let summary = export.run(sink).await.unwrap();
        let verified = &mirror::Mirror::sqlite(self.path()).verify().unwrap()[0];
        let complete = summary.collections[0].record.is_complete();
        assert_eq!(verified.problems.is_empty(), complete, "{verified:?}");
        assert!(verified.problems.len() < 2, "{verified:?}");
        summary
    }

    fn delete(&self, rows: &[u32]) {
        let mut state = self.tenant.state();
        state.rows.retain(|row| !rows.contains(row));
    }

    /// Whether the table has a row, and whether the last list lacked it.
    fn state(&self, row: u32) -> &'static str {
        let sql = format!(
            "SELECT iif(_missing_since IS NULL, 'present', 'missing') FROM {} WHERE id = 'id{row}'",
            self.collection
        );
        match texts(&self.path(), &sql).first().map(String::as_str) {
            None => "deleted",
            Some("present") => "present",
            _ => "missing",
        }
    }

    fn removed(&self) -> Vec<String> {
        removed(&self.path())
    }
}

fn removed(path: &Path) -> Vec<String> {
    let sql =
        "SELECT key ->> 'id' FROM _lms_changes WHERE event LIKE '%.removed' ORDER BY sequence";
    texts(path, sql)
}

#[tokio::test]
async fn an_object_that_is_gone_when_it_is_asked_for_is_deleted_at_once() {
    let mirror = Mirror::new("learners", 30).await;
    mirror.delete(&[4, 7]);
    _ = mirror.run().await;
    let mut lookups = mirror.tenant.take_lookups();
    lookups.sort_unstable();
    // The first one is in the list. It is found before and after the others.
    assert_eq!(lookups, ["id0", "id0", "id4", "id7"]);
    assert_eq!(mirror.removed(), ["id4", "id7"]);
    assert_eq!(written(&mirror.path(), "learners"), [0, 0, 2, 28]);
    _ = mirror.run().await;
    assert_eq!(mirror.tenant.take_lookups(), [""; 0]);
}

#[tokio::test]
async fn a_list_that_changed_is_no_witness() {
    let mirror = Mirror::new("enrolments", 100).await;
    mirror.delete(&[50]);
    _ = mirror.run().await;
    // Each reading skips another row that is there all the time.
    mirror.tenant.state().deleted_meanwhile = vec![3, 2, 1];
    let summary = mirror.run().await;
    assert_eq!(
        summary.collections[0].record.completeness,
        Completeness::Changed
    );
    assert_eq!(mirror.removed(), [""; 0]);
    assert_eq!(mirror.state(50), "missing");
    for _ in 0..2 {
        assert!(mirror.run().await.is_complete());
    }
    let mut removed = mirror.removed();
    removed.sort_unstable();
    assert_eq!(removed, ["id1", "id2", "id3", "id50"]);
    assert_eq!(
        number(
            &mirror.path(),
            "SELECT count(*) FROM enrolments WHERE _missing_since IS NULL"
        ),
        96
    );
}

#[tokio::test]
async fn an_object_that_is_kept_as_deleted_is_deleted_when_a_second_list_lacks_it() {
    let mirror = Mirror::new("learners", 30).await;
    mirror.tenant.state().unlisted.insert(4);
    mirror.tenant.state().kept.insert(4);
    for state in ["missing", "deleted"] {
        _ = mirror.run().await;
        assert_eq!(mirror.state(4), state);
    }
}

#[tokio::test]
async fn a_deleted_object_does_not_show_that_objects_are_found() {
    let mirror = Mirror::new("learners", 30).await;
    mirror.delete(&[4]);
    mirror
        .tenant
        .state()
        .kept
        .extend((0..30).filter(|row| *row != 4));
    _ = mirror.run().await;
    assert_eq!(mirror.state(4), "missing");
    mirror.tenant.state().kept.remove(&0);
    _ = mirror.run().await;
    assert_eq!(mirror.state(4), "deleted");
}

#[tokio::test]
async fn a_tenant_that_becomes_another_one_during_the_lookups_is_no_witness() {
    let mirror = Mirror::new("learners", 30).await;
    mirror.delete(&[4]);
    // The second run gets the third token for its second lookup: that of the control.
    mirror.tenant.state().tids = vec!["", "", "b"];
    mirror.tenant.state().revoked_by_lookups = Some(1);
    _ = mirror.run().await;
    assert_eq!(mirror.tenant.state().revoked_by_lookups, None);
    assert_eq!(mirror.state(4), "missing");
    _ = mirror.run().await;
    assert_eq!(mirror.state(4), "deleted");
}

#[tokio::test]
async fn a_token_that_is_replaced_while_the_identity_is_requested_has_its_own_tenant() {
    let (tenant, folder) = (Tenant::new(30), tempfile::tempdir().unwrap());
    let lms = tenant.lms();
    tenant.state().tids = vec!["a", "b"];
    tenant.state().replaced_meanwhile = true;
    let export = Export::new(&lms).collections(["enrolments"]).unwrap();
    let options = FilesOptions::new(Format::Csv);
    let replacing = async {
        while tenant.questions() == 0 {
            tokio::task::yield_now().await;
        }
        let request = lms.list_enrolments().call_as::<serde_json::Value>();
        request.await.unwrap()
    };
    let export = export.run(FilesSink::new(folder.path(), options));
    let (summary, _) = tokio::join!(export, replacing);
    let summary = summary.unwrap();
    assert!(summary.is_complete(), "{summary:?}");
    let manifest = Manifest::read(folder.path()).unwrap();
    assert_eq!(
        manifest.collections["enrolments"].tenant.as_deref(),
        Some("b")
    );
}

#[tokio::test]
async fn an_operation_that_does_not_find_a_row_of_the_list_is_no_witness() {
    for status in [404, 403] {
        let mirror = Mirror::new("learners", 30).await;
        mirror.delete(&[4]);
        mirror.tenant.state().by_id = Some(status);
        _ = mirror.run().await;
        assert_eq!(mirror.tenant.take_lookups(), ["id0", "id1", "id10"]);
        for _ in 0..2 {
            _ = mirror.run().await;
            assert_eq!(mirror.state(4), "missing");
        }
        mirror.tenant.state().by_id = None;
        _ = mirror.run().await;
        assert_eq!(mirror.state(4), "deleted");
    }
}

#[tokio::test]
async fn an_outage_during_the_lookups_deletes_nothing() {
    // The first two requests are for an object that cannot exist, and for one of the list.
    for after in 0..6 {
        for body in [
            json!({}),
            json!({"message": "no route"}),
            json!("<title>404</title>"),
        ] {
            let mirror = Mirror::new("learners", 30).await;
            mirror.tenant.state().unlisted.extend([4, 5]);
            mirror.tenant.state().outage = Some((after, 404, body.clone()));
            for _ in 0..2 {
                _ = mirror.run().await;
                assert_eq!(mirror.removed(), [""; 0], "{after} {body}");
                assert_eq!(mirror.state(4), "missing");
            }
        }
    }
}

#[tokio::test]
async fn a_response_of_another_form_than_for_absent_objects_is_no_witness() {
    for (status, body, content_type) in [
        (404, json!({"message": "no route"}), "application/json"),
        (404, json!({}), "text/html"),
        (410, json!({}), "application/json"),
    ] {
        let mirror = Mirror::new("learners", 30).await;
        mirror.tenant.state().unlisted.extend([4, 5]);
        // The gateway fails after the control, and works again before the second one.
        mirror.tenant.state().outage = Some((2, status, body.clone()));
        mirror.tenant.state().passing = Some((2, content_type));
        _ = mirror.run().await;
        assert_eq!(mirror.tenant.state().passing, Some((0, content_type)));
        assert_eq!(mirror.removed(), [""; 0], "{status} {content_type} {body}");
    }
}

#[tokio::test]
async fn rows_that_were_missed_first_are_asked_for_after_those_of_this_list() {
    let mut mirror = Mirror::new("learners", 30).await;
    mirror.policy = MirrorPolicy::default().confirm_deletes(1);
    // As texts, their keys come before that of the other.
    mirror.delete(&[20, 21]);
    _ = mirror.run().await;
    let left = [20, 21].map(|row| mirror.state(row));
    assert!(
        left.contains(&"missing") && left.contains(&"deleted"),
        "{left:?}"
    );
    mirror.delete(&[4]);
    _ = mirror.run().await;
    assert_eq!(mirror.state(4), "deleted");
    assert_eq!([20, 21].map(|row| mirror.state(row)), left);
}

#[tokio::test]
async fn any_known_object_shows_that_objects_are_found() {
    let mirror = Mirror::new("learners", 30).await;
    mirror.delete(&[4]);
    // It is still in the list.
    mirror.tenant.state().kept.insert(0);
    _ = mirror.run().await;
    assert_eq!(mirror.removed(), ["id4"]);
}

#[test]
fn two_lists_of_one_run_are_one_list() {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap()
    };
    let mirror = runtime().block_on(Mirror::new("enrolments", 30));
    mirror.delete(&[4]);
    // The run is stopped while it reads the second collection. The next call continues it, and reads the first one again.
    mirror.tenant.state().silent = Some("tags");
    for _ in 0..3 {
        mirror.tenant.state().requests.clear();
        let export = Export::new(&mirror.tenant.lms()).collections(["enrolments", "tags"]);
        let export = export.unwrap().max_age(std::time::Duration::ZERO);
        let stopped = async {
            let asked = || {
                let state = mirror.tenant.state();
                state.requests.iter().any(|path| path == "tags")
            };
            while !asked() {
                tokio::task::yield_now().await;
            }
        };
        // The end of a runtime waits for the thread of the sink, which has the lock of the mirror.
        runtime().block_on(async {
            tokio::select! {
                ended = export.run(SqliteSink::new(mirror.path())) => panic!("{ended:?}"),
                () = stopped => {}
            }
        });
        let runs = "SELECT count(*) FROM _lms_runs";
        assert_eq!(number(&mirror.path(), runs), 2);
        assert_eq!(mirror.state(4), "present");
    }
    mirror.tenant.state().silent = None;
    let export = Export::new(&mirror.tenant.lms()).collections(["enrolments", "tags"]);
    let ended = export.unwrap().run(SqliteSink::new(mirror.path()));
    // The tags of this tenant are never complete, which holds the enrolments up no more.
    assert!(!runtime().block_on(ended).unwrap().is_complete());
    assert_eq!(mirror.state(4), "missing");
}

#[tokio::test]
async fn a_run_that_was_stopped_before_its_end_has_one_list() {
    let mirror = Mirror::new("enrolments", 30).await;
    mirror.delete(&[4]);
    _ = mirror.run().await;
    // As after a kill between the last two steps of the run.
    let again = "UPDATE _lms_runs SET ended = NULL WHERE run = 2 RETURNING plan";
    assert_eq!(texts(&mirror.path(), again).len(), 1);
    let export = Export::new(&mirror.tenant.lms()).collections(["enrolments"]);
    let export = export.unwrap().max_age(std::time::Duration::ZERO);
    let summary = export.run(SqliteSink::new(mirror.path())).await.unwrap();
    assert!(summary.is_complete() && mirror.state(4) == "missing");
    _ = mirror.run().await;
    assert_eq!(mirror.state(4), "deleted");
}

#[tokio::test]
async fn rows_of_an_object_that_is_gone_are_gone_in_the_same_run() {
    let (tenant, folder) = (Tenant::new(30), tempfile::tempdir().unwrap());
    let path = folder.path().join("mirror.db");
    let run = async || {
        let export = Export::new(&tenant.lms()).collections(["learners", "enrolments"]);
        let summary = export.unwrap().run(SqliteSink::new(&path)).await.unwrap();
        assert!(summary.is_complete());
    };
    run().await;
    tenant.state().rows.retain(|row| ![4, 7].contains(row));
    // This one is not in the list either, but exists.
    tenant.state().unlisted.insert(7);
    run().await;
    let of = |event: &str| {
        let sql = format!(
            "SELECT key ->> 'id' FROM _lms_changes WHERE event = '{event}' ORDER BY sequence"
        );
        texts(&path, &sql)
    };
    assert_eq!(of("learner.removed"), ["id4"]);
    assert_eq!(of("enrolment.removed"), ["id4"]);
    assert_eq!(
        number(
            &path,
            "SELECT count(*) FROM enrolments WHERE _missing_since IS NOT NULL"
        ),
        1
    );
}

#[tokio::test]
async fn a_run_asks_for_no_more_objects_than_it_may() {
    let mut mirror = Mirror::new("learners", 30).await;
    mirror.policy = MirrorPolicy::default().confirm_deletes(2);
    mirror.delete(&[4, 5, 6]);
    _ = mirror.run().await;
    assert_eq!(mirror.tenant.take_lookups().len(), 4);
    assert_eq!(mirror.removed().len(), 2);
    mirror.policy = MirrorPolicy::default().confirm_deletes(0);
    for _ in 0..2 {
        _ = mirror.run().await;
        assert_eq!(mirror.removed().len(), 2);
    }
    mirror.policy = MirrorPolicy::default();
    _ = mirror.run().await;
    assert_eq!(mirror.removed().len(), 3);

    // The collections of a run share them.
    let path = mirror.folder.path().join("both.db");
    for expected in [0, 1] {
        let policy = MirrorPolicy::default().confirm_deletes(1);
        let export = Export::new(&mirror.tenant.lms()).collections(["courses", "learners"]);
        let sink = SqliteSink::new(&path).policy(policy);
        _ = export.unwrap().run(sink).await.unwrap();
        assert_eq!(removed(&path).len(), expected);
        mirror.tenant.state().rows.retain(|known| *known != 7);
    }
}

#[tokio::test]
async fn a_row_that_a_filter_does_not_select_is_not_asked_for() {
    let (tenant, folder) = (Tenant::new(30), tempfile::tempdir().unwrap());
    let path = folder.path().join("mirror.db");
    for (run, gone) in [(1, 0), (2, 0), (3, 1)] {
        if run == 2 {
            tenant.state().unlisted.insert(4);
        }
        let export = Export::new(&tenant.lms())
            .collections(["learners"])
            .unwrap();
        let export = export.filter("learners", "tags", "red").unwrap();
        let summary = export.run(SqliteSink::new(&path)).await.unwrap();
        assert!(summary.is_complete());
        assert_eq!(removed(&path).len(), gone, "run {run}");
        assert_eq!(tenant.take_lookups(), [""; 0]);
    }
}

#[tokio::test]
async fn marked_rows_are_deleted_once_rows_are_deleted() {
    let mut mirror = Mirror::new("learners", 30).await;
    mirror.policy = MirrorPolicy::default().deletes(Deletes::Mark);
    mirror.delete(&[4, 5]);
    _ = mirror.run().await;
    let count = "SELECT count(*) FROM learners";
    assert_eq!(number(&mirror.path(), count), 30);
    mirror.policy = MirrorPolicy::default();
    _ = mirror.run().await;
    assert_eq!(number(&mirror.path(), count), 28);
    assert_eq!(mirror.removed(), ["id4", "id5"]);
}

#[tokio::test]
async fn a_page_that_a_token_of_another_tenant_reads_is_not_stored() {
    let (tenant, folder) = (Tenant::new(60), tempfile::tempdir().unwrap());
    let path = folder.path().join("mirror.db");
    // At both ends, the tenant is the right one.
    tenant.state().tids = vec!["a", "b", "a", "a"];
    tenant.state().revoked_at.extend([20, 40]);
    let run = async || {
        let export = Export::new(&tenant.lms()).collections(["enrolments"]);
        export.unwrap().run(SqliteSink::new(&path)).await.unwrap()
    };
    let summary = run().await;
    let because = &summary.collections[0].record.because;
    assert!(
        because[0].contains("a token of the tenant b"),
        "{because:?}"
    );
    tenant.state().tids = vec!["a"; 9];
    tenant.state().revoked_at.clear();
    assert!(run().await.is_complete());
    assert_eq!(number(&path, "SELECT count(*) FROM enrolments"), 60);
}
