//! What the walks of a collection pass on: pages as they were received, and the requests that they took.

use std::collections::BTreeMap;

use lms_ext::WalkSummary;

use crate::collection::RawItem;

/// A page as it was received.
#[derive(Debug)]
pub(super) struct RawPage {
    pub(super) items: Vec<(RawItem, Fill)>,
    /// The items of the list that decides when the walk ends.
    pub(super) listed: u64,
    pub(super) next_cursor: Option<String>,
    pub(super) number_found: Option<i64>,
    /// The calls that found nothing.
    pub(super) not_found: u64,
}

/// Columns of the key, for an item that lacks them.
pub(super) type Fill = Vec<(&'static str, String)>;

/// How a collection is read.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) filters: BTreeMap<String, String>,
    pub(super) page_size: Option<u32>,
    pub(super) concurrency: usize,
}

/// Requests that were sent, and pages or objects that they returned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    pub(super) sent: u64,
    pub(super) answered: u64,
}

impl Requests {
    pub(super) fn add(&mut self, other: Self) {
        self.sent += other.sent;
        self.answered += other.answered;
    }

    pub(super) fn of(summary: &WalkSummary) -> Self {
        Self {
            sent: summary.requests(),
            answered: summary.pages(),
        }
    }
}
