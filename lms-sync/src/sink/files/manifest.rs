//! `manifest.json`: which files belong to an export, and how their rows were read.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use super::{
    atomic::{read_json, write_json},
    encode::FileInfo,
    format::FilesOptions,
};
use crate::{
    error::{Error, ErrorKind},
    record::CompletenessRecord,
};

/// The version of the format.
const VERSION: u32 = 1;

/// The name of the file.
pub(super) const NAME: &str = "manifest.json";

/// The content of `manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ManifestEntry {
    /// The files, in the order of the rows. Empty if the collection was never complete.
    pub files: Vec<FileInfo>,
    /// How the rows of the files were read. Absent if the collection was never complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<CompletenessRecord>,
    /// How the files were written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<FilesOptions>,
    /// The last run, if it ended without being complete. It has not changed the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete_run: Option<CompletenessRecord>,
}

impl ManifestEntry {
    pub(super) const EMPTY: Self = Self {
        files: Vec::new(),
        record: None,
        options: None,
        incomplete_run: None,
    };
}

impl Manifest {
    /// Reads the manifest of a destination; an empty one if it has none.
    ///
    /// # Errors
    ///
    /// [`Foreign`](ErrorKind::Foreign) if the file is not a manifest, or of a newer version;
    /// [`Destination`](ErrorKind::Destination) if it cannot be read.
    pub fn read(destination: &Path) -> Result<Self, Error> {
        let path = destination.join(NAME);
        let manifest = read_json(&path)?.unwrap_or_else(|| Self {
            version: VERSION,
            generator: String::new(),
            collections: BTreeMap::new(),
        });
        if manifest.version > VERSION {
            return Err(Error::new(
                ErrorKind::Foreign,
                format!(
                    "{} has version {}, and this program reads version {VERSION}; use the program that wrote it",
                    path.display(),
                    manifest.version
                ),
            ));
        }
        Ok(manifest)
    }

    pub(super) fn write(&mut self, destination: &Path) -> Result<(), Error> {
        self.version = VERSION;
        self.generator = format!("lms-sync {}", env!("CARGO_PKG_VERSION"));
        write_json(&destination.join(NAME), self)
    }

    /// Whether a file belongs to the export.
    pub(super) fn has(&self, path: &str) -> bool {
        let entries = self.collections.values();
        entries
            .flat_map(|entry| &entry.files)
            .any(|file| file.path == path)
    }
}
