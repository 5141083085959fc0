//! The position in a list that is read in parts, in a form that can be stored and resumed by another process.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::paging::Checkpoint;

/// The position of [`Parts`](super::Parts): which parts are running, and which one was started last.
///
/// Created by [`Parts::checkpoint`](super::Parts::checkpoint) and accepted by [`Parts::resume`](super::Parts::resume).
/// Store it with serde, for example as JSON. Its size grows with the concurrency, not with the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartsCheckpoint {
    /// The start of the complete list, which binds the checkpoint to the tenant, the operation and its filters.
    pub(super) list: Checkpoint,
    /// The running parts, in the order of their next pages.
    pub(super) running: VecDeque<RunningPart>,
    /// The id of the part that was started last. Parts are started in the order of their ids.
    pub(super) last_started: String,
    pub(super) parts_started: u64,
    pub(super) items: u64,
    pub(super) counts: Counts,
    /// The list was read to its end, and its counts add up.
    pub(super) finished: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunningPart {
    pub(super) id: String,
    pub(super) at: Checkpoint,
    /// Its `number_found` is in the sum.
    pub(super) counted: bool,
}

/// The numbers of items of the list and of its parts, as the service counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    /// The complete list, before the first part.
    pub(super) before: Option<i64>,
    /// The sum of all parts; `None` if the service does not count one of them.
    pub(super) parts: Option<i64>,
}

impl Counts {
    pub(super) fn add(&mut self, part: Option<i64>) {
        let sum = self.parts.zip(part);
        self.parts = sum.and_then(|(sum, part)| sum.checked_add(part));
    }

    /// Returns `true` if the parts are the complete list, which has this number of items afterwards.
    pub(super) fn add_up(&self, after: Option<i64>) -> bool {
        self.parts.is_some() && self.before == self.parts && after == self.parts
    }
}

impl PartsCheckpoint {
    pub(super) fn new(list: Checkpoint) -> Self {
        Self {
            list,
            running: VecDeque::new(),
            last_started: String::new(),
            parts_started: 0,
            items: 0,
            counts: Counts::default(),
            finished: false,
        }
    }

    /// The number of items returned so far.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Returns `true` if the complete list was read.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }
}
