//! A mirror in an SQLite file.
//!
//! It has the [tables and views](crate::mirror#tables) of all mirrors. True and false are 1 and 0, JSON is text, and the columns
//! `…_utc` are text such as `2024-03-16T08:20:10Z`. A run locks the file `<path>-lock`, which stays after the run.

mod shared_file;
mod sqlite_database;
mod sqlite_dialect;

use std::{
    ffi::OsString,
    fmt, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, ffi, functions::FunctionFlags, types::Value};

use crate::{
    error::Error,
    mirror::{Access, Mirror, MirrorDestination, MirrorSink},
    sink::lock::DestinationLock,
    sql::database::{Database, failed},
};
pub use shared_file::share;
use sqlite_database::{SqliteDatabase, refused};

/// Time after which a statement fails that waits for another program to write into the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Time between attempts that SQLite does not repeat itself.
const BUSY_PAUSE: Duration = Duration::from_millis(20);

/// Writes collections into an SQLite file.
pub type SqliteSink = MirrorSink<SqliteFile>;

/// The path of a mirror.
#[derive(Debug)]
pub struct SqliteFile(PathBuf);

impl SqliteSink {
    /// A sink for a file, which is created by the first run. Its folder must exist.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self::at(SqliteFile(path.as_ref().to_owned()))
    }
}

impl Mirror {
    /// The mirror in a file.
    pub fn sqlite(path: impl AsRef<Path>) -> Self {
        Self::at(SqliteFile(path.as_ref().to_owned()))
    }
}

impl fmt::Display for SqliteFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl MirrorDestination for SqliteFile {
    fn open_for_run(&self, _: Duration) -> Result<Box<dyn Database>, Error> {
        let path = &self.0;
        check_path(path)?;
        let lock = DestinationLock::acquire(&lock_file(path))?;
        let connection = connect(path)
            .map_err(refused)
            .map_err(failed(&format!("open {self}")))?;
        Ok(Box::new(SqliteDatabase::new(connection, Some(lock))))
    }

    fn open(&self, access: Access) -> Result<Box<dyn Database>, Error> {
        let path = &self.0;
        if !path.exists() {
            let error = io::Error::from(io::ErrorKind::NotFound);
            return Err(Error::file("open", path, error));
        }
        check_file(path)?;
        let flags = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
        };
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connect = |flags| {
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(BUSY_TIMEOUT)?;
            know_all_letters(&connection)?;
            // The first reading also finds the journal of a killed program.
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            Ok(connection)
        };
        let mut connection = connect(flags);
        if let Err(rusqlite::Error::SqliteFailure(error, _)) = &connection
            && error.extended_code == ffi::SQLITE_READONLY_ROLLBACK
        {
            // Only a writer can undo what the journal has.
            connection = connect(OpenFlags::SQLITE_OPEN_READ_WRITE).and_then(|_| connect(flags));
        }
        let connection = connection
            .map_err(refused)
            .map_err(failed(&format!("open {self}")))?;
        Ok(Box::new(SqliteDatabase::new(connection, None)))
    }

    fn is_held(&self, _: &mut dyn Database) -> Result<bool, Error> {
        Ok(DestinationLock::is_held(&lock_file(&self.0)))
    }
}

/// Lets `lower` change letters beyond ASCII, as in PostgreSQL: two spellings of `Özil` are one.
fn know_all_letters(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("lower", 1, flags, |context| {
        Ok(match context.get(0)? {
            Value::Text(text) => Value::Text(text.to_lowercase()),
            other => other,
        })
    })
}

/// The lock of the file itself, so that all paths of the file have the same lock.
fn lock_file(path: &Path) -> PathBuf {
    let real = path.canonicalize();
    let mut lock = OsString::from(real.as_deref().unwrap_or(path));
    lock.push("-lock");
    lock.into()
}

/// Opens a file that exists or can be created.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // A reader does not wait for a writer. A crash of the machine loses at most the last pages, and a crash of the process
    // nothing.
    set_wal(&connection)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -8_000)?;
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 8_000, |_| Ok(()))?;
    Ok(connection)
}

/// Waits for others who set it in a new file: SQLite itself does not.
fn set_wal(connection: &Connection) -> rusqlite::Result<()> {
    let began = Instant::now();
    loop {
        let set = connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
        let is_busy = matches!(&set, Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy));
        if !is_busy || began.elapsed() > BUSY_TIMEOUT {
            return set;
        }
        thread::sleep(BUSY_PAUSE);
    }
}

fn check_path(path: &Path) -> Result<(), Error> {
    let missing = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    if let Some(folder) = missing {
        let error = io::Error::from(io::ErrorKind::NotFound);
        return Err(Error::file("find the folder", folder, error));
    }
    #[cfg(unix)]
    if let Ok(file) = path.metadata()
        && file.is_file()
        && std::os::unix::fs::MetadataExt::nlink(&file) > 1
    {
        return Err(crate::error::ErrorKind::Foreign.error(format!(
                "{} has more than one name (hard links), and SQLite damages a file that is written by two of them; remove the \
                 others, or choose another path",
                path.display()
            )));
    }
    check_file(path)
}

/// SQLite would never return from opening a pipe.
fn check_file(path: &Path) -> Result<(), Error> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        let error = io::Error::other("it is a folder, a pipe or a device, and not a file");
        return Err(Error::file("open", path, error));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_the_journal_of_a_killed_program_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let [written, killed] = ["written.db", "killed.db"].map(|name| folder.path().join(name));
        let writer = Connection::open(&written).unwrap();
        writer
            .execute_batch(
                "CREATE TABLE t (x); INSERT INTO t VALUES (1); PRAGMA cache_size = 1; BEGIN;
                 UPDATE t SET x = 2; CREATE TABLE other (x);
                 WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                 INSERT INTO other SELECT hex(zeroblob(500)) FROM n;",
            )
            .unwrap();
        for suffix in ["", "-journal"] {
            let of = |path: &Path| PathBuf::from(format!("{}{suffix}", path.display()));
            std::fs::copy(of(&written), of(&killed)).unwrap();
        }
        let reader =
            Connection::open_with_flags(&killed, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let refused = reader.query_row("SELECT x FROM t", [], |_| Ok(()));
        assert!(refused.is_err());
        let mut database = SqliteFile(killed).open(Access::Read).unwrap();
        let found =
            crate::sql::database::query_texts(&mut *database, "SELECT CAST(x AS TEXT) FROM t", &[]);
        assert_eq!(found.unwrap(), ["1"]);
    }
}
