//! The tenant's data, in SQLite.
//!
//! There is one connection behind a lock. Reading a single row takes a few microseconds, less than waking another thread.
//!
//! A write is one transaction. It is acknowledged after the commit. A data file is in write-ahead mode with `synchronous = NORMAL`, a
//! commit is handed to the operating system: it survives if the process is killed, but not if the machine loses power.

mod bulk;
mod counts;
pub(crate) mod sql;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

pub(crate) use self::counts::Counts;
use crate::api::problem::Problem;
use crate::error::SandboxError;

const SCHEMA: &str = include_str!("schema.sql");
/// Identify data files of the sandbox, and the version of their schema.
const APPLICATION_ID: i64 = 0x6c6d_7362;
const LAYOUT: i64 = 5;
/// Replaces the version while data is generated.
const UNFINISHED: i64 = -1;

/// The tenant's database.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Mutex<Connection>,
}

impl Store {
    /// A new tenant in memory.
    pub(crate) fn in_memory() -> Result<Self, SandboxError> {
        let opened = Connection::open_in_memory();
        let prepared = opened.and_then(|connection| prepare(&connection).map(|_| connection));
        prepared.map(Self::new).map_err(|error| {
            SandboxError::new(format!("could not create the in-memory store: {error}"))
        })
    }

    /// The tenant in `file`, which is created if it does not exist.
    pub(crate) fn in_file(file: &Path) -> Result<Self, SandboxError> {
        let failed = |error: rusqlite::Error| SandboxError::data_file(file, &error);
        let connection = Connection::open(file).map_err(failed)?;
        // The copies that are due are known to one sandbox only, so a second one on the same file must not start.
        let exclusive = connection.pragma_update(None, "locking_mode", "EXCLUSIVE");
        let unlocked = exclusive.and_then(|()| connection.busy_timeout(std::time::Duration::ZERO));
        unlocked.map_err(failed)?;
        if !prepare(&connection).map_err(failed)? {
            return Err(SandboxError::foreign_file(file));
        }
        // Only now that the file is known to be a data file, because this changes it.
        for (pragma, value) in [("journal_mode", "WAL"), ("synchronous", "NORMAL")] {
            connection
                .pragma_update(None, pragma, value)
                .map_err(failed)?;
        }
        Ok(Self::new(connection))
    }

    fn new(connection: Connection) -> Self {
        Self {
            connection: Mutex::new(connection),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work`, which only reads.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        work(&self.lock())
    }

    /// Runs `work` in a transaction.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let connection = self.lock();
        // If it is dropped without a commit, by an error or a panic, it is rolled back.
        let transaction = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// Creates the tables if the database is new. Returns `false` for a database that this version of the sandbox did not write
/// completely.
fn prepare(connection: &Connection) -> rusqlite::Result<bool> {
    tune(connection)?;
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, layout) = (pragma("application_id")?, pragma("user_version")?);
    if (application, layout) == (APPLICATION_ID, LAYOUT) {
        return Ok(true);
    }
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if (application, layout, tables) != (0, 0, 0) {
        return Ok(false);
    }
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    transaction.execute_batch(SCHEMA)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", LAYOUT)?;
    transaction.commit()?;
    Ok(true)
}

fn tune(connection: &Connection) -> rusqlite::Result<()> {
    // Each combination of filters of a list is a separate statement.
    connection.set_prepared_statement_cache_capacity(256);
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", -32_768)?;
    connection.pragma_update(None, "mmap_size", 1_i64 << 30)
}
