//! The journal of a collection in the state folder: its rows until they are published, and the checkpoint after them.
//!
//! | file | contains | on a resume |
//! |---|---|---|
//! | `journal` | a line for each checkpoint, with the sizes and CRCs of the other files at that time | the last line that agrees with the files is the position |
//! | `keys` | the fingerprint of each row's key | truncated to the size in that line |
//! | `rows-N` | the rows of the part that is not full, as JSON | truncated, and encoded into `part-N` |
//! | `part-N` | the rows of a part in its format | written again, unless it is full |
//!
//! Later lines and bytes were written after the checkpoint, or were not stored completely when the machine failed.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::{
    atomic::{if_exists, remove, sync_folder},
    encode::FileInfo,
    format::FilesOptions,
    manifest::{Commit, Manifest},
    staging::{Journal, journal_key, visit_journal_keys},
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    extract::ExtractCheckpoint,
    sink::regular,
};

/// Number of bytes after which the buffer is written.
const BUFFER: usize = 1 << 16;

/// Time after which written rows are synced, and thus the work that a power failure may cost. The death of the process alone
/// costs none.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

const JOURNAL: &str = "journal";
const KEYS: &str = "keys";

/// Written before the files of a collection are published. If it exists, publishing is finished, not started again.
const COMMIT: &str = "commit.json";

/// The state of the files at a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Stored {
    /// The parts that are full. The rows file holds the rows of the part after them.
    parts: Vec<FileInfo>,
    rows_bytes: u64,
    rows_crc: u32,
    keys_bytes: u64,
    keys_crc: u32,
    checkpoint: Option<ExtractCheckpoint>,
}

/// The journal of a collection of a run.
pub(super) struct FileJournal {
    collection: &'static Collection,
    destination: PathBuf,
    folder: PathBuf,
    options: FilesOptions,
    open: Option<Open>,
}

/// The files of a journal that are appended to.
struct Open {
    rows: Appending,
    keys: Appending,
    lines: File,
    parts: Vec<FileInfo>,
    /// Time of the last sync.
    synced: Instant,
}

/// A file that is appended to, with its size and CRC.
struct Appending {
    path: PathBuf,
    file: File,
    /// Bytes that have not been written. `bytes` and `crc` do not contain it.
    buffer: Vec<u8>,
    bytes: u64,
    crc: Hasher,
}

impl Appending {
    /// Opens a file and drops everything after its first `bytes` bytes.
    fn open(path: PathBuf, bytes: u64, crc: u32) -> Result<Self, Error> {
        let open = || -> io::Result<File> {
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).write(true);
            let mut file = regular::open(&path, &options)?;
            file.set_len(bytes)?;
            io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|error| Error::file("open", &path, error))?;
        Ok(Self {
            file,
            buffer: Vec::new(),
            path,
            bytes,
            crc: Hasher::new_with_initial_len(crc, bytes),
        })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() < BUFFER {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Error> {
        let written = self.file.write_all(&self.buffer);
        written.map_err(|error| Error::file("write", &self.path, error))?;
        self.crc.update(&self.buffer);
        self.bytes += u64::try_from(self.buffer.len()).unwrap_or(u64::MAX);
        self.buffer.clear();
        Ok(())
    }
}

impl FileJournal {
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
            open: None,
        }
    }

    pub(super) fn commit_path(&self) -> PathBuf {
        self.folder.join(COMMIT)
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

    /// A part until it is published. Parts count from 0.
    fn part_path(&self, part: usize) -> PathBuf {
        self.folder.join(format!("part-{part:05}"))
    }

    /// The rows of a part that is not full. Parts count from 0.
    fn rows_path(&self, part: usize) -> PathBuf {
        self.folder.join(format!("rows-{part:05}"))
    }

    /// Removes the stored rows and the commit.
    pub(super) fn remove_all(&self) -> Result<(), Error> {
        self.remove()?;
        remove(&self.commit_path())?;
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

    /// The stored state; nothing if there is no journal, or none whose files agree with it.
    fn stored(&self) -> Result<Stored, Error> {
        let path = self.folder.join(JOURNAL);
        let text = if_exists(&path, regular::read(&path))?.unwrap_or_default();
        for line in text.split(|byte| *byte == b'\n').rev() {
            if let Some(stored) = parse(line)
                && let rows = self.rows_path(stored.parts.len())
                && agrees(&rows, stored.rows_bytes, stored.rows_crc)?
                && agrees(&self.folder.join(KEYS), stored.keys_bytes, stored.keys_crc)?
            {
                return Ok(stored);
            }
        }
        Ok(Stored::default())
    }

    fn opened(&mut self) -> Result<&mut Open, Error> {
        let open = self.open.as_mut();
        open.ok_or_else(|| Error::usage("the journal is not open"))
    }
}

impl Open {
    fn append_line(&mut self, folder: &Path, line: &[u8]) -> Result<(), Error> {
        let written = self.lines.write_all(line);
        written.map_err(|error| Error::file("write", &folder.join(JOURNAL), error))
    }

    /// Makes the rows and the position durable.
    fn sync(&mut self, folder: &Path) -> Result<(), Error> {
        for file in [&self.rows.file, &self.keys.file, &self.lines] {
            let synced = file.sync_data();
            synced.map_err(|error| Error::file("write", folder, error))?;
        }
        self.synced = Instant::now();
        Ok(())
    }
}

impl Journal for FileJournal {
    fn stored_checkpoint(&self) -> Result<Option<ExtractCheckpoint>, Error> {
        Ok(self.stored()?.checkpoint)
    }

    fn open(&mut self) -> Result<(), Error> {
        let stored = self.stored()?;
        fs::create_dir_all(&self.folder)
            .map_err(|error| Error::file("create", &self.folder, error))?;
        let path = self.folder.join(JOURNAL);
        let is_new = stored.checkpoint.is_none();
        let lines = || -> io::Result<File> {
            let mut options = OpenOptions::new();
            options.create(true).append(true);
            let file = regular::open(&path, &options)?;
            if is_new {
                file.set_len(0)?;
            }
            Ok(file)
        };
        let keys = self.folder.join(KEYS);
        let rows = self.rows_path(stored.parts.len());
        let mut open = Open {
            rows: Appending::open(rows, stored.rows_bytes, stored.rows_crc)?,
            keys: Appending::open(keys, stored.keys_bytes, stored.keys_crc)?,
            lines: lines().map_err(|error| Error::file("open", &path, error))?,
            parts: stored.parts,
            synced: Instant::now(),
        };
        if !is_new {
            // The last line may be truncated; the next line must not continue it.
            open.append_line(&self.folder, b"\n")?;
        }
        self.open = Some(open);
        Ok(())
    }

    fn visit_keys(&self, visit: &mut dyn FnMut(u128)) -> Result<(), Error> {
        let path = self.folder.join(KEYS);
        let failed = |error: io::Error| Error::file("read", &path, error);
        let file = regular::open(&path, OpenOptions::new().read(true)).map_err(failed)?;
        let keys = file.metadata().map_err(failed)?.len() / 16;
        let (mut reader, mut key) = (BufReader::with_capacity(BUFFER, file), [0; 16]);
        for _ in 0..keys {
            reader.read_exact(&mut key).map_err(failed)?;
            visit_journal_keys(&key, visit);
        }
        Ok(())
    }

    fn visit_rows(
        &mut self,
        visit: &mut dyn FnMut(&Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let collection = self.collection;
        let rows = &self.opened()?.rows;
        let failed = |error: io::Error| Error::file("read", &rows.path, error);
        let file = regular::open(&rows.path, OpenOptions::new().read(true)).map_err(failed)?;
        for line in BufReader::with_capacity(BUFFER, file).lines() {
            let line = line.map_err(failed)?;
            visit(&Row::parse(collection, &line).map_err(failed)?)?;
        }
        Ok(())
    }

    fn parts(&self) -> &[FileInfo] {
        self.open.as_ref().map_or(&[], |open| &open.parts)
    }

    fn create_part(&self) -> Result<(PathBuf, File), Error> {
        let path = self.part_path(self.parts().len());
        let file = File::create(&path).map_err(|error| Error::file("create", &path, error))?;
        Ok((path, file))
    }

    fn end_part(&mut self, mut part: FileInfo, _: File, _: bool) -> Result<(), Error> {
        let number = self.parts().len();
        part.path = self.name(number);
        let next = self.rows_path(number + 1);
        let open = self.opened()?;
        open.parts.push(part);
        // The rows of this part are still needed: the checkpoint may be in the middle of them.
        open.rows.flush()?;
        open.rows = Appending::open(next, 0, 0)?;
        Ok(())
    }

    fn append(&mut self, row: &Row) -> Result<(), Error> {
        let open = self.opened()?;
        open.rows.append(row.json().as_bytes())?;
        open.rows.append(b"\n")?;
        open.keys.append(&journal_key(row))
    }

    fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error> {
        let folder = self.folder.clone();
        let open = self.opened()?;
        open.keys.flush()?;
        open.rows.flush()?;
        let stored = Stored {
            parts: open.parts.clone(),
            rows_bytes: open.rows.bytes,
            rows_crc: open.rows.crc.clone().finalize(),
            keys_bytes: open.keys.bytes,
            keys_crc: open.keys.crc.clone().finalize(),
            checkpoint: Some(checkpoint.clone()),
        };
        let json = serde_json::to_string(&stored).unwrap_or_default();
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        open.append_line(&folder, line.as_bytes())?;
        if open.synced.elapsed() >= SYNC_INTERVAL {
            open.sync(&folder)?;
        }
        // The rows of full parts are not needed any more.
        match stored.parts.len().checked_sub(1) {
            Some(last) => remove(&self.rows_path(last)),
            None => Ok(()),
        }
    }

    /// Renames the parts.
    fn publish(&self, commit: &Commit, _manifest: &Manifest) -> Result<(), Error> {
        for (part, file) in commit.files.iter().enumerate() {
            let (from, to) = (self.part_path(part), self.destination.join(&file.path));
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
            if file.file_name().to_str().is_some_and(is_ours) {
                remove(&file.path())?;
            }
        }
        Ok(())
    }

    fn restart(&mut self) -> Result<(), Error> {
        self.open = None;
        self.remove_all()
    }
}

/// A line of the journal; `None` if it was not written completely.
fn parse(line: &[u8]) -> Option<Stored> {
    let (crc, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    let expected = u32::from_str_radix(crc, 16).ok()?;
    (crc32fast::hash(json.as_bytes()) == expected).then(|| serde_json::from_str(json).ok())?
}

/// Returns `true` if the first bytes of a file have this CRC.
fn agrees(path: &Path, bytes: u64, crc: u32) -> Result<bool, Error> {
    let opened = regular::open(path, OpenOptions::new().read(true));
    let Some(file) = if_exists(path, opened)? else {
        return Ok(bytes == 0);
    };
    let mut found = Hasher::new();
    let mut size = 0;
    let mut reader = BufReader::with_capacity(BUFFER, file.take(bytes));
    loop {
        let chunk = reader
            .fill_buf()
            .map_err(|error| Error::file("read", path, error))?;
        if chunk.is_empty() {
            return Ok(size == bytes && found.finalize() == crc);
        }
        found.update(chunk);
        let read = chunk.len();
        size += u64::try_from(read).unwrap_or(u64::MAX);
        reader.consume(read);
    }
}

/// Returns `true` if a file in the folder of a journal has a name that this program gives.
fn is_ours(name: &str) -> bool {
    let numbered = |prefix| {
        let number: Option<&str> = name.strip_prefix(prefix);
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    name == JOURNAL || name == KEYS || numbered("part-") || numbered("rows-")
}
