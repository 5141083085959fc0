//! Checks data against the completeness records stored with it.

use std::{
    collections::HashSet,
    fs::File,
    io::{self, BufRead as _, BufReader, Read},
    path::Path,
};

use sha2::{Digest, Sha256};

use crate::{
    collection::{Row, collection},
    error::Error,
    record::{CompletenessRecord, RowsDigest, hex},
    sink::files::{FileInfo, Manifest},
};

/// What [`verify_files`] found out about a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifiedCollection {
    /// The name of the collection.
    pub collection: String,
    /// Its record. Absent if the collection was never complete.
    pub record: Option<CompletenessRecord>,
    /// What differs from the record and the manifest, one sentence each. Empty if the data is complete and unchanged.
    pub problems: Vec<String>,
}

impl VerifiedCollection {
    /// Whether the data is complete and unchanged.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks the files of an export against its manifest: that each is there with the size and the SHA-256 that it was written
/// with, that their rows add up to those of the record, and that the record is complete. The rows of NDJSON files are also
/// read and hashed again.
///
/// # Errors
///
/// When the manifest or a file cannot be read. A file that is missing or differs is a
/// [problem](VerifiedCollection::problems) instead.
pub fn verify_files(destination: &Path) -> Result<Vec<VerifiedCollection>, Error> {
    let manifest = Manifest::read(destination)?;
    let entries = manifest.collections.into_iter();
    entries
        .map(|(name, entry)| {
            let mut problems = Vec::new();
            let mut rows = Rows::default();
            for file in &entry.files {
                check_file(destination, file, &name, &mut rows, &mut problems)?;
            }
            match &entry.record {
                None => problems.push("it was never exported completely".to_owned()),
                Some(record) => check_record(record, &entry.files, &rows, &mut problems),
            }
            Ok(VerifiedCollection {
                collection: name,
                record: entry.record,
                problems,
            })
        })
        .collect()
}

/// The rows that were read again.
#[derive(Default)]
struct Rows {
    digest: RowsDigest,
    read: u64,
    keys: HashSet<u128>,
}

fn check_file(
    destination: &Path,
    info: &FileInfo,
    name: &str,
    rows: &mut Rows,
    problems: &mut Vec<String>,
) -> Result<(), Error> {
    let path = destination.join(&info.path);
    let failed = |error| Error::file("read", &path, error);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            problems.push(format!("{} is missing", info.path));
            return Ok(());
        }
        Err(error) => return Err(failed(error)),
    };
    let bytes = file.metadata().map_err(failed)?.len();
    if bytes != info.bytes {
        problems.push(format!(
            "{} has {bytes} bytes, and was written with {}",
            info.path, info.bytes
        ));
    }
    let mut reader = Hashing {
        file,
        hash: Sha256::new(),
    };
    let known = collection(name).filter(|_| info.path.ends_with(".ndjson"));
    match known {
        None => {
            io::copy(&mut reader, &mut io::sink()).map_err(failed)?;
        }
        Some(collection) => {
            for line in BufReader::new(&mut reader).lines() {
                let line = line.map_err(failed)?;
                match Row::from_json_object(collection, &line) {
                    Ok(row) => {
                        rows.digest.add(&row);
                        rows.keys.extend(row.key_fingerprint());
                    }
                    Err(error) => {
                        problems.push(format!("{}: a line is not a row: {error}", info.path));
                    }
                }
                rows.read += 1;
            }
        }
    }
    if hex(&reader.hash.finalize()) != info.sha256 {
        problems.push(format!(
            "{} has been changed since it was written",
            info.path
        ));
    }
    Ok(())
}

fn check_record(
    record: &CompletenessRecord,
    files: &[FileInfo],
    rows: &Rows,
    problems: &mut Vec<String>,
) {
    if !record.complete {
        problems.push("its record is not complete".to_owned());
    }
    let written: u64 = files.iter().map(|file| file.rows).sum();
    if written != record.rows {
        problems.push(format!(
            "the files have {written} rows, and the record has {}",
            record.rows
        ));
    }
    let read_again = !files.is_empty() && files.iter().all(|file| file.path.ends_with(".ndjson"));
    if read_again && (rows.read, rows.digest) != (record.rows, record.rows_sha256) {
        problems.push(format!(
            "the {} rows of the files have the hash {}, and the record has {} rows with {}",
            rows.read, rows.digest, record.rows, record.rows_sha256
        ));
    }
    let distinct = u64::try_from(rows.keys.len()).unwrap_or(u64::MAX);
    if read_again && record.distinct_keys.is_some_and(|keys| keys != distinct) {
        problems.push(format!("the rows have {distinct} different keys"));
    }
}

/// A file that is hashed while it is read.
struct Hashing {
    file: File,
    hash: Sha256,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.hash.update(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}
