//! A file that is hashed while it is written, and compressed on request.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{collection::Row, error::Error};

/// Number of bytes after which the buffer is written.
pub(super) const BUFFER: usize = 1 << 16;

/// A file of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileInfo {
    /// The path, relative to the destination, with `/`.
    pub path: String,
    /// The rows.
    pub rows: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// The columns in which [text was changed](crate::sink::files::FilesOptions::formula_guard).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub guarded_columns: BTreeSet<String>,
}

/// A file that is being written.
pub(in crate::sink) struct Output {
    path: PathBuf,
    file: BufWriter<File>,
    hash: Sha256,
    bytes: u64,
}

impl Output {
    /// Writes to an open file. The path is that in messages.
    pub(in crate::sink) fn new(file: File, path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(BUFFER, file),
            hash: Sha256::new(),
            bytes: 0,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the file durable, and describes it. Its path is set by the caller.
    pub(super) fn finish(mut self, rows: u64) -> Result<FileInfo, Error> {
        let written = self.file.flush();
        written
            .and_then(|()| self.file.get_ref().sync_all())
            .map_err(|error| Error::file("write", &self.path, error))?;
        Ok(FileInfo {
            path: String::new(),
            rows,
            bytes: self.bytes,
            sha256: hex::encode(self.hash.finalize()),
            guarded_columns: BTreeSet::new(),
        })
    }
}

/// The SHA-256 of a file in hexadecimal, and its size.
pub(in super::super) fn hash(file: &mut impl Read) -> io::Result<(String, u64)> {
    let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; BUFFER]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((hex::encode(hash.finalize()), bytes));
        }
        hash.update(buffer.get(..read).unwrap_or_default());
        bytes += u64::try_from(read).unwrap_or(u64::MAX);
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all(bytes)?;
        self.hash.update(bytes);
        self.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes one file.
pub(in crate::sink) trait Encoder: Send {
    fn write(&mut self, row: &Row) -> Result<(), Error>;

    /// Completes the file and makes it durable.
    fn finish(self: Box<Self>) -> Result<FileInfo, Error>;
}
