//! How do millions of rows get in?
//!
//! Keeping indexes and counts right with every row costs ten times the row. Here they are taken away, the rows are
//! added in chunks of one transaction each, and indexes and counts are made in one go at the end. A store that is
//! stopped in between lacks them, so it is marked for that time, and a marked file is refused when it is opened.

use rusqlite::Connection;

use super::{LAYOUT, Store, UNFINISHED, lock};
use crate::api::problem::Problem;

/// The tables that grow with the learners.
const TABLES: &str = "'learners', 'learner_tags', 'enrolments', 'topic_marks', 'completions'";

/// The numbers that the triggers of these tables would have kept (see `store/counts.rs`), of tables that were empty.
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

/// A store without indexes, counts and anything that keeps them.
#[derive(Debug)]
pub(crate) struct Bulk<'c> {
    connection: &'c Connection,
}

impl Store {
    /// Adds rows to an empty tenant in bulk. `finishing` hears how many of how many things are done after that.
    pub(crate) fn fill(
        &self,
        rows: impl FnOnce(&Bulk<'_>) -> Result<(), Problem>,
        finishing: impl Fn(u64, u64),
    ) -> Result<(), Problem> {
        let connection = lock(&self.writer);
        connection.pragma_update(None, "user_version", UNFINISHED)?;
        // Nothing is acknowledged before the end.
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "cache_size", -262_144)?;
        let made_later = take_away(&connection)?;
        rows(&Bulk {
            connection: &connection,
        })?;
        let of = made_later.len() as u64 + 1;
        connection.execute_batch(&format!("BEGIN; {COUNTS} COMMIT;"))?;
        finishing(1, of);
        for (done, sql) in (2..).zip(&made_later) {
            connection.execute_batch(sql)?;
            finishing(done, of);
        }
        connection.pragma_update(None, "cache_size", -32_768)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // All of it is in the file itself before the file says that it is finished.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        connection.pragma_update(None, "user_version", LAYOUT)?;
        self.counts.invalidate();
        Ok(())
    }
}

impl Bulk<'_> {
    /// Adds one chunk.
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

/// Takes indexes and triggers away, and returns what makes them again, indexes first.
fn take_away(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!(
        "SELECT type, name, sql FROM sqlite_schema
         WHERE tbl_name IN ({TABLES}) AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type"
    ))?;
    let found = statement.query_map([], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
        ))
    })?;
    let found: Vec<_> = found.collect::<rusqlite::Result<_>>()?;
    drop(statement);
    for (kind, name, _) in &found {
        connection.execute_batch(&format!("DROP {kind} {name}"))?;
    }
    Ok(found.into_iter().map(|(_, _, sql)| sql).collect())
}
