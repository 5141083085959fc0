//! A collection that is being read: its rows are kept in a journal and encoded into parts, which are published together at
//! the end.
//!
//! A part that is not full when a run stops is encoded again from the rows in the journal, because most formats cannot be
//! continued in the middle of a file.

use std::{fs::File, path::PathBuf};

use super::{
    encode::{Encoder, FileInfo, Output, start},
    format::FilesOptions,
    manifest::{Commit, Manifest},
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::ExtractCheckpoint,
};

/// Keeps the rows of one collection where the destination is, until they are published.
pub(in crate::sink) trait Journal: Send {
    /// The last checkpoint, if all rows before it are stored.
    fn stored_checkpoint(&self) -> Result<Option<ExtractCheckpoint>, Error>;

    /// Opens the journal after its last checkpoint. Everything later is dropped.
    fn open(&mut self) -> Result<(), Error>;

    /// Calls `visit` with each row of the part that is not full.
    fn visit_rows(&mut self, visit: &mut dyn FnMut(&Row) -> Result<(), Error>)
    -> Result<(), Error>;

    /// Calls `visit` with the key of each row, after [`visit_rows`](Self::visit_rows).
    fn visit_keys(&self, visit: &mut dyn FnMut(u128)) -> Result<(), Error>;

    /// The parts that are full.
    fn parts(&self) -> &[FileInfo];

    /// Creates the file of the part after those that are full. The path is that in messages.
    fn create_part(&self) -> Result<(PathBuf, File), Error>;

    /// The part is full, or the last one. The rows that follow belong to the next one.
    fn end_part(&mut self, part: FileInfo, file: File, is_last: bool) -> Result<(), Error>;

    fn append(&mut self, row: &Row) -> Result<(), Error>;

    /// Stores a checkpoint after the rows so far, now or later with others.
    fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error>;

    /// Stores the last checkpoint, if it was not stored yet.
    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Gives the parts the names that a commit has for them. Can be repeated after a crash.
    fn publish(&self, commit: &Commit, manifest: &Manifest) -> Result<(), Error>;

    /// Removes the stored rows.
    fn remove(&self) -> Result<(), Error>;

    /// Starts again without the stored rows and the commit.
    fn restart(&mut self) -> Result<(), Error>;
}

/// The key of a row in a journal; zero for a row without one.
pub(in crate::sink) fn journal_key(row: &Row) -> [u8; 16] {
    row.key_fingerprint().unwrap_or_default().to_be_bytes()
}

/// Calls `visit` with the keys of rows that have one.
pub(in crate::sink) fn visit_journal_keys(keys: &[u8], visit: &mut dyn FnMut(u128)) {
    let (keys, _) = keys.as_chunks::<16>();
    let keys = keys.iter().map(|key| u128::from_be_bytes(*key));
    keys.filter(|key| *key != 0).for_each(visit);
}

/// The state of one collection of a run.
pub(super) struct Staging {
    collection: &'static Collection,
    options: FilesOptions,
    pub(super) journal: Box<dyn Journal>,
    part: Option<Part>,
}

/// The part that is being encoded.
struct Part {
    encoder: Box<dyn Encoder>,
    file: File,
    rows: u64,
}

impl Staging {
    pub(super) fn new(
        collection: &'static Collection,
        options: &FilesOptions,
        journal: Box<dyn Journal>,
    ) -> Self {
        Self {
            collection,
            options: options.clone(),
            journal,
            part: None,
        }
    }

    pub(super) fn visit_keys(&mut self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        let part = self.take_part()?;
        self.part = Some(part);
        self.journal.visit_keys(visit)
    }

    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Error> {
        let mut part = self.take_part()?;
        for row in rows {
            let most = self.options.rows_per_part;
            if most.is_some_and(|most| part.rows >= most.get()) {
                self.end_part(part, false)?;
                part = self.start_part()?;
            }
            self.journal.append(row)?;
            part.write(row)?;
        }
        self.part = Some(part);
        Ok(())
    }

    pub(super) fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error> {
        let part = self.take_part()?;
        self.journal.checkpoint(checkpoint)?;
        self.part = Some(part);
        Ok(())
    }

    /// Stores the last checkpoint, unless a call failed.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        match self.part {
            Some(_) => self.journal.flush(),
            None => Ok(()),
        }
    }

    /// Completes the last part. Returns all of them with the paths that they get when they are published.
    pub(super) fn finish(&mut self) -> Result<Vec<FileInfo>, Error> {
        let part = self.take_part()?;
        self.end_part(part, true)?;
        Ok(self.journal.parts().to_vec())
    }

    pub(super) fn restart(&mut self) -> Result<(), Error> {
        self.part = None;
        self.journal.restart()
    }

    /// The part that is being encoded. Opens the journal unless it is open, and encodes the stored rows again.
    fn take_part(&mut self) -> Result<Part, Error> {
        if let Some(part) = self.part.take() {
            return Ok(part);
        }
        self.journal.open()?;
        let mut part = self.start_part()?;
        self.journal.visit_rows(&mut |row| part.write(row))?;
        Ok(part)
    }

    fn start_part(&self) -> Result<Part, Error> {
        let (path, file) = self.journal.create_part()?;
        let written = file.try_clone();
        let written = written.map_err(|error| Error::file("open", &path, error))?;
        Ok(Part {
            encoder: start(Output::new(written, &path), self.collection, &self.options)?,
            file,
            rows: 0,
        })
    }

    fn end_part(&mut self, part: Part, is_last: bool) -> Result<(), Error> {
        let info = part.encoder.finish()?;
        self.journal.end_part(info, part.file, is_last)
    }
}

impl Part {
    fn write(&mut self, row: &Row) -> Result<(), Error> {
        self.rows += 1;
        self.encoder.write(row)
    }
}
