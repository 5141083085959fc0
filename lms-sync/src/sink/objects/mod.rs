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
mod store;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::File,
    io::Seek as _,
    num::NonZeroU64,
    path::{Path as FilePath, PathBuf},
    sync::{Arc, PoisonError},
    time::Duration,
};

use futures_util::{StreamExt as _, TryStreamExt as _, future::ready, stream};
use object_store::{Error as StoreError, ObjectStore, ObjectStoreExt as _, PutMode, path::Path};

pub use location::open_url;
pub use object_store;

use store::{CHECKPOINTS, Lease, STATE, Store, TEMPORARY, if_exists};

use super::files::{
    FilesOptions, Manifest, ManifestSink,
    files_store::{Checkpoints, FilesStore},
    manifest::NAME,
    manifest_sink::FilesDestination,
    run_state::Document,
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

/// Number of objects that are checked or copied concurrently.
const CONCURRENT: usize = 16;

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

/// Removes the oldest kept runs of the collections of some files, until `most` of each are left.
fn remove_old_runs(store: &Store, files: &[String], most: usize) -> Result<(), Error> {
    let collections = files.iter().filter_map(|path| path.split('/').next());
    let collections: BTreeSet<&str> = collections.collect();
    let mut runs: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for path in store.list(RUNS)?.into_keys() {
        // `runs/run=…/learners/part`
        let [_, run, collection, ..] = path.split('/').collect::<Vec<_>>()[..] else {
            continue;
        };
        if collections.contains(collection) {
            let of_it = runs.entry(collection.to_owned()).or_default();
            of_it.entry(run.to_owned()).or_default().push(path.clone());
        }
    }
    let runs = runs.into_values();
    let old = runs.flat_map(|runs| runs.into_values().rev().skip(most).flatten());
    store.remove(&old.collect::<Vec<_>>())
}

impl FilesDestination for Prefix {
    fn take(&self) -> Result<Box<dyn FilesStore>, Error> {
        let mut store = Store::connect(&self.store, &self.path)?;
        store.lease = Some(Lease::acquire(&store)?);
        (store.checkpoints, store.kept_runs) = (self.checkpoints, self.kept_runs);
        Ok(Box::new(store))
    }

    fn open(&self) -> Result<Box<dyn FilesStore>, Error> {
        Ok(Box::new(Store::connect(&self.store, &self.path)?))
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
    Ok(Document::read(&Store::connect(store, &prefix.into())?)?.manifest)
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
    verify_files::verify(&Store::connect(store, &prefix.into())?, others)
}

impl FilesStore for Store {
    fn is_remote(&self) -> bool {
        true
    }

    fn place(&self, path: &str) -> String {
        format!(
            "{path:?} below {:?} in {}",
            self.prefix.as_ref(),
            self.inner
        )
    }

    fn state(&self) -> &'static str {
        STATE
    }

    fn checkpoints(&self) -> Checkpoints {
        self.checkpoints
    }

    fn check(&self) -> Result<(), Error> {
        let lease = self.lease.as_ref();
        lease.map_or(Ok(()), |lease| lease.check(&self.place("")))
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
            if let Some(path) = self.list(name)?.keys().find(|path| !ours(path)) {
                return Err(ErrorKind::Foreign.error(format!(
                        "{} exists and is not in {NAME}, so another program wrote it; move it away or choose another prefix",
                        self.place(path)
                    )));
            }
        }
        Ok(())
    }

    fn read_document(&self) -> Result<Option<Vec<u8>>, Error> {
        let (json, version) = self.read(NAME)?.unzip();
        *self.version.lock().unwrap_or_else(PoisonError::into_inner) = version;
        Ok(json.map(Into::into))
    }

    /// A lock that expires is not enough: a run that was suspended does not know that it has lost the lock. One object,
    /// `manifest.json`, therefore has the published parts and the state of the unfinished run. A run begins by replacing this
    /// object, and can replace it again only if no other run has done so since. All other objects have random names, and have
    /// no effect until `manifest.json` names them. A run whose lock was taken over can therefore neither publish nor overwrite
    /// anything.
    ///
    /// The removal of objects cannot be conditional. After each change of `manifest.json`, a run removes only objects that it
    /// knew before that change and that are no longer needed.
    fn write_document(&self, json: Vec<u8>) -> Result<(), Error> {
        let mut version = self.version.lock().unwrap_or_else(PoisonError::into_inner);
        let mode = version.clone().map_or(PutMode::Create, PutMode::Update);
        let Some(written) = self.put(NAME, json.into(), mode)? else {
            return Err(ErrorKind::Locked.error(format!(
                    "another program has written {} during this run; wait for it to end, and start this run again",
                    self.place(NAME)
                )));
        };
        *version = Some(written);
        Ok(())
    }

    fn read_segment(&self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        let stored = self.read(path)?;
        // One that cannot be read was not stored completely.
        Ok(stored.and_then(|(content, _)| zstd::decode_all(&*content).ok()))
    }

    /// Stores an object, compressed.
    fn write_segment(&self, path: &str, content: Vec<u8>) -> Result<(), Error> {
        // Level 0 is zstd's default.
        let content = zstd::encode_all(&*content, 0)
            .map_err(|error| Error::destination("cannot compress rows", error))?;
        self.replace(path, content.into())
    }

    fn create_part(&self, _: &str) -> Result<(PathBuf, File), Error> {
        let name = FilePath::new(TEMPORARY);
        let file = tempfile::tempfile().map_err(|error| Error::file("create", name, error))?;
        Ok((name.to_owned(), file))
    }

    fn store_part(&self, path: &str, mut file: File) -> Result<(), Error> {
        file.rewind()
            .map_err(|error| Error::file("read back", FilePath::new(TEMPORARY), error))?;
        self.upload(path, file)
    }

    fn open(&self, path: &str) -> Result<Option<File>, Error> {
        let failed = |error| Error::file("write", FilePath::new(TEMPORARY), error);
        let mut file = tempfile::tempfile().map_err(failed)?;
        if !self.download(path, &mut file)? {
            return Ok(None);
        }
        file.rewind().map_err(failed)?;
        Ok(Some(file))
    }

    fn list(&self, folder: &str) -> Result<BTreeMap<String, u64>, Error> {
        let location = self.path(folder)?;
        let listed = self.inner.list(Some(&location)).try_collect::<Vec<_>>();
        let objects = self.call("list", folder, listed)?;
        let prefix = self.prefix.as_ref();
        let paths = objects.iter().filter_map(|object| {
            let path = object.location.as_ref().strip_prefix(prefix)?;
            Some((path.trim_start_matches('/').to_owned(), object.size))
        });
        Ok(paths.collect())
    }

    /// Copies objects.
    fn transfer(&self, names: &[(String, String)]) -> Result<(), Error> {
        let paths: Vec<(Path, Path)> = names
            .iter()
            .map(|(from, to)| Ok((self.path(from)?, self.path(to)?)))
            .collect::<Result<_, Error>>()?;
        let copied = stream::iter(&paths)
            .map(|(from, to)| self.inner.copy(from, to))
            .buffered(CONCURRENT)
            .try_collect::<()>();
        let first = names.first().map_or("", |(from, _)| from);
        self.call("copy", first, copied)
    }

    fn remove(&self, paths: &[String]) -> Result<(), Error> {
        let first = paths.first().cloned().unwrap_or_default();
        let locations: Vec<_> = paths
            .iter()
            .map(|path| self.path(path))
            .collect::<Result<_, _>>()?;
        let removed = self
            .inner
            .delete_stream(stream::iter(locations.into_iter().map(Ok)).boxed());
        // Some stores report objects that were removed before.
        let failures = removed.filter(|removed| {
            ready(matches!(removed, Err(error) if !matches!(error, StoreError::NotFound { .. })))
        });
        self.call("remove", &first, failures.try_for_each(|_| ready(Ok(()))))
    }

    fn retire(&self, paths: &[String]) -> Result<(), Error> {
        for path in paths.iter().filter(|_| self.kept_runs > 0) {
            let location = self.path(path)?;
            let found = async { if_exists(self.inner.head(&location).await) };
            // A run that crashed may have kept and removed it.
            if let (Some(_), Some(kept)) = (self.call("read", path, found)?, kept_path(path)) {
                self.transfer(&[(path.clone(), kept)])?;
            }
        }
        self.remove(paths)?;
        match self.kept_runs {
            0 => Ok(()),
            most => remove_old_runs(self, paths, most),
        }
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[test]
    fn a_run_that_has_lost_its_lock_stops_at_its_next_call() {
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let mut store = Store::connect(&objects, &Path::default()).unwrap();
        store.lease = Some(Lease::acquire(&store).unwrap());
        store.check().unwrap();
        store.lease.as_ref().unwrap().lose();
        assert_eq!(store.check().unwrap_err().kind(), ErrorKind::Locked);
    }
}
