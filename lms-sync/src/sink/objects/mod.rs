//! Object storage: Parquet, or another format, in Amazon S3 and compatible storage, Google Cloud Storage and Azure.
//!
//! ```text
//! s3://bucket/prefix/
//!   manifest.json                                the files, with hashes and completeness records
//!   learners/run=20261122T083000.123Z/part-00001-9f3c2a1b5d7e8064.parquet
//!                                                the parts of the last complete run
//!   _lms-sync/                                   the lock, and the rows of an unfinished run
//! ```
//!
//! Everything that a run needs to continue is in the storage, so another machine can continue it. The rows before each
//! checkpoint are stored as one object, after [some megabytes or seconds](ObjectsSink::checkpoint_every). When a part is full,
//! it is stored. A collection whose rows, columns and options are those of the previous run is not written again: only its
//! record is.
//!
//! A part never changes. When all collections were read, the parts of those that are complete are copied to the folder of the
//! run, the manifest is replaced in one step, and the parts of the previous run are removed. A reader of the manifest always sees one complete
//! run. A reader of `learners/*/*.parquet` can see the parts of both runs before the old ones are removed. To read only
//! one of them, select it by `run`, a column of the path.
//!
//! A run holds `_lms-sync/lock` for a minute at a time: a run that was killed on another machine can be continued a
//! minute later. A run that has lost its lock without noticing can write nothing that a reader or another run sees
//! (`manifest_fence.rs`). This needs conditional writes, which S3, Google Cloud Storage and Azure support. A storage that ignores
//! the conditions is refused. Without conditional writes (`AWS_CONDITIONAL_PUT=disabled`), only the lock separates runs.

mod lease;
mod location;
mod manifest_fence;
mod object_journal;
mod store;
mod verify_objects;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    num::NonZeroU64,
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use object_store::{ObjectStore, path::Path};
use serde::Deserialize as _;
use serde_json::Value;

pub use location::open_url;
pub use object_store;
pub use verify_objects::{read_manifest, verify};

use lease::Lease;
use manifest_fence::{ManifestFence, RunState, StoredDocument, is_journal, random};
use object_journal::{Checkpoints, JournalNames, ObjectJournal};
use store::{STATE, Store};

use super::files::{
    FileInfo, FilesOptions, Manifest, ManifestSink, manifest,
    manifest::Commit,
    manifest_sink::{FilesDestination, HeldDestination, Opened},
};
use crate::{
    collection::{Collection, collection},
    error::{Error, ErrorKind},
    plan::Plan,
};

/// The folder with the files of earlier runs.
const RUNS: &str = "runs";

/// The rows of a part unless the options say how many.
const ROWS_PER_PART: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();

/// Writes files into an object storage.
///
/// ```no_run
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_sync::Error> {
/// use lms_sync::{Export, sink::{files::{FilesOptions, Format}, objects::ObjectsSink}};
///
/// // Credentials come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, …
/// let sink = ObjectsSink::open("s3://bucket/acme", FilesOptions::new(Format::Parquet))?;
/// let summary = Export::new(&lms).collections(["enrolments"])?.run(sink).await?;
/// assert!(summary.is_complete());
/// # Ok(())
/// # }
/// ```
pub type ObjectsSink = ManifestSink<Prefix>;

/// The storage and the prefix of an [`ObjectsSink`].
pub struct Prefix {
    store: Arc<dyn ObjectStore>,
    path: Path,
    checkpoints: Checkpoints,
    kept_runs: usize,
}

/// A prefix that was taken for a run.
struct HeldPrefix {
    kept_runs: usize,
    /// Time between two writes of the manifest that publish nothing new.
    interval: Duration,
    // Released before the runtime of the store ends.
    lease: Lease,
    fence: Arc<ManifestFence>,
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prefix")
            .field("store", &self.store.to_string())
            .field("path", &self.path)
            .finish()
    }
}

impl ObjectsSink {
    /// Writes into a store, below a prefix, which may be empty. Parts have at most a million rows unless the options say how
    /// many.
    pub fn new(
        store: Arc<dyn ObjectStore>,
        prefix: impl Into<Path>,
        options: FilesOptions,
    ) -> Self {
        let prefix = Prefix {
            store,
            path: prefix.into(),
            checkpoints: Checkpoints::default(),
            kept_runs: 0,
        };
        let rows = options.rows_per_part.unwrap_or(ROWS_PER_PART);
        Self::at(prefix, options.rows_per_part(rows))
    }

    /// Stores a checkpoint after rows of this size as JSON, or after this time. Default: 16 MiB or 30 seconds. Each
    /// checkpoint costs a request, and a crash costs the reading since the last one.
    #[must_use]
    pub fn checkpoint_every(mut self, bytes: usize, interval: Duration) -> Self {
        self.destination.checkpoints = Checkpoints { bytes, interval };
        self
    }

    /// Keeps the files of earlier runs: those that a run replaces move to `runs/run=…/`, and the latest `runs` of each
    /// collection stay there. A run that finds a collection unchanged replaces nothing. Default: none is kept.
    #[must_use]
    pub fn keep_runs(mut self, runs: usize) -> Self {
        self.destination.kept_runs = runs;
        self
    }

    /// Writes below a URL: `s3://bucket/prefix` (feature `aws`), `gs://bucket/prefix` (feature `gcp`) or
    /// `az://container/prefix` (feature `azure`).
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) when the URL or the value of a variable is not valid, or the feature for the service
    /// is off. Nothing is sent.
    pub fn open(url: &str, options: FilesOptions) -> Result<Self, Error> {
        let (store, prefix) = open_url(url)?;
        Ok(Self::new(store, prefix, options))
    }
}

impl RunState {
    fn new(plan: &Plan) -> Self {
        Self {
            token: String::new(),
            run: Timestamp::now().strftime("%Y%m%dT%H%M%S.%3fZ").to_string(),
            plan: plan.clone(),
            journals: BTreeMap::new(),
            commits: BTreeMap::new(),
        }
    }

    /// Gives the run a new token, and each collection that is not committed a new journal, with what was stored in the last
    /// one.
    fn begin(
        &mut self,
        store: &Store,
        collections: &[&'static Collection],
        options: &FilesOptions,
    ) -> Result<(), Error> {
        self.token = random()?;
        for collection in collections {
            if self.commits.contains_key(collection.name) {
                continue;
            }
            let journal = random()?;
            let names = |journal: &str| JournalNames::new(collection, journal, options);
            if let Some(last) = self.journals.get(collection.name) {
                object_journal::adopt(store, &names(last), &names(&journal))?;
            }
            self.journals.insert(collection.name.to_owned(), journal);
        }
        Ok(())
    }
}

/// The objects of journals that an unfinished run does not have.
fn leftovers(store: &Store, unfinished: Option<&RunState>) -> Result<Vec<String>, Error> {
    let mut paths = store.list(STATE)?;
    paths.retain(|path| {
        let mut names = path.split('/').skip(1);
        match (names.next(), names.next(), names.next()) {
            (Some(collection), Some(journal), Some(_)) => {
                let known = unfinished.and_then(|run| run.journals.get(collection));
                is_journal(journal) && known.is_none_or(|known| known != journal)
            }
            _ => false,
        }
    });
    Ok(paths)
}

/// Refuses to write next to objects that no export wrote.
fn check_objects(store: &Store, collection: &Collection, manifest: &Manifest) -> Result<(), Error> {
    let folder = collection.name;
    let known = manifest
        .collections
        .get(folder)
        .is_some_and(|entry| entry.record.is_some());
    let ours = |path: &&String| known && path.starts_with(&format!("{folder}/run="));
    match store.list(folder)?.iter().find(|path| !ours(path)) {
        None => Ok(()),
        Some(path) => Err(Error::new(
            ErrorKind::Foreign,
            format!(
                "{} exists and is not in {}, so another program wrote it; move it away or choose another prefix",
                store.place(path),
                manifest::NAME
            ),
        )),
    }
}

/// The path of a file of an earlier run: `learners/run=…/part` becomes `runs/run=…/learners/part`.
fn kept_path(path: &str) -> Option<String> {
    let (collection, rest) = path.split_once('/')?;
    let (run, part) = rest.split_once('/')?;
    Some(format!("{RUNS}/{run}/{collection}/{part}"))
}

/// Removes the oldest kept runs of the collections of some kept files, until `most` of each are left.
fn remove_old_runs(store: &Store, kept: &[(String, String)], most: usize) -> Result<(), Error> {
    let collections: BTreeSet<&str> = kept
        .iter()
        .filter_map(|(path, _)| path.split('/').next())
        .collect();
    // `runs/run=…/learners/part`
    let name = |path: &str, index: usize| path.split('/').nth(index).unwrap_or_default().to_owned();
    let mut paths = store.list(RUNS)?;
    paths.retain(|path| collections.contains(&*name(path, 2)));
    for collection in collections {
        let of_it = paths.iter().filter(|path| name(path, 2) == collection);
        let runs: BTreeSet<String> = of_it.clone().map(|path| name(path, 1)).collect();
        let old: BTreeSet<&String> = runs.iter().rev().skip(most).collect();
        let old: Vec<String> = of_it
            .filter(|path| old.contains(&name(path, 1)))
            .cloned()
            .collect();
        store.remove(&old)?;
    }
    Ok(())
}

impl FilesDestination for Prefix {
    fn discard(&self, _options: &FilesOptions) -> Result<(), Error> {
        let store = Arc::new(Store::connect(&self.store, &self.path)?);
        let _lease = Lease::acquire(&store)?;
        let (found, state) = StoredDocument::read_published(&store)?;
        let Some(mut state) = state else {
            return Ok(());
        };
        let mut paths = leftovers(&store, None)?;
        // Parts that were copied, and that the manifest does not list yet. A state that is damaged may lack them.
        let commits = state.get_mut("commits").map(Value::take);
        let commits = serde_json::from_value(commits.unwrap_or_default());
        let commits: BTreeMap<String, Value> = commits.unwrap_or_default();
        for (name, commit) in commits {
            if let (Some(collection), Ok(commit)) = (collection(&name), Commit::deserialize(commit))
            {
                let place = store.place(manifest::NAME);
                let commit = Commit::known(Some(commit), collection, place)?;
                let files = commit.into_iter().flat_map(|commit| commit.files);
                paths.extend(files.map(|file| file.path));
            }
        }
        paths.retain(|path| !found.document.manifest.has(path));
        ManifestFence::new(&store, found)?;
        store.remove(&paths)
    }

    fn open(
        &self,
        plan: &Plan,
        collections: &[&'static Collection],
        options: &FilesOptions,
    ) -> Result<Opened, Error> {
        let store = Arc::new(Store::connect(&self.store, &self.path)?);
        let lease = Lease::acquire(&store)?;
        let mut found = StoredDocument::read(&store)?;
        let manifest = found.document.manifest.clone();
        manifest.check_tenant(plan, store.place(""))?;
        let mut unfinished = match found.document.unfinished.take() {
            Some(unfinished) => {
                plan.check(&unfinished.plan, store.place(""))?;
                unfinished
            }
            None => {
                for collection in collections {
                    check_objects(&store, collection, &manifest)?;
                }
                RunState::new(plan)
            }
        };
        unfinished.begin(&store, collections, options)?;
        let leftovers = leftovers(&store, Some(&unfinished))?;
        found.document.unfinished = Some(unfinished.clone());
        let fence = Arc::new(ManifestFence::new(&store, found)?);
        store.remove(&leftovers)?;
        let RunState { run, journals, .. } = &unfinished;
        let journals = collections.iter().map(|of| {
            let journal = journals.get(of.name).map_or("", String::as_str);
            let names = JournalNames::new(of, journal, options);
            Box::new(ObjectJournal::new(of, &fence, run, names, self.checkpoints)) as _
        });
        let journals = journals.collect();
        Ok(Opened {
            held: Box::new(HeldPrefix {
                kept_runs: self.kept_runs,
                interval: self.checkpoints.interval,
                lease,
                fence,
            }),
            journals,
            manifest,
        })
    }
}

impl HeldDestination for HeldPrefix {
    fn check(&self) -> Result<(), Error> {
        self.lease.check()
    }

    fn store_commit(&self, collection: &'static Collection, commit: &Commit) -> Result<(), Error> {
        self.fence.update_later(self.interval, |document| {
            if let Some(run) = &mut document.unfinished {
                let name = collection.name.to_owned();
                run.commits.insert(name, commit.clone());
            }
        })
    }

    fn read_commit(&self, collection: &'static Collection) -> Result<Option<Commit>, Error> {
        let commit = self.fence.commit(collection.name);
        let place = self.fence.store.place(manifest::NAME);
        Commit::known(commit, collection, place)
    }

    fn keeps(&self, files: &[FileInfo]) -> Result<bool, Error> {
        self.fence.store.have_sizes(files)
    }

    fn publishes_together(&self) -> bool {
        true
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), Error> {
        self.fence
            .update(|document| document.manifest = manifest.clone())
    }

    fn remove_files(&self, paths: &[String]) -> Result<(), Error> {
        let store = &self.fence.store;
        if self.kept_runs > 0 {
            let kept = paths
                .iter()
                .filter_map(|path| Some((path.clone(), kept_path(path)?)));
            let kept: Vec<_> = kept.collect();
            store.copy_existing(&kept)?;
            store.remove(paths)?;
            return remove_old_runs(store, &kept, self.kept_runs);
        }
        store.remove(paths)
    }

    fn end(&self, all_committed: bool) -> Result<(), Error> {
        if !all_committed {
            return self.fence.flush();
        }
        self.fence.update(|document| document.unfinished = None)
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[test]
    fn a_run_that_has_lost_its_lock_stops_at_its_next_call() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let store = Arc::new(Store::connect(&store, &Path::default()).unwrap());
        let lease = Lease::acquire(&store).unwrap();
        let fence = ManifestFence::new(&store, StoredDocument::read(&store).unwrap()).unwrap();
        let fence = Arc::new(fence);
        let held = HeldPrefix {
            kept_runs: 0,
            interval: Duration::ZERO,
            lease,
            fence,
        };
        held.check().unwrap();
        held.lease.lose();
        assert_eq!(held.check().unwrap_err().kind(), ErrorKind::Locked);
    }
}
