//! Bulk inserts of millions of rows.
//!
//! Updating indexes with every row takes several times as long as the row. Here they are dropped, the rows are added in
//! large transactions, and the indexes are created at the end. A data file is marked as incomplete meanwhile, and an
//! incomplete file is rejected when it is opened.

use rusqlite::Connection;

use super::{LAYOUT, Store, UNFINISHED};
use crate::api::problem::Problem;

/// The tables that grow with the number of learners.
const TABLES: &str = "'learners', 'learner_tags', 'enrolments', 'topic_marks', 'completions'";

impl Store {
    /// Adds rows to an empty tenant, in transactions of the caller.
    pub(crate) fn fill(
        &self,
        rows: impl FnOnce(&Connection) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let connection = self.lock();
        connection.pragma_update(None, "user_version", UNFINISHED)?;
        // Nothing is acknowledged before the end, so no write has to be durable before that.
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "cache_size", -262_144)?;
        let dropped = drop_indexes(&connection)?;
        rows(&connection)?;
        for sql in &dropped {
            connection.execute_batch(sql)?;
        }
        connection.pragma_update(None, "cache_size", -32_768)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // Everything must be in the file before it is marked as complete.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        connection.pragma_update(None, "user_version", LAYOUT)?;
        Ok(())
    }
}

/// Drops the indexes, and returns the statements that create them again.
fn drop_indexes(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!(
        "SELECT name, sql FROM sqlite_schema WHERE tbl_name IN ({TABLES}) AND type = 'index' AND sql IS NOT NULL"
    ))?;
    let found = statement.query_map([], |row| Ok((row.get("name")?, row.get("sql")?)))?;
    let found: Vec<(String, String)> = found.collect::<rusqlite::Result<_>>()?;
    drop(statement);
    for (name, _) in &found {
        connection.execute_batch(&format!("DROP INDEX {name}"))?;
    }
    Ok(found.into_iter().map(|(_, sql)| sql).collect())
}
