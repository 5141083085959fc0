//! A connection to an SQLite file.

use std::{collections::HashMap, path::Path};

use rusqlite::{
    Connection, ErrorCode, ToSql, params_from_iter,
    types::{ToSqlOutput, ValueRef},
};

use super::sqlite_dialect::SQLITE;
use crate::{
    collection::{Collection, Row, Value, fingerprint},
    error::ErrorKind,
    sink::lock::DestinationLock,
    sql::{
        Dialect, Names,
        database::{Database, Failure, query_texts},
        quoted_columns,
    },
};

/// An open file.
#[derive(Debug)]
pub(super) struct SqliteDatabase {
    connection: Connection,
    /// Held by a run.
    _lock: Option<DestinationLock>,
    /// The endpoints to which this connection delivers.
    deliveries: HashMap<String, DestinationLock>,
}

impl SqliteDatabase {
    pub(super) fn new(connection: Connection, lock: Option<DestinationLock>) -> Self {
        Self {
            connection,
            _lock: lock,
            deliveries: HashMap::new(),
        }
    }
}

impl Database for SqliteDatabase {
    fn lock_deliveries(&mut self, endpoint: &str) -> Result<bool, Failure> {
        let path = self.connection.path().unwrap_or_default();
        let name = format!(
            "{path}-deliver-{:032x}",
            fingerprint(endpoint).unwrap_or_default()
        );
        match DestinationLock::acquire(Path::new(&name)) {
            Ok(lock) => {
                self.deliveries.insert(endpoint.to_owned(), lock);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::Locked => Ok(false),
            Err(error) => Err(Failure::new(error.kind(), "", error)),
        }
    }

    fn unlock_deliveries(&mut self, endpoint: &str) -> Result<(), Failure> {
        self.deliveries.remove(endpoint);
        Ok(())
    }

    fn dialect(&self) -> &'static Dialect {
        &SQLITE
    }

    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<(), Failure> {
        let run = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.execute(params_from_iter(parameters.iter().map(Bound)))
        };
        run().map(|_| ()).map_err(refused)
    }

    fn query(
        &mut self,
        sql: &str,
        parameters: &[Value],
        row: &mut dyn FnMut(Vec<Value>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut statement = self.connection.prepare_cached(sql).map_err(refused)?;
        let columns = statement.column_count();
        let parameters = params_from_iter(parameters.iter().map(Bound));
        let mut rows = statement.query(parameters).map_err(refused)?;
        while let Some(found) = rows.next().map_err(refused)? {
            let values = (0..columns).map(|index| found.get_ref(index).map(value));
            row(values.collect::<Result<_, _>>().map_err(refused)?)?;
        }
        Ok(())
    }

    fn tables_of(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<String>, Failure> {
        let mut pages = Vec::new();
        self.query(&format!("EXPLAIN {sql}"), parameters, &mut |row| {
            // A step of the plan opens the table or the index whose first page is its second parameter.
            if let [_, Value::Text(step), _, Value::Integer(page), ..] = &*row
                && step == "OpenRead"
            {
                pages.push(page.to_string());
            }
            Ok(())
        })?;
        let pages = pages.join(", ");
        let sql =
            format!("SELECT DISTINCT tbl_name FROM sqlite_schema WHERE rootpage IN ({pages})");
        query_texts(self, &sql, &[])
    }

    fn append_staging(
        &mut self,
        collection: &'static Collection,
        rows: &[(Row, i64)],
    ) -> Result<(), Failure> {
        let columns = quoted_columns(collection);
        let sql = format!(
            "INSERT INTO {} ({}, \"_hash\") VALUES ({})",
            Names::new(collection).staging,
            columns.join(", "),
            vec!["?"; columns.len() + 1].join(", ")
        );
        let mut insert = self.connection.prepare_cached(&sql).map_err(refused)?;
        for (row, hash) in rows {
            let hash = Value::Integer(*hash);
            let values = row.values().iter().chain([&hash]).map(Bound);
            insert.execute(params_from_iter(values)).map_err(refused)?;
        }
        Ok(())
    }
}

/// A value as SQLite returns it.
fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(integer) => Value::Integer(integer),
        ValueRef::Real(float) => Value::Float(float),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            Value::Text(String::from_utf8_lossy(text).into_owned())
        }
    }
}

/// A value as a parameter of a statement.
struct Bound<'a>(&'a Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Text(text) | Value::Json(text) => {
                ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()))
            }
            Value::Integer(integer) => (*integer).into(),
            Value::Float(float) => (*float).into(),
            Value::Boolean(boolean) => (*boolean).into(),
            Value::Utc(_) => self
                .0
                .utc_text()
                .map_or_else(|| rusqlite::types::Null.into(), Into::into),
            Value::Null => rusqlite::types::Null.into(),
        })
    }
}

/// An error of SQLite as a failure, with advice.
pub(super) fn refused(error: rusqlite::Error) -> Failure {
    let mut kind = ErrorKind::Destination;
    let advice = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "; free some space and start the run again",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; another program is writing into the file, end it and start the run again"
        }
        Some(ErrorCode::CannotOpen) => {
            "; give this user the permission to write the file and its folder, or choose another path"
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            kind = ErrorKind::Permission;
            "; give this user the permission to write the file and its folder, or choose another path"
        }
        Some(ErrorCode::NotADatabase) => {
            kind = ErrorKind::Foreign;
            "; the file is not an SQLite database, choose another path"
        }
        _ => "",
    };
    Failure::new(kind, advice, error)
}
