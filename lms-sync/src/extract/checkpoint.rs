//! The position of an extract, with everything its record has counted so far.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{absent::AbsentForm, evidence::ListEvidence, page::Fill, progress::Progress};
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
        let is_known = self.version == FORMAT_VERSION && self.collection == collection.name;
        if is_known && self.has_columns_of(collection) {
            return Ok(());
        }
        Err(Error::usage(format!(
            "the checkpoint is of {} in the format {}, and cannot be continued for {} in the format {FORMAT_VERSION} and with the \
             columns of this release; start again without it",
            self.collection, self.version, collection.name
        )))
    }
}

/// The position at which reading continues.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ExtractPosition {
    /// At the start.
    #[default]
    Start,
    /// In a list.
    List(Box<ListPosition>),
    /// In the items of the lists for which a collection is read.
    ForEach(ForEachPosition),
    /// In the parts of a list.
    Parts(Box<PartsPosition>),
}

impl ExtractPosition {
    /// Returns `true` if the page whose rows come before is requested again, because it named no next page.
    pub(super) fn is_inside_page(&self) -> bool {
        match self {
            Self::List(position) => position.checkpoint.is_inside_page(),
            Self::Parts(position) => position.checkpoint.is_inside_page(),
            Self::Start | Self::ForEach(_) => false,
        }
    }
}

/// The position in a list, with the observations of its pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ListPosition {
    pub(super) checkpoint: lms_ext::Checkpoint,
    pub(super) evidence: ListEvidence,
}

/// The position in a collection that is read for each item of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ForEachPosition {
    /// Number of items of the first list whose calls are made.
    pub(super) done: u64,
    /// The hash of these items.
    items: [u8; 32],
    /// The hash of the items of the other lists.
    others: [u8; 32],
    /// The form of the responses to the calls that found nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) absent: Option<AbsentForm>,
}

impl ForEachPosition {
    /// The calls for an item of the first list are made.
    pub(super) fn add(&mut self, item: &Fill) {
        self.done += 1;
        chain(&mut self.items, item);
    }

    /// The items of one of the other lists.
    pub(super) fn add_others(&mut self, items: &[Fill]) {
        for item in items {
            chain(&mut self.others, item);
        }
    }
}

/// The position in a list that is read in parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartsPosition {
    pub(super) checkpoint: lms_ext::concurrent::PartsCheckpoint,
    /// The observations of the parts that are being read.
    pub(super) lists: BTreeMap<String, ListEvidence>,
    /// The number of items of the list when its parts were counted first.
    pub(super) number_found: Option<u64>,
    /// The parts were counted after the last one.
    pub(super) ended: bool,
}

/// Adds the values of an item to a hash: `hash = SHA-256(hash ‖ value)`, starting with 32 zero bytes.
fn chain(hash: &mut [u8; 32], item: &Fill) {
    for (_, value) in item {
        let next = Sha256::new().chain_update(*hash).chain_update(value);
        *hash = next.finalize().into();
    }
}
