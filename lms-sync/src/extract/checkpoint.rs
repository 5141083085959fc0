//! The position of an extract, with everything its record has counted so far.

use serde::{Deserialize, Serialize};

use super::{extract_position::ExtractPosition, progress::Progress};
use crate::{collection::Collection, error::Error};

/// The version of the stored format.
const FORMAT_VERSION: u32 = 1;

/// The position of an [`Extract`](super::Extract) after a batch.
///
/// Store it with serde, for example as JSON, in one step with the rows of the batch. It has a fixed size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExtractCheckpoint {
    version: u32,
    collection: String,
    /// A hash of the columns of the rows before it.
    #[serde(default)]
    columns: String,
    pub(super) position: ExtractPosition,
    pub(super) progress: Progress,
}

impl ExtractCheckpoint {
    /// The start of a collection.
    pub(super) fn new(collection: &Collection) -> Self {
        Self {
            version: FORMAT_VERSION,
            collection: collection.name.to_owned(),
            columns: collection.columns_hash(),
            position: ExtractPosition::Start,
            progress: Progress::new(),
        }
    }

    /// The number of rows up to here.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.progress.record.rows
    }

    /// The number of pages up to here.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.progress.record.pages
    }

    /// The number of rows that the service stated last, if it does.
    #[must_use]
    pub fn number_found(&self) -> Option<i64> {
        self.progress.record.number_found_last
    }

    /// Returns `true` if the rows before the checkpoint have the columns of this release. Otherwise the rows after it
    /// would not fit to them.
    pub(crate) fn has_columns_of(&self, collection: &Collection) -> bool {
        self.columns == collection.columns_hash()
    }

    /// Fails unless the checkpoint is for this collection with these columns, and of a version that this release reads.
    pub(super) fn check(&self, collection: &Collection) -> Result<(), Error> {
        if self.version != FORMAT_VERSION {
            return Err(Error::usage(format!(
                "the checkpoint has format version {}, and this release reads version {FORMAT_VERSION}; start again without it",
                self.version
            )));
        }
        if self.collection != collection.name {
            return Err(Error::usage(format!(
                "the checkpoint belongs to {}, and this is {}; resume the collection that created it",
                self.collection, collection.name
            )));
        }
        if !self.has_columns_of(collection) {
            return Err(Error::usage(format!(
                "the checkpoint is for rows of {} with other columns than this release has; start again without it",
                collection.name
            )));
        }
        Ok(())
    }
}
