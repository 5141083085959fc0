//! Files that a reader of an export takes for a part of it, although its manifest does not list them.
//!
//! Readers select files by patterns such as `learners/*.csv.gz`. A copy, a leftover or a forgery that such a pattern
//! selects adds rows that no completeness record has.

use std::collections::BTreeSet;

use super::{
    format::without_extension,
    manifest::{Manifest, NAME},
};
use crate::{collection::collections, verify::VerifiedCollection};

/// The names of the collections whose files readers look for: those that this release knows, and those of the manifest.
pub(super) fn names(manifest: &Manifest) -> BTreeSet<&str> {
    let known = collections().iter().map(|collection| collection.name);
    let listed = manifest.collections.keys().map(String::as_str);
    known.chain(listed).collect()
}

/// Notes the files of collections among these that the manifest does not list.
pub(super) fn note(paths: &[String], manifest: &Manifest, verified: &mut Vec<VerifiedCollection>) {
    let names = names(manifest);
    for path in paths.iter().filter(|path| !manifest.has(path)) {
        if let Some(name) = collection_of(path).filter(|name| names.contains(name)) {
            let problem = format!("{path} is not in {NAME}, so an export did not write it");
            VerifiedCollection::note(verified, name, problem);
        }
    }
}

/// The collection whose readers find a file: `learners` of `learners.csv` and of `learners/part-00001.csv.gz`.
fn collection_of(path: &str) -> Option<&str> {
    let name = without_extension(path)?;
    match name.split_once('/') {
        Some((folder, _)) => Some(folder),
        None => (!name.contains('.')).then_some(name),
    }
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
