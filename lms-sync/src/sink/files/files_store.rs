//! The place of the files of an export: a folder, or a prefix of an object storage.

use std::{fs::File, path::PathBuf, time::Duration};

use super::{encode::FileInfo, format::FilesOptions, manifest::Manifest};
use crate::{collection::Collection, error::Error};

/// Stores files for one run at a time. Paths are relative, with `/`. Dropping it releases the place.
pub(in crate::sink) trait FilesStore: Send + Sync {
    /// `true` for an object storage. There, each run gives its files new names, so one change of the manifest publishes all
    /// collections; and a run may lose its lock without knowing it, so each has journals of its own. In a folder, a file
    /// gets the name of the one that it replaces, and the lock ends with the process.
    fn is_remote(&self) -> bool;

    /// The address of a file, for messages.
    fn place(&self, path: &str) -> String;

    /// The folder with the state of a run.
    fn state(&self) -> &'static str;

    /// The intervals of checkpoints.
    fn checkpoints(&self) -> Checkpoints;

    /// Fails if another run has taken the place since.
    fn check(&self) -> Result<(), Error>;

    /// Refuses a place where the files of collections cannot get their names. A new run also refuses files there that no
    /// export wrote.
    fn check_names(
        &self,
        collections: &[&'static Collection],
        options: &FilesOptions,
        manifest: &Manifest,
        is_new: bool,
    ) -> Result<(), Error>;

    /// The content of `manifest.json`; `None` if there is none.
    fn read_document(&self) -> Result<Option<Vec<u8>>, Error>;

    /// Replaces `manifest.json` in one step, durably. Fails if another run has begun; nothing is written then.
    fn write_document(&self, json: Vec<u8>) -> Result<(), Error>;

    /// The last segment of the journal in a folder, and its number, from 0; `None` if one before it is missing.
    fn last_segment(&self, journal: &str) -> Result<Option<(u64, String)>, Error>;

    /// Passes this number of segments of a journal to `visit`, in order.
    fn visit_segments(
        &self,
        journal: &str,
        number: u64,
        visit: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Stores a segment after the [last](Self::last_segment) one, in one step.
    fn append_segment(&self, journal: &str, number: u64, segment: &str) -> Result<(), Error>;

    /// Creates the file of a part. The path is that in messages.
    fn create_part(&self, path: &str) -> Result<(PathBuf, File), Error>;

    /// Stores a part that was created, durably.
    fn store_part(&self, path: &str, file: File) -> Result<(), Error>;

    /// Opens a file for reading; `None` if it does not exist.
    fn open(&self, path: &str) -> Result<Option<File>, Error>;

    /// Returns `true` if all files exist with these sizes, so that a collection with the same rows can keep them. A folder
    /// replaces its files.
    fn have_sizes(&self, _files: &[FileInfo]) -> Result<bool, Error> {
        Ok(false)
    }

    /// The paths of all files below a folder, in order.
    fn list(&self, folder: &str) -> Result<Vec<String>, Error>;

    /// Gives each first file the second name, under which it replaces another. Can be repeated after a crash.
    fn transfer(&self, names: &[(String, String)]) -> Result<(), Error>;

    /// Removes files, if they exist.
    fn remove(&self, paths: &[String]) -> Result<(), Error>;

    /// Removes files that the manifest no longer lists, or keeps them elsewhere.
    fn retire(&self, paths: &[String]) -> Result<(), Error> {
        self.remove(paths)
    }
}

/// Rows and time after which a checkpoint is stored. A crash costs the reading since the last one.
#[derive(Clone, Copy, Debug)]
pub(in crate::sink) struct Checkpoints {
    /// The bytes of the rows as JSON.
    pub(in crate::sink) bytes: usize,
    pub(in crate::sink) interval: Duration,
}

/// The folder of a journal.
pub(super) fn journal_folder(store: &dyn FilesStore, collection: &str, name: &str) -> String {
    format!("{}/{collection}/{name}", store.state())
}

/// Returns `true` if a path in the folder with the state is one that a journal has.
pub(super) fn is_of_journal(store: &dyn FilesStore, path: &str) -> bool {
    let of = path.strip_prefix(store.state());
    let parts: Vec<&str> = of.unwrap_or_default().split('/').collect();
    let starts = ["part-", "rows"];
    matches!(parts[..], ["", _, _, file] if starts.iter().any(|start| file.starts_with(start)))
}

/// Copies the segments of a journal into another one, which does not count until the document names it.
pub(super) fn adopt(store: &dyn FilesStore, from: &str, to: &str) -> Result<(), Error> {
    if store.last_segment(from)?.is_none() {
        return Ok(());
    }
    let mut paths = store.list(from)?;
    paths.retain(|path| path.starts_with(&format!("{from}/rows")));
    let names = paths
        .into_iter()
        .map(|path| (path.clone(), path.replacen(from, to, 1)));
    store.transfer(&names.collect::<Vec<_>>())
}
