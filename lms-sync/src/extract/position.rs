//! The position at which reading continues.

use std::collections::VecDeque;

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
    /// The parts that are being read, in the order in which their next pages come.
    pub(super) running: VecDeque<PartPosition>,
    /// Number of parts that are read at the same time. The order of the rows depends on it.
    pub(super) concurrency: usize,
    /// Parts are started in the order of their values; this one was the last.
    pub(super) started: String,
    pub(super) parts: u64,
    /// The hash of the values of all parts.
    pub(super) values: Chain,
    /// The number of items of the list at the start.
    pub(super) number_found: Option<u64>,
    pub(super) counted: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartPosition {
    pub(super) value: String,
    pub(super) position: Position,
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
