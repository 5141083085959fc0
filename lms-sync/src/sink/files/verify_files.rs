//! Checks files against their manifest and their completeness records.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Seek as _},
    path::Path,
};

use super::{
    FolderStore, decode,
    encode::{FileInfo, hash},
    files_store::FilesStore,
    format::{FilesOptions, without_extension},
    manifest::{Manifest, ManifestEntry, NAME},
    run_state::{Document, RunState},
};
use crate::{
    collection::{Collection, collection, collections},
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
        note_unlisted(&manifest, store, others()?, &mut verified)?;
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

/// Notes the files that a reader of an export takes for a part of it, although its manifest does not list them: readers select
/// files by patterns such as `learners/*.csv.gz`, and a copy, a leftover or a forgery adds rows that no record has.
fn note_unlisted(
    manifest: &Manifest,
    store: &dyn FilesStore,
    mut paths: Vec<String>,
    verified: &mut Vec<VerifiedCollection>,
) -> Result<(), Error> {
    // Those that this release knows, and those of the manifest.
    let known = collections().iter().map(|collection| collection.name);
    let listed = manifest.collections.keys().map(String::as_str);
    let names: BTreeSet<&str> = known.chain(listed).collect();
    for name in &names {
        paths.extend(store.list(name)?.into_keys());
    }
    paths.sort_unstable();
    for path in paths.iter().filter(|path| !manifest.has(path)) {
        if let Some(name) = collection_of(path).filter(|name| names.contains(name)) {
            let problem = format!("{path} is not in {NAME}, so an export did not write it");
            VerifiedCollection::note(verified, name, problem);
        }
    }
    Ok(())
}

/// The collection whose readers find a file: `learners` of `learners.csv` and of `learners/part-00001.csv.gz`.
fn collection_of(path: &str) -> Option<&str> {
    let name = without_extension(path)?;
    match name.split_once('/') {
        Some((folder, _)) => Some(folder),
        None => (!name.contains('.')).then_some(name),
    }
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
        match open_unchanged(store, info)? {
            // A file that was changed need not have rows.
            Err(problem) => problems.push(problem),
            Ok(file) => {
                let rows = decode::rows(file, collection, options);
                let counted = rows
                    .and_then(|mut rows| rows.try_for_each(|row| row.map(|row| recount.add(&row))));
                if let Err(error) = counted {
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

/// Opens a file that is as the manifest says, or says how it differs.
pub(super) fn open_unchanged(
    store: &dyn FilesStore,
    info: &FileInfo,
) -> Result<Result<File, String>, Error> {
    let path = &info.path;
    let Some(mut file) = store.open(path)? else {
        return Ok(Err(format!("{path} is missing")));
    };
    let hashed = hash(&mut file).and_then(|hashed| file.rewind().map(|()| hashed));
    let failed = |error| Error::file("read", Path::new(&store.place(path)), error);
    let (sha256, bytes) = hashed.map_err(failed)?;
    if bytes == info.bytes && sha256 == info.sha256 {
        return Ok(Ok(file));
    }
    let mut problem = format!("{path} has been changed since it was written");
    if bytes != info.bytes {
        problem.push_str(&format!(": it has {bytes} bytes instead of {}", info.bytes));
    }
    Ok(Err(problem))
}

#[cfg(test)]
mod tests {
    use super::collection_of;

    #[test]
    fn only_files_in_the_formats_of_an_export_are_of_a_collection() {
        for (path, expected) in [
            ("learners.csv", Some("learners")),
            ("learners.ndjson.gz", Some("learners")),
            ("learners/part-00001.csv.zst", Some("learners")),
            ("learners/run=1/copy of part.parquet", Some("learners")),
            ("learners.old.csv", None),
            ("learners.txt", None),
            ("learners/.DS_Store", None),
            ("learners/_SUCCESS", None),
            ("manifest.json", None),
        ] {
            assert_eq!(collection_of(path), expected, "{path}");
        }
    }
}
