use serde::{Deserialize, Serialize};

use crate::{
    error::Error,
    paging::{Checkpoint, check_version},
};

/// The form in which checkpoints are written.
const VERSION: u32 = 1;

/// How far many walks have come together: which parts are finished, and where the begun ones are.
///
/// Made by [`Concurrent::checkpoint`](super::Concurrent::checkpoint) to be stored, as JSON for example,
/// and taken up by [`Concurrent::resume`](super::Concurrent::resume). It grows with the number of parts,
/// not of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartsCheckpoint<K> {
    version: u32,
    name: String,
    pub(super) rows: u64,
    pub(super) finished: Vec<K>,
    /// Parts that were running or had failed.
    pub(super) begun: Vec<(K, Checkpoint)>,
}

impl<K> PartsCheckpoint<K> {
    pub(super) fn new(
        name: &str,
        rows: u64,
        finished: Vec<K>,
        begun: Vec<(K, Checkpoint)>,
    ) -> Self {
        Self {
            version: VERSION,
            name: name.to_owned(),
            rows,
            finished,
            begun,
        }
    }

    /// The keys of the parts that are finished, in no particular order.
    #[must_use]
    pub fn finished(&self) -> &[K] {
        &self.finished
    }

    /// The parts that were begun, and where they are.
    #[must_use]
    pub fn begun(&self) -> &[(K, Checkpoint)] {
        &self.begun
    }

    /// How many rows have been delivered.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn check(&self, name: &str) -> Result<(), Error> {
        check_version(self.version)?;
        if self.name != name {
            return Err(Error::usage(
                "the checkpoint is of other walks; use it with those it was made by",
            ));
        }
        Ok(())
    }
}

/// How far many walks have come together, to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// How many parts there are in all. Where the parts are a list of the service, it is what the tenant
    /// said at its beginning; `None` until that is known.
    pub total: Option<u64>,
    /// How many parts are running.
    pub running: u64,
    /// How many parts are finished, those before a resumption included.
    pub finished: u64,
    /// How many parts failed.
    pub failed: u64,
    /// How many rows were delivered, those before a resumption included.
    pub rows: u64,
}
