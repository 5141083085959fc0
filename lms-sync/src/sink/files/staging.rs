//! A collection that is being read: its rows are stored in a journal and encoded into parts, which are published together at the
//! end.
//!
//! | file of a journal | contains |
//! |---|---|
//! | `part-00001.csv` | a part in its format |
//! | `rows-0000000042` | a segment: its CRC, a checkpoint and the rows before it |
//!
//! The last segment that was stored completely, with all before it, is the position. A run that continues encodes the rows of all
//! segments again, because most formats cannot be continued in the middle of a file. The segments stay until the collection is
//! published.

use std::{error::Error as StdError, fs::File, sync::Arc, time::Instant};

use super::{
    encode::{Encoder, FileInfo, Output, start},
    files_store::{Checkpoints, FilesStore, Place},
    manifest::Commit,
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::{Batch, ExtractCheckpoint},
};

/// The rows of one collection of a run, until they are published.
pub(super) struct Staging {
    place: Arc<Place>,
    pub(super) collection: &'static Collection,
    /// The name of the journal, and its folder.
    name: String,
    journal: String,
    state: State,
}

enum State {
    /// With the number of segments that are stored.
    Closed(u64),
    Open(Box<Open>),
    /// After a call that failed.
    Failed,
}

/// The position in a journal that is open, and the rows that are not stored.
struct Open {
    /// The parts that are full.
    parts: Vec<FileInfo>,
    part: Part,
    /// The rows since the checkpoint that was stored last, as lines of JSON.
    pending: String,
    /// The last checkpoint, if it is not stored.
    checkpoint: Option<ExtractCheckpoint>,
    /// Time of the checkpoint that was stored last.
    stored: Instant,
    /// The number of segments that are stored.
    segments: u64,
}

/// The part that is being encoded.
struct Part {
    encoder: Box<dyn Encoder>,
    file: File,
    rows: u64,
}

/// The folder of a journal.
pub(super) fn journal_folder(store: &dyn FilesStore, collection: &str, name: &str) -> String {
    format!("{}/{collection}/{name}", store.state())
}

/// Returns `true` if a path in the folder with the state is one that a journal has.
pub(super) fn is_of_journal(store: &dyn FilesStore, path: &str) -> bool {
    let of = path.strip_prefix(store.state());
    let parts: Vec<&str> = of.unwrap_or_default().split('/').collect();
    matches!(parts[..], ["", _, _, file] if file.starts_with("part-") || is_segment(path))
}

/// Returns `true` if a file of a journal is a segment.
pub(super) fn is_segment(path: &str) -> bool {
    let name = path.rsplit('/').next();
    name.is_some_and(|name| name.starts_with("rows-"))
}

impl Staging {
    pub(super) fn new(place: &Arc<Place>, collection: &'static Collection, name: &str) -> Self {
        Self {
            place: place.clone(),
            collection,
            name: name.to_owned(),
            journal: journal_folder(&*place.store, collection.name, name),
            state: State::Closed(0),
        }
    }

    /// The last checkpoint, if all rows before it are stored. Removes the segments after it, which would otherwise follow others
    /// than before.
    pub(super) fn stored_checkpoint(&mut self) -> Result<Option<ExtractCheckpoint>, Error> {
        let (mut number, mut last) = (0, None);
        while let Some(segment) = self.segment(number)? {
            (number, last) = (number + 1, Some(segment));
        }
        self.state = State::Closed(number);
        let end = self.segment_path(number);
        let paths = self.place.store.list(&self.journal)?.into_keys();
        let after = paths.filter(|path| is_segment(path) && *path >= end);
        self.place.store.remove(&after.collect::<Vec<_>>())?;
        let checkpoint = last.as_deref().and_then(|segment| segment.lines().next());
        let checkpoint = checkpoint.map(serde_json::from_str).transpose();
        checkpoint.map_err(|error| self.damaged(error))
    }

    fn segment_path(&self, number: u64) -> String {
        format!("{}/rows-{number:010}", self.journal)
    }

    /// A segment; `None` if it was not stored completely.
    fn segment(&self, number: u64) -> Result<Option<String>, Error> {
        let stored = self.place.store.read_segment(&self.segment_path(number))?;
        Ok(stored.and_then(|stored| {
            let stored = String::from_utf8(stored).ok()?;
            let (crc, segment) = stored.split_once('\n')?;
            (crc == crc_of(segment)).then(|| segment.to_owned())
        }))
    }

    /// Calls `visit` with the key of each stored row.
    pub(super) fn visit_keys(&mut self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        self.state = State::Open(self.take(visit)?);
        Ok(())
    }

    /// Stores the rows of a batch and its checkpoint, now or later with others.
    pub(super) fn store(&mut self, batch: Batch) -> Result<(), Error> {
        let mut open = self.take(&mut |_| {})?;
        for row in &batch.rows {
            open.pending.push_str(row.json());
            open.pending.push('\n');
            self.encode(&mut open, row)?;
        }
        open.checkpoint = Some(batch.checkpoint);
        let Checkpoints { bytes, interval } = self.place.store.checkpoints();
        if open.pending.len() >= bytes || open.stored.elapsed() >= interval {
            self.append(&mut open)?;
        }
        self.state = State::Open(open);
        Ok(())
    }

    /// Stores the last checkpoint, unless a call failed.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        if let State::Open(_) = self.state {
            let mut open = self.take(&mut |_| {})?;
            self.append(&mut open)?;
            self.state = State::Open(open);
        }
        Ok(())
    }

    /// Completes the last part. Returns all of them with the paths that they get when they are published.
    pub(super) fn finish(&mut self) -> Result<Vec<FileInfo>, Error> {
        let Open {
            mut parts, part, ..
        } = *self.take(&mut |_| {})?;
        parts.push(self.end_part(parts.len(), part)?);
        Ok(parts)
    }

    /// Gives the parts in the journal the names that a commit has for them.
    pub(super) fn publish(&self, commit: &Commit) -> Result<(), Error> {
        let parts = commit.entry.files.iter().enumerate();
        let names = parts.map(|(part, file)| (self.part(part), file.path.clone()));
        self.place.store.transfer(&names.collect::<Vec<_>>())
    }

    /// Removes what is stored.
    pub(super) fn remove(&self) -> Result<(), Error> {
        let stored = self.place.store.list(&self.journal)?.into_keys();
        self.place.store.remove(&stored.collect::<Vec<_>>())
    }

    /// Takes what is open, or opens the journal after its last checkpoint and passes the keys of its rows to `visit`. A call that
    /// fails does not put it back.
    fn take(&mut self, visit: &mut dyn FnMut(u128)) -> Result<Box<Open>, Error> {
        match std::mem::replace(&mut self.state, State::Failed) {
            State::Closed(segments) => Ok(Box::new(self.open(segments, visit)?)),
            State::Open(open) => Ok(open),
            State::Failed => {
                let name = self.collection.name;
                Err(Error::usage(format!("an earlier call for {name} failed")))
            }
        }
    }

    /// Encodes the rows of the journal. Everything after the last checkpoint is dropped.
    fn open(&self, segments: u64, visit: &mut dyn FnMut(u128)) -> Result<Open, Error> {
        let mut open = Open {
            parts: Vec::new(),
            part: self.start_part(0)?,
            pending: String::new(),
            checkpoint: None,
            stored: Instant::now(),
            segments,
        };
        for number in 0..segments {
            let segment = self.segment(number)?;
            let segment = segment.ok_or_else(|| self.damaged("its CRC is another one"))?;
            for line in segment.lines().skip(1) {
                let row = Row::from_json(self.collection, line);
                let row = row.map_err(|error| self.damaged(error))?;
                row.key_fingerprint().into_iter().for_each(&mut *visit);
                self.encode(&mut open, &row)?;
            }
        }
        Ok(open)
    }

    /// Encodes a row, into a new part if the last one is full.
    fn encode(&self, open: &mut Open, row: &Row) -> Result<(), Error> {
        let most = self.place.options.rows_per_part;
        if most.is_some_and(|most| open.part.rows >= most.get()) {
            let next = self.start_part(open.parts.len() + 1)?;
            let part = std::mem::replace(&mut open.part, next);
            let part = self.end_part(open.parts.len(), part)?;
            open.parts.push(part);
        }
        open.part.rows += 1;
        open.part.encoder.write(row)
    }

    /// Stores the last checkpoint with the rows before it, unless it is stored.
    fn append(&self, open: &mut Open) -> Result<(), Error> {
        let Some(checkpoint) = open.checkpoint.take() else {
            return Ok(());
        };
        let checkpoint = serde_json::to_string(&checkpoint)
            .map_err(|error| Error::destination("cannot write the checkpoint as JSON", error))?;
        let segment = format!("{checkpoint}\n{}", open.pending);
        let stored = format!("{}\n{segment}", crc_of(&segment)).into_bytes();
        let path = self.segment_path(open.segments);
        self.place.store.write_segment(&path, stored)?;
        open.pending.clear();
        open.segments += 1;
        open.stored = Instant::now();
        Ok(())
    }

    /// The path of a part until it is published. Parts count from 0.
    fn part(&self, part: usize) -> String {
        format!("{}/{}", self.journal, self.place.options.part_name(part))
    }

    fn start_part(&self, part: usize) -> Result<Part, Error> {
        let (path, file) = self.place.store.create_part(&self.part(part))?;
        let written = file.try_clone();
        let written = written.map_err(|error| Error::file("open", &path, error))?;
        let output = Output::new(written, &path);
        Ok(Part {
            encoder: start(output, self.collection, &self.place.options)?,
            file,
            rows: 0,
        })
    }

    /// Stores a part that is full, or the last one. Returns it with the path that it gets when it is published.
    fn end_part(&self, number: usize, part: Part) -> Result<FileInfo, Error> {
        let info = part.encoder.finish()?;
        let Place {
            store,
            options,
            run,
        } = &*self.place;
        store.store_part(&self.part(number), part.file)?;
        let name = self.collection.name;
        let path = if store.is_remote() {
            // No other run gives a part this name.
            let (journal, extension) = (&self.name, options.extension());
            format!(
                "{name}/run={run}/part-{:05}-{journal}.{extension}",
                number + 1
            )
        } else {
            options.path_in_folder(name, number)
        };
        Ok(FileInfo { path, ..info })
    }

    fn damaged(&self, error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        let message = format!(
            "{} is damaged; discard the unfinished run with `discard_unfinished()`",
            self.place.store.place(&self.journal)
        );
        Error::destination(message, error)
    }
}

fn crc_of(segment: &str) -> String {
    format!("{:08x}", crc32fast::hash(segment.as_bytes()))
}
