//! Compares the rows of a run with the table, and keeps those that are new or different.

use serde::{Deserialize, Serialize};

use super::{database_fence::FencedDatabase, seen_rows::SeenRows};
use crate::{
    collection::{Collection, Row, Value, fingerprint},
    error::{Error, ErrorKind},
    extract::{Batch, ItemReads},
    protocol::Lookups,
    record::{Completeness, CompletenessRecord},
    sql::{
        Dialect, Statements,
        database::{
            Database, Failure, Transaction, integer, query_all, query_texts, text, text_value,
        },
    },
};

/// The rows of one collection in the current run.
#[derive(Debug)]
pub(super) struct StagingTable {
    pub(super) collection: &'static Collection,
    pub(super) statements: Statements,
    /// The rows of the table that the run has found.
    pub(super) seen: SeenRows,
    pub(super) findings: Findings,
    /// The record, once all rows are read.
    pub(super) record: Option<CompletenessRecord>,
    /// `false` if there was no table when the run began: the staging table becomes it.
    pub(super) exists: bool,
    pub(super) before: Counts,
    pub(super) outcome: StagingOutcome,
}

/// The result of the current run for a collection, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StagingOutcome {
    Untried,
    /// It has a record, and waits for the others.
    Sealed,
    Failed,
    Published,
}

/// The numbers of a table after its last commit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// The rows that are not marked as deleted.
    pub(super) rows: u64,
    /// Those of them that the last list lacked.
    pub(super) missing: u64,
    pub(super) marked: u64,
    /// The largest number of a row that was ever used.
    pub(super) last_row: i64,
    /// `true` if a run has committed it.
    pub(super) is_committed: bool,
}

/// Facts about rows that the run has not found.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Findings {
    /// `true` if the object of each row can be requested. A row whose object was not requested then stays.
    pub(super) can_look_up: bool,
    /// The answers of the service about objects, by the number of the row.
    pub(super) looked_up: Lookups,
    /// The items of a derived collection, if the run has a budget.
    pub(super) reads: Option<ItemReads>,
}

impl StagingTable {
    pub(super) fn new(
        dialect: &'static Dialect,
        collection: &'static Collection,
        exists: bool,
        before: Counts,
    ) -> Self {
        Self {
            collection,
            statements: Statements::new(dialect, collection),
            seen: SeenRows::default(),
            findings: Findings::default(),
            record: None,
            exists,
            before,
            outcome: StagingOutcome::Untried,
        }
    }

    /// Creates an empty staging table.
    pub(super) fn create(&self, database: &mut dyn Database) -> Result<(), Failure> {
        self.remove(database)?;
        database.execute(&self.statements.create_staging(), &[])
    }

    /// Drops the rows that the run has stored and found.
    pub(super) fn restart(&mut self, database: &mut FencedDatabase) -> Result<(), Error> {
        let doing = "drop what the unfinished run has stored";
        database.transaction(Transaction::Write, doing, |database| {
            let sql = "UPDATE _lms_collections SET checkpoint = NULL WHERE name = $1";
            self.create(database)?;
            database.execute(sql, &[text_value(self.collection.name)])
        })?;
        self.seen = SeenRows::default();
        (self.findings, self.record) = (Findings::default(), None);
        Ok(())
    }

    /// Removes the rows that the run has stored.
    pub(super) fn remove(&self, database: &mut dyn Database) -> Result<(), Failure> {
        let drop = self.statements.fill("DROP TABLE IF EXISTS {staging}");
        database.execute(&drop, &[])?;
        for table in ["_lms_seen", "_lms_sealed"] {
            let sql = format!("DELETE FROM {table} WHERE collection = $1");
            database.execute(&sql, &[text_value(self.collection.name)])?;
        }
        Ok(())
    }

    /// Keeps what is needed to publish the rows, also by another process.
    pub(super) fn seal(
        &mut self,
        database: &mut FencedDatabase,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let name = self.collection.name;
        if record.completeness == Completeness::Incomplete {
            return Err(ErrorKind::Incomplete.error(format!(
                "{name} was not read completely, so it is not committed"
            )));
        }
        let state = serde_json::to_string(&(record, &self.findings))
            .map_err(|error| Error::destination("cannot write the record as JSON", error))?;
        let doing = format!("commit {name}");
        database.transaction(Transaction::Write, &doing, |database| {
            let sql = "INSERT INTO _lms_sealed (collection, state) VALUES ($1, $2) \
                       ON CONFLICT (collection) DO UPDATE SET state = excluded.state";
            let values = [text_value(name), Value::Json(state)];
            database.execute(sql, &values)
        })?;
        self.record = Some(record.clone());
        self.outcome = StagingOutcome::Sealed;
        Ok(())
    }

    /// Reads the rows that the run had found at its last checkpoint.
    pub(super) fn load_seen(&mut self, database: &mut dyn Database) -> Result<(), Failure> {
        let sql = "SELECT ranges FROM _lms_seen WHERE collection = $1";
        let stored = query_texts(database, sql, &[text_value(self.collection.name)])?;
        let mut stored = stored.iter();
        stored
            .try_for_each(|ranges| self.seen.load(ranges, self.before.last_row))
            .map_err(Failure::damaged)
    }

    /// Stores the rows of a batch and its checkpoint in one transaction.
    pub(super) fn store(
        &mut self,
        database: &mut FencedDatabase,
        batch: Batch,
    ) -> Result<(), Error> {
        let json = serde_json::to_string(&batch.checkpoint)
            .map_err(|error| Error::destination("cannot write the checkpoint as JSON", error))?;
        let doing = "store the rows";
        let kind = Transaction::Checkpoint;
        database.transaction(kind, doing, |database| {
            self.stage(database, batch.rows)?;
            let sql = "UPDATE _lms_collections SET checkpoint = $1 WHERE name = $2";
            database.execute(sql, &[Value::Json(json), text_value(self.collection.name)])
        })
    }

    /// Stores the rows that are new or different, and the numbers of those that the table has.
    fn stage(&mut self, database: &mut dyn Database, rows: Vec<Row>) -> Result<(), Failure> {
        let mut found = self.find(database, &rows)?.into_iter();
        let mut staged = Vec::new();
        for row in rows {
            // A collection with such a row is incomplete, and not committed.
            if key_values(&row).is_none() {
                continue;
            }
            let hash = hash(&row);
            if let Some((number, stored)) = found.next().flatten() {
                self.seen.insert(number);
                if stored == hash {
                    continue;
                }
            }
            staged.push((row, hash));
        }
        if !staged.is_empty() {
            database.append_staging(self.collection, &staged)?;
        }
        if let Some(ranges) = self.seen.take_unsaved() {
            let sql = "INSERT INTO _lms_seen (collection, ranges) VALUES ($1, $2)";
            database.execute(sql, &[text_value(self.collection.name), text_value(ranges)])?;
        }
        Ok(())
    }

    /// The number and the hash of the row in the table for each row that has a key.
    fn find(
        &self,
        database: &mut dyn Database,
        rows: &[Row],
    ) -> Result<Vec<Option<(i64, i64)>>, Failure> {
        let keys: Vec<Vec<&str>> = rows.iter().filter_map(key_values).collect();
        let mut found = vec![None; keys.len()];
        if keys.is_empty() || self.before.last_row == 0 {
            return Ok(found);
        }
        let keys = serde_json::to_string(&keys).map_err(Failure::damaged)?;
        query_all(
            database,
            &self.statements.find(),
            &[text_value(keys)],
            |mut row| {
                let position = usize::try_from(row.integer()).ok();
                if let Some(found) = position.and_then(|position| found.get_mut(position)) {
                    *found = Some((row.integer(), row.integer()));
                }
                Ok(())
            },
        )?;
        Ok(found)
    }

    /// Passes the fingerprints of the keys of all rows that the run has found.
    pub(super) fn visit_keys(
        &self,
        database: &mut dyn Database,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Failure> {
        let mut sources = vec!["SELECT {key of t}, NULL FROM {staging} t"];
        if self.exists {
            sources.push("SELECT {key of t}, t.\"_row\" FROM {live} t");
        }
        for source in sources {
            database.query(&self.statements.fill(source), &[], &mut |row| {
                let Some((number, key)) = row.split_last() else {
                    return Ok(());
                };
                if integer(number).is_some_and(|number| !self.seen.contains(number)) {
                    return Ok(());
                }
                let key: Vec<String> = key.iter().filter_map(text).collect();
                fingerprint(&key.join("\n"))
                    .into_iter()
                    .for_each(&mut *visit);
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The texts of the key's columns; `None` for a row without a key.
fn key_values(row: &Row) -> Option<Vec<&str>> {
    let text = |name: &&str| match row.get(name) {
        Some(Value::Text(text)) if !text.trim().is_empty() => Some(text.as_str()),
        _ => None,
    };
    row.collection().key.iter().map(text).collect()
}

/// The first 8 bytes of the SHA-256 of a row.
pub(super) fn hash(row: &Row) -> i64 {
    row.sha256()
        .first_chunk()
        .map_or(0, |head| i64::from_be_bytes(*head))
}
