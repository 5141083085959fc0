//! What is stored of a collection on its way.
//!
//! ```text
//! _lms-sync/learners/
//!   part-00001.parquet    a part that is full
//!   keys-00001            the keys of its rows
//!   rows-0000000042       the rows of the unfinished part that one checkpoint stored, with the checkpoint
//!   commit.json           what is being published, or was
//! ```
//!
//! A rows object is written in one step, so the last one is the position. It names the parts before it and the first rows
//! object of the unfinished part. If any of these is missing, because removing them was interrupted, nothing counts as stored.

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
pub(super) struct Names {
    folder: String,
    options: FilesOptions,
}

impl Names {
    pub(super) fn new(collection: &Collection, options: &FilesOptions) -> Self {
        Self {
            folder: format!("{STATE}/{}", collection.name),
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

    pub(super) fn keys(&self, part: usize) -> String {
        format!("{}/keys-{:05}", self.folder, part + 1)
    }

    pub(super) fn rows(&self, number: u64) -> String {
        format!("{}/rows-{number:010}", self.folder)
    }

    pub(super) fn commit(&self) -> String {
        format!("{}/commit.json", self.folder)
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

/// The last rows object of a collection, if everything that it names is there.
pub(super) fn last(store: &Store, names: &Names) -> Result<Option<Last>, Error> {
    let paths: BTreeSet<String> = store.list(names.folder())?.into_iter().collect();
    let rows = format!("{}/rows-", names.folder());
    let last = paths
        .iter()
        .rev()
        .find_map(|path| path.strip_prefix(&rows)?.parse().ok());
    let Some(number) = last else {
        return Ok(None);
    };
    let Some((content, _)) = store.read(&names.rows(number))? else {
        return Ok(None);
    };
    let text = decompress(store, &names.rows(number), &content)?;
    let head: Head = parse(
        store,
        &names.rows(number),
        text.lines().next().unwrap_or_default(),
    )?;
    let parts = 0..head.parts.len();
    let needed = parts
        .flat_map(|part| [names.part(part), names.keys(part)])
        .chain((head.first..=number).map(|number| names.rows(number)));
    let whole = needed.into_iter().all(|path| paths.contains(&path));
    Ok(whole.then_some(Last { number, head }))
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
    names: &Names,
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

fn parse(store: &Store, path: &str, line: &str) -> Result<Head, Error> {
    serde_json::from_str(line).map_err(|error| damaged(store, path, error))
}

fn damaged(
    store: &Store,
    path: &str,
    error: impl std::error::Error + Send + Sync + 'static,
) -> Error {
    let message = format!(
        "{} is damaged; remove the folder {STATE} to start the run anew",
        store.place(path)
    );
    Error::destination(message, error)
}
