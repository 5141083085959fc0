//! Publishes the collections of a run: updates their tables to the state of the lists, and stores the records and the changes, in
//! one transaction. Readers see the tables of one run, except those of failed collections.
//!
//! Each row has a number, `_row`, by which a run remembers it (`seen_rows.rs`). The staging table counts its rows from 1. A new row
//! gets its number there plus `last_row`, the largest number that the table has ever used, so no number is used twice. A row
//! that is updated keeps its number. `_hash` is the hash of the row as it was sent; a row with an equal hash is not staged.

use std::collections::HashMap;

use super::{
    database_fence::FencedDatabase,
    overview::Written,
    parents::Parents,
    policy::{Deletes, MirrorPolicy},
    reads,
    staging_table::{StagingOutcome, StagingTable, Table},
    tables::{create_table, create_views, describe},
    witness::{Comparison, json_arrays},
};
use crate::{
    collection::{Collection, Value, known, position},
    error::{Error, ErrorKind},
    record::CompletenessRecord,
    sql::{
        Statements,
        database::{
            Database, Failure, Transaction, count, failed, integer, now, query_first, query_value,
            signed, text_value,
        },
    },
};

/// Number of changed rows after which the statistics of a table are updated.
const MANY: u64 = 1_000;

/// The state of the table before a commit.
struct Before {
    rows: u64,
    missing: u64,
    marked: u64,
    last_row: i64,
    /// `true` if an earlier run has committed it.
    committed: bool,
}

/// Brings the tables of all sealed collections to the state of their lists, in one transaction. Returns those that cannot be
/// published, whose tables stay as they are.
pub(super) fn publish(
    database: &mut FencedDatabase,
    staging_tables: &mut HashMap<&'static str, StagingTable>,
    policy: &MirrorPolicy,
    run: i64,
) -> Result<Vec<(&'static Collection, Error)>, Error> {
    let mut sealed: Vec<&mut StagingTable> = staging_tables.values_mut().collect();
    sealed.retain(|staging| staging.outcome == StagingOutcome::Sealed);
    if sealed.is_empty() {
        return Ok(Vec::new());
    }
    // Parents first, because their rows decide about those that refer to them.
    sealed.sort_by_key(|staging| (depth(staging.collection), position(staging.collection.name)));
    let has_new_table = sealed.iter().any(|staging| staging.table == Table::Absent);
    let doing = "publish the collections";
    let refused = database.transaction(Transaction::Write, doing, |database| {
        let mut refused = Vec::new();
        for staging in &sealed {
            reads::remember(database, staging)?;
        }
        for staging in &mut sealed {
            let doing = format!("publish {}", staging.collection.name);
            let published = in_savepoint(database, |database| {
                publish_one(database, staging, policy, run).map_err(failed(&doing))
            });
            if let Some(error) = published? {
                refused.push((staging.collection, error));
            }
        }
        if has_new_table {
            create_views(database)?;
            database.share()?;
        }
        Ok(refused)
    })?;
    for staging in sealed {
        let mut refused = refused.iter();
        match refused.find(|(of, _)| of.name == staging.collection.name) {
            None => staging.outcome = StagingOutcome::Published,
            // The next run must not compare an old list again.
            Some((_, error)) if error.kind() == ErrorKind::TooManyDeletes => {
                staging.restart(database)?;
            }
            Some(_) => {}
        }
    }
    Ok(refused)
}

/// The number of references from a collection to one that refers to no other.
fn depth(collection: &Collection) -> usize {
    let parents = collection.references.iter();
    let parents = parents.filter_map(|(_, parent)| known(parent).ok());
    parents.map(|parent| depth(parent) + 1).max().unwrap_or(0)
}

/// Does a part of a transaction. If that fails, returns the error, and the transaction continues as if nothing had been done.
fn in_savepoint(
    database: &mut dyn Database,
    work: impl FnOnce(&mut dyn Database) -> Result<(), Error>,
) -> Result<Option<Error>, Failure> {
    database.execute("SAVEPOINT part", &[])?;
    let error = match work(&mut *database) {
        Ok(()) => None,
        // The connection is lost, or the whole transaction was rolled back.
        Err(error) if database.execute("ROLLBACK TO SAVEPOINT part", &[]).is_err() => {
            return Err(error.into());
        }
        Err(error) => Some(error),
    };
    database.execute("RELEASE SAVEPOINT part", &[])?;
    Ok(error)
}

fn publish_one(
    database: &mut dyn Database,
    staging: &mut StagingTable,
    policy: &MirrorPolicy,
    run: i64,
) -> Result<(), Failure> {
    let name = staging.collection.name;
    let Some(record) = &staging.record.clone() else {
        return Ok(());
    };
    let was_filled = staging.table == Table::Filled;
    let (rows, written) = write(database, staging, policy, run, record)?;
    let record = match &staging.findings.reads {
        Some(reads) => {
            reads::store(database, staging.collection, reads)?;
            match reads.is_whole() {
                true => record,
                false => &reads::of_table(database, staging.collection, record)?,
            }
        }
        None if record.is_complete() && record.filters.is_empty() => {
            reads::read_all(database, record)?;
            record
        }
        None => record,
    };
    let json = serde_json::to_string(record).map_err(|error| {
        Error::destination("cannot write the completeness record as JSON", error)
    })?;
    let sql = "UPDATE _lms_collections SET row_count = $1, missing_count = $2, committed_run = $3, record = $4 \
               WHERE name = $5";
    let values = [
        signed(rows),
        signed(written.missing),
        Value::Integer(run),
        Value::Json(json),
        text_value(name),
    ];
    database.execute(sql, &values)?;
    store_record(database, run, record, Some(written))?;
    staging.remove(database)?;
    let analyze = database.dialect().analyze;
    if let Some(analyze) = analyze.filter(|_| written.inserted + written.updated >= MANY) {
        let sql = analyze.replace("{table}", &staging.names.live);
        database.execute(&sql, &[])?;
    }
    describe(database, staging.collection, was_filled)
}

/// Writes the difference into the table. Returns the number of its rows, and what was written.
fn write(
    database: &mut dyn Database,
    staging: &mut StagingTable,
    policy: &MirrorPolicy,
    run: i64,
    record: &CompletenessRecord,
) -> Result<(u64, Written), Failure> {
    let name = staging.collection.name;
    let before = read_before(database, name)?;
    let mut compared = Comparison {
        rows: before.rows,
        ..Comparison::default()
    };
    if staging.seen.len() < before.rows || before.missing > 0 {
        let parents = Parents::of(database, staging.collection)?;
        compared = Comparison::of(database, staging, &parents, run, Some(record))?;
        let (gone, missing) = (compared.gone.len(), compared.missing.len());
        policy.check(name, gone as u64, compared.rows, missing as u64)?;
    }
    if staging.table == Table::Absent && policy.first_run_changes {
        // The changes are read from the difference between two tables.
        create_table(database, staging.collection)?;
        staging.table = Table::Empty;
    }
    let mut written = match staging.table {
        Table::Absent => adopt(database, staging)?,
        _ => apply(database, staging, policy, run, record, &before, &compared)?,
    };
    let rows = compared.rows + written.inserted - written.deleted;
    written.missing = compared.missing.len() as u64 + compared.waiting;
    written.unchanged = rows.saturating_sub(written.inserted + written.updated + written.missing);
    Ok((rows, written))
}

/// Stores a completeness record, with the numbers of written rows if the collection was committed.
pub(super) fn store_record(
    database: &mut dyn Database,
    run: i64,
    record: &CompletenessRecord,
    written: Option<Written>,
) -> Result<(), Failure> {
    let json = serde_json::to_string(record).unwrap_or_default();
    let count = |of: fn(Written) -> u64| written.map_or(Value::Null, |written| signed(of(written)));
    let values = [
        Value::Integer(run),
        text_value(&record.collection),
        Value::Json(json),
        count(|written| written.inserted),
        count(|written| written.updated),
        count(|written| written.deleted),
        count(|written| written.unchanged),
        count(|written| written.missing),
    ];
    let sql = "INSERT INTO _lms_records (run, collection, record, inserted, updated, deleted, unchanged, missing) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (run, collection) DO UPDATE SET \
               record = excluded.record, inserted = excluded.inserted, updated = excluded.updated, \
               deleted = excluded.deleted, unchanged = excluded.unchanged, missing = excluded.missing";
    database.execute(sql, &values)
}

fn read_before(database: &mut dyn Database, name: &str) -> Result<Before, Failure> {
    let sql = "SELECT row_count, missing_count, marked_count, last_row, committed_run IS NOT NULL FROM _lms_collections \
               WHERE name = $1";
    let row = query_first(database, sql, &[text_value(name)])?;
    let mut row = row.ok_or_else(|| Failure::damaged(format!("{name} is not registered")))?;
    Ok(Before {
        rows: row.count(),
        missing: row.count(),
        marked: row.count(),
        last_row: row.integer(),
        committed: row.is_true(),
    })
}

/// Turns the staging table into the table.
fn adopt(database: &mut dyn Database, staging: &StagingTable) -> Result<Written, Failure> {
    let dialect = database.dialect();
    let statements = Statements::new(dialect, staging.collection);
    let sql = format!(
        "SELECT count(*), coalesce(max(\"_row\"), 0) FROM {}",
        staging.names.staging
    );
    let counts = query_first(database, &sql, &[])?;
    let (inserted, last_row) = counts.map_or((0, 0), |mut row| (row.count(), row.integer()));
    for sql in statements.adopt_staging() {
        database.execute(&sql, &[])?;
    }
    for (_, create) in statements.indexes() {
        database.execute(&create, &[])?;
    }
    let sql = "UPDATE _lms_collections SET last_row = $1 WHERE name = $2";
    let name = text_value(staging.collection.name);
    database.execute(sql, &[Value::Integer(last_row), name])?;
    Ok(Written {
        inserted,
        ..Written::default()
    })
}

/// Applies the difference and appends the changes.
fn apply(
    database: &mut dyn Database,
    staging: &StagingTable,
    policy: &MirrorPolicy,
    run: i64,
    record: &CompletenessRecord,
    before: &Before,
    compared: &Comparison,
) -> Result<Written, Failure> {
    let statements = Statements::new(database.dialect(), staging.collection);
    let at = now();
    let noted = [Value::Integer(run), at.clone()];
    let sql = format!(
        "SELECT coalesce(max(\"_row\"), 0) FROM {}",
        staging.names.staging
    );
    let staged = integer(&query_value(database, &sql, &[])?).unwrap_or_default();
    let mut written = Written {
        deleted: compared.gone.len() as u64,
        ..Written::default()
    };
    if staged > 0 {
        written.inserted = count(&query_value(database, &statements.count_inserts(), &[])?);
        written.updated = count(&query_value(database, &statements.count_updates(), &[])?);
        if before.committed || policy.first_run_changes {
            database.execute(&statements.note_added(), &noted)?;
            let with_extra = policy.extra_changes;
            database.execute(&statements.note_changed(with_extra), &noted)?;
            if !with_extra {
                database.execute(&statements.note_extra(), &noted)?;
            }
        }
        upsert(database, &statements, before)?;
        let sql = "UPDATE _lms_collections SET last_row = $1 WHERE name = $2";
        let last_row = Value::Integer(before.last_row + staged);
        database.execute(sql, &[last_row, text_value(staging.collection.name)])?;
    }
    let witness = if record.is_complete() {
        Value::Integer(run)
    } else {
        Value::Null
    };
    compared.note(database, &statements, &at, &witness)?;
    for gone in json_arrays(&compared.gone)? {
        let removed = [Value::Integer(run), at.clone(), gone.clone()];
        database.execute(&statements.note_removed(), &removed)?;
        match policy.deletes {
            Deletes::Delete => database.execute(&statements.delete(), &[gone])?,
            Deletes::Mark => database.execute(&statements.mark_deleted(), &[at.clone(), gone])?,
        }
    }
    if before.marked > 0 || written.deleted > 0 {
        clear_marked(database, staging, policy, &statements)?;
    }
    Ok(written)
}

/// Deletes rows that an earlier run marked, unless this run also marks rows.
fn clear_marked(
    database: &mut dyn Database,
    staging: &StagingTable,
    policy: &MirrorPolicy,
    statements: &Statements<'_>,
) -> Result<(), Failure> {
    let mut marked = Value::Integer(0);
    match policy.deletes {
        Deletes::Delete => database.execute(&statements.delete_marked(), &[])?,
        Deletes::Mark => {
            let live = &staging.names.live;
            let sql = format!("SELECT count(*) FROM {live} WHERE \"_deleted_at\" IS NOT NULL");
            marked = query_value(database, &sql, &[])?;
        }
    }
    let sql = "UPDATE _lms_collections SET marked_count = $1 WHERE name = $2";
    database.execute(sql, &[marked, text_value(staging.collection.name)])
}

/// Inserts and updates. The indexes of an empty table are created after its rows, which is faster.
fn upsert(
    database: &mut dyn Database,
    statements: &Statements<'_>,
    before: &Before,
) -> Result<(), Failure> {
    let indexes = if before.last_row == 0 {
        statements.indexes()
    } else {
        Vec::new()
    };
    for (name, _) in &indexes {
        database.execute(&format!("DROP INDEX IF EXISTS {name}"), &[])?;
    }
    database.execute(&statements.upsert(), &[Value::Integer(before.last_row)])?;
    for (_, create) in &indexes {
        database.execute(create, &[])?;
    }
    Ok(())
}
