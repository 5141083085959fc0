//! Exports that are killed at random moments, and started again until they are done.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Instant,
};

use lms_ext::Lms;
use lms_sandbox::Sandbox;
use lms_sync::{
    Export, Row, collection,
    mirror::Mirror,
    sink::{
        files::{FilesOptions, FilesSink, Format},
        objects::{ObjectsSink, object_store::local::LocalFileSystem},
        postgres::PostgresSink,
        sqlite::SqliteSink,
    },
};

use crate::{
    demo,
    destination::{files, table},
    postgres::server,
};

const TENANT: &str = "LMS_SYNC_TEST_TENANT";
const COLLECTIONS: [&str; 4] = ["learners", "tags", "enrolments", "course_completions"];

/// The format of an SQLite mirror.
const SQLITE: &str = "sqlite";

/// The format of a PostgreSQL mirror.
const POSTGRES: &str = "postgres";

/// The format of parts in an object storage.
const OBJECTS: &str = "objects";

/// The content of a destination: the files, or the rows of each table.
fn content(format: &str, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    if format == OBJECTS {
        // A run has a folder of its own, and its parts have names of their own.
        let objects = files(folder).into_iter();
        return objects
            .filter(|(path, _)| path != "_lms-sync/lock")
            .map(|(path, content)| {
                let parts: Vec<&str> = path.split('/').collect();
                let [collection, run, part] = parts[..] else {
                    panic!("{path}");
                };
                assert!(run.starts_with("run="), "{path}");
                let number = part.rsplit_once('-').unwrap().0;
                (format!("{collection}/{number}"), content)
            })
            .collect();
    }
    if format != SQLITE && format != POSTGRES {
        return files(folder);
    }
    let (path, schema) = (folder.join("mirror.db"), server::schema_of(folder));
    let verified = match format {
        SQLITE => Mirror::sqlite(&path).verify().unwrap(),
        _ => Mirror::postgres(&server::at(&schema)).verify().unwrap(),
    };
    assert_eq!(verified.len(), COLLECTIONS.len());
    for verified in verified {
        assert_eq!(verified.problems, [""; 0], "{:?}", verified.record);
    }
    let rows = |name: &'static str| match format {
        SQLITE => table(&path, name),
        _ => rows_in(&schema, name),
    };
    COLLECTIONS
        .iter()
        .map(|name| ((*name).to_owned(), rows(name).join("\n").into_bytes()))
        .collect()
}

/// The rows of a table of a PostgreSQL mirror, sorted.
fn rows_in(schema: &str, name: &str) -> Vec<String> {
    let (mut rows, known) = (Vec::new(), collection(name).unwrap());
    let mut visit = |row| rows.push(Row::to_json(&row));
    Mirror::postgres(&server::at(schema))
        .read(|mirror| mirror.visit_rows(known, &mut visit))
        .unwrap();
    rows.sort_unstable();
    rows
}

fn options(format: &str) -> FilesOptions {
    match format {
        "csv" => FilesOptions::new(Format::Csv),
        _ => FilesOptions::new(Format::Parquet)
            .rows_per_part(300.try_into().unwrap())
            .bytes_per_group(20_000.try_into().unwrap()),
    }
}

/// Not a test: the other tests run this in a process of its own.
#[tokio::test]
#[ignore = "a program for the other tests"]
async fn child() {
    let Ok(arguments) = std::env::var(TENANT) else {
        return;
    };
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let [url, id, secret, format, folder] = arguments[..] else {
        panic!("{arguments:?}");
    };
    let lms = Lms::builder(url)
        .client_credentials(id, secret)
        .build()
        .unwrap();
    let export = Export::new(&lms)
        .collections(COLLECTIONS)
        .unwrap()
        .page_size(20);
    let summary = if format == SQLITE {
        let sink = SqliteSink::new(Path::new(folder).join("mirror.db"));
        export.run(sink).await.unwrap()
    } else if format == POSTGRES {
        let schema = server::schema_of(Path::new(folder));
        export
            .run(PostgresSink::new(server::at(&schema)))
            .await
            .unwrap()
    } else if format == OBJECTS {
        let store = LocalFileSystem::new_with_prefix(folder).unwrap();
        let sink = ObjectsSink::new(Arc::new(store), "", options(format))
            .checkpoint_every(0, std::time::Duration::ZERO);
        export.run(sink).await.unwrap()
    } else {
        let sink = FilesSink::new(folder, options(format));
        export.run(sink).await.unwrap()
    };
    assert!(summary.is_complete(), "{summary:?}");
    let resumes = summary.collections.iter().map(|of| of.record.resumes);
    let resumes: u64 = resumes.sum();
    fs::write(resumes_path(Path::new(folder)), resumes.to_string()).unwrap();
}

/// The file with the number of times that the collections in a folder continued after a checkpoint.
fn resumes_path(folder: &Path) -> PathBuf {
    folder.with_extension("resumes")
}

/// Reads and removes that file.
fn take_resumes(folder: &Path) -> u64 {
    let path = resumes_path(folder);
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(path).unwrap();
    text.parse().unwrap()
}

fn start(sandbox: &Sandbox, format: &str, folder: &Path) -> Child {
    let arguments = [
        sandbox.base_url(),
        sandbox.client_id(),
        sandbox.client_secret(),
        format,
        folder.to_str().unwrap(),
    ];
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "kill::child"])
        .env(TENANT, arguments.join(" "))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills exports until one is done; `moments` are the numbers of kills over all exports.
async fn kill_at_random_moments(format: &str, moments: u32) {
    let sandbox = demo().await;
    let whole = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    assert!(
        start(&sandbox, format, whole.path())
            .wait()
            .unwrap()
            .success()
    );
    let duration = begin.elapsed();
    assert_eq!(take_resumes(whole.path()), 0);
    let undisturbed = content(format, whole.path());
    assert!(undisturbed.len() >= COLLECTIONS.len());

    let mut rng = fastrand::Rng::with_seed(7);
    let (mut kills, mut resumes) = (0, 0);
    // Some of the kills have to come after a checkpoint.
    let needed = u64::from(moments / 4);
    while kills < moments || resumes < needed {
        assert!(
            kills < 10 * moments,
            "{format}: {resumes} of {needed} collections continued after a checkpoint"
        );
        let folder = tempfile::tempdir().unwrap();
        loop {
            let mut child = start(&sandbox, format, folder.path());
            // How far the child gets depends on the machine; that it can be stopped anywhere is the point.
            let wait = duration.mul_f64(rng.f64());
            tokio::time::sleep(wait).await;
            if child
                .try_wait()
                .unwrap()
                .is_some_and(|status| status.success())
            {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            if kills >= moments {
                assert!(
                    start(&sandbox, format, folder.path())
                        .wait()
                        .unwrap()
                        .success()
                );
                break;
            }
        }
        resumes += take_resumes(folder.path());
        assert_eq!(
            content(format, folder.path()),
            undisturbed,
            "{format}, after {kills} kills"
        );
    }
}

/// Number of killed exports in an ordinary run of the tests, and with `LMS_TESTS=full`.
const KILLS: [u32; 2] = [8, 200];

fn moments() -> u32 {
    KILLS[usize::from(crate::full())]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn csv_files_are_identical_after_kills() {
    kill_at_random_moments("csv", moments()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parquet_files_are_identical_after_kills() {
    kill_at_random_moments("parquet", moments()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_equal_after_kills() {
    kill_at_random_moments(SQLITE, moments()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by .ci/postgres"]
async fn tables_in_postgres_are_equal_after_kills() {
    kill_at_random_moments(POSTGRES, moments()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_are_identical_after_kills() {
    kill_at_random_moments(OBJECTS, moments()).await;
}
