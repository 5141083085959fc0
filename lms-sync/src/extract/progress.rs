//! What an extract has counted, and what its record says about that.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    page::{RawPage, Requests},
    partition::Cut,
};
use crate::{
    collection::{Collection, DOCUMENT_VERSION, Row},
    error::Error,
    record::{Completeness, CompletenessRecord, RowsDigest, hex},
};

/// Counts and hashes of an extract. Stored in checkpoints, so its size does not grow with the rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) began: String,
    /// How often the collection was read from its start because it changed while it was read, this time included.
    #[serde(default)]
    pub(super) readings: u64,
    pub(super) requests: u64,
    pub(super) retries: u64,
    pub(super) resumes: u64,
    pub(super) pages: u64,
    pub(super) rows: u64,
    pub(super) rows_without_key: u64,
    pub(super) duplicates: u64,
    pub(super) not_found: u64,
    /// Whether the keys of all rows are known, so that no duplicate was missed.
    pub(super) all_keys: bool,
    pub(super) count: Count,
    /// Whether the number stated by the service is only reported.
    pub(super) ignore_count: bool,
    #[serde(default)]
    pub(super) cut: Cut,
    pub(super) cursors: [u8; 32],
    pub(super) digest: RowsDigest,
    pub(super) finished: bool,
}

/// What the service says about the number of rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Count {
    pub(super) first: Option<i64>,
    pub(super) last: Option<i64>,
    /// The items of the list that the number is of.
    pub(super) items: u64,
    /// By how much the number moved from page to page, up and down together.
    pub(super) moved: u64,
}

impl Count {
    fn see(&mut self, number_found: Option<i64>) {
        let Some(now) = number_found else {
            return;
        };
        if let Some(last) = self.last {
            self.moved = self.moved.saturating_add(last.abs_diff(now));
        }
        self.first = self.first.or(number_found);
        self.last = Some(now);
    }
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
            began: now(),
            readings: 1,
            all_keys: true,
            ..Self::default()
        }
    }

    /// Counts a page.
    pub(super) fn count_page(&mut self, page: &RawPage) {
        self.pages += 1;
        self.not_found += page.not_found;
        self.count.items += page.listed;
        self.count.see(page.number_found);
        if let Some(cursor) = &page.next_cursor {
            let hash = Sha256::new()
                .chain_update(self.cursors)
                .chain_update(cursor);
            self.cursors = hash.finalize().into();
        }
    }

    /// Counts a row that will be written.
    pub(super) fn count_row(&mut self, row: &Row, has_key: bool) {
        self.rows += 1;
        self.rows_without_key += u64::from(!has_key);
        self.digest.add(row);
    }

    pub(super) fn count_requests(&mut self, requests: Requests) {
        self.requests += requests.sent;
        self.retries += requests.sent.saturating_sub(requests.responses);
    }

    /// Why rows are missing although the walk came to its end, if they are.
    pub(super) fn contradiction(&self) -> Option<String> {
        if let Some(uncovered) = &self.cut.uncovered {
            return Some(format!(
                "{uncovered}, so rows may be in none of them; start the run again, or without a cut"
            ));
        }
        let Count {
            first: Some(first),
            last: Some(last),
            items,
            moved,
        } = self.count
        else {
            return None;
        };
        if self.ignore_count {
            return None;
        }
        // An item that was returned twice may stand where another one was skipped.
        let different = items.saturating_sub(self.duplicates);
        let expected = u64::try_from(first.min(last)).unwrap_or_default();
        (different.saturating_add(moved) < expected).then(|| {
            format!(
                "the service counts {last} items, and the list ended after {different} different ones; start the run again"
            )
        })
    }

    /// What is known about the rows, and why.
    pub(super) fn completeness(&self) -> (Completeness, Vec<String>) {
        if !self.finished {
            let because = "the walk has not reached the last page".to_owned();
            return (Completeness::Incomplete, vec![because]);
        }
        if let Some(because) = self.contradiction() {
            return (Completeness::Incomplete, vec![because]);
        }
        match self.drift() {
            Some(because) => (Completeness::Changed, vec![because]),
            None => (Completeness::Complete, Vec::new()),
        }
    }

    fn drift(&self) -> Option<String> {
        let mut signs = Vec::new();
        if self.duplicates > 0 {
            signs.push(format!("{} rows were returned twice", self.duplicates));
        }
        if let Count {
            first: Some(first),
            last: Some(last),
            items,
            moved,
        } = self.count
        {
            if moved > 0 {
                signs.push(format!(
                    "the number of items stated by the service moved by {moved}, from {first} to {last}"
                ));
            } else if self.finished && i128::from(items) != i128::from(last) {
                signs.push(format!(
                    "the service counts {last} items, and {items} were read"
                ));
            }
        }
        (!signs.is_empty()).then(|| signs.join("; "))
    }

    pub(super) fn record(
        &self,
        collection: &Collection,
        tenant: &str,
        filters: &BTreeMap<String, String>,
        failure: Option<&Error>,
    ) -> CompletenessRecord {
        let (completeness, because) = match failure {
            // A failed commit of rows that are complete, too.
            Some(error) if !self.finished || self.contradiction().or(self.drift()).is_none() => {
                (Completeness::Incomplete, vec![error.to_string()])
            }
            _ => self.completeness(),
        };
        CompletenessRecord {
            collection: collection.name.to_owned(),
            completeness,
            because,
            tenant: tenant.to_owned(),
            operation: collection.operation.to_owned(),
            filters: filters.clone(),
            readings: self.readings,
            requests: self.requests,
            retries: self.retries,
            resumes: self.resumes,
            pages: self.pages,
            rows: self.rows,
            distinct_keys: self.all_keys.then_some(self.rows - self.rows_without_key),
            rows_without_key: self.rows_without_key,
            duplicates_dropped: self.duplicates,
            not_found: self.not_found,
            parts: self.cut.parts,
            not_cut_because: self.cut.not_cut.clone(),
            number_found_first: self.count.first,
            number_found_last: self.count.last,
            guarded_columns: std::collections::BTreeSet::new(),
            cursors_sha256: hex(&self.cursors),
            rows_sha256: self.digest,
            began: self.began.clone(),
            ended: now(),
            client_version: env!("CARGO_PKG_VERSION").to_owned(),
            document_version: DOCUMENT_VERSION.to_owned(),
        }
    }
}
