//! The journal of a collection: the position of the stored rows, and the checkpoint after them.
//!
//! | file | contains | on a resume |
//! |---|---|---|
//! | `journal` | a line for each checkpoint, with the sizes and hashes of the other files at that time | the last line that agrees with the files is the position |
//! | `keys` | the fingerprint of each row's key | truncated to the size in that line |
//! | `part-N` | the rows of a part in its format | truncated, if the format [can be continued](FilesOptions::can_continue); otherwise written again |
//! | `rows-N` | the rows of the unfinished part as JSON, if its format cannot be continued | truncated, and encoded into `part-N` |
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
    atomic::{if_exists, remove},
    encode::{FileInfo, Output},
    format::FilesOptions,
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

/// The state of the files at a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Stored {
    /// The complete parts. The rows file holds the rows of the part after them.
    pub(super) parts: Vec<FileInfo>,
    /// The unfinished part after them, if it is to be continued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open_part: Option<FileInfo>,
    rows_bytes: u64,
    rows_crc: u32,
    keys_bytes: u64,
    keys_crc: u32,
    pub(super) checkpoint: Option<ExtractCheckpoint>,
}

/// Appends to the files of a journal.
pub(super) struct Journal {
    folder: PathBuf,
    /// `None` if the rows are in the part.
    rows: Option<Appending>,
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

impl Journal {
    /// Opens the journal of a folder at its last checkpoint. Everything later is dropped.
    pub(super) fn open(
        folder: &Path,
        stored: &Stored,
        options: &FilesOptions,
    ) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|error| Error::file("create", folder, error))?;
        let rows = (!options.can_continue()).then(|| {
            let path = rows_path(folder, stored.parts.len());
            Appending::open(path, stored.rows_bytes, stored.rows_crc)
        });
        let path = folder.join(JOURNAL);
        let new = stored.checkpoint.is_none();
        let open = || -> io::Result<File> {
            let mut options = OpenOptions::new();
            options.create(true).append(true);
            let file = regular::open(&path, &options)?;
            if new {
                file.set_len(0)?;
            }
            Ok(file)
        };
        let lines = open().map_err(|error| Error::file("open", &path, error))?;
        let mut journal = Self {
            rows: rows.transpose()?,
            keys: Appending::open(folder.join(KEYS), stored.keys_bytes, stored.keys_crc)?,
            folder: folder.to_owned(),
            lines,
            parts: stored.parts.clone(),
            synced: Instant::now(),
        };
        if !new {
            // The last line may be truncated; the next line must not continue it.
            journal.append_line(b"\n")?;
        }
        Ok(journal)
    }

    pub(super) fn append(&mut self, row: &Row) -> Result<(), Error> {
        if let Some(rows) = &mut self.rows {
            rows.append(row.json().as_bytes())?;
            rows.append(b"\n")?;
        }
        let key = row.key_fingerprint().unwrap_or_default();
        self.keys.append(&key.to_be_bytes())
    }

    /// The part is a complete file; the rows that follow belong to the next one.
    pub(super) fn end_part(&mut self, part: FileInfo) -> Result<(), Error> {
        self.parts.push(part);
        if let Some(rows) = &mut self.rows {
            // The rows of this part are still needed: the checkpoint may be in the middle of them.
            rows.flush()?;
            *rows = Appending::open(rows_path(&self.folder, self.parts.len()), 0, 0)?;
        }
        Ok(())
    }

    /// Stores a checkpoint after all rows so far, and the unfinished part if it is to be continued.
    pub(super) fn checkpoint(
        &mut self,
        checkpoint: &ExtractCheckpoint,
        open_part: Option<FileInfo>,
    ) -> Result<(), Error> {
        self.keys.flush()?;
        let mut stored = Stored {
            parts: self.parts.clone(),
            open_part,
            keys_bytes: self.keys.bytes,
            keys_crc: self.keys.crc.clone().finalize(),
            checkpoint: Some(checkpoint.clone()),
            ..Stored::default()
        };
        if let Some(rows) = &mut self.rows {
            rows.flush()?;
            stored.rows_bytes = rows.bytes;
            stored.rows_crc = rows.crc.clone().finalize();
        }
        let json = serde_json::to_string(&stored).unwrap_or_default();
        let line = format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
        self.append_line(line.as_bytes())?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        // The rows of complete parts are not needed any more.
        match self.parts.len().checked_sub(1) {
            Some(last) if self.rows.is_some() => remove(&rows_path(&self.folder, last)),
            _ => Ok(()),
        }
    }

    /// Makes the rows and the position durable.
    fn sync(&mut self) -> Result<(), Error> {
        let rows = match &self.rows {
            Some(rows) => rows.path.clone(),
            None => part_path(&self.folder, self.parts.len()),
        };
        for path in [rows, self.keys.path.clone(), self.folder.join(JOURNAL)] {
            let file = OpenOptions::new().write(true).open(&path);
            // A part has no file before its first row.
            if_exists(&path, file.and_then(|file| file.sync_data()))?;
        }
        self.synced = Instant::now();
        Ok(())
    }

    fn append_line(&mut self, line: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(JOURNAL);
        self.lines
            .write_all(line)
            .map_err(|error| Error::file("write", &path, error))
    }

    pub(super) fn parts(&self) -> &[FileInfo] {
        &self.parts
    }
}

/// The stored state of a folder; nothing if it has no journal, or none whose files agree with it.
pub(super) fn read(folder: &Path) -> Result<Stored, Error> {
    let path = folder.join(JOURNAL);
    let text = if_exists(&path, regular::read(&path))?.unwrap_or_default();
    for line in text.split(|byte| *byte == b'\n').rev() {
        if let Some(stored) = parse(line)
            && agrees(
                &rows_path(folder, stored.parts.len()),
                stored.rows_bytes,
                stored.rows_crc,
            )?
            && agrees(&folder.join(KEYS), stored.keys_bytes, stored.keys_crc)?
            && has_open_part(folder, &stored)?
        {
            return Ok(stored);
        }
    }
    Ok(Stored::default())
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
    let mut reader = BufReader::with_capacity(1 << 16, file.take(bytes));
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

/// Returns `true` if the folder has the stored bytes of the part that is to be continued.
fn has_open_part(folder: &Path, stored: &Stored) -> Result<bool, Error> {
    let Some(part) = &stored.open_part else {
        return Ok(true);
    };
    let path = part_path(folder, stored.parts.len());
    let opened = regular::open(&path, OpenOptions::new().read(true));
    let found = opened.and_then(|mut file| part.starts(&mut file));
    Ok(if_exists(&path, found)?.unwrap_or(false))
}

/// Opens the part that is to be continued, and returns it with its rows.
pub(super) fn open_part(folder: &Path, stored: &Stored) -> Result<Option<(Output, u64)>, Error> {
    let Some(part) = &stored.open_part else {
        return Ok(None);
    };
    let path = part_path(folder, stored.parts.len());
    Ok(Some((Output::continue_after(&path, part)?, part.rows)))
}

/// Calls `visit` with each row that is stored of the part that is not complete.
pub(super) fn visit_rows(
    folder: &Path,
    stored: &Stored,
    collection: &'static Collection,
    mut visit: impl FnMut(&Row) -> Result<(), Error>,
) -> Result<(), Error> {
    if stored.rows_bytes == 0 {
        return Ok(());
    }
    let path = rows_path(folder, stored.parts.len());
    let failed = |error: io::Error| Error::file("read", &path, error);
    let file = regular::open(&path, OpenOptions::new().read(true)).map_err(failed)?;
    for line in BufReader::new(file.take(stored.rows_bytes)).lines() {
        let line = line.map_err(failed)?;
        let row = Row::parse(collection, &line).map_err(failed)?;
        visit(&row)?;
    }
    Ok(())
}

/// Calls `visit` with the key of each row that is stored.
pub(super) fn visit_keys(
    folder: &Path,
    stored: &Stored,
    visit: &mut dyn FnMut(u128),
) -> Result<(), Error> {
    if stored.keys_bytes == 0 {
        return Ok(());
    }
    let path = folder.join(KEYS);
    let failed = |error: io::Error| Error::file("read", &path, error);
    let file = regular::open(&path, OpenOptions::new().read(true)).map_err(failed)?;
    let mut reader = BufReader::with_capacity(1 << 16, file.take(stored.keys_bytes));
    let mut key = [0; 16];
    for _ in 0..stored.keys_bytes / 16 {
        reader.read_exact(&mut key).map_err(failed)?;
        // Zero stands for a row without a key.
        let key = u128::from_be_bytes(key);
        if key != 0 {
            visit(key);
        }
    }
    Ok(())
}

/// Returns `true` if a file in the folder of a journal has a name that this program gives.
pub(super) fn is_ours(name: &str) -> bool {
    let numbered = |prefix| {
        let number: Option<&str> = name.strip_prefix(prefix);
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    name == JOURNAL || name == KEYS || numbered("part-") || numbered("rows-")
}

/// A part until it is published. Parts count from 0.
pub(super) fn part_path(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("part-{part:05}"))
}

/// The rows of a part that is not complete. Parts count from 0.
fn rows_path(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("rows-{part:05}"))
}
