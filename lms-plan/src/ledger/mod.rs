//! After a crash, a run must know which changes it may have sent, because sending one twice could add a learner twice.
//!
//! The ledger records each step before and after it is sent, and each record is on the disk before the program continues. It
//! also has the links from people to learners, and the reminders that were written. It is one SQLite file for each tenant,
//! which one run at a time has open.

mod links;
mod reminders;
mod runs;

use std::{
    fmt::Display,
    fs::OpenOptions,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use jiff::Timestamp;
use lms_sync::sink::DestinationLock;
use rusqlite::{
    Connection, OptionalExtension as _, Params, Row,
    types::{FromSql, Type},
};
use serde::de::DeserializeOwned;

pub(crate) use self::links::Link;
pub use self::{
    reminders::Reminder,
    runs::{MAYBE_DONE, RecordedStep, Run, Status, StepState},
};
use crate::error::{Error, ErrorKind};

/// The version of the tables.
const FORMAT: &str = "2";

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS links (key TEXT PRIMARY KEY, learner TEXT NOT NULL UNIQUE, link TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS runs (
        run INTEGER PRIMARY KEY, hash TEXT NOT NULL, purpose TEXT NOT NULL, input TEXT NOT NULL, sha256 TEXT NOT NULL,
        rows INTEGER NOT NULL, who TEXT NOT NULL, began TEXT NOT NULL, ended TEXT, results TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS steps (
        run INTEGER NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL, learner TEXT, step TEXT NOT NULL,
        status TEXT NOT NULL, reason TEXT NOT NULL, result TEXT NOT NULL DEFAULT '', at TEXT, PRIMARY KEY (run, number)
    );
    CREATE INDEX IF NOT EXISTS steps_status ON steps (run, status);
    CREATE INDEX IF NOT EXISTS steps_key ON steps (key);
    CREATE INDEX IF NOT EXISTS steps_learner ON steps (learner);
    CREATE TABLE IF NOT EXISTS reminders (
        learner TEXT NOT NULL, course TEXT NOT NULL, day TEXT NOT NULL, threshold INTEGER NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (learner, course, day, threshold)
    );
";

/// An open ledger, locked until it is dropped.
#[derive(Debug)]
pub struct Ledger(Arc<Open>);

#[derive(Debug)]
struct Open {
    database: Mutex<Connection>,
    _lock: Option<DestinationLock>,
}

/// A ledger that somebody else keeps open.
pub(crate) struct WeakLedger(Weak<Open>);

impl WeakLedger {
    /// The ledger, unless it was closed.
    pub(crate) fn open(&self) -> Result<Ledger, Error> {
        let open = self.0.upgrade();
        Ok(Ledger(
            open.ok_or_else(|| Error::ledger("write", "it was closed"))?,
        ))
    }
}

impl Ledger {
    /// Opens the ledger of a tenant, and creates it if there is none. Its folder must exist. Runs of commands need no links, and
    /// therefore not the identity of the tenant.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) if another run has it, [`OtherTenant`](ErrorKind::OtherTenant) if it is that of another
    /// tenant, and [`Ledger`](ErrorKind::Ledger) if it cannot be read or written.
    pub fn open(path: &Path, tenant: Option<&str>) -> Result<Self, Error> {
        let mut locked = path.as_os_str().to_owned();
        locked.push("-lock");
        let lock = DestinationLock::acquire(Path::new(&locked))?;
        open_private(path)?;
        let opened = Self::of(path, Some(lock))?;
        match (opened.meta("tenant")?, tenant) {
            (Some(found), Some(tenant)) if found != tenant => Err(Error::new(
                ErrorKind::OtherTenant,
                format!(
                    "{} is the ledger of the tenant {found}, and the credentials belong to {tenant}; name another file",
                    path.display()
                ),
            )),
            (None, Some(tenant)) => opened.with_meta("tenant", tenant),
            _ => Ok(opened),
        }
    }

    /// Opens a ledger that exists, of any tenant, to read its history, also during a run. It cannot be written.
    ///
    /// # Errors
    ///
    /// [`NotFound`](ErrorKind::NotFound) if there is none, and [`Ledger`](ErrorKind::Ledger) if it cannot be read.
    pub fn open_existing(path: &Path) -> Result<Self, Error> {
        if !path.exists() {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!(
                    "there is no ledger in {}: no run has been recorded there",
                    path.display()
                ),
            ));
        }
        open_private(path)?;
        let ledger = Self::of(path, None)?;
        ledger.read(|database| database.pragma_update(None, "query_only", true))?;
        Ok(ledger)
    }

    /// A ledger in memory, which ends with the program: for dry runs.
    ///
    /// # Errors
    ///
    /// [`Ledger`](ErrorKind::Ledger) if SQLite cannot create it.
    pub fn temporary() -> Result<Self, Error> {
        Self::of(Path::new(":memory:"), None)
    }

    fn of(path: &Path, lock: Option<DestinationLock>) -> Result<Self, Error> {
        let database = Connection::open(path).and_then(prepared);
        let database = database
            .map_err(|error| Error::ledger("open", format!("{}: {error}", path.display())))?;
        let ledger = Self(Arc::new(Open {
            database: Mutex::new(database),
            _lock: lock,
        }));
        match ledger.meta("format")? {
            Some(found) if found != FORMAT => Err(Error::ledger(
                "read",
                format!("it has the format {found}, and this version reads the format {FORMAT}"),
            )),
            Some(_) => Ok(ledger),
            None => ledger.with_meta("format", FORMAT),
        }
    }

    fn meta(&self, name: &str) -> Result<Option<String>, Error> {
        self.find("SELECT value FROM meta WHERE name = ?1", [name])
    }

    fn with_meta(self, name: &str, value: &str) -> Result<Self, Error> {
        let insert = "INSERT INTO meta (name, value) VALUES (?1, ?2)";
        self.write(|database| database.execute(insert, [name, value]))?;
        Ok(self)
    }

    /// The tenant of the ledger.
    ///
    /// # Errors
    ///
    /// [`Ledger`](ErrorKind::Ledger) if it cannot be read.
    pub fn tenant(&self) -> Result<String, Error> {
        Ok(self.meta("tenant")?.unwrap_or_default())
    }

    fn database(&self) -> MutexGuard<'_, Connection> {
        let database = self.0.database.lock();
        database.unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn weak(&self) -> WeakLedger {
        WeakLedger(Arc::downgrade(&self.0))
    }

    /// The value that a query returns first.
    fn find<T: FromSql>(&self, select: &str, values: impl Params) -> Result<Option<T>, Error> {
        self.read(|database| {
            let found = database.query_row(select, values, |row| row.get(0));
            found.optional()
        })
    }

    /// The values in the JSON that a query selects.
    fn all<T: DeserializeOwned>(&self, select: &str) -> Result<Vec<T>, Error> {
        self.read(|database| {
            let mut select = database.prepare(select)?;
            let values = select.query_map([], |row| json_at(row, 0))?;
            values.collect()
        })
    }

    /// Runs queries. Their error says that the ledger cannot be read.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        work(&self.database()).map_err(|error| Error::ledger("read", error))
    }

    /// Runs statements in one transaction.
    fn write<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let database = self.database();
        let run = || {
            // Dropped without a commit, it is rolled back.
            let transaction = database.unchecked_transaction()?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        run().map_err(|error: rusqlite::Error| Error::ledger("write", error))
    }
}

/// A database with the tables of a ledger.
fn prepared(database: Connection) -> rusqlite::Result<Connection> {
    database.pragma_update(None, "journal_mode", "WAL")?;
    // Every commit is on the disk when it returns.
    database.pragma_update(None, "synchronous", "FULL")?;
    database.execute_batch(TABLES)?;
    Ok(database)
}

/// Creates a file that only its owner can read: a ledger has personal data. SQLite gives its other files the same mode.
/// Opening a pipe would wait for someone who writes into it.
fn open_private(path: &Path) -> Result<(), Error> {
    let failed =
        |error: &dyn Display| Error::ledger("open", format!("{}: {error}", path.display()));
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(failed(
            &"it is a folder, a pipe or a device, and not a file",
        ));
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(|error| failed(&error))
}

/// The value of a column with JSON. An error if it is damaged: nothing is not what a link had.
fn json_at<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    serde_json::from_str(&row.get::<_, String>(at)?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, error.into()))
}

/// The user and the machine.
pub(crate) fn who() -> String {
    let user = ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok());
    let host = gethostname::gethostname();
    format!("{}@{}", user.unwrap_or_default(), host.to_string_lossy())
}

/// The time, in seconds.
fn now() -> String {
    format!("{:.0}", Timestamp::now())
}
