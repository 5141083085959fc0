use serde::{Deserialize, Serialize};

use crate::{
    error::Error,
    paging::{Checkpoint, FORMAT_VERSION, check_base_url, check_version},
};

/// The position of a concurrent walk: which parts are finished, and where the others stopped.
///
/// Created by [`Concurrent::checkpoint`](super::Concurrent::checkpoint) and accepted by
/// [`Concurrent::resume`](super::Concurrent::resume). Store it with serde, for example as JSON. Its size grows
/// with the number of parts, but not with the number of items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartsCheckpoint<K> {
    version: u32,
    /// The base URL of the walk that lists the parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    name: String,
    pub(super) items: u64,
    pub(super) finished: Vec<K>,
    pub(super) unfinished: Vec<(K, Checkpoint)>,
}

impl<K> PartsCheckpoint<K> {
    pub(super) fn new(
        base_url: Option<&str>,
        name: &str,
        items: u64,
        finished: Vec<K>,
        unfinished: Vec<(K, Checkpoint)>,
    ) -> Self {
        Self {
            version: FORMAT_VERSION,
            base_url: base_url.map(ToOwned::to_owned),
            name: name.to_owned(),
            items,
            finished,
            unfinished,
        }
    }

    /// The keys of the finished parts, in no particular order.
    #[must_use]
    pub fn finished(&self) -> &[K] {
        &self.finished
    }

    /// The parts that were running or had failed, and where each of them stopped.
    #[must_use]
    pub fn unfinished(&self) -> &[(K, Checkpoint)] {
        &self.unfinished
    }

    /// The number of items returned so far.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    pub(super) fn check(&self, base_url: Option<&str>, name: &str) -> Result<(), Error> {
        check_version(self.version)?;
        if let (Some(stored), Some(base_url)) = (&self.base_url, base_url) {
            check_base_url(stored, base_url)?;
        }
        if self.name == name {
            return Ok(());
        }
        Err(Error::usage(
            "the checkpoint belongs to a concurrent walk with another name; resume the walk that created it",
        ))
    }
}

/// Counts to show the progress of a concurrent walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of parts, if known. If the parts come from a list, this is its first `number_found`, and the
    /// exact number once the list was read to its end.
    pub total: Option<u64>,
    /// The number of running parts.
    pub running: u64,
    /// The number of finished parts, including those before a resume.
    pub finished: u64,
    /// The number of failed parts.
    pub failed: u64,
    /// The number of items returned, including those before a resume.
    pub items: u64,
}
