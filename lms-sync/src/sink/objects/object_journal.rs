//! The journal of a collection in object storage: the rows that one run has stored.
//!
//! ```text
//! _lms-sync/learners/9f3c2a1b5d7e8064/
//!   part-00001.parquet    a part that is full
//!   keys-00001            the keys of its rows
//!   rows-0000000042       the rows that one checkpoint stored, with the checkpoint
//! ```
//!
//! A rows object is written in one step, so the last one is the position. It names the parts before it and the first rows
//! object of the unfinished part. A journal in which any of these is missing, because copying or removing it was interrupted, does
//! not count. The name of a journal is random, and only the run that made it writes into it.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Seek as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{
    manifest_fence::{ManifestFence, random},
    store::{STATE, Store},
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::ExtractCheckpoint,
    sink::files::{
        FileInfo, FilesOptions, Manifest,
        manifest::{self, Commit},
        staging::{Journal, journal_key, visit_journal_keys},
    },
};

/// The name of a part in messages, until it is stored.
const TEMPORARY: &str = "a temporary file";

/// Rows and time after which a checkpoint is stored. A crash costs the reading since the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoints {
    /// The bytes of the rows as JSON.
    pub(super) bytes: usize,
    pub(super) interval: Duration,
}

impl Default for Checkpoints {
    fn default() -> Self {
        Self {
            bytes: 16 << 20,
            interval: Duration::from_secs(30),
        }
    }
}

/// The names of the objects of a journal.
#[derive(Clone)]
pub(super) struct JournalNames {
    folder: String,
    journal: String,
    options: FilesOptions,
}

impl JournalNames {
    pub(super) fn new(collection: &Collection, journal: &str, options: &FilesOptions) -> Self {
        Self {
            folder: format!("{STATE}/{}/{journal}", collection.name),
            journal: journal.to_owned(),
            options: options.clone(),
        }
    }

    /// Parts count from 0.
    fn part(&self, part: usize) -> String {
        format!("{}/{}", self.folder, self.options.part_name(part))
    }

    /// The name that a part gets when it is published. No other run gives a part this name.
    fn published(&self, part: usize) -> String {
        let extension = self.options.extension();
        format!("part-{:05}-{}.{extension}", part + 1, self.journal)
    }

    fn keys(&self, part: usize) -> String {
        format!("{}/keys-{:05}", self.folder, part + 1)
    }

    fn rows(&self, number: u64) -> String {
        format!("{}/rows-{number:010}", self.folder)
    }
}

/// The first line of a rows object. The others are rows, as JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// The parts that are full.
    parts: Vec<FileInfo>,
    /// The number of the first rows object of the unfinished part.
    first: u64,
    /// The position after the rows.
    checkpoint: ExtractCheckpoint,
}

/// The last rows object.
struct Last {
    number: u64,
    head: Head,
}

impl Last {
    /// The last rows object of a journal, if everything that it names is there.
    fn read(store: &Store, names: &JournalNames) -> Result<Option<Self>, Error> {
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
        let last = Self { number, head };
        let whole = last.objects(names).iter().all(|path| paths.contains(path));
        Ok(whole.then_some(last))
    }

    /// The objects that are needed to continue. The last is the rows object itself.
    fn objects(&self, names: &JournalNames) -> Vec<String> {
        let parts = 0..self.head.parts.len();
        let rows = self.head.first..=self.number;
        parts
            .flat_map(|part| [names.part(part), names.keys(part)])
            .chain(rows.map(|number| names.rows(number)))
            .collect()
    }
}

/// Copies the objects that are needed to continue from one journal into another.
pub(super) fn adopt(store: &Store, from: &JournalNames, to: &JournalNames) -> Result<(), Error> {
    let Some(last) = Last::read(store, from)? else {
        return Ok(());
    };
    let objects = last.objects(from).into_iter();
    let copies: Vec<_> = objects.zip(last.objects(to)).collect();
    // The last object makes the others count.
    let (last, others) = copies.split_at(copies.len() - 1);
    store.copy_all(others)?;
    store.copy_all(last)
}

/// The journal of a collection of a run.
pub(super) struct ObjectJournal {
    collection: &'static Collection,
    fence: Arc<ManifestFence>,
    store: Arc<Store>,
    /// The names in the journal of this run.
    names: JournalNames,
    /// The folder of the parts when they are published.
    published: String,
    checkpoints: Checkpoints,
    open: Open,
}

/// The rows that are not stored, and the position of those that are.
struct Open {
    parts: Vec<FileInfo>,
    /// The keys of the rows of the unfinished part; zero for a row without one.
    keys: Vec<u8>,
    /// The rows of the unfinished part since the checkpoint that was stored last, as lines of JSON.
    pending: String,
    /// The last checkpoint if it is not stored, with the length of `pending` at that time.
    unstored: Option<(ExtractCheckpoint, usize)>,
    /// Time of the checkpoint that was stored last.
    stored: Instant,
    /// The number of the next rows object, and of the first one of the unfinished part.
    next: u64,
    first: u64,
}

impl Open {
    fn after(last: Option<Last>) -> Self {
        let (next, first, parts) = last.map_or_else(Default::default, |last| {
            (last.number + 1, last.head.first, last.head.parts)
        });
        Self {
            parts,
            keys: Vec::new(),
            pending: String::new(),
            unstored: None,
            stored: Instant::now(),
            next,
            first,
        }
    }
}

impl ObjectJournal {
    pub(super) fn new(
        collection: &'static Collection,
        fence: &Arc<ManifestFence>,
        run: &str,
        names: JournalNames,
        checkpoints: Checkpoints,
    ) -> Self {
        Self {
            collection,
            fence: fence.clone(),
            store: fence.store.clone(),
            names,
            published: format!("{}/run={run}", collection.name),
            checkpoints,
            open: Open::after(None),
        }
    }
}

impl Journal for ObjectJournal {
    fn stored_checkpoint(&self) -> Result<Option<ExtractCheckpoint>, Error> {
        let last = Last::read(&self.store, &self.names)?;
        Ok(last.map(|last| last.head.checkpoint))
    }

    fn open(&mut self) -> Result<(), Error> {
        self.open = Open::after(Last::read(&self.store, &self.names)?);
        Ok(())
    }

    fn visit_keys(&self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        let parts = 0..self.open.parts.len();
        let paths: Vec<String> = parts.map(|part| self.names.keys(part)).collect();
        for keys in self.store.read_all(&paths)? {
            visit_journal_keys(&keys, visit);
        }
        visit_journal_keys(&self.open.keys, visit);
        Ok(())
    }

    fn visit_rows(
        &mut self,
        visit: &mut dyn FnMut(&Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let numbers = self.open.first..self.open.next;
        let paths: Vec<String> = numbers.map(|number| self.names.rows(number)).collect();
        for (path, content) in paths.iter().zip(self.store.read_all(&paths)?) {
            let text = decompress(&self.store, path, &content)?;
            for line in text.lines().skip(1) {
                let row = Row::from_json(self.collection, line);
                let row = row.map_err(|error| damaged(&self.store, path, error))?;
                self.open.keys.extend(journal_key(&row));
                visit(&row)?;
            }
        }
        Ok(())
    }

    fn parts(&self) -> &[FileInfo] {
        &self.open.parts
    }

    fn create_part(&self) -> Result<(PathBuf, File), Error> {
        let name = Path::new(TEMPORARY);
        let file = tempfile::tempfile().map_err(|error| Error::file("create", name, error))?;
        Ok((name.to_owned(), file))
    }

    /// Stores the part.
    fn end_part(&mut self, mut part: FileInfo, mut file: File, is_last: bool) -> Result<(), Error> {
        let number = self.open.parts.len();
        file.rewind()
            .map_err(|error| Error::file("read back", Path::new(TEMPORARY), error))?;
        self.store.upload(&self.names.part(number), file)?;
        let keys = std::mem::take(&mut self.open.keys);
        if !is_last {
            self.store.replace(&self.names.keys(number), keys.into())?;
        }
        part.path = format!("{}/{}", self.published, self.names.published(number));
        self.open.parts.push(part);
        self.open.pending.clear();
        self.open.unstored = None;
        self.open.first = self.open.next;
        Ok(())
    }

    fn append(&mut self, row: &Row) -> Result<(), Error> {
        self.open.pending.push_str(row.json());
        self.open.pending.push('\n');
        self.open.keys.extend(journal_key(row));
        Ok(())
    }

    fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error> {
        let open = &mut self.open;
        open.unstored = Some((checkpoint.clone(), open.pending.len()));
        let (most, interval) = (self.checkpoints.bytes, self.checkpoints.interval);
        if open.pending.len() < most && open.stored.elapsed() < interval {
            return Ok(());
        }
        self.flush()
    }

    /// Stores the last checkpoint with the rows before it.
    fn flush(&mut self) -> Result<(), Error> {
        let open = &mut self.open;
        let Some((checkpoint, bytes)) = open.unstored.take() else {
            return Ok(());
        };
        let head = Head {
            parts: open.parts.clone(),
            first: open.first,
            checkpoint,
        };
        let rest = open.pending.split_off(bytes);
        let content = encode(&head, &open.pending)?;
        self.store.replace(&self.names.rows(open.next), content)?;
        open.pending = rest;
        open.next += 1;
        open.stored = Instant::now();
        Ok(())
    }

    /// Copies the parts.
    fn publish(&self, commit: &Commit, manifest: &Manifest) -> Result<(), Error> {
        let before = manifest.collections.get(self.collection.name);
        if before.is_some_and(|entry| entry.files == commit.files) {
            return Ok(());
        }
        let parts = commit.files.iter().enumerate();
        let copies: Vec<_> = parts
            .map(|(part, file)| (self.names.part(part), file.path.clone()))
            .collect();
        self.store.copy_all(&copies)
    }

    fn remove(&self) -> Result<(), Error> {
        self.store.remove(&self.store.list(&self.names.folder)?)
    }

    fn restart(&mut self) -> Result<(), Error> {
        let journal = random()?;
        let name = self.collection.name;
        let place = self.store.place(manifest::NAME);
        let commit = Commit::known(self.fence.commit(name), self.collection, place)?;
        let files = commit.into_iter().flat_map(|commit| commit.files);
        let mut unpublished: Vec<String> = files.map(|file| file.path).collect();
        self.fence.update(|document| {
            unpublished.retain(|path| !document.manifest.has(path));
            if let Some(run) = &mut document.unfinished {
                run.journals.insert(name.to_owned(), journal.clone());
                run.commits.remove(name);
            }
        })?;
        self.remove()?;
        // Now nothing can be copied there any more.
        self.store.remove(&unpublished)?;
        self.names = JournalNames::new(self.collection, &journal, &self.names.options);
        Ok(())
    }
}

/// The content of a rows object.
fn encode(head: &Head, rows: &str) -> Result<Bytes, Error> {
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
