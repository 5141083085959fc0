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

mod atomic;
mod decode;
pub(super) mod encode;
mod file_log;
pub(super) mod files_store;
mod format;
pub(super) mod manifest;
pub(super) mod manifest_sink;
#[cfg(feature = "parquet")]
mod parquet_table;
pub(crate) mod read;
pub(super) mod run_state;
mod staging;
mod unlisted;
pub(crate) mod verify_files;

use std::{
    collections::HashMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

pub use encode::{FileInfo, csv_encoder::guarded};
pub use format::{Compression, FilesOptions, Format};
pub use manifest::{Manifest, ManifestEntry};
pub use manifest_sink::ManifestSink;
#[cfg(feature = "parquet")]
pub use parquet_table::ParquetTable;
pub use read::Rows;

use atomic::{if_exists, remove, replace, sync_folder};
use file_log::FileLog;
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
    fn take(&self) -> Result<Arc<dyn FilesStore>, Error> {
        let mut store = FolderStore::new(&self.0);
        let state = self.0.join(STATE);
        regular::check_folder(&state).map_err(|error| Error::file("write into", &state, error))?;
        fs::create_dir_all(&state)
            .map_err(|error| Error::file("create the folder", &state, error))?;
        store.lock = Some(DestinationLock::of_folder(&self.0, &state.join(LOCK))?);
        Ok(Arc::new(store))
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
        Ok(Document::stored(&FolderStore::new(destination))?.manifest)
    }
}

/// Files in a folder.
struct FolderStore {
    folder: PathBuf,
    /// Held by a run.
    lock: Option<DestinationLock>,
    /// The files with the rows of journals, by their paths.
    logs: Mutex<HashMap<PathBuf, FileLog>>,
}

impl FolderStore {
    fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            lock: None,
            logs: Mutex::default(),
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// The path of the file with the rows of a journal.
    fn log_path(&self, journal: &str) -> PathBuf {
        self.path(journal).join("rows")
    }

    fn logs(&self) -> MutexGuard<'_, HashMap<PathBuf, FileLog>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
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
        let path = self.path(manifest::NAME);
        if_exists(&path, regular::read(&path))
    }

    fn write_document(&self, json: Vec<u8>) -> Result<(), Error> {
        replace(&self.path(manifest::NAME), &json)
    }

    fn last_segment(&self, journal: &str) -> Result<Option<(u64, String)>, Error> {
        let folder = self.path(journal);
        regular::check_folder(&folder).map_err(|error| Error::file("read", &folder, error))?;
        file_log::last(&self.log_path(journal))
    }

    fn visit_segments(
        &self,
        journal: &str,
        number: u64,
        visit: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // The file of a new journal may have a segment that was not stored completely.
        match number {
            0 => Ok(()),
            _ => file_log::visit(&self.log_path(journal), &mut |segment| visit(&segment)).map(drop),
        }
    }

    fn append_segment(&self, journal: &str, number: u64, segment: &str) -> Result<(), Error> {
        let path = self.log_path(journal);
        let mut logs = self.logs();
        let mut append = || {
            if !logs.contains_key(&path) {
                logs.insert(path.clone(), FileLog::open(&path, number == 0)?);
            }
            let log = logs.get_mut(&path).map(|log| log.append(&path, segment));
            log.unwrap_or(Ok(()))
        };
        append().map_err(|error| Error::file("write", &path, error))
    }

    fn create_part(&self, path: &str) -> Result<(PathBuf, File), Error> {
        let path = self.path(path);
        let create = || -> io::Result<File> {
            if let Some(folder) = path.parent() {
                regular::check_folder(folder)?;
                if !folder.exists() {
                    fs::create_dir_all(folder)?;
                    // The folder of a journal, and that of its collection.
                    folder.ancestors().take(2).try_for_each(sync_folder)?;
                }
            }
            File::create(&path)
        };
        let file = create().map_err(|error| Error::file("create", &path, error))?;
        Ok((path, file))
    }

    fn store_part(&self, path: &str, _: File) -> Result<(), Error> {
        let path = self.path(path);
        sync_folder(&path).map_err(|error| Error::file("write", &path, error))
    }

    fn open(&self, path: &str) -> Result<Option<File>, Error> {
        let path = self.path(path);
        let opened = regular::open(&path, fs::OpenOptions::new().read(true));
        if_exists(&path, opened)
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        let mut paths = Vec::new();
        let path = self.path(folder);
        if path.is_dir() && !path.is_symlink() {
            list_below(&path, &format!("{folder}/"), &mut paths)
                .map_err(|error| Error::file("read", &path, error))?;
        }
        paths.sort_unstable();
        Ok(paths)
    }

    /// Renames files.
    fn transfer(&self, names: &[(String, String)]) -> Result<(), Error> {
        for (from, to) in names {
            let [from, to] = [from, to].map(|path| self.path(path));
            // It was renamed before the crash.
            if !from.exists() && to.exists() {
                continue;
            }
            let rename = || {
                if let Some(folder) = to.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::rename(&from, &to)?;
                sync_folder(&to)
            };
            rename().map_err(|error| Error::file("rename a file to", &to, error))?;
        }
        Ok(())
    }

    fn remove(&self, paths: &[String]) -> Result<(), Error> {
        for path in paths {
            let file = self.path(path);
            // An open file keeps its space.
            self.logs().remove(&file);
            remove(&file)?;
            // The folders of a journal. Files that this program did not write stay.
            let folders = Path::new(path).ancestors().skip(1);
            let of_state =
                folders.take_while(|of| of.starts_with(STATE) && *of != Path::new(STATE));
            for folder in of_state {
                let _ = fs::remove_dir(self.folder.join(folder));
            }
        }
        Ok(())
    }
}

/// Lists the files of a folder, and those below its folders.
fn list_below(folder: &Path, prefix: &str, paths: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list_below(&entry.path(), &format!("{path}/"), paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}
