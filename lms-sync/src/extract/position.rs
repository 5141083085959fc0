//! The position at which reading continues.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::evidence::ListEvidence;

/// The position at which reading continues.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Position {
    /// At the start.
    #[default]
    Start,
    /// In a list.
    List(Box<ListPosition>),
    /// In the first of the lists for whose items a collection is read.
    ForEach(Box<ForEachPosition>),
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ForEachPosition {
    pub(super) list: ListPosition,
    /// The hash of the items of the first list so far.
    pub(super) items: Chain,
    /// The hash of the items of the other lists.
    pub(super) others: Chain,
}

/// The position in a list that is read in parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartsPosition {
    pub(super) checkpoint: lms_ext::concurrent::PartsCheckpoint,
    /// Number of parts that are read at the same time. The order of the rows depends on it.
    pub(super) concurrency: usize,
    /// The observations of the parts that are being read.
    pub(super) lists: BTreeMap<String, ListEvidence>,
    /// The number of items of the list when its parts were counted first.
    pub(super) number_found: Option<u64>,
    /// The parts were counted after the last one.
    pub(super) ended: bool,
}

/// A hash over texts in their order: `hash = SHA-256(hash ‖ text)`, starting with 32 zero bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Chain(pub(super) [u8; 32]);

impl Chain {
    pub(super) fn add(&mut self, text: impl AsRef<[u8]>) {
        use sha2::Digest as _;
        let hash = sha2::Sha256::new().chain_update(self.0).chain_update(text);
        self.0 = hash.finalize().into();
    }
}
