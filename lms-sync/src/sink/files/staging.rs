//! A collection that is being read: its rows are stored in a journal and encoded into parts, which are published together at the
//! end.
//!
//! | file of a journal | contains |
//! |---|---|
//! | `part-00001.csv` | a part in its format |
//! | `rows`, or `rows-0000000042` | segments, each with a checkpoint and the rows before it |
//!
//! A segment is stored in one step, so the last one is the position. A run that continues encodes the rows of all segments again,
//! because most formats cannot be continued in the middle of a file. The segments stay until the collection is published.

use std::{error::Error as StdError, fs::File, sync::Arc, time::Instant};

use super::{
    encode::{Encoder, FileInfo, Output, start},
    files_store::{Checkpoints, FilesStore, journal_folder},
    format::FilesOptions,
    manifest::Commit,
    run_state::RunState,
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::ExtractCheckpoint,
};

/// The rows of one collection of a run, until they are published.
pub(super) struct Staging {
    store: Arc<dyn FilesStore>,
    collection: &'static Collection,
    options: FilesOptions,
    /// The names of the run and of the journal.
    run: String,
    name: String,
    /// The folder of the journal.
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
    /// The last checkpoint if it is not stored, with the length of `pending` at that time.
    unstored: Option<(ExtractCheckpoint, usize)>,
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

impl Staging {
    pub(super) fn new(
        store: &Arc<dyn FilesStore>,
        collection: &'static Collection,
        options: &FilesOptions,
        state: &RunState,
    ) -> Self {
        let name = state.journals.get(collection.name);
        let name = name.cloned().unwrap_or_default();
        Self {
            store: store.clone(),
            collection,
            options: options.clone(),
            run: state.run.clone(),
            journal: journal_folder(&**store, collection.name, &name),
            name,
            state: State::Closed(0),
        }
    }

    /// The last checkpoint, if all rows before it are stored.
    pub(super) fn stored_checkpoint(&mut self) -> Result<Option<ExtractCheckpoint>, Error> {
        let Some((number, segment)) = self.store.last_segment(&self.journal)? else {
            return Ok(None);
        };
        self.state = State::Closed(number + 1);
        let checkpoint = segment.lines().next().unwrap_or_default();
        let checkpoint = serde_json::from_str(checkpoint).map_err(|error| self.damaged(error))?;
        Ok(Some(checkpoint))
    }

    /// Calls `visit` with the key of each stored row.
    pub(super) fn visit_keys(&mut self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        self.state = State::Open(self.take(visit)?);
        Ok(())
    }

    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Error> {
        let mut open = self.take(&mut |_| {})?;
        for row in rows {
            open.pending.push_str(row.json());
            open.pending.push('\n');
            self.encode(&mut open, row)?;
        }
        self.state = State::Open(open);
        Ok(())
    }

    /// Stores a checkpoint after the rows so far, now or later with others.
    pub(super) fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error> {
        let mut open = self.take(&mut |_| {})?;
        open.unstored = Some((checkpoint.clone(), open.pending.len()));
        let Checkpoints { bytes, interval } = self.store.checkpoints();
        if open.pending.len() >= bytes || open.stored.elapsed() >= interval {
            open.store(&*self.store, &self.journal)?;
        }
        self.state = State::Open(open);
        Ok(())
    }

    /// Stores the last checkpoint, unless a call failed.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        match &mut self.state {
            State::Open(open) => open.store(&*self.store, &self.journal),
            State::Closed(_) | State::Failed => Ok(()),
        }
    }

    /// Completes the last part. Returns all of them with the paths that they get when they are published.
    pub(super) fn finish(&mut self) -> Result<Vec<FileInfo>, Error> {
        let Open {
            mut parts, part, ..
        } = *self.take(&mut |_| {})?;
        parts.push(self.end_part(parts.len(), part)?);
        Ok(parts)
    }

    /// The names of the parts in the journal, and those that a commit has for them.
    pub(super) fn names(&self, commit: &Commit) -> Vec<(String, String)> {
        let parts = commit.entry.files.iter().enumerate();
        parts
            .map(|(part, file)| (self.part(part), file.path.clone()))
            .collect()
    }

    /// Removes what is stored.
    pub(super) fn remove(&self) -> Result<(), Error> {
        self.store.remove(&self.store.list(&self.journal)?)
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
            unstored: None,
            stored: Instant::now(),
            segments,
        };
        self.store
            .visit_segments(&self.journal, segments, &mut |segment| {
                segment.lines().skip(1).try_for_each(|line| {
                    let row = Row::parse(self.collection, line);
                    let row = row.map_err(|error| self.damaged(error))?;
                    row.key_fingerprint().into_iter().for_each(&mut *visit);
                    self.encode(&mut open, &row)
                })
            })?;
        Ok(open)
    }

    /// Encodes a row, into a new part if the last one is full.
    fn encode(&self, open: &mut Open, row: &Row) -> Result<(), Error> {
        let most = self.options.rows_per_part;
        if most.is_some_and(|most| open.part.rows >= most.get()) {
            let next = self.start_part(open.parts.len() + 1)?;
            let part = std::mem::replace(&mut open.part, next);
            let part = self.end_part(open.parts.len(), part)?;
            open.parts.push(part);
        }
        open.part.rows += 1;
        open.part.encoder.write(row)
    }

    /// The path of a part until it is published. Parts count from 0.
    fn part(&self, part: usize) -> String {
        format!("{}/{}", self.journal, self.options.part_name(part))
    }

    fn start_part(&self, part: usize) -> Result<Part, Error> {
        let (path, file) = self.store.create_part(&self.part(part))?;
        let written = file.try_clone();
        let written = written.map_err(|error| Error::file("open", &path, error))?;
        let output = Output::new(written, &path);
        Ok(Part {
            encoder: start(output, self.collection, &self.options)?,
            file,
            rows: 0,
        })
    }

    /// Stores a part that is full, or the last one. Returns it with the path that it gets when it is published.
    fn end_part(&self, number: usize, part: Part) -> Result<FileInfo, Error> {
        let info = part.encoder.finish()?;
        self.store.store_part(&self.part(number), part.file)?;
        let name = self.collection.name;
        let path = if self.store.is_remote() {
            // No other run gives a part this name.
            let (run, journal, extension) = (&self.run, &self.name, self.options.extension());
            format!(
                "{name}/run={run}/part-{:05}-{journal}.{extension}",
                number + 1
            )
        } else {
            self.options.path_in_folder(name, number)
        };
        Ok(FileInfo { path, ..info })
    }

    fn damaged(&self, error: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        let message = format!(
            "{} is damaged; discard the unfinished run with `discard_unfinished()`",
            self.store.place(&self.journal)
        );
        Error::destination(message, error)
    }
}

impl Open {
    /// Stores the last checkpoint with the rows before it, unless it is stored.
    fn store(&mut self, store: &dyn FilesStore, journal: &str) -> Result<(), Error> {
        let Some((checkpoint, bytes)) = self.unstored.take() else {
            return Ok(());
        };
        let rest = self.pending.split_off(bytes);
        let checkpoint = serde_json::to_string(&checkpoint)
            .map_err(|error| Error::destination("cannot write the checkpoint as JSON", error))?;
        let segment = format!("{checkpoint}\n{}", self.pending);
        store.append_segment(journal, self.segments, &segment)?;
        self.pending = rest;
        self.segments += 1;
        self.stored = Instant::now();
        Ok(())
    }
}
