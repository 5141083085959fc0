//! Exports into an object storage.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use async_trait::async_trait;
use lms_ext::Lms;
use lms_sync::{
    Collection, ErrorKind, Export, Row, RunSummary,
    sink::{
        Sink,
        files::{FilesOptions, Format, Manifest},
        objects::{
            self, ObjectsSink,
            object_store::{
                ObjectStore, ObjectStoreExt as _, PutMode, local::LocalFileSystem,
                memory::InMemory, path::Path,
            },
        },
    },
};

use crate::{
    client, demo,
    kit::{self, fixtures::Removed},
    store::{Watch, Watched, Write},
};

fn ndjson() -> FilesOptions {
    FilesOptions::new(Format::Ndjson).rows_per_part(5.try_into().unwrap())
}

pub fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

async fn read(store: &dyn ObjectStore, path: &str) -> Option<String> {
    let object = store.get(&Path::parse(path).unwrap()).await.ok()?;
    let bytes = object.bytes().await.unwrap();
    Some(String::from_utf8(bytes.to_vec()).unwrap())
}

/// The rows that a reader of the manifest below a prefix finds.
pub async fn published(
    store: &dyn ObjectStore,
    prefix: &str,
    collection: &'static Collection,
) -> Option<Vec<Row>> {
    let manifest = read(store, &format!("{prefix}/manifest.json")).await?;
    let manifest: Manifest = serde_json::from_str(&manifest).unwrap();
    let entry = manifest.collections.get(collection.name)?;
    assert!(
        entry
            .record
            .as_ref()
            .is_none_or(lms_sync::CompletenessRecord::is_complete)
    );
    let mut rows = Vec::new();
    for file in &entry.files {
        let text = read(store, &format!("{prefix}/{}", file.path))
            .await
            .unwrap();
        assert_eq!(text.len() as u64, file.bytes);
        rows.extend(
            text.lines()
                .map(|line| Row::from_json(collection, line).unwrap()),
        );
    }
    Some(rows)
}

struct Memory(Arc<InMemory>);

impl kit::Fixture for Memory {
    fn sink(&self) -> Box<dyn Sink> {
        let sink = ObjectsSink::new(self.0.clone(), "acme", ndjson());
        Box::new(sink.checkpoint_every(0, std::time::Duration::ZERO))
    }

    fn publishes_together(&self) -> bool {
        true
    }

    fn published(&self, collection: &'static Collection) -> Option<Vec<Row>> {
        block(published(&*self.0, "acme", collection))
    }

    fn fill(&self) -> Option<Box<dyn std::any::Any>> {
        None
    }
}

#[test]
fn a_store_with_conditions_passes_the_kit() {
    kit::check(|| Memory(Arc::new(InMemory::new())));
}

struct Local(tempfile::TempDir);

impl Local {
    fn store(&self) -> Arc<LocalFileSystem> {
        Arc::new(LocalFileSystem::new_with_prefix(self.0.path()).unwrap())
    }
}

impl kit::Fixture for Local {
    fn sink(&self) -> Box<dyn Sink> {
        let sink = ObjectsSink::new(self.store(), "acme", ndjson());
        Box::new(sink.checkpoint_every(0, std::time::Duration::ZERO))
    }

    fn publishes_together(&self) -> bool {
        true
    }

    fn published(&self, collection: &'static Collection) -> Option<Vec<Row>> {
        block(published(&*self.store(), "acme", collection))
    }

    /// Puts a file where the sink needs a folder.
    fn fill(&self) -> Option<Box<dyn std::any::Any>> {
        let path = self.0.path().join("acme/_lms-sync/course_completions");
        fs::write(&path, "").unwrap();
        Some(Box::new(Removed(path)))
    }
}

#[test]
fn a_store_without_conditional_updates_passes_the_kit() {
    kit::check(|| Local(tempfile::tempdir().unwrap()));
}

fn sink(store: &Arc<InMemory>, rows_per_part: u64) -> ObjectsSink {
    let options =
        FilesOptions::new(Format::Ndjson).rows_per_part(rows_per_part.try_into().unwrap());
    ObjectsSink::new(store.clone(), "acme", options)
}

async fn export(lms: &Lms, sink: ObjectsSink) -> Result<RunSummary, lms_sync::Error> {
    let export = Export::new(lms).collections(["learners", "tags"]).unwrap();
    export.page_size(50).run(sink).await
}

async fn paths(store: &InMemory) -> Vec<String> {
    use futures_util::TryStreamExt as _;
    let objects: Vec<_> = store.list(None).try_collect().await.unwrap();
    let mut paths: Vec<String> = objects
        .into_iter()
        .map(|object| object.location.to_string())
        .collect();
    paths.sort();
    paths
}

#[tokio::test]
async fn a_prefix_contains_the_parts_of_the_last_run_and_nothing_else() {
    let (sandbox, store) = (demo().await, Arc::new(InMemory::new()));
    let lms = client(&sandbox);
    for rows in [100, 150] {
        let summary = export(&lms, sink(&store, rows)).await.unwrap();
        assert!(summary.is_complete(), "{summary:?}");
        let count = summary.collections[0].record.rows.div_ceil(rows);
        let paths = paths(&store).await;
        let parts = paths
            .iter()
            .filter(|path| path.starts_with("acme/learners/run=20") && path.ends_with(".ndjson"));
        assert_eq!(parts.count() as u64, count, "{paths:?}");
        // The parts of both collections, the manifest and the lock.
        assert_eq!(paths.len() as u64, count + 3, "{paths:?}");
    }
}

fn parquet(store: &Arc<InMemory>) -> ObjectsSink {
    let options = FilesOptions::new(Format::Parquet)
        .rows_per_part(120.try_into().unwrap())
        .bytes_per_group(10_000.try_into().unwrap());
    ObjectsSink::new(store.clone(), "acme", options)
}

/// The sizes and hashes of the parts of each collection.
async fn parts(store: &InMemory) -> Vec<(String, u64, String)> {
    let manifest = read(store, "acme/manifest.json").await.unwrap();
    let manifest: Manifest = serde_json::from_str(&manifest).unwrap();
    let entries = manifest.collections.into_iter();
    let files = entries.flat_map(|(name, entry)| {
        let files = entry.files.into_iter();
        files.map(move |file| (name.clone(), file.bytes, file.sha256))
    });
    files.collect()
}

#[tokio::test]
async fn a_missing_part_and_a_part_that_the_manifest_does_not_list_are_found() {
    let (sandbox, store) = (demo().await, Arc::new(InMemory::new()));
    let summary = export(&client(&sandbox), parquet(&store)).await.unwrap();
    assert!(summary.is_complete());
    let paths = paths(&store).await;
    let part = paths
        .iter()
        .find(|path| path.contains("learners/"))
        .unwrap();
    let copy = part.replace("part-", "copy of part-");
    let (part, copy) = (Path::parse(part).unwrap(), Path::parse(copy).unwrap());
    store.rename(&part, &copy).await.unwrap();
    let store: Arc<dyn ObjectStore> = store;
    let verified = tokio::task::spawn_blocking(move || objects::verify(&store, "acme"));
    let verified = verified.await.unwrap().unwrap();
    let learners = verified.iter().find(|one| one.collection == "learners");
    let problems = learners.unwrap().problems.join("; ");
    assert!(problems.contains("is missing"), "{problems}");
    assert!(problems.contains("is not in manifest.json"), "{problems}");
}

#[tokio::test]
async fn a_manifest_that_another_program_replaced_is_not_overwritten() {
    let (sandbox, store) = (demo().await, Arc::new(InMemory::new()));
    let lms = client(&sandbox);
    assert!(export(&lms, sink(&store, 100)).await.unwrap().is_complete());
    let path = Path::parse("acme/manifest.json").unwrap();
    let (other, shared) = ("{}", store.clone());
    let export = Export::new(&lms).collections(["tags"]).unwrap();
    let ended = export
        .on_progress(move |_| {
            let (shared, path) = (shared.clone(), path.clone());
            std::thread::spawn(move || block(shared.put(&path, other.into())).unwrap())
                .join()
                .unwrap();
        })
        // Other options, so that the unchanged collection is written again.
        .run(sink(&store, 50))
        .await;
    let error = ended.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked, "{error}");
    assert_eq!(read(&*store, "acme/manifest.json").await.unwrap(), other);
}

#[tokio::test]
async fn a_damaged_manifest_is_no_dead_end() {
    let (sandbox, store) = (demo().await, Arc::new(InMemory::new()));
    let lms = client(&sandbox);
    _ = export(&lms, sink(&store, 100)).await;
    let manifest = Path::parse("acme/manifest.json").unwrap();
    store.put(&manifest, "{".into()).await.unwrap();
    let refused = export(&lms, sink(&store, 100).discard_unfinished()).await;
    let error = refused.unwrap_err().to_string();
    let advice = "restore it, or move it and the files of the export away";
    assert!(error.contains(advice), "{error}");
    for path in paths(&store).await {
        if !path.contains("/_lms-sync/") {
            store.delete(&Path::parse(path).unwrap()).await.unwrap();
        }
    }
    assert!(export(&lms, sink(&store, 100)).await.unwrap().is_complete());
}

#[tokio::test]
async fn objects_of_other_programs_are_not_touched() {
    let (sandbox, store) = (demo().await, Arc::new(InMemory::new()));
    let other = Path::parse("acme/tags/data.parquet").unwrap();
    store.put(&other, "other".into()).await.unwrap();
    let error = export(&client(&sandbox), sink(&store, 100))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Foreign);
    assert!(error.to_string().contains("tags/data.parquet"), "{error}");
    let expected = ["acme/_lms-sync/lock", "acme/tags/data.parquet"];
    assert_eq!(paths(&store).await, expected);
}

#[test]
fn urls_are_checked_before_anything_is_sent() {
    for (url, reason) in [
        ("out", "relative URL"),
        ("ftp://host/path", "no object storage"),
        ("s3://key:secret@bucket/prefix", "contains a password"),
    ] {
        let error = ObjectsSink::open(url, ndjson()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{url}");
        let message = error.to_string();
        assert!(
            message.contains(reason) && !message.contains(":secret"),
            "{message}"
        );
    }
}

/// Counts what a service charges as writes.
#[async_trait]
impl Watch for Arc<AtomicU32> {
    async fn before(&self, write: Write<'_>) {
        let is_charged = match write {
            // A lock is extended once in a while.
            Write::Put(path, options) if path.as_ref().ends_with("/lock") => {
                !matches!(options.mode, PutMode::Update(_))
            }
            Write::Put(..) | Write::Other => true,
            Write::Delete => false,
        };
        self.fetch_add(u32::from(is_charged), Ordering::Relaxed);
    }
}

async fn manifest(store: &InMemory) -> Manifest {
    let manifest = read(store, "acme/manifest.json").await.unwrap();
    serde_json::from_str(&manifest).unwrap()
}

#[tokio::test]
async fn a_night_costs_few_writes_and_an_unchanged_one_writes_no_file() {
    let (sandbox, writes) = (demo().await, Arc::new(AtomicU32::new(0)));
    let store = Watched {
        store: Arc::new(InMemory::new()),
        watch: writes.clone(),
    };
    let lms = client(&sandbox);
    let known = lms_sync::collections().iter();
    let names = known
        .filter(|known| !known.is_derived())
        .map(|known| known.name);
    let names: Vec<&str> = names.collect();
    let (mut written, mut files, mut pages) = (Vec::new(), Vec::new(), Vec::new());
    for page_size in [50, 40] {
        let options = FilesOptions::new(Format::Parquet);
        let sink = ObjectsSink::new(Arc::new(store.clone()), "acme", options)
            .checkpoint_every(usize::MAX, std::time::Duration::MAX);
        let export = Export::new(&lms).collections(names.iter().copied());
        let export = export.unwrap().page_size(page_size);
        let summary = export.run(sink).await.unwrap();
        assert!(summary.is_complete(), "{summary:?}");
        written.push(writes.swap(0, Ordering::Relaxed));
        files.push(parts(&store.store).await);
        let learners = manifest(&store.store).await.collections["learners"].clone();
        pages.push(learners.record.unwrap().pages);
    }
    // A part, its copy and two manifests for each collection; the lock and the manifest of the run.
    let most = 4 * u32::try_from(names.len()).unwrap() + 5;
    assert!(written[0] <= most && written[1] <= 5, "{written:?}");
    assert_eq!(files[0], files[1]);
    // The record is that of the second run.
    assert!(pages[0] < pages[1], "{pages:?}");
}

#[tokio::test]
async fn an_unchanged_collection_whose_file_is_gone_is_written_again() {
    let (sandbox, store) = (demo().await, Arc::new(InMemory::new()));
    let lms = client(&sandbox);
    export(&lms, sink(&store, 100))
        .await
        .unwrap()
        .into_result()
        .unwrap();
    let before = manifest(&store).await;
    let path = &before.collections["tags"].files[0].path;
    let path = Path::parse(format!("acme/{path}")).unwrap();
    store.delete(&path).await.unwrap();
    export(&lms, sink(&store, 100))
        .await
        .unwrap()
        .into_result()
        .unwrap();
    let after = manifest(&store).await;
    let files = |manifest: &Manifest, name: &str| manifest.collections[name].files.clone();
    assert_eq!(files(&after, "learners"), files(&before, "learners"));
    assert_ne!(files(&after, "tags"), files(&before, "tags"));
    assert!(
        published(&*store, "acme", lms_sync::collection("tags").unwrap())
            .await
            .is_some()
    );
}

#[tokio::test]
async fn runs_that_are_kept_move_below_runs_and_the_oldest_is_removed() {
    let (sandbox, store) = (demo().await, Arc::new(InMemory::new()));
    let lms = client(&sandbox);
    let mut runs = Vec::new();
    for rows in [100, 110, 120, 130, 130] {
        let sink = sink(&store, rows).keep_runs(2);
        export(&lms, sink).await.unwrap().into_result().unwrap();
        let path = manifest(&store).await.collections["tags"].files[0]
            .path
            .clone();
        runs.push(path.split('/').nth(1).unwrap().to_owned());
    }
    // The last run changed nothing.
    assert_eq!(runs[3], runs[4]);
    let paths = paths(&store).await;
    let kept = paths.iter().filter_map(|path| {
        let (run, rest) = path.strip_prefix("acme/runs/")?.split_once('/')?;
        rest.starts_with("tags/").then(|| run.to_owned())
    });
    assert_eq!(kept.collect::<Vec<_>>(), runs[1..3]);
    let current = paths.iter().filter(|path| path.starts_with("acme/tags/"));
    assert_eq!(current.count(), 1);
}
