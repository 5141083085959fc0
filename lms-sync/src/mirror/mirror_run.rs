//! A run of a mirror, between its begin and its end.

use std::collections::{HashMap, HashSet};

use super::{database_fence::FencedDatabase, staging_table::StagingTable};
use crate::{collection::Collection, error::Error};

/// A run that has begun.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) id: i64,
    pub(super) database: FencedDatabase,
    pub(super) staging_tables: HashMap<&'static str, StagingTable>,
    /// The collections of which all rows are read. An object that a filter does not select still exists.
    pub(super) unfiltered: HashSet<String>,
    /// Number of objects that may still be asked for.
    pub(super) lookups: u64,
}

impl Run {
    /// Returns `true` if the object of each row of a collection can be requested.
    pub(super) fn can_look_up(&self, collection: &Collection) -> bool {
        collection.by_id.is_some() && self.unfiltered.contains(collection.name)
    }

    pub(super) fn parts(
        &mut self,
        collection: &'static Collection,
    ) -> Result<(&mut FencedDatabase, &mut StagingTable), Error> {
        let staging = self
            .staging_tables
            .get_mut(collection.name)
            .ok_or_else(|| {
                Error::usage(format!("{} is not in the plan of the run", collection.name))
            })?;
        Ok((&mut self.database, staging))
    }
}
