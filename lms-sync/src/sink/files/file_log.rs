//! The segments of a journal in a folder: a file to which they are appended.
//!
//! A segment follows a line with its CRC and its length. What follows the last segment that agrees with its line was not stored
//! completely when the machine failed.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    time::{Duration, Instant},
};

use super::atomic::{if_exists, sync_folder};
use crate::{error::Error, sink::regular};

/// Time after which segments are synced, and thus the work that a power failure may cost. The death of the process alone costs
/// none.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// A file that segments are appended to.
pub(super) struct FileLog {
    file: File,
    /// Time of the last sync.
    synced: Instant,
}

impl FileLog {
    /// Opens a file after its last segment, where it ends, or an empty one.
    pub(super) fn open(path: &Path, is_empty: bool) -> io::Result<Self> {
        let file = regular::open(path, OpenOptions::new().create(true).append(true))?;
        if is_empty {
            file.set_len(0)?;
        }
        Ok(Self {
            file,
            synced: Instant::now(),
        })
    }

    pub(super) fn append(&mut self, path: &Path, segment: &str) -> io::Result<()> {
        let (crc, length) = (crc32fast::hash(segment.as_bytes()), segment.len());
        let stored = format!("{crc:08x} {length}\n{segment}");
        self.file.write_all(stored.as_bytes())?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.file.sync_data()?;
            sync_folder(path)?;
            self.synced = Instant::now();
        }
        Ok(())
    }
}

/// The last segment of a file, and its number. Cuts off what follows.
pub(super) fn last(path: &Path) -> Result<Option<(u64, String)>, Error> {
    let mut last = None;
    let end = visit(path, &mut |segment| {
        let number = last.take().map_or(0, |(number, _)| number + 1);
        last = Some((number, segment));
        Ok(())
    })?;
    if last.is_some() {
        let cut = regular::open(path, OpenOptions::new().write(true));
        cut.and_then(|file| file.set_len(end))
            .map_err(|error| Error::file("write", path, error))?;
    }
    Ok(last)
}

/// Passes the segments of a file to `each`. Returns the number of their bytes; 0 if there is no such file.
pub(super) fn visit(
    path: &Path,
    each: &mut dyn FnMut(String) -> Result<(), Error>,
) -> Result<u64, Error> {
    let opened = regular::open(path, OpenOptions::new().read(true));
    let Some(file) = if_exists(path, opened)? else {
        return Ok(0);
    };
    let (mut file, mut end) = (BufReader::new(file), 0);
    loop {
        let segment = read_segment(&mut file);
        match segment.map_err(|error| Error::file("read", path, error))? {
            None => return Ok(end),
            Some((segment, bytes)) => {
                each(segment)?;
                end += bytes;
            }
        }
    }
}

/// The next segment, and the bytes with its line; `None` if it was not stored completely.
fn read_segment(file: &mut BufReader<File>) -> io::Result<Option<(String, u64)>> {
    let mut line = Vec::new();
    file.by_ref().take(64).read_until(b'\n', &mut line)?;
    let parse = || {
        let line = std::str::from_utf8(&line).ok()?.strip_suffix('\n')?;
        let (crc, length) = line.split_once(' ')?;
        Some((u32::from_str_radix(crc, 16).ok()?, length.parse().ok()?))
    };
    let Some((crc, length)) = parse() else {
        return Ok(None);
    };
    let mut segment = Vec::new();
    let read = file.by_ref().take(length).read_to_end(&mut segment)?;
    let whole = read as u64 == length && crc32fast::hash(&segment) == crc;
    let segment = String::from_utf8(segment).ok().filter(|_| whole);
    Ok(segment.map(|segment| (segment, line.len() as u64 + length)))
}
