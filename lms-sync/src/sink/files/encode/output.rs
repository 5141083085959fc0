//! A file that is hashed while it is written, and compressed on request.

use std::{
    collections::BTreeSet,
    fs::{File, OpenOptions},
    io::{self, BufWriter, Read, Seek as _, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::format::Compression;
use crate::{collection::Row, error::Error, record::hex};

/// Number of bytes after which the buffer is written.
const BUFFER: usize = 1 << 16;

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
    /// The rows that the file had when it was opened, and the columns of them in which text was changed.
    rows: u64,
    guarded: BTreeSet<String>,
}

impl Output {
    /// Creates a file, in place of one that exists.
    pub(in crate::sink) fn create(path: &Path) -> Result<Self, Error> {
        let file = File::create(path).map_err(|error| Error::file("create", path, error))?;
        Ok(Self::new(file, path))
    }

    /// Writes to an open file. The path is that in messages.
    pub(in crate::sink) fn new(file: File, path: &Path) -> Self {
        Self::with_hash(file, path, Sha256::new())
    }

    fn with_hash(file: File, path: &Path, hash: Sha256) -> Self {
        Self {
            path: path.to_owned(),
            file: BufWriter::with_capacity(BUFFER, file),
            hash,
            bytes: 0,
            rows: 0,
            guarded: BTreeSet::new(),
        }
    }

    /// Opens a file that is not complete, and drops the bytes after `stored`.
    pub(in crate::sink) fn continue_after(path: &Path, stored: &FileInfo) -> Result<Self, Error> {
        let open = || -> io::Result<(File, Sha256)> {
            let mut file = OpenOptions::new().read(true).write(true).open(path)?;
            let (hash, _) = hash_start(&mut file, stored.bytes)?;
            file.set_len(stored.bytes)?;
            file.seek(SeekFrom::End(0))?;
            Ok((file, hash))
        };
        let (file, hash) = open().map_err(|error| Error::file("open", path, error))?;
        Ok(Self {
            bytes: stored.bytes,
            rows: stored.rows,
            guarded: stored.guarded_columns.clone(),
            ..Self::with_hash(file, path, hash)
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Passes everything to the operating system, and describes the file. Its path is set by the caller.
    fn stored(&mut self, rows: u64) -> Result<FileInfo, Error> {
        self.file
            .flush()
            .map_err(|error| Error::file("write", &self.path, error))?;
        Ok(FileInfo {
            path: String::new(),
            rows,
            bytes: self.bytes,
            sha256: hex(&self.hash.clone().finalize()),
            guarded_columns: BTreeSet::new(),
        })
    }

    /// Makes the file durable, and describes it.
    pub(super) fn finish(mut self, rows: u64) -> Result<FileInfo, Error> {
        let info = self.stored(rows)?;
        let synced = self.file.get_ref().sync_all();
        synced.map_err(|error| Error::file("write", &self.path, error))?;
        Ok(info)
    }
}

/// Hashes a file up to a size, and returns how much it has of that.
pub(in super::super) fn hash_start(file: &mut impl Read, bytes: u64) -> io::Result<(Sha256, u64)> {
    let (mut hash, mut found) = (Sha256::new(), 0);
    let mut buffer = vec![0; BUFFER];
    let mut file = file.take(bytes);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((hash, found));
        }
        hash.update(buffer.get(..read).unwrap_or_default());
        found += u64::try_from(read).unwrap_or(u64::MAX);
    }
}

impl FileInfo {
    /// Returns `true` if a file starts with the described bytes.
    pub(in super::super) fn starts(&self, file: &mut impl Read) -> io::Result<bool> {
        let (hash, bytes) = hash_start(file, self.bytes)?;
        Ok(bytes == self.bytes && hex(&hash.finalize()) == self.sha256)
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

/// Text that is compressed on its way to a file.
pub(super) struct TextOutput {
    path: PathBuf,
    stream: Stream,
    /// Lines that have not gone into the stream, and the one that is being written.
    pub(super) lines: Vec<u8>,
    /// The columns in which text was changed.
    pub(super) guarded: BTreeSet<String>,
    rows: u64,
}

enum Stream {
    Plain(Output),
    #[cfg(feature = "gzip")]
    Gzip(Box<flate2::write::GzEncoder<Output>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::Encoder<'static, Output>>),
}

impl TextOutput {
    pub(super) fn new(output: Output, compression: Compression) -> Result<Self, Error> {
        let (path, rows, guarded) = (
            output.path().to_owned(),
            output.rows,
            output.guarded.clone(),
        );
        let stream = match compression {
            Compression::None => Stream::Plain(output),
            #[cfg(feature = "gzip")]
            Compression::Gzip => Stream::Gzip(Box::new(flate2::write::GzEncoder::new(
                output,
                flate2::Compression::default(),
            ))),
            #[cfg(feature = "zstd")]
            Compression::Zstd => {
                // Level 0 is zstd's default.
                let encoder = zstd::Encoder::new(output, 0)
                    .map_err(|error| Error::file("compress", &path, error))?;
                Stream::Zstd(Box::new(encoder))
            }
        };
        Ok(Self {
            path,
            stream,
            lines: Vec::new(),
            guarded,
            rows,
        })
    }

    /// Returns `true` if the file is new.
    pub(super) fn is_at_start(&self) -> bool {
        match &self.stream {
            Stream::Plain(output) => output.bytes == 0,
            #[cfg(any(feature = "gzip", feature = "zstd"))]
            _ => true,
        }
    }

    /// Writes all lines, and describes the file; `None` if it is compressed.
    pub(super) fn stored(&mut self) -> Result<Option<FileInfo>, Error> {
        match &mut self.stream {
            Stream::Plain(output) => {
                let written = output.write_all(&self.lines);
                written.map_err(|error| Error::file("write", &self.path, error))?;
                self.lines.clear();
                let stored = output.stored(self.rows)?;
                Ok(Some(FileInfo {
                    guarded_columns: self.guarded.clone(),
                    ..stored
                }))
            }
            #[cfg(any(feature = "gzip", feature = "zstd"))]
            _ => Ok(None),
        }
    }

    /// Writes the content of `lines`.
    fn flush(&mut self) -> Result<(), Error> {
        let written = match &mut self.stream {
            Stream::Plain(stream) => stream.write_all(&self.lines),
            #[cfg(feature = "gzip")]
            Stream::Gzip(stream) => stream.write_all(&self.lines),
            #[cfg(feature = "zstd")]
            Stream::Zstd(stream) => stream.write_all(&self.lines),
        };
        self.lines.clear();
        written.map_err(|error| Error::file("write", &self.path, error))
    }

    /// The line that was added is a row.
    pub(super) fn end_row(&mut self) -> Result<(), Error> {
        self.rows += 1;
        if self.lines.len() < BUFFER {
            return Ok(());
        }
        self.flush()
    }

    pub(super) fn finish(mut self) -> Result<FileInfo, Error> {
        self.flush()?;
        let output = match self.stream {
            Stream::Plain(stream) => Ok(stream),
            #[cfg(feature = "gzip")]
            Stream::Gzip(stream) => stream.finish(),
            #[cfg(feature = "zstd")]
            Stream::Zstd(stream) => stream.finish(),
        };
        let finished = output
            .map_err(|error| Error::file("write", &self.path, error))?
            .finish(self.rows)?;
        Ok(FileInfo {
            guarded_columns: self.guarded,
            ..finished
        })
    }
}

/// Writes one file.
pub(in crate::sink) trait Encoder: Send {
    fn write(&mut self, row: &Row) -> Result<(), Error>;

    /// Passes all rows to the operating system, and returns the state of the file. `None` if the format does not allow to
    /// [continue](crate::sink::files::FilesOptions::can_continue) a file that is not complete.
    fn stored(&mut self) -> Result<Option<FileInfo>, Error> {
        Ok(None)
    }

    /// Completes the file and makes it durable.
    fn finish(self: Box<Self>) -> Result<FileInfo, Error>;
}
