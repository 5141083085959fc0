//! Compares the rows of a walk with the table, and keeps those that are new or different.

use rusqlite::{
    CachedStatement, Connection, OptionalExtension as _, ToSql, Transaction, TransactionBehavior,
    params_from_iter,
    types::{ToSqlOutput, ValueRef},
};
use sha2::{Digest as _, Sha256};

use super::{dialect::SQLITE, failure::failed, seen::SeenRows};
use crate::{
    collection::{Collection, Row, Value, fingerprint},
    error::Error,
    extract::Checkpoint,
    sql::{Names, Schema},
};

/// The rows of one collection in the current run.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) collection: &'static Collection,
    pub(super) names: Names,
    /// The rows of the table that the walk has found.
    pub(super) seen: SeenRows,
    /// Rows since the last checkpoint.
    unsaved: Vec<Row>,
    /// Whether the table has no rows, so that nothing need be looked up.
    table: Table,
    pub(super) outcome: Outcome,
}

/// What the current run has done with a collection, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    Untried,
    Failed,
    Committed,
}

/// What the table of a collection has when a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Empty,
    Filled,
}

impl Stage {
    pub(super) fn new(collection: &'static Collection, table: Table) -> Self {
        Self {
            collection,
            names: Names::new(collection),
            seen: SeenRows::default(),
            unsaved: Vec::new(),
            table,
            outcome: Outcome::Untried,
        }
    }

    pub(super) fn add(&mut self, rows: &[Row]) {
        self.unsaved.extend_from_slice(rows);
    }

    pub(super) fn drop_unsaved(&mut self) {
        self.unsaved.clear();
    }

    /// Creates an empty stage table.
    pub(super) fn create(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        self.remove(transaction)?;
        transaction.execute(&Schema::new(&SQLITE, self.collection).create_stage(), ())?;
        Ok(())
    }

    /// Drops what the walk has stored and found.
    pub(super) fn restart(&mut self, connection: &mut Connection) -> rusqlite::Result<()> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        self.create(&transaction)?;
        transaction.execute(
            "UPDATE _lms_collections SET checkpoint = NULL WHERE name = $1",
            [self.collection.name],
        )?;
        transaction.commit()?;
        self.seen = SeenRows::default();
        self.unsaved.clear();
        Ok(())
    }

    /// Removes what the walk has stored.
    pub(super) fn remove(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        transaction.execute(&format!("DROP TABLE IF EXISTS {}", self.names.stage), ())?;
        transaction.execute(
            "DELETE FROM _lms_seen WHERE collection = $1",
            [self.collection.name],
        )?;
        Ok(())
    }

    /// Reads which rows the walk had found at its last checkpoint.
    pub(super) fn load_seen(&mut self, connection: &Connection) -> Result<(), Error> {
        let doing = failed("read the state of the unfinished run");
        let mut statement = connection
            .prepare("SELECT ranges FROM _lms_seen WHERE collection = $1")
            .map_err(&doing)?;
        let mut rows = statement.query([self.collection.name]).map_err(&doing)?;
        while let Some(row) = rows.next().map_err(&doing)? {
            let ranges: String = row.get(0).map_err(&doing)?;
            self.seen.load(&ranges).map_err(|error| {
                Error::destination(
                    "the state of the unfinished run is damaged; discard it",
                    error,
                )
            })?;
        }
        Ok(())
    }

    /// Stores the rows since the last checkpoint, and the checkpoint, in one transaction.
    pub(super) fn checkpoint(
        &mut self,
        connection: &mut Connection,
        checkpoint: &Checkpoint,
    ) -> Result<(), Error> {
        let json = serde_json::to_string(checkpoint)
            .map_err(|error| Error::destination("cannot write the checkpoint as JSON", error))?;
        let doing = failed("store the rows");
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(&doing)?;
        self.save(&transaction).map_err(&doing)?;
        transaction
            .prepare_cached("UPDATE _lms_collections SET checkpoint = $1 WHERE name = $2")
            .and_then(|mut update| update.execute([json.as_str(), self.collection.name]))
            .map_err(&doing)?;
        transaction.commit().map_err(&doing)
    }

    /// Stores the rows since the last checkpoint.
    pub(super) fn save(&mut self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let mut insert = self.insert_statement(transaction)?;
        let mut find = match self.table {
            Table::Empty => None,
            Table::Filled => Some(self.find_statement(transaction)?),
        };
        for row in std::mem::take(&mut self.unsaved) {
            let Some(key) = key_values(&row) else {
                insert_row(&mut insert, &row, None)?;
                continue;
            };
            let hash = hash(&row);
            if let Some(find) = &mut find {
                let found = find.query_row(params_from_iter(&key), |found| {
                    Ok((found.get(0)?, found.get(1)?))
                });
                if let Some((number, known)) = found.optional()? {
                    let (number, known): (i64, i64) = (number, known);
                    self.seen.insert(number);
                    if known == hash {
                        continue;
                    }
                }
            }
            insert_row(&mut insert, &row, Some(hash))?;
        }
        if let Some(ranges) = self.seen.take_unsaved() {
            transaction
                .prepare_cached("INSERT INTO _lms_seen (collection, ranges) VALUES ($1, $2)")?
                .execute([self.collection.name, &ranges])?;
        }
        Ok(())
    }

    /// Passes the fingerprints of the keys of all rows that the walk has found.
    pub(super) fn visit_keys(
        &self,
        connection: &Connection,
        visit: &mut dyn FnMut(u128),
    ) -> rusqlite::Result<()> {
        let keys = quoted_keys(self.collection).join(", ");
        let sources = [
            format!(
                "SELECT {keys}, NULL FROM {} WHERE \"_hash\" IS NOT NULL",
                self.names.stage
            ),
            format!("SELECT {keys}, \"_row\" FROM {}", self.names.live),
        ];
        for source in sources {
            let mut statement = connection.prepare(&source)?;
            let mut rows = statement.query(())?;
            while let Some(row) = rows.next()? {
                let number: Option<i64> = row.get(self.collection.key.len())?;
                if number.is_some_and(|number| !self.seen.contains(number)) {
                    continue;
                }
                let mut key: Vec<String> = Vec::with_capacity(self.collection.key.len());
                for index in 0..self.collection.key.len() {
                    key.push(row.get(index)?);
                }
                fingerprint(&key.join("\n"))
                    .into_iter()
                    .for_each(&mut *visit);
            }
        }
        Ok(())
    }

    fn insert_statement<'t>(
        &self,
        transaction: &'t Transaction<'_>,
    ) -> rusqlite::Result<CachedStatement<'t>> {
        let columns: Vec<String> = self
            .collection
            .columns
            .iter()
            .map(|column| format!("\"{}\"", column.name))
            .collect();
        let places = vec!["?"; columns.len() + 1].join(", ");
        transaction.prepare_cached(&format!(
            "INSERT INTO {} ({}, \"_hash\") VALUES ({places})",
            self.names.stage,
            columns.join(", ")
        ))
    }

    fn find_statement<'t>(
        &self,
        transaction: &'t Transaction<'_>,
    ) -> rusqlite::Result<CachedStatement<'t>> {
        let keys: Vec<String> = quoted_keys(self.collection)
            .iter()
            .map(|key| format!("{key} = ?"))
            .collect();
        transaction.prepare_cached(&format!(
            "SELECT \"_row\", \"_hash\" FROM {} WHERE {} AND \"_deleted_at\" IS NULL",
            self.names.live,
            keys.join(" AND ")
        ))
    }
}

fn quoted_keys(collection: &Collection) -> Vec<String> {
    collection
        .key
        .iter()
        .map(|name| format!("\"{name}\""))
        .collect()
}

/// The texts of the key's columns; `None` for a row without a key. Only the first of them identifies a row by itself, so the
/// others may be absent, which is an empty text here because a primary key has no nulls.
fn key_values(row: &Row) -> Option<Vec<&str>> {
    let text = |name: &&str| match row.get(name) {
        Some(Value::Text(text)) => text.as_str(),
        _ => "",
    };
    let values: Vec<&str> = row.collection().key.iter().map(text).collect();
    let first = values.first()?;
    (!first.trim().is_empty()).then_some(values)
}

/// The first 8 bytes of the SHA-256 of a row.
fn hash(row: &Row) -> i64 {
    let hash = Sha256::digest(row.to_json());
    hash.first_chunk()
        .map_or(0, |head| i64::from_be_bytes(*head))
}

fn insert_row(
    insert: &mut CachedStatement<'_>,
    row: &Row,
    hash: Option<i64>,
) -> rusqlite::Result<()> {
    let key = row.collection().key;
    let columns = row.collection().columns.iter();
    let mut parameter = 0;
    for (column, value) in columns.zip(row.values()) {
        parameter += 1;
        if hash.is_some() && value.is_null() && key.contains(&column.name) {
            insert.raw_bind_parameter(parameter, "")?;
        } else {
            insert.raw_bind_parameter(parameter, Bound(value))?;
        }
    }
    insert.raw_bind_parameter(parameter + 1, hash)?;
    insert.raw_execute()?;
    Ok(())
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
