//! The position in a list that is read in parts, in a form that can be stored and resumed by another process.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::counting::PartCounts;
use crate::paging::{Checkpoint, fingerprint};

/// The position of [`Parts`](super::Parts): which parts are running, and which one was started last.
///
/// Created by [`Parts::checkpoint`](super::Parts::checkpoint) and accepted by [`Parts::resume`](super::Parts::resume).
/// Store it with serde, for example as JSON. Its size grows with the concurrency and the parts that were not found, not with
/// the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartsCheckpoint {
    /// The start of the complete list, which binds the checkpoint to the tenant, the operation and its filters.
    pub(super) list: Checkpoint,
    /// The running parts, in the order of their next pages.
    pub(super) running: VecDeque<RunningPart>,
    /// The id of the part that was started last. Parts are started in the order of their ids.
    pub(super) last_started: String,
    pub(super) parts_started: u64,
    /// The [fingerprint](add_id) of the ids of all parts that were started.
    pub(super) started: String,
    pub(super) items: u64,
    pub(super) counts: PartCounts,
    /// The parts that were not found, and therefore not read.
    #[serde(default)]
    pub(super) absent: Vec<String>,
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

/// The fingerprint of some ids and one more.
pub(super) fn add_id(fingerprint_before: &str, id: &str) -> String {
    let text = format!("{fingerprint_before}\0{id}");
    format!("{:032x}", fingerprint(text.as_bytes()))
}

impl PartsCheckpoint {
    pub(super) fn new(list: Checkpoint) -> Self {
        Self {
            list,
            running: VecDeque::new(),
            last_started: String::new(),
            parts_started: 0,
            started: String::new(),
            items: 0,
            counts: PartCounts::default(),
            absent: Vec::new(),
            finished: false,
        }
    }

    pub(super) fn start(&mut self, part: RunningPart) {
        self.parts_started += 1;
        self.started = add_id(&self.started, &part.id);
        self.last_started.clone_from(&part.id);
        self.running.push_back(part);
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

    /// Returns `true` if a part continues [within a page](Checkpoint::is_inside_page).
    #[must_use]
    pub fn is_inside_page(&self) -> bool {
        self.running.iter().any(|part| part.at.is_inside_page())
    }
}
