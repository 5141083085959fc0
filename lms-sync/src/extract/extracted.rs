//! Batches that were not read from a tenant, for the test kit of sinks.

use std::collections::BTreeMap;

use super::{Batch, checkpoint::ExtractCheckpoint, position::Position, progress::Progress};
use crate::{
    collection::{Collection, Row},
    error::{Error, ErrorKind},
    record::CompletenessRecord,
};

/// Makes batches of rows with their checkpoints.
pub(crate) struct Extracted {
    collection: &'static Collection,
    progress: Progress,
}

impl Extracted {
    pub(crate) fn new(collection: &'static Collection) -> Self {
        Self {
            collection,
            progress: Progress::new(),
        }
    }

    pub(crate) fn batch(&mut self, rows: Vec<Row>) -> Batch {
        self.progress.pages += 1;
        for row in &rows {
            self.progress.count_row(row, true);
        }
        Batch {
            collection: self.collection,
            rows,
            checkpoint: ExtractCheckpoint::new(
                self.collection,
                Position::Start,
                self.progress.clone(),
            ),
        }
    }

    /// The record after the last batch.
    pub(crate) fn record(last: &Batch, complete: bool) -> CompletenessRecord {
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
