//! Power cuts: everything that was not synced is lost.
//!
//! A program that writes into a destination runs under strace. From the trace of its file operations, a simulated
//! [disk](disk) has the state that a power [cut](cuts) would leave after each of them. Then the destination must have what the
//! program has acknowledged, and the next run must bring it up to date, with a feed that continues.
//!
//! `LMS_TESTS=full` tries ten times as many cuts.

mod cuts;
mod disk;
mod token;
mod trace;

use std::{
    env,
    path::{Path, PathBuf},
};

use lms_sync::verify_files;
use rusqlite::Connection;
use serde_json::json;

use crate::{
    destination::{Destination, Kind},
    full,
    server::{Read, Script, Server},
    subject::Subject,
    tenant::{Change, Paging, Part, Tenant, What},
};
use cuts::{check_after_cuts, traced};
use trace::say;

/// The changes of the tenant before each run.
fn scripts() -> Vec<Script> {
    let change = |what, index| {
        (
            0,
            Change {
                part: Part::First,
                what,
                index,
            },
        )
    };
    let script = |changes: &[(u8, Change)]| Script {
        changes: changes.to_vec(),
        lies: Vec::new(),
    };
    vec![
        script(&[]),
        script(&[change(What::Insert, 1), change(What::Edit, 3)]),
        script(&[change(What::Delete, 0)]),
        script(&[change(What::Insert, 0), change(What::Delete, 2)]),
    ]
}

fn server() -> Server {
    Server::new(
        Subject::Learners,
        Tenant::new(Subject::Learners, Paging::Keyset, 2, 5, 0),
    )
}

fn run(future: impl Future) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(future);
}

/// The program that loses its power.
#[test]
#[ignore = "started by the tests below"]
fn child() {
    let root = PathBuf::from(env::var_os("LMS_MODEL_ROOT").unwrap());
    match env::var("LMS_MODEL_JOB").unwrap().as_str() {
        "files" => run(load(Kind::Files, &root)),
        "mirror" => run(load(Kind::Sqlite, &root)),
        "token" => run(token::store(&root)),
        other => panic!("there is no job {other}"),
    }
}

async fn load(kind: Kind, root: &Path) {
    let server = server();
    let mut destination = Destination::at(kind, Subject::Learners, server.clone(), root);
    // As long as another program has a mirror open, nothing is synced when a run closes it.
    let reader = (kind == Kind::Sqlite).then(|| Connection::open(destination.database()).unwrap());
    for (number, script) in scripts().iter().enumerate() {
        server.begin(script, Read::Anew);
        let ended = destination.run().await;
        assert!(ended.complete, "{ended:?}");
        let events = reader.as_ref().map(events).unwrap_or_default();
        say(&format!("done {number} {}", json!(events)));
    }
}

/// The feed of a mirror.
fn events(mirror: &Connection) -> Vec<String> {
    let sql = "SELECT sequence || ' ' || event || ' ' || key FROM _lms_changes ORDER BY sequence";
    let mut statement = mirror.prepare(sql).unwrap();
    let events = statement.query_map((), |row| row.get(0)).unwrap();
    events.map(Result::unwrap).collect()
}

/// Checks what each of many power cuts leaves of a job.
fn cut(job: &str, check: impl Fn(&Path, &[&str], &str)) {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let variables = [
        ("LMS_MODEL_JOB", job.as_ref()),
        ("LMS_MODEL_ROOT", root.as_os_str()),
    ];
    let operations = traced("power::child", &variables);
    let cuts = if full() { 5_000 } else { 500 };
    let said = check_after_cuts(&root, &operations, cuts, check);
    assert!(
        said.iter().any(|line| line.starts_with("done")),
        "nothing was acknowledged"
    );
}

/// Checks a destination after a power cut, and after the next runs.
fn check_destination(kind: Kind, left: &Path, said: &[&str], case: &str) {
    let done: Vec<&str> = said
        .iter()
        .filter_map(|line| line.strip_prefix("done "))
        .collect();
    let (told, done) = (
        done.last().and_then(|line| line.split_once(' ')),
        done.len(),
    );
    let server = server();
    let mut destination = Destination::at(kind, Subject::Learners, server.clone(), left);
    let rows = destination.rows();
    let mut possible = vec![Default::default()];
    for script in &scripts() {
        server.begin(script, Read::Anew);
        possible.push(destination.truth());
    }
    let expected = &possible[done..possible.len().min(done + 2)];
    assert!(
        expected.contains(&rows),
        "{case}: it has {rows:?} instead of one of {expected:?}"
    );
    run(async {
        // The first run may find that the one before it was complete, and the second one a change since a checkpoint.
        for _ in 0..4 {
            server.begin(&Script::default(), Read::Anew);
            let ended = destination.run().await;
            if ended.complete && destination.rows() == destination.truth() {
                return;
            }
        }
        panic!("{case}: it ends with {:?}", destination.rows());
    });
    if kind == Kind::Sqlite {
        // No event that a reader has seen is replaced by another one.
        let told: Vec<String> = told.map_or_else(Vec::new, |(_, events)| {
            serde_json::from_str(events).unwrap()
        });
        let now = events(&Connection::open(destination.database()).unwrap());
        assert!(
            now.starts_with(&told),
            "{case}: the feed was {told:?}, and is {now:?}"
        );
    }
    if kind == Kind::Files {
        for collection in verify_files(left).unwrap() {
            assert!(collection.is_intact(), "{case}: {collection:?}");
        }
    }
}

#[test]
#[ignore = "needs strace"]
fn an_acknowledged_export_survives_a_power_cut() {
    cut("files", |left, said, case| {
        check_destination(Kind::Files, left, said, case);
    });
}

#[test]
#[ignore = "needs strace"]
fn an_acknowledged_mirror_and_its_feed_survive_a_power_cut() {
    cut("mirror", |left, said, case| {
        check_destination(Kind::Sqlite, left, said, case);
    });
}

#[test]
#[ignore = "needs strace"]
fn a_token_file_has_a_whole_token_or_none_after_a_power_cut() {
    cut("token", |left, _, case| run(token::check(left, case)));
}
