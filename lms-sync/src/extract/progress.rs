//! The counts of an extract, and the part of its record that follows from them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    evidence::{Evidence, Sign},
    page::{RawPage, Requests},
    parts::Partitioning,
};
use crate::{
    collection::{Collection, Row},
    error::Error,
    record::{Completeness, CompletenessRecord, RowsDigest},
};

/// Counts and hashes of an extract. Stored in checkpoints, so its size does not grow with the rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) began: String,
    /// Number of times that the collection was read from its start, this time included, because it changed.
    #[serde(default)]
    pub(super) readings: u64,
    pub(super) requests: u64,
    /// The responses to these requests: pages and objects. All other requests were retries.
    pub(super) pages: u64,
    /// The bytes of the items of all readings.
    #[serde(default)]
    bytes: u64,
    pub(super) resumes: u64,
    pub(super) rows: u64,
    pub(super) rows_without_key: u64,
    pub(super) duplicates: u64,
    pub(super) not_found: u64,
    /// The requests and responses of earlier readings.
    #[serde(default)]
    earlier: (u64, u64),
    /// The values that could not be read as the type of their column, by column.
    #[serde(default)]
    unreadable: BTreeMap<String, u64>,
    /// The count of the list that the service stated first, and last.
    pub(super) number_found: Option<(u64, u64)>,
    pub(super) partitioning: Partitioning,
    pub(super) evidence: Evidence,
    /// The id of the tenant that the rows were read from.
    pub(super) tenant_id: Option<String>,
    pub(super) digest: RowsDigest,
    pub(super) finished: bool,
    /// Number of pages since the last one with a new row.
    #[serde(default)]
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
            began: now(),
            readings: 1,
            ..Self::default()
        }
    }

    /// Counts a page.
    pub(super) fn count_page(&mut self, page: &RawPage) {
        self.not_found += page.not_found;
        let items = page.items.iter();
        self.bytes += items.map(|(item, _)| item.get().len() as u64).sum::<u64>();
        if let Some(now) = page.number_found {
            let (first, _) = self.number_found.unwrap_or((now, now));
            self.number_found = Some((first, now));
        }
        self.evidence.add(page.evidence.clone());
    }

    /// Counts a row that will be written.
    pub(super) fn count_row(&mut self, row: &Row, has_key: bool) {
        self.rows += 1;
        self.rows_without_key += u64::from(!has_key);
        self.digest.add(row);
    }

    /// Counts the columns of a row whose value could not be read.
    pub(super) fn count_unreadable(&mut self, columns: &[&str]) {
        for column in columns {
            *self.unreadable.entry((*column).to_owned()).or_default() += 1;
        }
    }

    /// Counts an earlier reading of a collection that is read again.
    pub(super) fn count_reading(&mut self, before: &Self) {
        self.readings = before.readings + 1;
        self.bytes = before.bytes;
        self.earlier = (
            before.earlier.0 + before.requests,
            before.earlier.1 + before.pages,
        );
    }

    pub(super) fn count_requests(&mut self, requests: Requests) {
        self.requests += requests.sent;
        self.pages += requests.responses;
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
        let began = self.tenant_id.as_deref().unwrap_or_default();
        if began != tenant_id {
            self.evidence.note(Sign::OtherTenant, || {
                format!("the rows were read from the tenant {began} at the start, and from {tenant_id} at the end")
            });
        }
    }

    pub(super) fn record(
        &self,
        collection: &Collection,
        tenant: &str,
        filters: &BTreeMap<String, String>,
        failure: Option<&Error>,
    ) -> CompletenessRecord {
        let (completeness, because) = match failure {
            // Also for a failed commit of complete rows.
            Some(error) if self.completeness().0 == Completeness::Complete || !self.finished => {
                (Completeness::Incomplete, vec![error.to_string()])
            }
            _ => self.completeness(),
        };
        CompletenessRecord {
            collection: collection.name.to_owned(),
            completeness,
            because,
            tenant: tenant.to_owned(),
            tenant_id: self.tenant_id.clone(),
            operation: collection.operation.to_owned(),
            filters: filters.clone(),
            readings: self.readings,
            requests: self.requests + self.earlier.0,
            retries: (self.requests + self.earlier.0).saturating_sub(self.pages + self.earlier.1),
            bytes: self.bytes,
            resumes: self.resumes,
            pages: self.pages,
            rows: self.rows,
            distinct_keys: self.rows - self.rows_without_key,
            rows_without_key: self.rows_without_key,
            duplicates_dropped: self.duplicates,
            not_found: self.not_found,
            parts: self.partitioning.parts,
            not_partitioned_because: self.partitioning.not_partitioned.clone(),
            number_found_first: self.number_found.map(|(first, _)| signed(first)),
            number_found_last: self.number_found.map(|(_, last)| signed(last)),
            unreadable: self.unreadable.clone(),
            guarded_columns: std::collections::BTreeSet::new(),
            rows_sha256: self.digest,
            began: self.began.clone(),
            oldest_read: None,
            ended: now(),
            client_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}
