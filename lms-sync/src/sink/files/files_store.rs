//! The place of the files of an export: a folder, or a prefix of an object storage.

use std::{fs::File, ops::Range, path::PathBuf, time::Duration};

use serde_json::Value;

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

    /// The manifest, an empty one if there is none, and the state of the unfinished run, which may be damaged.
    fn read_document(&self) -> Result<(Manifest, Option<Value>), Error>;

    /// Replaces the manifest and the state of the run, each in one step, durably. Fails if another run has begun; nothing is
    /// written then.
    fn write_document(&self, manifest: &Manifest, state: Option<Value>) -> Result<(), Error>;

    /// The rows of the journal in a folder.
    fn log(&self, journal: &str) -> Box<dyn SegmentLog>;

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

/// The segments of a journal, numbered from 0. Each is stored in one step.
pub(in crate::sink) trait SegmentLog: Send {
    /// The last segment that is stored, with its number.
    fn last(&mut self) -> Result<Option<(u64, String)>, Error>;

    /// Passes segments to `visit`, in order. The first one follows a part that is full.
    fn visit(
        &mut self,
        numbers: Range<u64>,
        visit: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Stores a segment after the [last](Self::last) one. Those before `first` are not needed any more.
    fn append(&mut self, number: u64, first: u64, segment: &str) -> Result<(), Error>;

    /// The paths of segments that are files of their own.
    fn paths(&self, numbers: Range<u64>) -> Vec<String>;
}
