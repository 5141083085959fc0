//! The position at which reading continues.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{absent::AbsentForm, evidence::ListEvidence, page::Fill};

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
