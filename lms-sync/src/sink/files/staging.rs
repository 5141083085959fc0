//! A collection that is being read: its rows are kept in a [journal](super::journal) and encoded into parts, which are published
//! together at the end.

use std::{fs::File, sync::Arc, time::Instant};

use super::{
    encode::{Encoder, FileInfo, Output, start},
    files_store::{Checkpoints, FilesStore},
    format::FilesOptions,
    journal::{Head, Journal, Last},
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
    journal: Journal,
    /// The name of the run.
    run: String,
    state: State,
}

enum State {
    /// With the last segment that is stored.
    Closed(Option<Last>),
    Open(Open),
    /// After a call that failed.
    Failed,
}

/// The position in a journal that is open, and the rows that are not stored.
struct Open {
    parts: Vec<FileInfo>,
    part: Part,
    /// The rows of the unfinished part since the checkpoint that was stored last, as lines of JSON.
    pending: String,
    /// The last checkpoint if it is not stored, with the length of `pending` at that time.
    unstored: Option<(ExtractCheckpoint, usize)>,
    /// Time of the checkpoint that was stored last.
    stored: Instant,
    /// The number of the next segment, and of the first one of the unfinished part.
    next: u64,
    first: u64,
}

/// The part that is being encoded.
struct Part {
    encoder: Box<dyn Encoder>,
    file: File,
    rows: u64,
}

impl Part {
    fn write(&mut self, row: &Row) -> Result<(), Error> {
        self.rows += 1;
        self.encoder.write(row)
    }
}

impl Staging {
    pub(super) fn new(
        store: &Arc<dyn FilesStore>,
        collection: &'static Collection,
        options: &FilesOptions,
        state: &RunState,
    ) -> Self {
        let name = state.journals.get(collection.name);
        let name = name.map_or("", String::as_str);
        Self {
            journal: Journal::new(store, collection, name, options),
            run: state.run.clone(),
            state: State::Closed(None),
        }
    }

    /// The last checkpoint, if all rows before it are stored.
    pub(super) fn stored_checkpoint(&mut self) -> Result<Option<ExtractCheckpoint>, Error> {
        let last = self.journal.last()?;
        let checkpoint = last.as_ref().map(|last| last.head.checkpoint.clone());
        self.state = State::Closed(last);
        Ok(checkpoint)
    }

    /// Calls `visit` with the key of each stored row.
    pub(super) fn visit_keys(&mut self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        self.state = State::Open(self.take(visit)?);
        Ok(())
    }

    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Error> {
        let mut open = self.take(&mut |_| {})?;
        for row in rows {
            let most = self.journal.options.rows_per_part;
            if most.is_some_and(|most| open.part.rows >= most.get()) {
                let next = self.start_part(open.parts.len() + 1)?;
                let part = std::mem::replace(&mut open.part, next);
                let part = self.end_part(open.parts.len(), part)?;
                open.parts.push(part);
                // The rows are in the part.
                open.pending.clear();
                open.unstored = None;
                open.first = open.next;
            }
            open.pending.push_str(row.json());
            open.pending.push('\n');
            open.part.write(row)?;
        }
        self.state = State::Open(open);
        Ok(())
    }

    /// Stores a checkpoint after the rows so far, now or later with others.
    pub(super) fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error> {
        let mut open = self.take(&mut |_| {})?;
        open.unstored = Some((checkpoint.clone(), open.pending.len()));
        let Checkpoints { bytes, interval } = self.journal.store.checkpoints();
        if open.pending.len() >= bytes || open.stored.elapsed() >= interval {
            open.store(&mut self.journal)?;
        }
        self.state = State::Open(open);
        Ok(())
    }

    /// Stores the last checkpoint, unless a call failed.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        match &mut self.state {
            State::Open(open) => open.store(&mut self.journal),
            State::Closed(_) | State::Failed => Ok(()),
        }
    }

    /// Completes the last part. Returns all of them with the paths that they get when they are published.
    pub(super) fn finish(&mut self) -> Result<Vec<FileInfo>, Error> {
        let Open {
            mut parts, part, ..
        } = self.take(&mut |_| {})?;
        parts.push(self.end_part(parts.len(), part)?);
        Ok(parts)
    }

    /// The names of the parts in the journal, and those that a commit has for them.
    pub(super) fn names(&self, commit: &Commit) -> Vec<(String, String)> {
        let parts = commit.files.iter().enumerate();
        parts
            .map(|(part, file)| (self.journal.part(part), file.path.clone()))
            .collect()
    }

    /// Removes the stored rows.
    pub(super) fn remove(&self) -> Result<(), Error> {
        self.journal.remove()
    }

    /// Takes what is open, or opens the journal after its last checkpoint and passes the keys of its rows to `visit`. A call that
    /// fails does not put it back.
    fn take(&mut self, visit: &mut dyn FnMut(u128)) -> Result<Open, Error> {
        match std::mem::replace(&mut self.state, State::Failed) {
            State::Closed(last) => self.open(last, visit),
            State::Open(open) => Ok(open),
            State::Failed => {
                let name = self.journal.collection.name;
                Err(Error::usage(format!("an earlier call for {name} failed")))
            }
        }
    }

    /// Opens the journal, and encodes the rows of the unfinished part again. Everything after the last checkpoint is dropped.
    fn open(&mut self, last: Option<Last>, visit: &mut dyn FnMut(u128)) -> Result<Open, Error> {
        let (next, first, parts) = last.map_or_else(Default::default, |last| {
            (last.number + 1, last.head.first, last.head.parts)
        });
        let mut visit = |row: &Row| row.key_fingerprint().into_iter().for_each(&mut *visit);
        for part in 0..parts.len() {
            self.journal.visit_part(part, &mut visit)?;
        }
        let mut part = self.start_part(parts.len())?;
        self.journal.visit_rows(first..next, &mut |row| {
            visit(row);
            part.write(row)
        })?;
        Ok(Open {
            parts,
            part,
            pending: String::new(),
            unstored: None,
            stored: Instant::now(),
            next,
            first,
        })
    }

    fn start_part(&self, part: usize) -> Result<Part, Error> {
        let Journal {
            store,
            collection,
            options,
            ..
        } = &self.journal;
        let (path, file) = store.create_part(&self.journal.part(part))?;
        let written = file.try_clone();
        let written = written.map_err(|error| Error::file("open", &path, error))?;
        Ok(Part {
            encoder: start(Output::new(written, &path), collection, options)?,
            file,
            rows: 0,
        })
    }

    /// Stores a part that is full, or the last one. Returns it with the path that it gets when it is published.
    fn end_part(&self, number: usize, part: Part) -> Result<FileInfo, Error> {
        let Journal {
            store,
            collection: Collection { name, .. },
            name: journal,
            options,
            ..
        } = &self.journal;
        let info = part.encoder.finish()?;
        store.store_part(&self.journal.part(number), part.file)?;
        let path = if store.is_remote() {
            // No other run gives a part this name.
            let (run, extension) = (&self.run, options.extension());
            format!(
                "{name}/run={run}/part-{:05}-{journal}.{extension}",
                number + 1
            )
        } else {
            options.path_in_folder(name, number)
        };
        Ok(FileInfo { path, ..info })
    }
}

impl Open {
    /// Stores the last checkpoint with the rows before it, unless it is stored.
    fn store(&mut self, journal: &mut Journal) -> Result<(), Error> {
        let Some((checkpoint, bytes)) = self.unstored.take() else {
            return Ok(());
        };
        let head = Head {
            parts: self.parts.clone(),
            first: self.first,
            checkpoint,
        };
        let rest = self.pending.split_off(bytes);
        journal.append(self.next, &head, &self.pending)?;
        self.pending = rest;
        self.next += 1;
        self.stored = Instant::now();
        Ok(())
    }
}
