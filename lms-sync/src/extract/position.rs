//! Where a walk continues.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Where a walk continues.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Position {
    /// At the start.
    #[default]
    Start,
    /// In a list.
    List(Box<lms_ext::Checkpoint>),
    /// In the parts of a list.
    Parts(Box<PartsPosition>),
}

/// Where a walk in parts continues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartsPosition {
    /// The parts that are being read, in the order in which their next pages come.
    pub(super) running: VecDeque<PartPosition>,
    /// How many parts are read at the same time. The order of the rows depends on it.
    pub(super) concurrency: usize,
    /// Parts are started in the order of their values; this one was the last.
    pub(super) started: String,
    pub(super) parts: u64,
    pub(super) counted: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartPosition {
    pub(super) value: String,
    pub(super) position: Position,
}
