//! The interface to a database. Each call blocks.

use std::{error::Error as StdError, fmt, vec};

use serde::de::DeserializeOwned;

use super::Dialect;
use crate::{
    collection::{Collection, Column, Row, Value},
    error::{Error, ErrorKind},
};

/// A connection to a database.
pub(crate) trait Database: fmt::Debug + Send {
    fn dialect(&self) -> &'static Dialect;

    /// Runs a statement. Its parameters `$1`, `$2` are named in this order, because SQLite takes the first name for the first one.
    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<(), Failure>;

    /// Passes the rows of a query to `row`, one after the other.
    fn query(
        &mut self,
        sql: &str,
        parameters: &[Value],
        row: &mut dyn FnMut(Vec<Value>) -> Result<(), Failure>,
    ) -> Result<(), Failure>;

    /// The names of the tables that the plan of a query reads, without running it.
    fn tables_of(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<String>, Failure>;

    /// Appends rows to the staging table of a collection, in this order, each with its hash.
    fn append_staging(
        &mut self,
        collection: &'static Collection,
        rows: &[(Row, i64)],
    ) -> Result<(), Failure>;

    /// Takes the right to deliver changes to an endpoint, which ends with the connection; false if it is taken.
    fn lock_deliveries(&mut self, endpoint: &str) -> Result<bool, Failure>;

    /// Gives back the right to deliver changes to an endpoint.
    fn unlock_deliveries(&mut self, endpoint: &str) -> Result<(), Failure>;

    /// Lets those who may read the mirror read all tables and views that there are now.
    fn share(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// The reason why work on a database failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A call of the database failed. [`failed`] adds the activity.
    Call {
        kind: ErrorKind,
        /// Advice that starts with a semicolon. May be empty.
        advice: String,
        source: Box<dyn StdError + Send + Sync>,
    },
    /// An error that names its activity.
    Named(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Named(error)
    }
}

impl Failure {
    pub(crate) fn new(
        kind: ErrorKind,
        advice: impl Into<String>,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self::Call {
            kind,
            advice: advice.into(),
            source: source.into(),
        }
    }

    /// Something that this crate has stored cannot be read.
    pub(crate) fn damaged(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let advice = "; the state of the mirror is damaged, write it anew";
        Self::new(ErrorKind::Damaged, advice, source)
    }
}

/// Turns a failure into an error that names the activity.
pub(crate) fn failed(doing: &str) -> impl Fn(Failure) -> Error {
    move |failure| match failure {
        Failure::Call {
            kind,
            advice,
            source,
        } => Error::new(kind, format!("cannot {doing}{advice}")).with_source(source),
        Failure::Named(error) => error,
    }
}

/// The first result of a query; `None` if there is none.
pub(crate) fn query_first(
    database: &mut dyn Database,
    sql: &str,
    parameters: &[Value],
) -> Result<Option<Cells>, Failure> {
    let rows = query_all(database, sql, parameters, Ok)?;
    Ok(rows.into_iter().next())
}

/// The only value that a query found; null if it found nothing.
pub(crate) fn query_value(
    database: &mut dyn Database,
    sql: &str,
    parameters: &[Value],
) -> Result<Value, Failure> {
    let first = query_first(database, sql, parameters)?;
    Ok(first.map_or(Value::Null, |mut row| row.value()))
}

/// The first column of all rows of a query, as text.
pub(crate) fn query_texts(
    database: &mut dyn Database,
    sql: &str,
    parameters: &[Value],
) -> Result<Vec<String>, Failure> {
    query_all(database, sql, parameters, |mut row| Ok(row.text()))
}

/// All rows of a query, as `read` reads each.
pub(crate) fn query_all<T>(
    database: &mut dyn Database,
    sql: &str,
    parameters: &[Value],
    mut read: impl FnMut(Cells) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let mut found = Vec::new();
    database.query(sql, parameters, &mut |row| {
        found.push(read(Cells(row.into_iter()))?);
        Ok(())
    })?;
    Ok(found)
}

/// The values of a row that are not read yet. Each call reads the next one.
pub(crate) struct Cells(vec::IntoIter<Value>);

impl Cells {
    pub(crate) fn value(&mut self) -> Value {
        self.0.next().unwrap_or(Value::Null)
    }

    /// Text; empty if it is null.
    pub(crate) fn text(&mut self) -> String {
        text(&self.value()).unwrap_or_default()
    }

    pub(crate) fn integer(&mut self) -> i64 {
        integer(&self.value()).unwrap_or_default()
    }

    pub(crate) fn count(&mut self) -> u64 {
        count(&self.value())
    }

    pub(crate) fn is_true(&mut self) -> bool {
        is_true(&self.value())
    }

    /// The JSON that a column has; `None` if it is null.
    pub(crate) fn json<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Failure> {
        let read = text(&self.value()).map(|json| serde_json::from_str(&json));
        read.transpose().map_err(Failure::damaged)
    }

    /// The values that are left.
    pub(crate) fn rest(self) -> Vec<Value> {
        self.0.collect()
    }
}

/// The names of the columns that the table of a collection has.
pub(crate) fn column_names(
    database: &mut dyn Database,
    collection: &Collection,
) -> Result<Vec<String>, Failure> {
    let sql = database.dialect().column_names;
    query_texts(database, sql, &[text_value(collection.name)])
}

/// The columns of a collection that its table lacks, because an earlier release created it.
pub(crate) fn missing_columns(
    database: &mut dyn Database,
    collection: &Collection,
) -> Result<Vec<&'static Column>, Failure> {
    let present = column_names(database, collection)?;
    let columns = collection.columns.iter();
    let is_missing = |column: &&Column| !present.iter().any(|name| name == column.name);
    Ok(columns.filter(is_missing).collect())
}

/// A value as text: text, JSON, or a point in time.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) | Value::Json(text) => Some(text.clone()),
        other => other.utc_text(),
    }
}

/// An integer; true is 1.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(integer) => Some(*integer),
        Value::Boolean(boolean) => Some(i64::from(*boolean)),
        _ => None,
    }
}

/// A count, which is never negative.
pub(crate) fn count(value: &Value) -> u64 {
    integer(value).unwrap_or_default().unsigned_abs()
}

/// Returns `true` if a database says so.
pub(crate) fn is_true(value: &Value) -> bool {
    integer(value).is_some_and(|number| number != 0)
}

/// A count as databases store it.
pub(crate) fn signed(count: u64) -> Value {
    Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The current time.
pub(crate) fn now() -> Value {
    Value::Utc(jiff::Timestamp::now().as_microsecond())
}

/// Text as a parameter.
pub(crate) fn text_value(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

/// A kind of transaction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Transaction {
    /// Reads and writes.
    Write,
    /// Writes a checkpoint: after a crash of the machine the last ones may be missing, but only whole and from the end.
    Checkpoint,
    /// Reads one state of the database.
    Read,
}

/// Runs `work` in a transaction, which is rolled back if it fails.
pub(crate) fn in_transaction<T>(
    database: &mut dyn Database,
    kind: Transaction,
    doing: &str,
    work: impl FnOnce(&mut dyn Database) -> Result<T, Failure>,
) -> Result<T, Error> {
    let dialect = database.dialect();
    let begin = match kind {
        Transaction::Write => dialect.begin_write,
        Transaction::Checkpoint => dialect.begin_checkpoint,
        Transaction::Read => dialect.begin_read,
    };
    let mut begin = begin.iter();
    let begun = begin.try_for_each(|sql| database.execute(sql, &[]));
    let outcome = begun.and_then(|()| work(&mut *database)).and_then(|value| {
        database.execute("COMMIT", &[])?;
        Ok(value)
    });
    if outcome.is_err() {
        // The error that counts is the first one. A connection that is lost has rolled back by itself.
        let _ = database.execute("ROLLBACK", &[]);
    }
    outcome.map_err(failed(doing))
}
