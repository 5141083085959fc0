//! Checks files against their manifest and their completeness records.

use std::{
    fs::{self, File},
    io::{self, Seek as _},
    path::Path,
};

use super::{
    FolderStore, decode,
    encode::{FileInfo, hash},
    files_store::FilesStore,
    format::FilesOptions,
    manifest::{Manifest, ManifestEntry},
    run_state::{Document, RunState},
    unlisted,
};
use crate::{
    collection::{Collection, collection},
    error::Error,
    plan::CollectionPlan,
    verify::{Recount, VerifiedCollection},
};

/// Checks the files of an export against its manifest. Returns the result for each collection, none if there is no export.
/// Its [problems](VerifiedCollection::problems) are:
///
/// - the collection was never complete, also in a run that was interrupted;
/// - a file is missing, or has another size or SHA-256 than the manifest says;
/// - the rows, which are all read and hashed again, are not those of the completeness record;
/// - the record is not complete;
/// - a file that the manifest does not list has the name of a file of a collection, or is in its folder, and ends with
///   `csv`, `ndjson` or `parquet`, compressed or not;
/// - a run that was to replace them is unfinished.
///
/// The memory grows by some 2 bytes for each key.
///
/// # Errors
///
/// [`Foreign`](crate::ErrorKind::Foreign) when the manifest is not valid or of a newer version;
/// [`Destination`](crate::ErrorKind::Destination) when the manifest or a file cannot be read.
pub fn verify_files(destination: impl AsRef<Path>) -> Result<Vec<VerifiedCollection>, Error> {
    let destination = destination.as_ref();
    let files = || -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(destination)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        Ok(names)
    };
    verify(&FolderStore::new(destination), || {
        files().map_err(|error| Error::file("read", destination, error))
    })
}

/// Checks the files of a place. `others` lists those that are in no folder.
pub(in crate::sink) fn verify(
    store: &dyn FilesStore,
    others: impl FnOnce() -> Result<Vec<String>, Error>,
) -> Result<Vec<VerifiedCollection>, Error> {
    let Document {
        manifest,
        unfinished,
    } = Document::read(store)?;
    let mut verified = check(&manifest, store)?;
    if !verified.is_empty() {
        let mut paths = others()?;
        for name in unlisted::names(&manifest) {
            paths.extend(store.list(name)?.into_keys());
        }
        paths.sort_unstable();
        unlisted::note(&paths, &manifest, &mut verified);
    }
    let unfinished = unfinished.map(|state| RunState::read(state, store));
    let unfinished = unfinished.transpose()?.into_iter();
    let plans = unfinished.flat_map(|run| run.plan.collections);
    for CollectionPlan { name, .. } in plans {
        let problem = "an export of it is unfinished; run it again to finish it".to_owned();
        VerifiedCollection::note(&mut verified, &name, problem);
    }
    Ok(verified)
}

/// Checks the files of a manifest.
fn check(manifest: &Manifest, store: &dyn FilesStore) -> Result<Vec<VerifiedCollection>, Error> {
    let entries = manifest.collections.iter();
    entries
        .map(|(name, entry)| {
            let mut problems = Vec::new();
            match (collection(name), &entry.options) {
                (Some(known), Some(options)) => {
                    check_entry(known, options, entry, store, &mut problems)?;
                }
                (None, _) => problems.push("this release does not know the collection".to_owned()),
                (_, None) => problems.push("it was never exported completely".to_owned()),
            }
            Ok(VerifiedCollection {
                collection: name.clone(),
                record: entry.record.clone(),
                problems,
            })
        })
        .collect()
}

fn check_entry(
    collection: &'static Collection,
    options: &FilesOptions,
    entry: &ManifestEntry,
    store: &dyn FilesStore,
    problems: &mut Vec<String>,
) -> Result<(), Error> {
    let mut recount = Recount::new();
    for info in &entry.files {
        match store.open(&info.path)? {
            None => problems.push(format!("{} is missing", info.path)),
            Some(mut file) => {
                let unchanged = check_file(info, &mut file, problems)
                    .map_err(|error| Error::file("read", Path::new(&info.path), error))?;
                // A file that was changed need not have rows.
                if unchanged
                    && let Err(error) =
                        decode::rows(file, collection, options).and_then(|mut rows| {
                            rows.try_for_each(|row| row.map(|row| recount.add(&row)))
                        })
                {
                    problems.push(format!("{} cannot be read: {error}", info.path));
                }
            }
        }
    }
    match &entry.record {
        // Consequences of a missing or changed file say nothing new.
        Some(record) if problems.is_empty() => recount.compare(record, problems)?,
        Some(_) => {}
        None => problems.push("it was never exported completely".to_owned()),
    }
    Ok(())
}

/// Compares a file with the manifest. Leaves it at its start.
pub(super) fn check_file(
    info: &FileInfo,
    file: &mut File,
    problems: &mut Vec<String>,
) -> io::Result<bool> {
    let (sha256, bytes) = hash(file)?;
    file.rewind()?;
    if bytes != info.bytes {
        problems.push(format!(
            "{} has been changed since it was written: it has {bytes} bytes instead of {}",
            info.path, info.bytes
        ));
        return Ok(false);
    }
    let unchanged = sha256 == info.sha256;
    if !unchanged {
        problems.push(format!(
            "{} has been changed since it was written",
            info.path
        ));
    }
    Ok(unchanged)
}
