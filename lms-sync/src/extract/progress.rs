//! The counts of an extract, and the part of its record that follows from them.

use serde::{Deserialize, Serialize};

use super::{
    evidence::{Evidence, Sign},
    page::RawPage,
};
use crate::{
    collection::Row,
    record::{Completeness, CompletenessRecord},
};

/// Counts and hashes of an extract. Stored in checkpoints, so its size does not grow with the rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// The record so far. Its requests and pages are those of this reading.
    pub(super) record: CompletenessRecord,
    /// The requests and responses of earlier readings.
    pub(super) earlier: (u64, u64),
    pub(super) evidence: Evidence,
    pub(super) finished: bool,
    /// Number of pages since the last one with a new row.
    pub(super) stale_pages: u64,
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The current time in UTC, to the second.
pub(super) fn now() -> String {
    let now = jiff::Timestamp::now();
    let seconds = jiff::Timestamp::from_second(now.as_second()).unwrap_or(now);
    seconds.to_string()
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            record: CompletenessRecord {
                began: now(),
                readings: 1,
                ..CompletenessRecord::default()
            },
            ..Self::default()
        }
    }

    /// Counts a page.
    pub(super) fn count_page(&mut self, page: &RawPage) {
        self.record.not_found += page.not_found;
        let items = page.items.iter();
        self.record.bytes += items.map(|(item, _)| item.get().len() as u64).sum::<u64>();
        if let Some(now) = page.number_found.map(signed) {
            self.record.number_found_first.get_or_insert(now);
            self.record.number_found_last = Some(now);
        }
        self.evidence.add(page.evidence.clone());
    }

    /// Counts a row that will be written, and its columns whose value could not be read.
    pub(super) fn count_row(&mut self, row: &Row, unreadable: &[&str]) {
        self.record.rows += 1;
        self.record.rows_without_key += u64::from(row.key_fingerprint().is_none());
        self.record.rows_sha256.add(row);
        for column in unreadable {
            let count = self.record.unreadable.entry((*column).to_owned());
            *count.or_default() += 1;
        }
    }

    /// Counts an earlier reading of a collection that is read again.
    pub(super) fn count_reading(&mut self, before: &Self) {
        self.record.readings = before.record.readings + 1;
        self.record.bytes = before.record.bytes;
        self.earlier = (
            before.earlier.0 + before.record.requests,
            before.earlier.1 + before.record.pages,
        );
    }

    /// Counts requests and their responses: pages and objects. All other requests were retries.
    pub(super) fn count_requests(&mut self, [sent, responses]: [u64; 2]) {
        self.record.requests += sent;
        self.record.pages += responses;
    }

    /// The completeness of the rows, and its reasons.
    pub(super) fn completeness(&self) -> (Completeness, Vec<String>) {
        if !self.finished {
            let because = "the last page was not reached".to_owned();
            return (Completeness::Incomplete, vec![because]);
        }
        self.evidence.completeness()
    }

    /// Ends the reading, whose credentials belong to this tenant now.
    pub(super) fn finish(&mut self, tenant_id: &str) {
        self.finished = true;
        let began = self.record.tenant_id.as_deref().unwrap_or_default();
        if began != tenant_id {
            self.evidence.note(Sign::OtherTenant, || {
                format!("the rows were read from the tenant {began} at the start, and from {tenant_id} at the end")
            });
        }
    }
}
