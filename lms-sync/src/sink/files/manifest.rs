//! `manifest.json`: the files of an export, and the record of each collection.

use std::{collections::BTreeMap, fmt::Display};

use serde::{Deserialize, Serialize};

use super::{encode::FileInfo, format::FilesOptions};
use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    plan::Plan,
    record::CompletenessRecord,
};

/// The version of the format.
const VERSION: u32 = 1;

/// The name of the file.
pub(in crate::sink) const NAME: &str = "manifest.json";

/// A commit. It is stored before any file gets its name, so that a commit which was interrupted is finished.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::sink) struct Commit {
    #[serde(flatten)]
    pub(in crate::sink) entry: ManifestEntry,
    /// The files of the previous run. They are removed when the manifest lists the new ones.
    replaces: Vec<FileInfo>,
}

impl Commit {
    /// The files of an entry, in place of those of an entry before it.
    pub(super) fn new(
        collection: &Collection,
        entry: ManifestEntry,
        files: Vec<FileInfo>,
        before: Option<&ManifestEntry>,
    ) -> Result<Self, Error> {
        let mut commit = Self {
            entry,
            replaces: before.map(|entry| entry.files.clone()).unwrap_or_default(),
        };
        if let Some(record) = &mut commit.entry.record {
            let guarded = files.iter().flat_map(|file| &file.guarded_columns);
            record.guarded_columns = guarded.cloned().collect();
        }
        commit.entry.files = files;
        // The paths come from a file if the run was continued.
        commit.check(collection.name, "what an interrupted run has stored")?;
        Ok(commit)
    }

    /// Refuses a commit that was read from a place, and that names files which no export of the collection writes.
    pub(super) fn check(&self, collection: &str, place: impl Display) -> Result<(), Error> {
        let mut files = [&self.entry.files, &self.replaces].into_iter();
        files.try_for_each(|files| check_paths(collection, files, &place))
    }
}

impl ManifestEntry {
    /// The entry for rows with this record, without their files.
    pub(super) fn new(
        collection: &Collection,
        record: &CompletenessRecord,
        options: &FilesOptions,
        tenant: &str,
    ) -> Self {
        Self {
            files: Vec::new(),
            record: Some(record.clone()),
            tenant: Some(tenant.to_owned()),
            options: Some(options.clone()),
            columns: Some(collection.columns_hash()),
            incomplete_run: None,
        }
    }

    /// Returns `true` if the rows of another entry would be written as those of this one are.
    pub(super) fn has_rows_of(&self, other: &Self) -> bool {
        let rows = |of: &Self| {
            let record = of.record.as_ref()?;
            Some((record.rows_sha256, record.rows, record.filters.clone()))
        };
        let options = |of: &Self| (of.options.clone(), of.tenant.clone(), of.columns.clone());
        rows(self) == rows(other) && options(self) == options(other)
    }
}

/// Refuses files that no export of a collection writes.
fn check_paths(collection: &str, files: &[FileInfo], place: impl Display) -> Result<(), Error> {
    match files
        .iter()
        .find(|file| !is_path_of(collection, &file.path))
    {
        None => Ok(()),
        Some(file) => Err(ErrorKind::Foreign.error(format!(
                "{place} names {:?}, which is no file of {collection:?} that an export writes; restore the file, or move it away",
                file.path
            ))),
    }
}

/// Returns `true` if an export can give a file of a collection this path: `learners.csv`, or `learners/part-00001.csv`
/// with folders between.
fn is_path_of(collection: &str, path: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']);
    let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let of = path.strip_prefix(collection);
    collection.bytes().all(known)
        && !collection.is_empty()
        && path.split('/').all(plain)
        && of.is_some_and(|rest| {
            rest.starts_with('/') || (rest.starts_with('.') && !rest.contains('/'))
        })
}

/// The content of `manifest.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Manifest {
    /// The version of the format.
    pub version: u32,
    /// The program that wrote it, for example `lms-sync 0.1.0`.
    pub generator: String,
    /// The collections, by name.
    pub collections: BTreeMap<String, ManifestEntry>,
}

/// A collection of a [`Manifest`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ManifestEntry {
    /// The files, in the order of the rows. Empty if the collection was never complete.
    pub files: Vec<FileInfo>,
    /// The record of the rows in the files. Absent if the collection was never complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<CompletenessRecord>,
    /// The identity of the tenant that the rows are from. Absent if the collection was never
    /// complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The options with which the files were written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<FilesOptions>,
    /// A hash of the columns of the files. Absent if the collection was never complete, or an earlier release wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<String>,
    /// The last run, if it ended without being complete. It has not changed the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete_run: Option<CompletenessRecord>,
}

impl Manifest {
    /// The manifest as it was read from a place, unless it is of a newer version.
    pub(super) fn known(mut self, place: impl Display) -> Result<Self, Error> {
        if self.version > VERSION {
            return Err(ErrorKind::Foreign.error(format!(
                    "{place} has version {}, and this program reads version {VERSION}; use the program that wrote it",
                    self.version
                )));
        }
        for (name, entry) in &self.collections {
            check_paths(name, &entry.files, &place)?;
        }
        // As this program writes it.
        self.version = VERSION;
        self.generator = format!("lms-sync {}", env!("CARGO_PKG_VERSION"));
        Ok(self)
    }

    /// Refuses a destination that has collections of another tenant. Those that are replaced may be.
    pub(in crate::sink) fn check_tenant(
        &self,
        plan: &Plan,
        place: impl Display,
    ) -> Result<(), Error> {
        for (name, entry) in &self.collections {
            let planned = plan.collections.iter().any(|planned| planned.name == *name);
            match &entry.tenant {
                Some(tenant) if planned => plan.check_tenant(tenant, &place)?,
                Some(tenant) if *tenant != plan.tenant => {
                    return Err(ErrorKind::OtherRun.error(format!(
                            "{place} has {name} of the tenant {tenant:?}, and this run reads others of {:?}; choose another \
                             destination",
                            plan.tenant
                        )));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Lists the files of a commit in place of those that it replaces. Returns the paths of files that it no longer lists.
    pub(super) fn commit(&mut self, collection: &Collection, commit: Commit) -> Vec<String> {
        self.collections
            .insert(collection.name.to_owned(), commit.entry);
        let replaced = commit.replaces.into_iter().map(|file| file.path);
        replaced.filter(|path| !self.has(path)).collect()
    }

    /// Keeps the record of a collection that is not complete next to the files of the last complete run.
    pub(in crate::sink) fn abort(&mut self, collection: &Collection, record: &CompletenessRecord) {
        let name = collection.name.to_owned();
        let entry = self.collections.entry(name);
        entry.or_default().incomplete_run = Some(record.clone());
    }

    /// Returns `true` if a file belongs to the export.
    pub(in crate::sink) fn has(&self, path: &str) -> bool {
        let entries = self.collections.values();
        entries
            .flat_map(|entry| &entry.files)
            .any(|file| file.path == path)
    }
}

#[cfg(test)]
mod tests {
    use super::is_path_of;

    #[test]
    fn only_paths_of_an_export_are_known() {
        for known in [
            "learners.csv",
            "learners.csv.zst",
            "learners/part-00001.parquet",
            "learners/run=20261122T083000.123Z/part-00001.parquet",
        ] {
            assert!(is_path_of("learners", known), "{known}");
        }
        for (collection, unknown) in [
            ("learners", "/etc/passwd"),
            ("learners", "learners"),
            ("learners", "learners/../../x"),
            ("learners", "learners/./x"),
            ("learners", "learners//x"),
            ("learners", "learners/..\\x"),
            ("learners", "learners.csv/x"),
            ("learners", "courses.csv"),
            ("..", "../x"),
            ("", "/x"),
        ] {
            assert!(!is_path_of(collection, unknown), "{unknown}");
        }
    }
}
