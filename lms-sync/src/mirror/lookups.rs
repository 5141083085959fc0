//! The results of lookups of single objects.

use std::collections::HashMap;

use crate::protocol::{Key, Lookup};

/// The answers of the service about the objects of missing rows.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// The number of each row that was to be looked up.
    pub(super) asked: HashMap<Key, i64>,
    pub(super) found: HashMap<i64, Lookup>,
}

impl Lookups {
    pub(super) fn add(&mut self, lookups: &[(Key, Lookup)]) {
        let asked = &self.asked;
        let numbered = lookups.iter();
        let numbered = numbered.filter_map(|(key, lookup)| Some((*asked.get(key)?, *lookup)));
        self.found.extend(numbered);
    }
}
