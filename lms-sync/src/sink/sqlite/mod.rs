//! A mirror in an SQLite file.
//!
//! It has the [tables and views](crate::mirror#tables) of all mirrors. True and false are 1 and 0, JSON is text, and the columns
//! `…_utc` are text such as `2024-03-16T08:20:10Z`. A run locks the file `<path>-lock`, which stays after the run.

mod database;
mod dialect;
mod failure;
mod shared;

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use crate::{
    collection::{Collection, Row},
    error::{Error, ErrorKind},
    mirror::{
        begin::require_mirror,
        overview::{self, Overview},
        query::{self, MirrorReader},
        sink::{MirrorSink, Place},
        status::{self, Status},
        verify,
    },
    sink::lock::DestinationLock,
    sql::database::{Database, failed},
    verify::VerifiedCollection,
};
use database::SqliteDatabase;
use failure::refused;
pub use shared::share;

/// Time after which a statement fails that waits for another program to write into the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

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

impl Place for SqliteFile {
    fn open(&self, _: Duration) -> Result<Box<dyn Database>, Error> {
        let path = &self.0;
        check_path(path)?;
        let lock = DestinationLock::acquire(&lock_file(path))?;
        let connection = connect(path)
            .map_err(refused)
            .map_err(failed(&format!("open {}", path.display())))?;
        Ok(Box::new(SqliteDatabase::new(connection, Some(lock))))
    }
}

/// The lock of the file itself, so that it is locked by whichever path it is named.
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
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -8_000)?;
    connection.pragma_update_and_check(None, "wal_autocheckpoint", 8_000, |_| Ok(()))?;
    Ok(connection)
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
        return Err(Error::new(
            ErrorKind::Foreign,
            format!(
                "{} has more than one name (hard links), and SQLite damages a file that is written by two of them; remove the \
                 others, or choose another path",
                path.display()
            ),
        ));
    }
    if path.is_dir() {
        let error = io::Error::from(io::ErrorKind::IsADirectory);
        return Err(Error::file("open", path, error));
    }
    Ok(())
}

/// Opens a file that a mirror has written, without a lock.
fn open_mirror(path: &Path, access: OpenFlags) -> Result<SqliteDatabase, Error> {
    let doing = format!("open {}", path.display());
    let doing = failed(&doing);
    if !path.exists() {
        let error = io::Error::from(io::ErrorKind::NotFound);
        return Err(Error::file("open", path, error));
    }
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .map_err(refused)
        .map_err(&doing)?;
    connection
        .busy_timeout(BUSY_TIMEOUT)
        .map_err(refused)
        .map_err(doing)?;
    let mut database = SqliteDatabase::new(connection, None);
    require_mirror(&mut database, &path.display().to_string())?;
    Ok(database)
}

/// Opens a file that a mirror has written, to read and deliver its feed.
pub(crate) fn open_feed(path: &Path) -> Result<Box<dyn Database>, Error> {
    let database = open_mirror(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    Ok(Box::new(database))
}

/// The result of the last run that tried each collection. Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the file cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when it is not a mirror.
pub fn status(path: impl AsRef<Path>) -> Result<Vec<Status>, Error> {
    status::status(&mut open_mirror(
        path.as_ref(),
        OpenFlags::SQLITE_OPEN_READ_ONLY,
    )?)
}

/// The age and the completeness of each collection of a mirror, and its unfinished run. Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the file cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when it is not a mirror.
pub fn overview(path: impl AsRef<Path>) -> Result<Overview, Error> {
    let path = path.as_ref();
    let mut database = open_mirror(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    overview::overview(&mut database, |_| {
        Ok(DestinationLock::is_held(&lock_file(path)))
    })
}

/// Compares the rows of each committed collection of a mirror with its completeness record. Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the file cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when it is not a mirror.
pub fn verify(path: impl AsRef<Path>) -> Result<Vec<VerifiedCollection>, Error> {
    verify::verify(&mut open_mirror(
        path.as_ref(),
        OpenFlags::SQLITE_OPEN_READ_ONLY,
    )?)
}

/// Passes the rows of the last list of a collection to `visit`: without those that are marked as deleted, and without those
/// that the list lacks and that [stay](crate::mirror#deletions). Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the file cannot be read or has no such collection, and
/// [`Foreign`](crate::ErrorKind::Foreign) when it is not a mirror.
pub fn visit_rows(
    path: impl AsRef<Path>,
    collection: &'static Collection,
    visit: &mut dyn FnMut(Row),
) -> Result<(), Error> {
    let path = path.as_ref();
    let mut database = open_mirror(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let doing = format!("read {} of {}", collection.name, path.display());
    verify::visit_rows(&mut database, collection, visit).map_err(failed(&doing))
}

/// Calls `work` with the mirror as it is at one moment. Blocks.
///
/// # Errors
///
/// Those of `work`, [`Destination`](crate::ErrorKind::Destination) when the file cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when it is not a mirror.
pub fn read<T>(
    path: impl AsRef<Path>,
    work: impl FnOnce(&mut MirrorReader<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut database = open_mirror(path.as_ref(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    query::read(&mut database, work)
}
