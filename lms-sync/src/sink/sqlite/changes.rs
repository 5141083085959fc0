//! The feed of changes in an SQLite file.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row, params, types::Type};
use serde::de::DeserializeOwned;

use super::{
    failure::failed,
    open::{BUSY_TIMEOUT, check_version, meta},
};
use crate::{
    changes::{Change, ChangeStore, DeadLetter},
    error::{Error, ErrorKind},
};

/// The columns of a change, in the order of [`change`].
const COLUMNS: &str =
    "c.sequence, c.run, c.seen_at, c.event, c.collection, c.key, c.data, c.fields";

/// An open file.
#[derive(Debug)]
pub(crate) struct SqliteChanges(Mutex<Connection>);

/// Opens the feed of a file that a mirror has written.
pub(crate) fn open_changes(path: &Path) -> Result<SqliteChanges, Error> {
    let doing = format!("open {}", path.display());
    let doing = failed(&doing);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(&doing)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(&doing)?;
    if !check_version(&connection)? {
        return Err(Error::new(
            ErrorKind::Foreign,
            format!("{} is not a mirror; give the path of one", path.display()),
        ));
    }
    Ok(SqliteChanges(Mutex::new(connection)))
}

impl SqliteChanges {
    fn with<T>(
        &self,
        doing: &str,
        call: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        // A panic of another caller leaves no transaction open.
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        call(&mut connection).map_err(failed(doing))
    }
}

impl ChangeStore for SqliteChanges {
    fn mirror_id(&self) -> Result<String, Error> {
        self.with("read the id of the mirror", |connection| {
            meta(connection, "id").map(Option::unwrap_or_default)
        })
    }

    fn since(&self, sequence: u64, limit: u32) -> Result<Vec<Change>, Error> {
        self.with("read the changes", |connection| {
            let sql = format!("SELECT {COLUMNS} FROM _lms_changes c WHERE c.sequence > $1 ORDER BY c.sequence LIMIT $2");
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_map(params![signed(sequence), limit], change)?.collect()
        })
    }

    fn position(&self, endpoint: &str) -> Result<Option<u64>, Error> {
        self.with("read the position of the endpoint", |connection| {
            let sql = "SELECT sequence FROM _lms_deliveries WHERE endpoint = $1";
            connection
                .query_row(sql, [endpoint], |row| unsigned(row, 0))
                .optional()
        })
    }

    fn advance(
        &self,
        endpoint: &str,
        sequence: u64,
        given_up: Option<&DeadLetter>,
    ) -> Result<(), Error> {
        self.with("store the position of the endpoint", |connection| {
            let transaction = connection.transaction()?;
            transaction.execute(
                "INSERT INTO _lms_deliveries (endpoint, sequence) VALUES ($1, $2) \
                 ON CONFLICT (endpoint) DO UPDATE SET sequence = excluded.sequence",
                params![endpoint, signed(sequence)],
            )?;
            if let Some(letter) = given_up {
                transaction.execute(
                    "INSERT OR REPLACE INTO _lms_dead_letters (endpoint, sequence, failed_at, attempts, reason) \
                     VALUES ($1, $2, $3, $4, $5)",
                    params![endpoint, signed(letter.change.sequence), letter.failed_at, letter.attempts, letter.reason],
                )?;
            }
            transaction.commit()
        })
    }

    fn dead_letters(&self, endpoint: &str) -> Result<Vec<DeadLetter>, Error> {
        self.with("read the dead letters", |connection| {
            let mut statement = connection.prepare(&format!(
                "SELECT {COLUMNS}, d.failed_at, d.attempts, d.reason FROM _lms_dead_letters d \
                 JOIN _lms_changes c ON c.sequence = d.sequence WHERE d.endpoint = $1 ORDER BY d.sequence"
            ))?;
            let letters = statement.query_map([endpoint], |row| {
                Ok(DeadLetter {
                    change: change(row)?,
                    failed_at: row.get(8)?,
                    attempts: row.get(9)?,
                    reason: row.get(10)?,
                })
            })?;
            letters.collect()
        })
    }

    fn remove_dead_letter(&self, endpoint: &str, sequence: u64) -> Result<(), Error> {
        self.with("remove a dead letter", |connection| {
            let sql = "DELETE FROM _lms_dead_letters WHERE endpoint = $1 AND sequence = $2";
            connection
                .execute(sql, params![endpoint, signed(sequence)])
                .map(|_| ())
        })
    }
}

fn change(row: &Row<'_>) -> rusqlite::Result<Change> {
    Ok(Change {
        sequence: unsigned(row, 0)?,
        run: unsigned(row, 1)?,
        seen_at: row.get(2)?,
        event: row.get(3)?,
        collection: row.get(4)?,
        key: json(row, 5)?.unwrap_or_default(),
        row: json(row, 6)?,
        fields: json(row, 7)?,
    })
}

fn json<T: DeserializeOwned>(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(index)?;
    let parsed = text.map(|text| serde_json::from_str(&text)).transpose();
    parsed.map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(index, Type::Text, Box::new(error))
    })
}

fn unsigned(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(index).map(i64::unsigned_abs)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
