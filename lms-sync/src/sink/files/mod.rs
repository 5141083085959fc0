//! Files: CSV, NDJSON or Parquet, with a manifest.
//!
//! ```text
//! out/
//!   manifest.json       the files, with hashes and completeness records
//!   learners.csv        one file for each collection, or a folder of parts
//!   .lms-sync/          the lock, and the rows of an unfinished run
//! ```
//!
//! A file gets its name only when it is complete. Until then, it grows in the state folder, and the files of the last
//! complete run stay in place. To continue a run that was killed, start it again with the same arguments. If the tenant
//! has not changed, its files are identical to those of an undisturbed run.

mod decode;
pub(super) mod encode;
pub(super) mod files_store;
mod format;
pub(super) mod manifest;
pub(super) mod manifest_sink;
pub(crate) mod read;
pub(super) mod run_state;
mod staging;
pub(crate) mod verify_files;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

#[cfg(feature = "parquet")]
pub use encode::ParquetTable;
pub use encode::{FileInfo, csv_encoder::guarded};
pub use format::{Compression, FilesOptions, Format};
pub use manifest::{Manifest, ManifestEntry};
pub use manifest_sink::ManifestSink;
pub use read::Rows;

use files_store::{Checkpoints, FilesStore};
use manifest_sink::FilesDestination;
use run_state::Document;

use super::{lock::DestinationLock, regular};
use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
};

/// The folder with the state of a run.
const STATE: &str = ".lms-sync";

/// The lock, in that folder.
const LOCK: &str = "lock";

/// Time after which segments are synced, and thus the work that a power failure may cost. The death of the process alone costs
/// none.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// Writes files into a folder.
pub type FilesSink = ManifestSink<Folder>;

/// The folder of a [`FilesSink`].
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl FilesSink {
    /// Writes into a folder, which is created if it does not exist.
    pub fn new(destination: impl Into<PathBuf>, options: FilesOptions) -> Self {
        Self::at(Folder(destination.into()), options)
    }
}

impl FilesDestination for Folder {
    fn take(&self) -> Result<Box<dyn FilesStore>, Error> {
        let mut store = FolderStore::new(&self.0);
        let state = self.0.join(STATE);
        regular::check_folder(&state).map_err(|error| Error::file("write into", &state, error))?;
        fs::create_dir_all(&state)
            .map_err(|error| Error::file("create the folder", &state, error))?;
        store.lock = Some(DestinationLock::of_folder(&self.0, &state.join(LOCK))?);
        Ok(Box::new(store))
    }

    fn open(&self) -> Result<Box<dyn FilesStore>, Error> {
        Ok(Box::new(FolderStore::new(&self.0)))
    }
}

impl Manifest {
    /// Reads the manifest of a folder; an empty one if it has none.
    ///
    /// # Errors
    ///
    /// [`Foreign`](ErrorKind::Foreign) if the file is not a manifest, or of a newer version;
    /// [`Destination`](ErrorKind::Destination) if it cannot be read.
    pub fn read(destination: &Path) -> Result<Self, Error> {
        Ok(Document::read(&FolderStore::new(destination))?.manifest)
    }
}

/// Files in a folder.
struct FolderStore {
    folder: PathBuf,
    /// Held by a run.
    lock: Option<DestinationLock>,
    /// The segments that are not synced, and the time of the last sync.
    unsynced: Mutex<(BTreeSet<PathBuf>, Instant)>,
}

impl FolderStore {
    fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            lock: None,
            unsynced: Mutex::new((BTreeSet::new(), Instant::now())),
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Refuses a path that leads through a link out of the folder.
    fn check_inside(&self, path: &str) -> io::Result<()> {
        let mut folders = Path::new(path).ancestors().skip(1);
        folders.try_for_each(|of| match of == Path::new("") {
            true => Ok(()),
            false => regular::check_folder(&self.folder.join(of)),
        })
    }

    /// Does something with a file in the folder.
    fn call<T>(
        &self,
        doing: &str,
        path: &str,
        work: impl FnOnce(&Path) -> io::Result<T>,
    ) -> Result<T, Error> {
        let whole = self.path(path);
        let done = self.check_inside(path).and_then(|()| work(&whole));
        done.map_err(|error| Error::file(doing, &whole, error))
    }
}

/// Makes the creation, renaming or removal of a file durable.
fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), sync_folder)
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    // Only Unix opens a folder as a file.
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

/// The result of reading a file; `None` if it does not exist.
fn if_exists<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

impl FilesStore for FolderStore {
    fn is_remote(&self) -> bool {
        false
    }

    fn place(&self, path: &str) -> String {
        match path {
            "" => self.folder.display().to_string(),
            path => self.path(path).display().to_string(),
        }
    }

    fn state(&self) -> &'static str {
        STATE
    }

    /// Each one, because storing it costs little.
    fn checkpoints(&self) -> Checkpoints {
        Checkpoints {
            bytes: 0,
            interval: Duration::ZERO,
        }
    }

    fn check(&self) -> Result<(), Error> {
        self.lock.as_ref().map_or(Ok(()), DestinationLock::check)
    }

    fn check_names(
        &self,
        collections: &[&'static Collection],
        options: &FilesOptions,
        manifest: &Manifest,
        is_new: bool,
    ) -> Result<(), Error> {
        let mut folders = vec![self.folder.clone()];
        for Collection { name, .. } in collections {
            for folder in [self.path(name), self.folder.join(STATE).join(name)] {
                regular::check_folder(&folder)
                    .map_err(|error| Error::file("write into", &folder, error))?;
            }
            let file = options.path_in_folder(name, 0);
            let path = self.path(&file);
            if is_new && path.exists() && !manifest.has(&file) {
                return Err(ErrorKind::Foreign.error(format!(
                        "{} exists and is not in {}, so another program wrote it; move it away or choose another folder",
                        path.display(),
                        manifest::NAME
                    )));
            }
            folders.extend(path.parent().map(Path::to_owned));
        }
        let mut folders = folders.iter().filter(|folder| folder.is_dir());
        folders.try_for_each(|folder| {
            let created = tempfile::tempfile_in(folder).map(drop);
            created.map_err(|error| Error::file("create files in", folder, error))
        })
    }

    fn read_document(&self) -> Result<Option<Vec<u8>>, Error> {
        self.read_segment(manifest::NAME)
    }

    fn write_document(&self, json: Vec<u8>) -> Result<(), Error> {
        self.call("write", manifest::NAME, |path| {
            let temporary = self.path(&format!("{}.new", manifest::NAME));
            let mut file = regular::create(&temporary)?;
            file.write_all(&json)?;
            file.sync_all()?;
            fs::rename(&temporary, path)?;
            sync_parent(path)
        })
    }

    fn read_segment(&self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        self.call("read", path, |path| if_exists(regular::read(path)))
    }

    fn write_segment(&self, path: &str, content: Vec<u8>) -> Result<(), Error> {
        let mut guard = self.unsynced.lock().unwrap_or_else(PoisonError::into_inner);
        let (unsynced, synced) = &mut *guard;
        self.call("write", path, |path| {
            regular::create(path)?.write_all(&content)?;
            unsynced.insert(path.to_owned());
            if synced.elapsed() >= SYNC_INTERVAL {
                let mut folders = BTreeSet::new();
                for path in std::mem::take(unsynced) {
                    // Windows syncs only what can be written.
                    let file = regular::open(&path, fs::OpenOptions::new().append(true));
                    // Segments of a collection that is published are gone.
                    if if_exists(file.and_then(|file| file.sync_all()))?.is_some() {
                        folders.extend(path.parent().map(Path::to_owned));
                    }
                }
                folders
                    .iter()
                    .try_for_each(|of| if_exists(sync_folder(of)).map(drop))?;
                *synced = Instant::now();
            }
            Ok(())
        })
    }

    fn create_part(&self, path: &str) -> Result<(PathBuf, File), Error> {
        let file = self.call("create", path, |path| {
            if let Some(folder) = path.parent().filter(|folder| !folder.exists()) {
                fs::create_dir_all(folder)?;
                // The folder of a journal, and that of its collection.
                folder.ancestors().take(2).try_for_each(sync_parent)?;
            }
            File::create(path)
        });
        Ok((self.path(path), file?))
    }

    fn store_part(&self, path: &str, _: File) -> Result<(), Error> {
        self.call("write", path, sync_parent)
    }

    /// Also through a link, because the files of an export may have been moved.
    fn open(&self, path: &str) -> Result<Option<File>, Error> {
        let path = self.path(path);
        if_exists(regular::open(&path, fs::OpenOptions::new().read(true)))
            .map_err(|error| Error::file("read", &path, error))
    }

    fn list(&self, folder: &str) -> Result<BTreeMap<String, u64>, Error> {
        let mut paths = BTreeMap::new();
        let path = self.path(folder);
        if path.is_dir() && !path.is_symlink() {
            list_below(&path, &format!("{folder}/"), &mut paths)
                .map_err(|error| Error::file("read", &path, error))?;
        }
        Ok(paths)
    }

    /// Renames files.
    fn transfer(&self, names: &[(String, String)]) -> Result<(), Error> {
        names.iter().try_for_each(|(from, to)| {
            self.call("rename a file to", to, |path| {
                self.check_inside(from)?;
                let from = self.path(from);
                // It was renamed before the crash.
                if !from.exists() && path.exists() {
                    return Ok(());
                }
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::rename(&from, path)?;
                sync_parent(path)
            })
        })
    }

    fn remove(&self, paths: &[String]) -> Result<(), Error> {
        let mut folders = BTreeSet::new();
        for path in paths {
            self.call("remove", path, |path| if_exists(fs::remove_file(path)))?;
            folders.extend(Path::new(path).parent());
        }
        for folder in folders {
            // The folders of a journal. Files that this program did not write stay.
            let of_state = folder.ancestors();
            let of_state =
                of_state.take_while(|of| of.starts_with(STATE) && *of != Path::new(STATE));
            for folder in of_state {
                let _ = fs::remove_dir(self.folder.join(folder));
            }
            let folder = self.folder.join(folder);
            if_exists(sync_folder(&folder))
                .map_err(|error| Error::file("remove files in", &folder, error))?;
        }
        Ok(())
    }
}

/// Lists the files of a folder, and those below its folders.
fn list_below(folder: &Path, prefix: &str, paths: &mut BTreeMap<String, u64>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list_below(&entry.path(), &format!("{path}/"), paths)?;
        } else {
            paths.insert(path, entry.metadata()?.len());
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn segments_that_were_removed_are_not_synced() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderStore::new(folder.path());
        let write = |path: &str| store.write_segment(path, b"rows".to_vec());
        write("rows-0").unwrap();
        store.remove(&["rows-0".to_owned()]).unwrap();
        store.unsynced.lock().unwrap().1 -= SYNC_INTERVAL;
        write("rows-1").unwrap();
        assert!(store.unsynced.lock().unwrap().0.is_empty());
    }

    #[test]
    fn no_file_gets_its_name_through_a_link() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let store = FolderStore::new(folder.path());
        let part = ".lms-sync/tags/0/part-00001.csv".to_owned();
        fs::create_dir_all(folder.path().join(".lms-sync/tags")).unwrap();
        let journal = folder.path().join(".lms-sync/tags/0");
        std::os::unix::fs::symlink(other.path(), journal).unwrap();
        let linked = other.path().join("part-00001.csv");
        fs::write(&linked, "").unwrap();
        let refused = store.transfer(&[(part.clone(), "tags.csv".to_owned())]);
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Destination);
        let refused = store.remove(&[part]);
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Destination);
        assert!(linked.exists());
    }
}
