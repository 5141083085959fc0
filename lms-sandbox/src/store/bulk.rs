//! Bulk inserts of millions of rows.
//!
//! Updating indexes and counts with every row takes ten times as long as the row. Here they are dropped, the rows are
//! added in large transactions, and indexes and counts are created at the end. A data file is marked as incomplete
//! meanwhile, and an incomplete file is rejected when it is opened.

use rusqlite::Connection;

use super::{LAYOUT, Store, UNFINISHED};
use crate::api::problem::Problem;

/// The tables that grow with the number of learners.
const TABLES: &str = "'learners', 'learner_tags', 'enrolments', 'topic_marks', 'completions'";

/// The counts that the triggers of these tables would have kept (see `store/counts.rs`).
const COUNTS: &str = "
    DELETE FROM counts WHERE of <> 6;
    INSERT INTO counts SELECT 1, 0, count(*) FROM learners;
    INSERT INTO counts SELECT 2, signup_page, count(*) FROM learners WHERE signup_page IS NOT NULL GROUP BY 2;
    INSERT INTO counts SELECT 3, tag, count(*) FROM learner_tags GROUP BY 2;
    INSERT INTO counts SELECT 4, 0, count(*) FROM enrolments;
    INSERT INTO counts SELECT 5, course, count(*) FROM enrolments GROUP BY 2;
    INSERT INTO counts SELECT 7, 0, ifnull(sum(e.n * t.n), 0)
        FROM counts e JOIN counts t ON t.of = 6 AND t.owner = e.owner WHERE e.of = 5;
    INSERT INTO counts SELECT 8, 0, count(*) FROM topic_marks WHERE completed = 1;
    INSERT INTO counts SELECT 9, course, count(*) FROM topic_marks WHERE completed = 1 GROUP BY 2;
    INSERT INTO counts SELECT 10, topic, count(*) FROM topic_marks WHERE completed = 1 GROUP BY 2;
";

/// A store without indexes, counts and triggers.
#[derive(Debug)]
pub(crate) struct Bulk<'c> {
    connection: &'c Connection,
}

impl Store {
    /// Adds rows to an empty tenant.
    pub(crate) fn fill(
        &self,
        rows: impl FnOnce(&Bulk<'_>) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let connection = self.lock();
        connection.pragma_update(None, "user_version", UNFINISHED)?;
        // Nothing is acknowledged before the end, so no write has to be durable before that.
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "cache_size", -262_144)?;
        let dropped = drop_indexes(&connection)?;
        rows(&Bulk {
            connection: &connection,
        })?;
        connection.execute_batch(&format!("BEGIN; {COUNTS} COMMIT;"))?;
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

impl Bulk<'_> {
    /// Adds rows in one transaction.
    pub(crate) fn chunk(
        &self,
        rows: impl FnOnce(&Connection) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.connection.execute_batch("BEGIN")?;
        rows(self.connection)?;
        self.connection.execute_batch("COMMIT")?;
        Ok(())
    }
}

/// Drops indexes and triggers, and returns the statements that create them again, indexes first.
fn drop_indexes(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!(
        "SELECT type, name, sql FROM sqlite_schema
         WHERE tbl_name IN ({TABLES}) AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type"
    ))?;
    let found = statement.query_map([], |row| {
        Ok((
            row.get::<_, String>("type")?,
            row.get::<_, String>("name")?,
            row.get::<_, String>("sql")?,
        ))
    })?;
    let found: Vec<_> = found.collect::<rusqlite::Result<_>>()?;
    drop(statement);
    for (kind, name, _) in &found {
        connection.execute_batch(&format!("DROP {kind} {name}"))?;
    }
    Ok(found.into_iter().map(|(_, _, sql)| sql).collect())
}
