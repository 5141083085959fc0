//! A collection on its way: rows are stored with each checkpoint and encoded into parts, which are published when all are whole.

use std::{fs::File, io::Seek as _, num::NonZeroU64, path::Path, sync::Arc};

use super::{
    entries::{self, Head, Names, encode},
    store::Store,
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::Checkpoint,
    record::CompletenessRecord,
    sink::files::{
        FileInfo, FilesOptions, Manifest,
        encode::{Encoder, Output, start},
        manifest::{self, Commit},
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
pub(super) struct Stage {
    pub(super) collection: &'static Collection,
    store: Arc<Store>,
    names: Names,
    /// The folder of the parts when they are published.
    published: String,
    options: FilesOptions,
    writing: Option<Writing>,
}

/// What has been written, and the part that is not full.
#[derive(Default)]
struct Writing {
    parts: Vec<FileInfo>,
    part: Option<Part>,
    /// The rows in `part`.
    rows: u64,
    /// Their keys; zero for a row without one.
    keys: Vec<u8>,
    /// The rows of `part` since the last checkpoint, as lines of JSON.
    pending: String,
    /// The number of the next rows object, and of the first one of the unfinished part.
    next: u64,
    first: u64,
    /// The number of the first rows object that has not been removed.
    oldest: u64,
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

impl Stage {
    pub(super) fn new(
        collection: &'static Collection,
        store: &Arc<Store>,
        run: &str,
        options: &FilesOptions,
    ) -> Self {
        Self {
            collection,
            store: store.clone(),
            names: Names::new(collection, options),
            published: format!("{}/run={run}", collection.name),
            options: options.clone(),
            writing: None,
        }
    }

    /// The position that was stored before this process.
    pub(super) fn checkpoint_of_before(&self) -> Result<Option<Checkpoint>, Error> {
        let last = entries::last(&self.store, &self.names)?;
        Ok(last.map(|last| last.head.checkpoint))
    }

    /// The record of a collection whose publication began. Finishes it.
    pub(super) fn finish_commit(
        &mut self,
        manifest: &mut Manifest,
    ) -> Result<Option<CompletenessRecord>, Error> {
        let commit: Option<Commit> = self.store.read_json(&self.names.commit())?;
        commit
            .map(|commit| self.publish(commit, manifest))
            .transpose()
    }

    pub(super) fn visit_keys(&mut self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        self.open()?;
        let Some(writing) = &self.writing else {
            return Ok(());
        };
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
        Ok(())
    }

    /// Goes on after what is stored, and encodes the rows of the unfinished part again.
    fn open(&mut self) -> Result<(), Error> {
        if self.writing.is_some() {
            return Ok(());
        }
        let mut writing = Writing::default();
        if let Some(last) = entries::last(&self.store, &self.names)? {
            entries::visit_rows(&self.store, &self.names, &last, self.collection, |row| {
                self.encode(&mut writing, row)
            })?;
            writing.pending.clear();
            (writing.next, writing.first) = (last.number + 1, last.head.first);
            writing.oldest = last.head.first;
            writing.parts = last.head.parts;
        }
        self.writing = Some(writing);
        Ok(())
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

    /// Stores the part that is being encoded, with its keys.
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
        let keys = std::mem::take(&mut writing.keys);
        self.store.replace(&self.names.keys(number), keys.into())?;
        info.path = format!("{}/{}", self.published, self.options.part_name(number));
        writing.parts.push(info);
        writing.rows = 0;
        writing.pending.clear();
        writing.first = writing.next;
        Ok(())
    }

    pub(super) fn write(&mut self, rows: &[Row]) -> Result<(), Error> {
        self.open()?;
        let Some(mut writing) = self.writing.take() else {
            return Ok(());
        };
        for row in rows {
            let full = |most: NonZeroU64| writing.rows >= most.get();
            if self.options.rows_per_part.is_some_and(full) {
                self.end_part(&mut writing)?;
            }
            self.encode(&mut writing, row)?;
        }
        self.writing = Some(writing);
        Ok(())
    }

    pub(super) fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), Error> {
        self.open()?;
        let Some(writing) = &mut self.writing else {
            return Ok(());
        };
        let head = Head {
            parts: writing.parts.clone(),
            first: writing.first,
            checkpoint: checkpoint.clone(),
        };
        let content = encode(&head, &writing.pending)?;
        self.store.create(&self.names.rows(writing.next), content)?;
        writing.pending.clear();
        writing.next += 1;
        // The rows of full parts are not needed any more.
        let done = writing.oldest..writing.first;
        if !done.is_empty() {
            let paths: Vec<String> = done.map(|number| self.names.rows(number)).collect();
            self.store.remove(&paths)?;
            writing.oldest = writing.first;
        }
        Ok(())
    }

    pub(super) fn commit(
        &mut self,
        record: &CompletenessRecord,
        manifest: &mut Manifest,
    ) -> Result<(), Error> {
        self.open()?;
        let Some(mut writing) = self.writing.take() else {
            return Ok(());
        };
        self.end_part(&mut writing)?;
        let commit = manifest.prepare(self.collection, writing.parts, record);
        self.store.replace_json(&self.names.commit(), &commit)?;
        self.publish(commit, manifest)?;
        Ok(())
    }

    /// Copies the parts into place and lists them. Can be repeated after a crash.
    fn publish(
        &self,
        commit: Commit,
        manifest: &mut Manifest,
    ) -> Result<CompletenessRecord, Error> {
        let before = manifest.collections.get(self.collection.name);
        if before.is_none_or(|entry| entry.files != commit.files) {
            for (part, file) in commit.files.iter().enumerate() {
                let from = self.names.part(part);
                if !self.store.copy(&from, &file.path)? {
                    let place = self.store.place(&from);
                    return Err(Error::destination(
                        "cannot publish a part",
                        format!("{place} is missing"),
                    ));
                }
            }
        }
        let record = commit.record.clone();
        let replaced = manifest.commit(self.collection, commit, &self.options);
        self.store.update_json(manifest::NAME, manifest)?;
        self.store.remove(&replaced)?;
        self.forget_rows()?;
        Ok(record)
    }

    /// Removes everything but the mark that the collection is done.
    fn forget_rows(&self) -> Result<(), Error> {
        let mut paths = self.store.list(self.names.folder())?;
        let mark = self.names.commit();
        paths.retain(|path| *path != mark);
        self.store.remove(&paths)
    }

    /// Removes everything that is stored of the run.
    pub(super) fn forget(&self) -> Result<(), Error> {
        self.store.remove(&self.store.list(self.names.folder())?)
    }

    /// Forgets everything that is stored of the run.
    pub(super) fn restart(&mut self) -> Result<(), Error> {
        self.close();
        self.forget()
    }

    /// Drops what is in memory, so that the next call goes on after the last checkpoint.
    pub(super) fn close(&mut self) {
        self.writing = None;
    }
}
