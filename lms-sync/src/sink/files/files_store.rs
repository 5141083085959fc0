//! The place of the files of an export: a folder, or a prefix of an object storage.

use std::{collections::BTreeMap, fs::File, path::PathBuf, time::Duration};

use super::{format::FilesOptions, manifest::Manifest};
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

    /// The content of a segment of a journal; `None` if there is none.
    fn read_segment(&self, path: &str) -> Result<Option<Vec<u8>>, Error>;

    /// Stores a segment. A crash of the machine may leave any part of it.
    fn write_segment(&self, path: &str, content: Vec<u8>) -> Result<(), Error>;

    /// Creates the file of a part. The path is that in messages.
    fn create_part(&self, path: &str) -> Result<(PathBuf, File), Error>;

    /// Stores a part that was created, durably.
    fn store_part(&self, path: &str, file: File) -> Result<(), Error>;

    /// Opens a file for reading; `None` if it does not exist.
    fn open(&self, path: &str) -> Result<Option<File>, Error>;

    /// The paths of all files below a folder, with their sizes.
    fn list(&self, folder: &str) -> Result<BTreeMap<String, u64>, Error>;

    /// Gives each first file the second name, under which it replaces another. Can be repeated after a crash.
    fn transfer(&self, names: &[(String, String)]) -> Result<(), Error>;

    /// Removes files, if they exist, durably.
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

/// The place of a run, and what all its files have in common.
pub(super) struct Place {
    pub(super) store: Box<dyn FilesStore>,
    pub(super) options: FilesOptions,
    /// The name of the folders with the parts of the run.
    pub(super) run: String,
}
