//! The log of a collection: the rows that one run has stored.
//!
//! ```text
//! _lms-sync/learners/9f3c2a1b5d7e8064/
//!   part-00001.parquet    a part that is full
//!   keys-00001            the keys of its rows
//!   rows-0000000042       the rows that one checkpoint stored, with the checkpoint
//! ```
//!
//! A rows object is written in one step, so the last one is the position. It names the parts before it and the first rows
//! object of the unfinished part. A log in which any of these is missing, because copying or removing it was interrupted, does
//! not count. The name of a log is random, and only the run that made it writes into it.

use std::{collections::BTreeSet, io};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::store::{STATE, Store};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::ExtractCheckpoint,
    sink::files::{FileInfo, FilesOptions},
};

/// The names of the objects of a collection.
#[derive(Clone)]
pub(super) struct JournalNames {
    folder: String,
    log: String,
    options: FilesOptions,
}

impl JournalNames {
    pub(super) fn new(collection: &Collection, log: &str, options: &FilesOptions) -> Self {
        Self {
            folder: format!("{STATE}/{}/{log}", collection.name),
            log: log.to_owned(),
            options: options.clone(),
        }
    }

    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    /// Parts count from 0.
    pub(super) fn part(&self, part: usize) -> String {
        format!("{}/{}", self.folder, self.options.part_name(part))
    }

    /// The name that a part gets when it is published. No other run gives a part this name.
    pub(super) fn published(&self, part: usize) -> String {
        let extension = self.options.extension();
        format!("part-{:05}-{}.{extension}", part + 1, self.log)
    }

    pub(super) fn keys(&self, part: usize) -> String {
        format!("{}/keys-{:05}", self.folder, part + 1)
    }

    pub(super) fn rows(&self, number: u64) -> String {
        format!("{}/rows-{number:010}", self.folder)
    }
}

/// The first line of a rows object. The others are rows, as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Head {
    /// The parts that are full.
    pub(super) parts: Vec<FileInfo>,
    /// The number of the first rows object of the unfinished part.
    pub(super) first: u64,
    /// The position after the rows.
    pub(super) checkpoint: ExtractCheckpoint,
}

/// The last rows object.
pub(super) struct Last {
    pub(super) number: u64,
    pub(super) head: Head,
}

impl Last {
    /// The objects that are needed to continue. The last is the rows object itself.
    pub(super) fn objects(&self, names: &JournalNames) -> Vec<String> {
        let parts = 0..self.head.parts.len();
        let rows = self.head.first..=self.number;
        parts
            .flat_map(|part| [names.part(part), names.keys(part)])
            .chain(rows.map(|number| names.rows(number)))
            .collect()
    }
}

/// The last rows object of a log, if everything that it names is there.
pub(super) fn last(store: &Store, names: &JournalNames) -> Result<Option<Last>, Error> {
    let paths: BTreeSet<String> = store.list(&names.folder)?.into_iter().collect();
    let rows = format!("{}/rows-", names.folder);
    let last = paths
        .iter()
        .rev()
        .find_map(|path| path.strip_prefix(&rows)?.parse().ok());
    let Some(number) = last else {
        return Ok(None);
    };
    let path = names.rows(number);
    let Some((content, _)) = store.read(&path)? else {
        return Ok(None);
    };
    let text = decompress(store, &path, &content)?;
    let head = serde_json::from_str(text.lines().next().unwrap_or_default())
        .map_err(|error| damaged(store, &path, error))?;
    let last = Last { number, head };
    let whole = last.objects(names).iter().all(|path| paths.contains(path));
    Ok(whole.then_some(last))
}

/// Copies the entries that are needed to continue from one log into another.
pub(super) fn adopt(store: &Store, from: &JournalNames, to: &JournalNames) -> Result<(), Error> {
    let Some(last) = last(store, from)? else {
        return Ok(());
    };
    let objects = last.objects(from).into_iter();
    let copies: Vec<_> = objects.zip(last.objects(to)).collect();
    // The last object makes the others count.
    let (last, others) = copies.split_at(copies.len() - 1);
    store.copy_all(others)?;
    store.copy_all(last)
}

/// The content of a rows object.
pub(super) fn encode(head: &Head, rows: &str) -> Result<Bytes, Error> {
    let encode = || -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_string(head)?;
        text.push('\n');
        text.push_str(rows);
        // Level 0 is zstd's default.
        zstd::encode_all(text.as_bytes(), 0)
    };
    let bytes = encode().map_err(|error| Error::destination("cannot compress rows", error))?;
    Ok(bytes.into())
}

/// Calls `visit` with each row that is stored of the unfinished part.
pub(super) fn visit_rows(
    store: &Store,
    names: &JournalNames,
    last: &Last,
    collection: &'static Collection,
    mut visit: impl FnMut(&Row) -> Result<(), Error>,
) -> Result<(), Error> {
    let paths: Vec<String> = (last.head.first..=last.number)
        .map(|number| names.rows(number))
        .collect();
    for (path, content) in paths.iter().zip(store.read_all(&paths)?) {
        let text = decompress(store, path, &content)?;
        for line in text.lines().skip(1) {
            visit(&Row::from_json(collection, line).map_err(|error| damaged(store, path, error))?)?;
        }
    }
    Ok(())
}

fn decompress(store: &Store, path: &str, content: &[u8]) -> Result<String, Error> {
    let text = zstd::decode_all(content).map_err(|error| damaged(store, path, error))?;
    String::from_utf8(text).map_err(|error| damaged(store, path, error))
}

fn damaged(
    store: &Store,
    path: &str,
    error: impl std::error::Error + Send + Sync + 'static,
) -> Error {
    let message = format!(
        "{} is damaged; discard the unfinished run with `discard_unfinished()`",
        store.place(path)
    );
    Error::destination(message, error)
}
