//! Batches that were not read from a tenant, for the test kit of sinks.

use std::collections::BTreeMap;

use super::{Batch, checkpoint::ExtractCheckpoint};
use crate::{
    collection::{Collection, Row},
    error::{Error, ErrorKind},
    record::CompletenessRecord,
};

/// Makes batches of rows with their checkpoints.
#[derive(Debug)]
pub struct Extracted {
    collection: &'static Collection,
    checkpoint: ExtractCheckpoint,
}

impl Extracted {
    /// No batch yet.
    pub fn new(collection: &'static Collection) -> Self {
        Self {
            collection,
            checkpoint: ExtractCheckpoint::new(collection),
        }
    }

    /// The next batch.
    pub fn batch(&mut self, rows: Vec<Row>) -> Batch {
        self.checkpoint.progress.pages += 1;
        for row in &rows {
            self.checkpoint.progress.count_row(row, true);
        }
        Batch {
            collection: self.collection,
            rows,
            checkpoint: self.checkpoint.clone(),
        }
    }

    /// The record after the last batch.
    pub fn record(last: &Batch, complete: bool) -> CompletenessRecord {
        let mut progress = last.checkpoint.progress.clone();
        progress.finished = complete;
        let failure = Error::new(ErrorKind::Tenant, "the tenant failed");
        let failure = (!complete).then_some(&failure);
        progress.record(
            last.collection,
            "https://acme.example",
            &BTreeMap::new(),
            failure,
        )
    }
}
