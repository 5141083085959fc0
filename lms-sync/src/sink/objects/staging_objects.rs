//! A collection that is being read: rows are stored with each checkpoint and encoded into parts, which are published
//! together at the end.

use std::{
    fs::File,
    io::Seek as _,
    num::NonZeroU64,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    manifest_fence::{ManifestFence, random},
    object_journal::{self, Head, JournalNames, encode},
    store::Store,
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::ExtractCheckpoint,
    sink::files::{
        FileInfo, FilesOptions, Manifest,
        encode::{Encoder, Output, start},
        manifest::Commit,
        manifest_sink::Staging,
    },
};

/// The rows of a part unless the options say how many.
const ROWS_PER_PART: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();

/// The options with a size of parts.
pub(super) fn in_parts(options: FilesOptions) -> FilesOptions {
    let rows = options.rows_per_part.unwrap_or(ROWS_PER_PART);
    options.rows_per_part(rows)
}

/// The state of one collection of a run.
pub(super) struct StagingObjects {
    collection: &'static Collection,
    fence: Arc<ManifestFence>,
    store: Arc<Store>,
    /// The names in the log of this run.
    names: JournalNames,
    /// The folder of the parts when they are published.
    published: String,
    options: FilesOptions,
    checkpoints: Checkpoints,
    writing: Option<Writing>,
}

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

/// The parts that were written, and the part that is not full.
struct Writing {
    parts: Vec<FileInfo>,
    part: Option<Part>,
    /// The rows in `part`.
    rows: u64,
    /// Their keys; zero for a row without one.
    keys: Vec<u8>,
    /// The rows of `part` since the checkpoint that was stored last, as lines of JSON.
    pending: String,
    /// The last checkpoint if it is not stored, with the length of `pending` at that time.
    unstored: Option<(ExtractCheckpoint, usize)>,
    /// Time of the checkpoint that was stored last.
    stored: Instant,
    /// The number of the next rows object, and of the first one of the unfinished part.
    next: u64,
    first: u64,
}

/// A part that is being encoded into a temporary file.
struct Part {
    encoder: Box<dyn Encoder>,
    file: File,
}

impl Part {
    fn start(collection: &'static Collection, options: &FilesOptions) -> Result<Self, Error> {
        let temporary = || {
            let file = tempfile::tempfile()?;
            Ok((file.try_clone()?, file))
        };
        let name = Path::new("a temporary file");
        let (file, written) = temporary().map_err(|error| Error::file("create", name, error))?;
        Ok(Self {
            encoder: start(Output::new(written, name), collection, options)?,
            file,
        })
    }
}

impl StagingObjects {
    pub(super) fn new(
        collection: &'static Collection,
        fence: &Arc<ManifestFence>,
        run: &str,
        log: &str,
        options: &FilesOptions,
        checkpoints: Checkpoints,
    ) -> Self {
        Self {
            collection,
            fence: fence.clone(),
            store: fence.store.clone(),
            names: JournalNames::new(collection, log, options),
            published: format!("{}/run={run}", collection.name),
            options: options.clone(),
            checkpoints,
            writing: None,
        }
    }

    /// Continues after the stored rows, and encodes the rows of the unfinished part again.
    fn take_writing(&mut self) -> Result<Writing, Error> {
        if let Some(writing) = self.writing.take() {
            return Ok(writing);
        }
        let mut writing = Writing {
            parts: Vec::new(),
            part: None,
            rows: 0,
            keys: Vec::new(),
            pending: String::new(),
            unstored: None,
            stored: Instant::now(),
            next: 0,
            first: 0,
        };
        if let Some(last) = object_journal::last(&self.store, &self.names)? {
            object_journal::visit_rows(&self.store, &self.names, &last, self.collection, |row| {
                self.encode(&mut writing, row)
            })?;
            writing.pending.clear();
            (writing.next, writing.first) = (last.number + 1, last.head.first);
            writing.parts = last.head.parts;
        }
        Ok(writing)
    }

    fn encode(&self, writing: &mut Writing, row: &Row) -> Result<(), Error> {
        writing.pending.push_str(row.json());
        writing.pending.push('\n');
        let key = row.key_fingerprint().unwrap_or_default();
        writing.keys.extend_from_slice(&key.to_be_bytes());
        writing.rows += 1;
        let part = match &mut writing.part {
            Some(part) => part,
            None => writing
                .part
                .insert(Part::start(self.collection, &self.options)?),
        };
        part.encoder.write(row)
    }

    /// Stores the part that is being encoded.
    fn end_part(&self, writing: &mut Writing) -> Result<(), Error> {
        let number = writing.parts.len();
        let part = match writing.part.take() {
            Some(part) => part,
            // A collection without rows still has a file.
            None if number == 0 => Part::start(self.collection, &self.options)?,
            None => return Ok(()),
        };
        let mut info = part.encoder.finish()?;
        let mut file = part.file;
        file.rewind()
            .map_err(|error| Error::file("read back", Path::new("a temporary file"), error))?;
        self.store.upload(&self.names.part(number), file)?;
        info.path = format!("{}/{}", self.published, self.names.published(number));
        writing.parts.push(info);
        writing.rows = 0;
        writing.pending.clear();
        writing.unstored = None;
        writing.first = writing.next;
        Ok(())
    }

    /// Stores the last checkpoint with the rows before it.
    fn store_checkpoint(&self, writing: &mut Writing) -> Result<(), Error> {
        let Some((checkpoint, bytes)) = writing.unstored.take() else {
            return Ok(());
        };
        let head = Head {
            parts: writing.parts.clone(),
            first: writing.first,
            checkpoint,
        };
        let rest = writing.pending.split_off(bytes);
        let content = encode(&head, &writing.pending)?;
        self.store
            .replace(&self.names.rows(writing.next), content)?;
        writing.pending = rest;
        writing.next += 1;
        writing.stored = Instant::now();
        Ok(())
    }
}

impl Staging for StagingObjects {
    fn stored_checkpoint(&self) -> Result<Option<ExtractCheckpoint>, Error> {
        let last = object_journal::last(&self.store, &self.names)?;
        Ok(last.map(|last| last.head.checkpoint))
    }

    fn visit_keys(&mut self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        let writing = self.take_writing()?;
        let parts = 0..writing.parts.len();
        let paths: Vec<String> = parts.map(|part| self.names.keys(part)).collect();
        let stored = self.store.read_all(&paths)?;
        let all = stored
            .iter()
            .map(AsRef::as_ref)
            .chain([writing.keys.as_slice()]);
        for key in all.flat_map(|keys| keys.as_chunks::<16>().0) {
            let key = u128::from_be_bytes(*key);
            if key != 0 {
                visit(key);
            }
        }
        self.writing = Some(writing);
        Ok(())
    }

    fn write(&mut self, rows: &[Row]) -> Result<(), Error> {
        let mut writing = self.take_writing()?;
        for row in rows {
            let most = self.options.rows_per_part;
            if most.is_some_and(|most| writing.rows >= most.get()) {
                let keys = std::mem::take(&mut writing.keys);
                let path = self.names.keys(writing.parts.len());
                self.end_part(&mut writing)?;
                self.store.replace(&path, keys.into())?;
            }
            self.encode(&mut writing, row)?;
        }
        self.writing = Some(writing);
        Ok(())
    }

    fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error> {
        let mut writing = self.take_writing()?;
        writing.unstored = Some((checkpoint.clone(), writing.pending.len()));
        if writing.pending.len() >= self.checkpoints.bytes
            || writing.stored.elapsed() >= self.checkpoints.interval
        {
            self.store_checkpoint(&mut writing)?;
        }
        self.writing = Some(writing);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        if let Some(mut writing) = self.writing.take() {
            self.store_checkpoint(&mut writing)?;
            self.writing = Some(writing);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<FileInfo>, Error> {
        let mut writing = self.take_writing()?;
        self.end_part(&mut writing)?;
        Ok(writing.parts)
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
        let stored_nothing = |writing: &Writing| writing.next == 0 && writing.parts.is_empty();
        if self.writing.as_ref().is_some_and(stored_nothing) {
            return Ok(());
        }
        self.store.remove(&self.store.list(self.names.folder())?)
    }

    fn restart(&mut self) -> Result<(), Error> {
        self.writing = None;
        let log = random()?;
        let name = self.collection.name;
        self.fence.update_run(|run| {
            run.logs.insert(name.to_owned(), log.clone());
            run.commits.remove(name);
        })?;
        self.remove()?;
        self.names = JournalNames::new(self.collection, &log, &self.options);
        Ok(())
    }
}
