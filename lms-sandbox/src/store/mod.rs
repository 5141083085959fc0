//! The tenant's data, in SQLite.
//!
//! A data file is in write-ahead mode: one connection writes, and a few others read at the same time, each from a
//! consistent snapshot. In memory there is one connection behind a lock. SQLite could share a memory database between
//! connections, but readers would then lock tables against the writer, and reading a single row takes only a few
//! microseconds, less than waking another thread.
//!
//! A write is one transaction. It is acknowledged after the commit. In write-ahead mode with `synchronous = NORMAL`, a
//! commit is handed to the operating system: it survives if the process is killed, but not if the machine loses power.

mod bulk;
mod count_cache;
mod counts;
mod lock;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

pub(crate) use self::bulk::Bulk;
use self::count_cache::CountCache;
pub(crate) use self::count_cache::Counts;
pub(crate) use self::counts::Count;
use self::lock::FileLock;
use crate::api::problem::Problem;
use crate::error::SandboxError;

const SCHEMA: &str = include_str!("schema.sql");
/// Identify data files of the sandbox, and the version of their schema.
const APPLICATION_ID: i64 = 0x6c6d_7362;
const LAYOUT: i64 = 2;
/// Replaces the version while data is generated.
const UNFINISHED: i64 = -1;
/// Concurrent reads help up to the number of cores, and test machines have few.
const READERS: usize = 3;

/// The tenant's database.
#[derive(Debug)]
pub(crate) struct Store {
    writer: Mutex<Connection>,
    /// Empty if the writer is the only connection.
    readers: Vec<Mutex<Connection>>,
    next_reader: AtomicUsize,
    pub(crate) counts: CountCache,
    /// The lock of the data file. Declared last, so that it is released after the connections are closed.
    _lock: Option<FileLock>,
}

impl Store {
    /// A new tenant in memory.
    pub(crate) fn in_memory() -> Result<Self, SandboxError> {
        let writer = Connection::open_in_memory().map_err(SandboxError::store)?;
        prepare(&writer).map_err(SandboxError::store)?;
        Ok(Self {
            writer: Mutex::new(writer),
            readers: Vec::new(),
            next_reader: AtomicUsize::new(0),
            counts: CountCache::default(),
            _lock: None,
        })
    }

    /// The tenant in `file`, which is created if it does not exist.
    pub(crate) fn in_file(file: &Path) -> Result<Self, SandboxError> {
        let failed = |error: rusqlite::Error| SandboxError::data_file(file, &error);
        let lock = FileLock::take(file)?;
        let writer = Connection::open(file).map_err(failed)?;
        writer
            .busy_timeout(Duration::from_secs(5))
            .map_err(failed)?;
        match prepare(&writer).map_err(failed)? {
            Found::Ours => {}
            Found::Unfinished => return Err(SandboxError::unfinished_file(file)),
            Found::OtherVersion => return Err(SandboxError::other_version(file)),
            Found::Foreign => return Err(SandboxError::foreign_file(file)),
        }
        // Only now that the file is known to be a data file, because this changes it.
        writer
            .pragma_update(None, "journal_mode", "WAL")
            .map_err(failed)?;
        writer
            .pragma_update(None, "synchronous", "NORMAL")
            .map_err(failed)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let readers = (0..READERS)
            .map(|_| {
                let reader = Connection::open_with_flags(file, flags)?;
                reader.busy_timeout(Duration::from_secs(5))?;
                tune(&reader)?;
                Ok(Mutex::new(reader))
            })
            .collect::<rusqlite::Result<_>>()
            .map_err(failed)?;
        Ok(Self {
            writer: Mutex::new(writer),
            readers,
            next_reader: AtomicUsize::new(0),
            counts: CountCache::default(),
            _lock: Some(lock),
        })
    }

    /// Runs `work` on a connection for reading. Waits if all are busy.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        match self.free_reader() {
            Some(connection) => self.read_on(&connection, work),
            None => self.read_on(&lock(self.next_reader()), work),
        }
    }

    /// Runs `work` if a connection for reading is free; otherwise returns it.
    pub(crate) fn try_read<T, W>(&self, work: W) -> Result<Result<T, Problem>, W>
    where
        W: FnOnce(&Connection) -> Result<T, Problem>,
    {
        match self.free_reader() {
            Some(connection) => Ok(self.read_on(&connection, work)),
            None => Err(work),
        }
    }

    /// Runs `work` in a transaction.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.write_on(&lock(&self.writer), work)
    }

    /// Runs `work` in a transaction if no other write is running; otherwise returns it.
    pub(crate) fn try_write<T, W>(&self, work: W) -> Result<Result<T, Problem>, W>
    where
        W: FnOnce(&Connection) -> Result<T, Problem>,
    {
        match free(&self.writer) {
            Some(connection) => Ok(self.write_on(&connection, work)),
            None => Err(work),
        }
    }

    fn read_on<T>(
        &self,
        connection: &Connection,
        work: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.readers.is_empty() {
            return work(connection);
        }
        // Only within a transaction do two statements see the same snapshot.
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Deferred)?;
        work(&transaction)
    }

    fn write_on<T>(
        &self,
        connection: &Connection,
        work: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        // If it is dropped without a commit, by an error or a panic, it is rolled back.
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        self.counts.invalidate();
        Ok(done)
    }

    fn free_reader(&self) -> Option<MutexGuard<'_, Connection>> {
        if self.readers.is_empty() {
            free(&self.writer)
        } else {
            self.readers.iter().find_map(free)
        }
    }

    fn next_reader(&self) -> &Mutex<Connection> {
        let next = self.next_reader.fetch_add(1, Ordering::Relaxed);
        self.readers
            .get(next % self.readers.len().max(1))
            .unwrap_or(&self.writer)
    }
}

fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

fn free(connection: &Mutex<Connection>) -> Option<MutexGuard<'_, Connection>> {
    match connection.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Ours,
    Unfinished,
    /// A data file of another version of the sandbox.
    OtherVersion,
    Foreign,
}

/// Creates the tables if the database is new.
fn prepare(connection: &Connection) -> rusqlite::Result<Found> {
    tune(connection)?;
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, layout) = (pragma("application_id")?, pragma("user_version")?);
    match (application, layout) {
        (APPLICATION_ID, LAYOUT) => return Ok(Found::Ours),
        (APPLICATION_ID, UNFINISHED) => return Ok(Found::Unfinished),
        (APPLICATION_ID, _) => return Ok(Found::OtherVersion),
        _ => {}
    }
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if (application, layout, tables) != (0, 0, 0) {
        return Ok(Found::Foreign);
    }
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    transaction.execute_batch(SCHEMA)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", LAYOUT)?;
    transaction.commit()?;
    Ok(Found::Ours)
}

fn tune(connection: &Connection) -> rusqlite::Result<()> {
    // Each combination of filters of a list is a separate statement.
    connection.set_prepared_statement_cache_capacity(256);
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", -32_768)?;
    connection.pragma_update(None, "mmap_size", 1_i64 << 30)
}
