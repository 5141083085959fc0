//! Files: CSV, NDJSON or Parquet, with a manifest.
//!
//! ```text
//! out/
//!   manifest.json       the files, with hashes and completeness records
//!   learners.csv        one file for each collection, or a folder of parts
//!   .lms-sync/          the lock, and the state of an unfinished run
//! ```
//!
//! A file gets its name only when it is complete. Until then, it grows in the state folder, and the files of the last
//! complete run stay in place. To continue a run that was killed, start it again with the same arguments. If the tenant
//! has not changed, its files are identical to those of an undisturbed run.

pub(super) mod atomic;
mod decode;
pub(super) mod encode;
mod file_journal;
mod format;
pub(super) mod manifest;
pub(super) mod manifest_sink;
#[cfg(feature = "parquet")]
mod parquet_table;
pub(crate) mod read;
pub(super) mod staging;
pub(super) mod unlisted;
pub(crate) mod verify_files;

use std::{
    fs,
    path::{Path, PathBuf},
};

pub use encode::{FileInfo, csv_encoder::guarded};
pub use format::{Compression, FilesOptions, Format};
pub use manifest::{Manifest, ManifestEntry};
pub use manifest_sink::ManifestSink;
#[cfg(feature = "parquet")]
pub use parquet_table::ParquetTable;
pub use read::Rows;

use atomic::{DISCARD, read_json, remove, write_json};
use file_journal::FileJournal;
use manifest::Commit;
use manifest_sink::{FilesDestination, HeldDestination, Opened};

use super::{lock::DestinationLock, regular};
use crate::{
    collection::{Collection, collections},
    error::{Error, ErrorKind},
    plan::{CollectionPlan, Plan},
};

/// The folder with the state of a run.
const STATE: &str = ".lms-sync";
const PLAN: &str = "plan.json";
const LOCK: &str = "lock";

/// Writes files into a folder.
pub type FilesSink = ManifestSink<Folder>;

/// The folder of a [`FilesSink`].
#[derive(Clone, Debug)]
pub struct Folder {
    destination: PathBuf,
    state: PathBuf,
}

/// A folder that was taken for a run.
struct HeldFolder {
    folder: Folder,
    lock: DestinationLock,
    options: FilesOptions,
    collections: Vec<&'static Collection>,
}

impl FilesSink {
    /// Writes into a folder, which is created if it does not exist.
    pub fn new(destination: impl Into<PathBuf>, options: FilesOptions) -> Self {
        let destination = destination.into();
        let state = destination.join(STATE);
        Self::at(Folder { destination, state }, options)
    }

    /// The folder.
    #[must_use]
    pub fn destination(&self) -> &Path {
        &self.destination.destination
    }
}

impl Folder {
    fn lock(&self) -> Result<DestinationLock, Error> {
        DestinationLock::of_folder(&self.destination, &self.state.join(LOCK))
    }

    /// Stores the plan, or refuses one that differs from that of the unfinished run.
    fn check_plan(&self, plan: &Plan) -> Result<(), Error> {
        let path = self.state.join(PLAN);
        match read_json::<Plan>(&path, DISCARD)? {
            None => write_json(&path, plan),
            Some(unfinished) => plan.check(&unfinished, self.destination.display()),
        }
    }

    fn journal(&self, of: &'static Collection, options: &FilesOptions) -> FileJournal {
        FileJournal::new(of, &self.destination, &self.state, options)
    }

    /// Refuses a folder in which the files cannot get their names later.
    fn check_writable(&self, journals: &[FileJournal]) -> Result<(), Error> {
        let parts = journals
            .iter()
            .map(|journal| self.destination.join(journal.name(0)));
        let folders = parts.filter_map(|part| Some(part.parent()?.to_owned()));
        for folder in folders.chain([self.destination.clone()]) {
            if folder.is_dir() {
                tempfile::tempfile_in(&folder)
                    .map_err(|error| Error::file("create files in", &folder, error))?;
            }
        }
        Ok(())
    }

    /// Refuses to replace files that no export wrote.
    fn check_files(&self, journals: &[FileJournal], manifest: &Manifest) -> Result<(), Error> {
        for journal in journals {
            let name = journal.name(0);
            let path = self.destination.join(&name);
            if path.exists() && !manifest.has(&name) {
                return Err(Error::new(
                    ErrorKind::Foreign,
                    format!(
                        "{} exists and is not in {}, so another program wrote it; move it away or choose another folder",
                        path.display(),
                        manifest::NAME
                    ),
                ));
            }
        }
        Ok(())
    }
}

impl FilesDestination for Folder {
    fn discard(&self, options: &FilesOptions) -> Result<(), Error> {
        let path = self.state.join(PLAN);
        let unfinished: Vec<&'static Collection> = match read_json::<Plan>(&path, DISCARD) {
            Ok(None) => return Ok(()),
            Ok(Some(plan)) => plan
                .collections
                .iter()
                .filter_map(CollectionPlan::collection)
                .collect(),
            // It may have been for any of them.
            Err(error) if matches!(error.kind(), ErrorKind::Damaged | ErrorKind::Foreign) => {
                collections().iter().collect()
            }
            Err(error) => return Err(error),
        };
        let _lock = self.lock()?;
        for collection in unfinished {
            self.journal(collection, options).remove_all()?;
        }
        remove(&path)
    }

    fn open(
        &self,
        plan: &Plan,
        collections: &[&'static Collection],
        options: &FilesOptions,
    ) -> Result<Opened, Error> {
        let names = collections.iter().map(|collection| collection.name);
        let folders =
            names.flat_map(|name| [&self.state, &self.destination].map(|of| of.join(name)));
        for folder in folders.chain([self.state.clone()]) {
            regular::check_folder(&folder)
                .map_err(|error| Error::file("write into", &folder, error))?;
        }
        fs::create_dir_all(&self.state)
            .map_err(|error| Error::file("create the folder", &self.state, error))?;
        let lock = self.lock()?;
        let manifest = Manifest::read(&self.destination)?;
        manifest.check_tenant(plan, self.destination.display())?;
        let journals = collections.iter().map(|of| self.journal(of, options));
        let journals: Vec<FileJournal> = journals.collect();
        self.check_writable(&journals)?;
        if !self.state.join(PLAN).exists() {
            self.check_files(&journals, &manifest)?;
            // A run that was complete may have been killed while it cleaned up.
            journals.iter().try_for_each(FileJournal::remove_all)?;
        }
        self.check_plan(plan)?;
        Ok(Opened {
            held: Box::new(HeldFolder {
                folder: self.clone(),
                lock,
                options: options.clone(),
                collections: collections.to_vec(),
            }),
            journals: journals.into_iter().map(|of| Box::new(of) as _).collect(),
            manifest,
        })
    }
}

impl HeldFolder {
    fn journal(&self, of: &'static Collection) -> FileJournal {
        self.folder.journal(of, &self.options)
    }
}

impl HeldDestination for HeldFolder {
    fn check(&self) -> Result<(), Error> {
        self.lock.check()
    }

    fn store_commit(&self, collection: &'static Collection, commit: &Commit) -> Result<(), Error> {
        write_json(&self.journal(collection).commit_path(), commit)
    }

    fn read_commit(&self, collection: &'static Collection) -> Result<Option<Commit>, Error> {
        let path = self.journal(collection).commit_path();
        Commit::known(read_json(&path, DISCARD)?, collection, path.display())
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), Error> {
        manifest.write(&self.folder.destination)
    }

    fn remove_files(&self, paths: &[String]) -> Result<(), Error> {
        let destination = &self.folder.destination;
        let mut paths = paths.iter();
        paths.try_for_each(|path| remove(&destination.join(path)))
    }

    fn end(&self, all_committed: bool) -> Result<(), Error> {
        if !all_committed {
            return Ok(());
        }
        remove(&self.folder.state.join(PLAN))?;
        let mut collections = self.collections.iter();
        collections.try_for_each(|of| self.journal(of).remove_all())
    }
}
