//! The rows of a journal in a folder: a file for each part, to which segments are appended.
//!
//! A segment follows a line with its CRC and its length. What follows the last segment that agrees with its line was not stored
//! completely when the machine failed.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _},
    ops::Range,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    atomic::{if_exists, remove, sync_folder},
    files_store::SegmentLog,
};
use crate::{error::Error, sink::regular};

/// Time after which segments are synced, and thus the work that a power failure may cost. The death of the process alone costs
/// none.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// The start of the names of the files. The number of the first segment follows.
const ROWS: &str = "rows-";

/// The segments in a folder.
pub(super) struct FileLog {
    folder: PathBuf,
    open: Option<Appended>,
}

/// A file that segments are appended to.
struct Appended {
    first: u64,
    file: File,
    is_empty: bool,
    /// Time of the last sync.
    synced: Instant,
}

impl FileLog {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, open: None }
    }

    fn path(&self, first: u64) -> PathBuf {
        self.folder.join(format!("{ROWS}{first:010}"))
    }

    /// The numbers by which the files are named, in order.
    fn files(&self) -> Result<Vec<u64>, Error> {
        let failed = |error| Error::file("read", &self.folder, error);
        regular::check_folder(&self.folder).map_err(failed)?;
        let found = if_exists(&self.folder, fs::read_dir(&self.folder))?;
        let mut files = Vec::new();
        for file in found.into_iter().flatten() {
            let name = file.map_err(failed)?.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(ROWS));
            files.extend(number.and_then(|number| number.parse::<u64>().ok()));
        }
        files.sort_unstable();
        Ok(files)
    }

    /// Opens the file of an unfinished part after its last segment, where it ends.
    fn append_to(&self, first: u64, end: u64) -> Result<Appended, Error> {
        let path = self.path(first);
        let open = || -> io::Result<File> {
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).write(true);
            let mut file = regular::open(&path, &options)?;
            file.set_len(end)?;
            file.seek(io::SeekFrom::End(0))?;
            Ok(file)
        };
        Ok(Appended {
            first,
            file: open().map_err(|error| Error::file("open", &path, error))?,
            is_empty: end == 0,
            synced: Instant::now(),
        })
    }
}

impl SegmentLog for FileLog {
    fn last(&mut self) -> Result<Option<(u64, String)>, Error> {
        for first in self.files()?.into_iter().rev() {
            let mut last = None;
            let end = visit(&self.path(first), &mut |segment| {
                let number = last.take().map_or(first, |(number, _)| number + 1);
                last = Some((number, segment));
                Ok(())
            })?;
            if last.is_some() {
                self.open = Some(self.append_to(first, end)?);
                return Ok(last);
            }
        }
        Ok(None)
    }

    fn visit(
        &mut self,
        numbers: Range<u64>,
        each: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match numbers.is_empty() {
            true => Ok(()),
            false => visit(&self.path(numbers.start), &mut |segment| each(&segment)).map(drop),
        }
    }

    fn append(&mut self, _: u64, first: u64, segment: &str) -> Result<(), Error> {
        let mut open = match self.open.take() {
            Some(open) if open.first == first => open,
            _ => self.append_to(first, 0)?,
        };
        let path = self.path(first);
        let (crc, length) = (crc32fast::hash(segment.as_bytes()), segment.len());
        // The rows of the parts before this one are removed after it.
        let follows = first > 0 && std::mem::take(&mut open.is_empty);
        let mut append = || -> io::Result<()> {
            let stored = format!("{crc:08x} {length}\n{segment}");
            open.file.write_all(stored.as_bytes())?;
            if follows || open.synced.elapsed() >= SYNC_INTERVAL {
                open.file.sync_data()?;
                sync_folder(&path)?;
                open.synced = Instant::now();
            }
            Ok(())
        };
        append().map_err(|error| Error::file("write", &path, error))?;
        if follows {
            let files = self.files()?.into_iter();
            let mut full = files.filter(|file| *file < first);
            full.try_for_each(|file| remove(&self.path(file)))?;
        }
        self.open = Some(open);
        Ok(())
    }

    fn paths(&self, _: Range<u64>) -> Vec<String> {
        Vec::new()
    }
}

/// Passes the segments of a file to `each`. Returns the number of their bytes; 0 if there is no such file.
fn visit(path: &Path, each: &mut dyn FnMut(String) -> Result<(), Error>) -> Result<u64, Error> {
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
