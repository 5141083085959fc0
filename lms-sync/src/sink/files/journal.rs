//! The journal of a collection: the rows that a run has stored, with the checkpoint after them.
//!
//! | file | contains |
//! |---|---|
//! | `part-00001.csv` | a part in its format; all but the last are full |
//! | `rows-0000000042` | segments, each with the rows of one checkpoint and the checkpoint itself |
//!
//! A segment is stored in one step, so the last one is the position. It names the parts before it and the first segment of the
//! unfinished part. A journal in which any of these is missing, because copying or removing it was interrupted, does not
//! count. A part that is not full is encoded again from the segments, because most formats cannot be continued in the middle
//! of a file.

use std::{error::Error as StdError, ops::Range, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    decode,
    encode::FileInfo,
    files_store::{FilesStore, SegmentLog},
    format::FilesOptions,
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::ExtractCheckpoint,
};

/// The first line of a segment. The others are rows, as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Head {
    /// The parts that are full.
    pub(super) parts: Vec<FileInfo>,
    /// The number of the first segment of the unfinished part.
    pub(super) first: u64,
    /// The position after the rows.
    pub(super) checkpoint: ExtractCheckpoint,
}

/// The last segment.
pub(super) struct Last {
    pub(super) number: u64,
    pub(super) head: Head,
}

/// The journal of a collection.
pub(super) struct Journal {
    pub(super) store: Arc<dyn FilesStore>,
    pub(super) collection: &'static Collection,
    pub(super) name: String,
    pub(super) options: FilesOptions,
    folder: String,
    log: Box<dyn SegmentLog>,
}

/// The folder of a journal.
pub(super) fn journal_folder(store: &dyn FilesStore, collection: &str, name: &str) -> String {
    format!("{}/{collection}/{name}", store.state())
}

/// Returns `true` if a path in the folder with the state is one that a journal has.
pub(super) fn is_of_journal(store: &dyn FilesStore, path: &str) -> bool {
    let of = path.strip_prefix(store.state());
    let parts: Vec<&str> = of.unwrap_or_default().split('/').collect();
    let starts = ["part-", "rows-"];
    matches!(parts[..], ["", _, _, file] if starts.iter().any(|start| file.starts_with(start)))
}

impl Journal {
    pub(super) fn new(
        store: &Arc<dyn FilesStore>,
        collection: &'static Collection,
        name: &str,
        options: &FilesOptions,
    ) -> Self {
        let folder = journal_folder(&**store, collection.name, name);
        Self {
            store: store.clone(),
            collection,
            name: name.to_owned(),
            options: options.clone(),
            log: store.log(&folder),
            folder,
        }
    }

    /// The path of a part until it is published. Parts count from 0.
    pub(super) fn part(&self, part: usize) -> String {
        format!("{}/{}", self.folder, self.options.part_name(part))
    }

    /// The last segment, if everything that it names is there.
    pub(super) fn last(&mut self) -> Result<Option<Last>, Error> {
        let Some((number, segment)) = self.log.last()? else {
            return Ok(None);
        };
        let head = segment.lines().next().unwrap_or_default();
        let head = serde_json::from_str(head).map_err(|error| self.damaged(error))?;
        let last = Last { number, head };
        let present = self.store.list(&self.folder)?;
        let whole = self.paths(&last).iter().all(|path| present.contains(path));
        Ok(whole.then_some(last))
    }

    /// The files that are needed to continue after a segment. The last one makes the others count.
    fn paths(&self, last: &Last) -> Vec<String> {
        let parts = (0..last.head.parts.len()).map(|part| self.part(part));
        let segments = self.log.paths(last.head.first..last.number + 1);
        parts.chain(segments).collect()
    }

    /// Takes over what is needed to continue from another journal.
    pub(super) fn adopt(&self, from: &mut Self) -> Result<(), Error> {
        let Some(last) = from.last()? else {
            return Ok(());
        };
        let paths = from.paths(&last).into_iter();
        let names: Vec<_> = paths.zip(self.paths(&last)).collect();
        let (last, others) = names.split_at(names.len().saturating_sub(1));
        self.store.transfer(others)?;
        self.store.transfer(last)
    }

    /// Passes the rows of a full part to `visit`.
    pub(super) fn visit_part(&self, part: usize, visit: &mut dyn FnMut(&Row)) -> Result<(), Error> {
        let path = self.part(part);
        let file = self.store.open(&path)?;
        let file = file.ok_or_else(|| self.damaged("a part is missing"))?;
        let rows = decode::rows(file, self.collection, &self.options);
        for row in rows.map_err(|error| self.damaged(error))? {
            visit(&row.map_err(|error| self.damaged(error))?);
        }
        Ok(())
    }

    /// Passes the rows of segments to `visit`.
    pub(super) fn visit_rows(
        &mut self,
        segments: Range<u64>,
        visit: &mut dyn FnMut(&Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let collection = self.collection;
        let place = self.store.place(&self.folder);
        self.log.visit(segments, &mut |segment| {
            segment.lines().skip(1).try_for_each(|line| {
                let row = Row::parse(collection, line);
                visit(&row.map_err(|error| damaged(&place, error))?)
            })
        })
    }

    /// Stores rows, as lines of JSON, and the checkpoint after them.
    pub(super) fn append(&mut self, number: u64, head: &Head, rows: &str) -> Result<(), Error> {
        let mut segment = serde_json::to_string(head)
            .map_err(|error| Error::destination("cannot write the checkpoint as JSON", error))?;
        segment.push('\n');
        segment.push_str(rows);
        self.log.append(number, head.first, &segment)
    }

    /// Removes what is stored.
    pub(super) fn remove(&self) -> Result<(), Error> {
        self.store.remove(&self.store.list(&self.folder)?)
    }

    fn damaged(&self, error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        damaged(&self.store.place(&self.folder), error)
    }
}

fn damaged(place: &str, error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    let message =
        format!("{place} is damaged; discard the unfinished run with `discard_unfinished()`");
    Error::destination(message, error)
}
