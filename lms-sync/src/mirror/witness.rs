//! A row that a list lacks may still exist: a service may skip a row when others move between its pages.
//!
//! Only rows with a witness are deleted. A witness is one of these:
//!
//! - The service responds to a request for the object that it does not exist.
//! - The complete list lacks the row, and an object that the row refers to is gone: the enrolment of a deleted learner.
//! - The complete lists of two runs lack the row, and did not change while they were read. This counts only for a row
//!   whose object cannot be requested, or is kept by the service with `deleted`.
//!
//! All other rows that a list lacks stay, with the time in `_missing_since`.

use std::collections::HashMap;

use super::{parents::Parents, reads, staging_table::StagingTable};
use crate::{
    collection::{Collection, Value},
    protocol::{Key, Lookup, Missing},
    record::{Completeness, CompletenessRecord},
    sql::{
        PRESENT, Statements,
        database::{Database, Failure, integer, now, query_all, text, text_value},
    },
};

/// Number of rows that the list has, of which one has to be found by its id.
const KNOWN: usize = 3;

/// The rows of a table, compared with a list.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// The number of rows that are not marked as deleted.
    pub(super) rows: u64,
    /// The numbers of rows with a witness.
    pub(super) gone: Vec<i64>,
    /// The rows of items that the run did not read, and that an earlier list lacked.
    pub(super) waiting: u64,
    /// The numbers of all other rows that the list lacks: first those that this list is the first to lack.
    pub(super) missing: Vec<i64>,
    /// The numbers of rows that an earlier list lacked, and this one has.
    pub(super) returned: Vec<i64>,
    /// The numbers of some rows that the list has.
    pub(super) known: Vec<i64>,
}

impl Comparison {
    /// Compares the table with the list of the run. Without a record, the list is complete as far as it is known.
    pub(super) fn of(
        database: &mut dyn Database,
        staging: &StagingTable,
        parents: &Parents,
        run: i64,
        record: Option<&CompletenessRecord>,
    ) -> Result<Self, Failure> {
        let sql = staging.statements.fill(&format!(
            "SELECT \"_row\", \"_missing_since\", \"_missing_run\"{}{} FROM {{live}} WHERE \"_deleted_at\" IS NULL",
            parents.columns(),
            reads::selected(staging)
        ));
        let (mut comparison, mut missing_before) = (Self::default(), Vec::new());
        database.query(&sql, &[], &mut |row| {
            let [number, since, lacked_in, references @ ..] = row.as_slice() else {
                return Ok(());
            };
            let number = integer(number).unwrap_or_default();
            comparison.rows += 1;
            if staging.seen.contains(number) {
                comparison
                    .returned
                    .extend((!since.is_null()).then_some(number));
                if comparison.known.len() < KNOWN {
                    comparison.known.push(number);
                }
                return Ok(());
            }
            if reads::is_waiting(staging, references) {
                comparison.waiting += u64::from(!since.is_null());
                return Ok(());
            }
            // A run that reads the list twice has one list.
            let lacked_before = || integer(lacked_in).is_some_and(|before| before != run);
            let mut is_evidence = record.is_none_or(CompletenessRecord::is_complete);
            let witnessed = match staging.findings.looked_up.get(&number) {
                Some(Lookup::Gone) => true,
                Some(Lookup::Present) => false,
                Some(Lookup::MarkedDeleted) => lacked_before(),
                None if parents.is_gone(references) => {
                    // The lists of items are complete.
                    is_evidence |=
                        record.is_some_and(|of| of.completeness == Completeness::Partial);
                    true
                }
                None => !staging.findings.can_look_up && lacked_before(),
            };
            if witnessed && is_evidence {
                comparison.gone.push(number);
            } else if since.is_null() {
                comparison.missing.push(number);
            } else {
                missing_before.push(number);
            }
            Ok(())
        })?;
        comparison.missing.append(&mut missing_before);
        Ok(comparison)
    }

    /// Notes which rows the list lacks. `run` is that of the list if it is a witness.
    pub(super) fn note(
        &self,
        database: &mut dyn Database,
        statements: &Statements,
        run: &Value,
    ) -> Result<(), Failure> {
        if !self.missing.is_empty() {
            let values = [now(), run.clone(), numbers(&self.missing)?];
            let sql = "UPDATE {live} SET \"_missing_since\" = coalesce(\"_missing_since\", $1), \
                       \"_missing_run\" = coalesce(\"_missing_run\", $2) WHERE \"_row\" IN ({rows $3})";
            database.execute(&statements.fill(sql), &values)?;
        }
        if !self.returned.is_empty() {
            let values = [numbers(&self.returned)?];
            let sql = format!("UPDATE {{live}} SET {PRESENT} WHERE \"_row\" IN ({{rows $1}})");
            database.execute(&statements.fill(&sql), &values)?;
        }
        Ok(())
    }
}

/// The rows that the list of the run lacks, at most `limit`, to be looked up. Without rows whose parents are gone.
pub(super) fn missing(
    database: &mut dyn Database,
    staging: &StagingTable,
    parents: &Parents,
    run: i64,
    limit: usize,
) -> Result<Missing, Failure> {
    if limit == 0 || staging.seen.len() >= staging.before.rows {
        return Ok(Missing::default());
    }
    let mut compared = Comparison::of(database, staging, parents, run, None)?;
    compared.missing.truncate(limit);
    let known = keys(database, staging, &compared.known)?.into_iter();
    Ok(Missing {
        rows: keys(database, staging, &compared.missing)?,
        known: known.map(|(_, key)| key).collect(),
    })
}

/// The keys of rows, by their numbers.
fn keys(
    database: &mut dyn Database,
    staging: &StagingTable,
    numbers: &[i64],
) -> Result<Vec<(i64, Key)>, Failure> {
    let sql = "SELECT t.\"_row\", {key of t} FROM {live} t WHERE t.\"_row\" IN ({rows $1})";
    let sql = staging.statements.fill(sql);
    query_all(database, &sql, &[self::numbers(numbers)?], |mut row| {
        let number = row.integer();
        Ok((number, row.rest().iter().filter_map(text).collect()))
    })
}

/// The objects that are gone and that rows of a collection refer to, with those that this run will remove when it is published.
/// Rows that refer to them need no lookup.
pub(super) fn parents_of_run(
    database: &mut dyn Database,
    collection: &'static Collection,
    staging_tables: &HashMap<&'static str, StagingTable>,
    run: i64,
) -> Result<Parents, Failure> {
    let mut parents = Parents::of(database, collection)?;
    for (column, parent) in collection.references {
        let Some(staging) = staging_tables.get(parent) else {
            continue;
        };
        // Those that are not read yet are unknown.
        let Some(record) = &staging.record else {
            continue;
        };
        if staging.seen.len() < staging.before.rows {
            let of_parent = Parents::of(database, staging.collection)?;
            let compared = Comparison::of(database, staging, &of_parent, run, Some(record))?;
            let keys = keys(database, staging, &compared.gone)?.into_iter();
            let gone = parents.0.entry(*column).or_default();
            gone.extend(keys.flat_map(|(_, key)| key));
        }
    }
    Ok(parents)
}

/// The numbers of rows as a JSON array.
pub(super) fn numbers(rows: &[i64]) -> Result<Value, Failure> {
    let json = serde_json::to_string(rows).map_err(Failure::damaged)?;
    Ok(text_value(json))
}
