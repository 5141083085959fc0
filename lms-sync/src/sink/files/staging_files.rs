//! A collection that is being read: rows are journalled and encoded into parts, which wait in the state folder until the end.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    atomic::{if_exists, remove, sync_folder},
    encode::{Encoder, FileInfo, Output, start},
    file_journal::{self, Journal, Stored, part_path},
    format::FilesOptions,
    manifest::{Commit, Manifest},
    manifest_sink::Staging,
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::ExtractCheckpoint,
    sink::regular,
};

/// Written before the files of a collection are published. If it exists, publishing is finished, not started again.
pub(super) const COMMIT: &str = "commit.json";

/// The state of one collection of a run.
pub(super) struct StagingFiles {
    collection: &'static Collection,
    destination: PathBuf,
    folder: PathBuf,
    options: FilesOptions,
    writing: Option<Writing>,
}

/// The writer of the current part.
struct Writing {
    journal: Journal,
    encoder: Option<Box<dyn Encoder>>,
    rows: u64,
}

impl StagingFiles {
    pub(super) fn new(
        collection: &'static Collection,
        destination: &Path,
        state: &Path,
        options: &FilesOptions,
    ) -> Self {
        Self {
            collection,
            destination: destination.to_owned(),
            folder: state.join(collection.name),
            options: options.clone(),
            writing: None,
        }
    }

    /// The folder that the parts will be in.
    pub(super) fn published(&self) -> PathBuf {
        let mut path = self.destination.join(self.name(0));
        path.pop();
        path
    }

    /// The name of a part in the destination. Parts count from 0.
    pub(super) fn name(&self, part: usize) -> String {
        let name = self.collection.name;
        if self.options.rows_per_part.is_none() {
            format!("{name}.{}", self.options.extension())
        } else {
            format!("{name}/{}", self.options.part_name(part))
        }
    }

    fn unpublished(&self, part: usize) -> PathBuf {
        part_path(&self.folder, part)
    }

    fn stored(&self) -> Result<Stored, Error> {
        file_journal::read(&self.folder)
    }

    /// Opens the journal unless it is open, and continues the unfinished part or encodes its rows again.
    fn take_writing(&mut self) -> Result<Writing, Error> {
        if let Some(writing) = self.writing.take() {
            return Ok(writing);
        }
        let stored = self.stored()?;
        let mut writing = Writing {
            journal: Journal::open(&self.folder, &stored, &self.options)?,
            encoder: None,
            rows: 0,
        };
        if let Some((output, rows)) = file_journal::open_part(&self.folder, &stored)? {
            writing.encoder = Some(start(output, self.collection, &self.options)?);
            writing.rows = rows;
        }
        file_journal::visit_rows(&self.folder, &stored, self.collection, |row| {
            self.encode(&mut writing, row)
        })?;
        Ok(writing)
    }

    /// Removes the stored rows and the commit.
    pub(super) fn remove_all(&self) -> Result<(), Error> {
        self.remove()?;
        remove(&self.folder.join(COMMIT))?;
        remove(&self.folder.join(format!("{COMMIT}.new")))?;
        match fs::remove_dir(&self.folder) {
            // Files that this program did not write stay.
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty
                ) =>
            {
                Err(Error::file("remove", &self.folder, error))
            }
            _ => Ok(()),
        }
    }

    fn encode(&self, writing: &mut Writing, row: &Row) -> Result<(), Error> {
        let encoder = match &mut writing.encoder {
            Some(encoder) => encoder,
            None => {
                let path = self.unpublished(writing.journal.parts().len());
                writing.encoder.insert(start(
                    Output::create(&path)?,
                    self.collection,
                    &self.options,
                )?)
            }
        };
        writing.rows += 1;
        encoder.write(row)
    }

    fn end_part(&self, writing: &mut Writing) -> Result<(), Error> {
        let part = writing.journal.parts().len();
        let encoder = match writing.encoder.take() {
            Some(encoder) => encoder,
            // A collection without rows still has a file.
            None if part == 0 => {
                let output = Output::create(&self.unpublished(part))?;
                start(output, self.collection, &self.options)?
            }
            None => return Ok(()),
        };
        let mut info = encoder.finish()?;
        info.path = self.name(part);
        writing.rows = 0;
        writing.journal.end_part(info)
    }
}

impl Staging for StagingFiles {
    fn stored_checkpoint(&self) -> Result<Option<ExtractCheckpoint>, Error> {
        Ok(self.stored()?.checkpoint)
    }

    fn visit_keys(&mut self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        file_journal::visit_keys(&self.folder, &self.stored()?, visit)
    }

    fn write(&mut self, rows: &[Row]) -> Result<(), Error> {
        let mut writing = self.take_writing()?;
        for row in rows {
            let most = self.options.rows_per_part;
            if most.is_some_and(|most| writing.rows >= most.get()) {
                self.end_part(&mut writing)?;
            }
            writing.journal.append(row)?;
            self.encode(&mut writing, row)?;
        }
        self.writing = Some(writing);
        Ok(())
    }

    fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error> {
        let mut writing = self.take_writing()?;
        let open_part = match &mut writing.encoder {
            Some(encoder) => encoder.stored()?,
            None => None,
        };
        writing.journal.checkpoint(checkpoint, open_part)?;
        self.writing = Some(writing);
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<FileInfo>, Error> {
        let mut writing = self.take_writing()?;
        self.end_part(&mut writing)?;
        Ok(writing.journal.parts().to_vec())
    }

    /// Renames the parts.
    fn publish(&self, commit: &Commit, _manifest: &Manifest) -> Result<(), Error> {
        for (part, file) in commit.files.iter().enumerate() {
            let (from, to) = (self.unpublished(part), self.destination.join(&file.path));
            // It was renamed before the crash.
            if !from.exists() && to.exists() {
                continue;
            }
            let rename = || {
                if let Some(folder) = to.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::rename(&from, &to)?;
                sync_folder(&to)
            };
            rename().map_err(|error| Error::file("rename a file to", &to, error))?;
        }
        Ok(())
    }

    fn remove(&self) -> Result<(), Error> {
        let failed = |error| Error::file("read", &self.folder, error);
        regular::check_folder(&self.folder).map_err(failed)?;
        let Some(files) = if_exists(&self.folder, fs::read_dir(&self.folder))? else {
            return Ok(());
        };
        for file in files {
            let file = file.map_err(failed)?;
            if file.file_name().to_str().is_some_and(file_journal::is_ours) {
                remove(&file.path())?;
            }
        }
        Ok(())
    }

    fn restart(&mut self) -> Result<(), Error> {
        self.writing = None;
        self.remove_all()
    }
}
