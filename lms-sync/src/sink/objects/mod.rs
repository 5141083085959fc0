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
//! (see `write_document`). This needs conditional writes, which S3, Google Cloud Storage and Azure support. A storage that ignores
//! the conditions is refused. Without conditional writes (`AWS_CONDITIONAL_PUT=disabled`), only the lock separates runs.

mod lease;
mod location;
mod object_log;
mod store;

use std::{
    collections::BTreeSet,
    fmt,
    fs::File,
    io::Seek as _,
    num::NonZeroU64,
    path::{Path as FilePath, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use object_store::{ObjectStore, PutMode, UpdateVersion, path::Path};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use location::open_url;
pub use object_store;

use lease::Lease;
use object_log::ObjectLog;
use store::{STATE, Store};

use super::files::{
    FileInfo, FilesOptions, Manifest, ManifestSink,
    atomic::parse_json,
    files_store::{Checkpoints, FilesStore, SegmentLog},
    manifest::{NAME, RESTORE},
    manifest_sink::FilesDestination,
    verify_files,
};
use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    verify::VerifiedCollection,
};

/// The folder with the files of earlier runs.
const RUNS: &str = "runs";

/// The rows of a part unless the options say how many.
const ROWS_PER_PART: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();

/// The default intervals of checkpoints.
const CHECKPOINTS: Checkpoints = Checkpoints {
    bytes: 16 << 20,
    interval: Duration::from_secs(30),
};

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

/// The name of a part in messages, until it is stored.
const TEMPORARY: &str = "a temporary file";

/// The objects below a prefix.
struct PrefixStore {
    /// Held by a run. Released before the runtime of the store ends.
    lease: Option<Lease>,
    store: Arc<Store>,
    /// The version of `manifest.json` that was read or written last.
    version: Mutex<Option<UpdateVersion>>,
    checkpoints: Checkpoints,
    kept_runs: usize,
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
            checkpoints: CHECKPOINTS,
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
    fn take(&self) -> Result<Arc<dyn FilesStore>, Error> {
        let store = PrefixStore::connect(&self.store, &self.path)?;
        Ok(Arc::new(PrefixStore {
            lease: Some(Lease::acquire(&store.store)?),
            checkpoints: self.checkpoints,
            kept_runs: self.kept_runs,
            ..store
        }))
    }
}

/// Reads the manifest of an export below a prefix; an empty one if there is none.
///
/// This blocks, so it must not be called from asynchronous code.
///
/// # Errors
///
/// [`Foreign`](crate::ErrorKind::Foreign) if the manifest is not valid, or of a newer version;
/// [`Destination`](crate::ErrorKind::Destination) if it cannot be read.
pub fn read_manifest(
    store: &Arc<dyn ObjectStore>,
    prefix: impl Into<Path>,
) -> Result<Manifest, Error> {
    let (manifest, _) = PrefixStore::connect(store, &prefix.into())?.read_document()?;
    Ok(manifest)
}

/// Checks the objects of an export below a prefix, as [`verify_files`](crate::verify_files()) checks files. Downloads every
/// object into a temporary file.
///
/// This blocks, so it must not be called from asynchronous code.
///
/// # Errors
///
/// [`Foreign`](crate::ErrorKind::Foreign) when the manifest is not valid or of a newer version;
/// [`Destination`](crate::ErrorKind::Destination) when the manifest or an object cannot be read.
pub fn verify(
    store: &Arc<dyn ObjectStore>,
    prefix: impl Into<Path>,
) -> Result<Vec<VerifiedCollection>, Error> {
    // Readers take objects in folders only.
    let others = || Ok(Vec::new());
    verify_files::verify(&PrefixStore::connect(store, &prefix.into())?, others)
}

impl PrefixStore {
    fn connect(store: &Arc<dyn ObjectStore>, prefix: &Path) -> Result<Self, Error> {
        Ok(Self {
            lease: None,
            store: Arc::new(Store::connect(store, prefix)?),
            version: Mutex::default(),
            checkpoints: CHECKPOINTS,
            kept_runs: 0,
        })
    }
}

impl FilesStore for PrefixStore {
    fn is_remote(&self) -> bool {
        true
    }

    fn place(&self, path: &str) -> String {
        self.store.place(path)
    }

    fn state(&self) -> &'static str {
        STATE
    }

    fn checkpoints(&self) -> Checkpoints {
        self.checkpoints
    }

    fn check(&self) -> Result<(), Error> {
        self.lease.as_ref().map_or(Ok(()), Lease::check)
    }

    fn check_names(
        &self,
        collections: &[&'static Collection],
        _: &FilesOptions,
        manifest: &Manifest,
        is_new: bool,
    ) -> Result<(), Error> {
        for Collection { name, .. } in collections.iter().filter(|_| is_new) {
            let entry = manifest.collections.get(*name);
            let known = entry.is_some_and(|entry| entry.record.is_some());
            let ours = |path: &&String| known && path.starts_with(&format!("{name}/run="));
            if let Some(path) = self.store.list(name)?.iter().find(|path| !ours(path)) {
                return Err(ErrorKind::Foreign.error(format!(
                        "{} exists and is not in {NAME}, so another program wrote it; move it away or choose another prefix",
                        self.store.place(path)
                    )));
            }
        }
        Ok(())
    }

    fn read_document(&self) -> Result<(Manifest, Option<Value>), Error> {
        #[derive(Deserialize)]
        struct Stored {
            #[serde(flatten)]
            manifest: Manifest,
            #[serde(default)]
            unfinished: Option<Value>,
        }
        let (json, version) = self.store.read(NAME)?.unzip();
        *self.version.lock().unwrap_or_else(PoisonError::into_inner) = version;
        let place = self.store.place(NAME);
        let stored = json.map(|json| parse_json::<Stored>(&json, &place, RESTORE));
        let (manifest, state) = match stored.transpose()? {
            Some(stored) => (Some(stored.manifest), stored.unfinished),
            None => (None, None),
        };
        Ok((Manifest::known(manifest, place)?, state))
    }

    /// A lock that expires is not enough: a run that was suspended does not know that it has lost the lock. One object,
    /// `manifest.json`, therefore has the published parts and the state of the unfinished run. A run begins by replacing this
    /// object, and can replace it again only if no other run has done so since. All other objects have random names, and have
    /// no effect until `manifest.json` names them. A run whose lock was taken over can therefore neither publish nor overwrite
    /// anything.
    ///
    /// The removal of objects cannot be conditional. After each change of `manifest.json`, a run removes only objects that it
    /// knew before that change and that are no longer needed.
    fn write_document(&self, manifest: &Manifest, state: Option<Value>) -> Result<(), Error> {
        #[derive(Serialize)]
        struct Stored<'a> {
            #[serde(flatten)]
            manifest: &'a Manifest,
            #[serde(skip_serializing_if = "Option::is_none")]
            unfinished: Option<Value>,
        }
        let document = Stored {
            manifest,
            unfinished: state,
        };
        let mut json = serde_json::to_vec_pretty(&document)
            .map_err(|error| Error::destination("cannot write JSON", error))?;
        json.push(b'\n');
        let mut version = self.version.lock().unwrap_or_else(PoisonError::into_inner);
        let mode = version.clone().map_or(PutMode::Create, PutMode::Update);
        let Some(written) = self.store.put(NAME, json.into(), mode)? else {
            return Err(ErrorKind::Locked.error(format!(
                    "another program has written {} during this run; wait for it to end, and start this run again",
                    self.store.place(NAME)
                )));
        };
        *version = Some(written);
        Ok(())
    }

    fn log(&self, journal: &str) -> Box<dyn SegmentLog> {
        Box::new(ObjectLog::new(&self.store, journal))
    }

    fn create_part(&self, _: &str) -> Result<(PathBuf, File), Error> {
        let name = FilePath::new(TEMPORARY);
        let file = tempfile::tempfile().map_err(|error| Error::file("create", name, error))?;
        Ok((name.to_owned(), file))
    }

    fn store_part(&self, path: &str, mut file: File) -> Result<(), Error> {
        file.rewind()
            .map_err(|error| Error::file("read back", FilePath::new(TEMPORARY), error))?;
        self.store.upload(path, file)
    }

    fn open(&self, path: &str) -> Result<Option<File>, Error> {
        let failed = |error| Error::file("write", FilePath::new(TEMPORARY), error);
        let mut file = tempfile::tempfile().map_err(failed)?;
        if !self.store.download(path, &mut file)? {
            return Ok(None);
        }
        file.rewind().map_err(failed)?;
        Ok(Some(file))
    }

    fn have_sizes(&self, files: &[FileInfo]) -> Result<bool, Error> {
        self.store.have_sizes(files)
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        self.store.list(folder)
    }

    /// Copies objects.
    fn transfer(&self, names: &[(String, String)]) -> Result<(), Error> {
        self.store.copy_all(names)
    }

    fn remove(&self, paths: &[String]) -> Result<(), Error> {
        self.store.remove(paths)
    }

    fn retire(&self, paths: &[String]) -> Result<(), Error> {
        if self.kept_runs == 0 {
            return self.store.remove(paths);
        }
        let kept = paths
            .iter()
            .filter_map(|path| Some((path.clone(), kept_path(path)?)));
        let kept: Vec<_> = kept.collect();
        self.store.copy_existing(&kept)?;
        self.store.remove(paths)?;
        remove_old_runs(&self.store, &kept, self.kept_runs)
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[test]
    fn a_run_that_has_lost_its_lock_stops_at_its_next_call() {
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let mut store = PrefixStore::connect(&objects, &Path::default()).unwrap();
        store.lease = Some(Lease::acquire(&store.store).unwrap());
        store.check().unwrap();
        store.lease.as_ref().unwrap().lose();
        assert_eq!(store.check().unwrap_err().kind(), ErrorKind::Locked);
    }
}
