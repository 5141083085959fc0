//! Row counts of lists.
//!
//! Every page has `number_found`, and counting a million rows takes longer than reading a page of them. A count is therefore
//! kept until the next write.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// Number of counts after which all are forgotten, so that lists with many filters do not fill the memory.
const CAPACITY: usize = 1_000;

/// The counts since the last write.
#[derive(Debug, Default)]
pub(crate) struct Counts(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// The number of changes that the connection had made.
    changes: u64,
    /// By the query and its values.
    counts: HashMap<String, i64>,
}

impl Counts {
    /// The result of a query for a number of rows.
    pub(crate) fn count(
        &self,
        connection: &Connection,
        sql: &str,
        values: &[Value],
    ) -> rusqlite::Result<i64> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = connection.total_changes();
        if kept.changes != changes || kept.counts.len() >= CAPACITY {
            *kept = Kept {
                changes,
                counts: HashMap::new(),
            };
        }
        let query = format!("{sql} {values:?}");
        if let Some(count) = kept.counts.get(&query) {
            return Ok(*count);
        }
        let mut statement = connection.prepare_cached(sql)?;
        let count = statement.query_row(params_from_iter(values), |row| row.get(0))?;
        kept.counts.insert(query, count);
        Ok(count)
    }
}
