//! Publishes the collections of a run: updates their tables to the state of the lists, and stores the records and the changes, in
//! one transaction. Readers see the tables of one run, except those of failed collections.
//!
//! Each row has a number, `_row`, by which a run remembers it (`seen_rows.rs`). The staging table counts its rows from 1. A new row
//! gets its number there plus `last_row`, the largest number that the table has ever used, so no number is used twice. A row
//! that is updated keeps its number. `_hash` is the hash of the row as it was sent; a row with an equal hash is not staged.

use super::{
    mirror_run::Run,
    overview::Written,
    parents::Parents,
    policy::{Deletes, MirrorPolicy},
    reads,
    staging_table::{Counts, StagingOutcome, StagingTable},
    tables::{create_table, create_views, describe},
    witness::{Comparison, numbers},
};
use crate::{
    collection::{Collection, Value, known, position},
    error::{Error, ErrorKind},
    record::CompletenessRecord,
    sql::{
        CHANGED, Statements,
        database::{
            Database, Failure, Transaction, count, failed, now, query_first, query_value, signed,
            text_value,
        },
    },
};

/// Number of changed rows after which the statistics of a table are updated.
const MANY: u64 = 1_000;

/// Brings the tables of all sealed collections to the state of their lists, in one transaction. Returns those that cannot be
/// published, whose tables stay as they are.
pub(super) fn publish(
    run: &mut Run,
    policy: &MirrorPolicy,
) -> Result<Vec<(&'static Collection, Error)>, Error> {
    let (id, database) = (run.id, &mut run.database);
    let mut sealed: Vec<&mut StagingTable> = run.staging_tables.values_mut().collect();
    sealed.retain(|staging| staging.outcome == StagingOutcome::Sealed);
    if sealed.is_empty() {
        return Ok(Vec::new());
    }
    // Parents first, because their rows decide about those that refer to them.
    sealed.sort_by_key(|staging| (depth(staging.collection), position(staging.collection.name)));
    let doing = "publish the collections";
    let refused = database.transaction(Transaction::Write, doing, |database| {
        let mut refused = Vec::new();
        for staging in &sealed {
            reads::remember(database, staging)?;
        }
        for staging in &sealed {
            let doing = format!("publish {}", staging.collection.name);
            let published = in_savepoint(database, |database| {
                publish_one(database, staging, policy, id).map_err(failed(&doing))
            });
            if let Some(error) = published? {
                refused.push((staging.collection, error));
            }
        }
        if sealed.iter().any(|staging| !staging.exists) {
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
    staging: &StagingTable,
    policy: &MirrorPolicy,
    run: i64,
) -> Result<(), Failure> {
    let name = staging.collection.name;
    let Some(record) = &staging.record else {
        return Ok(());
    };
    let (counts, written) = write(database, staging, policy, run, record)?;
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
    let sql = "UPDATE _lms_collections SET row_count = $1, missing_count = $2, marked_count = $3, last_row = $4, \
               committed_run = $5, record = $6 WHERE name = $7";
    let values = [
        signed(counts.rows),
        signed(counts.missing),
        signed(counts.marked),
        Value::Integer(counts.last_row),
        Value::Integer(run),
        Value::Json(json),
        text_value(name),
    ];
    database.execute(sql, &values)?;
    store_record(database, run, record, Some(written))?;
    staging.remove(database)?;
    let analyze = database.dialect().analyze;
    if let Some(analyze) = analyze.filter(|_| written.inserted + written.updated >= MANY) {
        let sql = analyze.replace("{table}", &staging.statements.names.live);
        database.execute(&sql, &[])?;
    }
    describe(database, staging.collection)
}

/// Writes the difference into the table. Returns its new numbers, and what was written.
fn write(
    database: &mut dyn Database,
    staging: &StagingTable,
    policy: &MirrorPolicy,
    run: i64,
    record: &CompletenessRecord,
) -> Result<(Counts, Written), Failure> {
    let mut counts = staging.before;
    let mut compared = Comparison {
        rows: counts.rows,
        ..Comparison::default()
    };
    if staging.seen.len() < counts.rows || counts.missing > 0 {
        let parents = Parents::of(database, staging.collection)?;
        compared = Comparison::of(database, staging, &parents, run, Some(record))?;
        let (gone, missing) = (compared.gone.len(), compared.missing.len());
        policy.check(
            staging.collection.name,
            gone as u64,
            compared.rows,
            missing as u64,
        )?;
    }
    let statements = &staging.statements;
    let sql = statements.fill("SELECT count(*), coalesce(max(\"_row\"), 0) FROM {staging}");
    let staged = query_first(database, &sql, &[])?;
    let (staged, last_row) = staged.map_or((0, 0), |mut row| (row.count(), row.integer()));
    let mut written = Written {
        inserted: staged,
        deleted: compared.gone.len() as u64,
        ..Written::default()
    };
    if !staging.exists && policy.first_run_changes {
        // The changes are read from the difference between two tables.
        create_table(database, staging.collection)?;
    }
    if !staging.exists && !policy.first_run_changes {
        statements
            .adopt_staging()
            .iter()
            .try_for_each(|sql| database.execute(sql, &[]))?;
        let indexes = statements.indexes();
        let mut indexes = indexes.iter();
        indexes.try_for_each(|(_, create)| database.execute(create, &[]))?;
    } else {
        if staged > 0 {
            let sql = statements.fill(&format!("SELECT count(*) FROM {CHANGED}"));
            written.updated = count(&query_value(database, &sql, &[])?);
            written.inserted = staged - written.updated;
            upsert(database, statements, policy, run, &counts)?;
        }
        let witness = match record.is_complete() {
            true => Value::Integer(run),
            false => Value::Null,
        };
        compared.note(database, statements, &witness)?;
        counts.marked = remove(database, staging, policy, run, &compared)?;
    }
    counts.last_row += last_row;
    counts.missing = compared.missing.len() as u64 + compared.waiting;
    counts.rows = compared.rows + written.inserted - written.deleted;
    written.missing = counts.missing;
    let changed = written.inserted + written.updated + written.missing;
    written.unchanged = counts.rows.saturating_sub(changed);
    Ok((counts, written))
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

/// Deletes or marks the rows with a witness, appends their changes, and deletes rows that an earlier run marked unless this run
/// also marks rows. Returns the number of marked rows.
fn remove(
    database: &mut dyn Database,
    staging: &StagingTable,
    policy: &MirrorPolicy,
    run: i64,
    compared: &Comparison,
) -> Result<u64, Failure> {
    let statements = &staging.statements;
    if !compared.gone.is_empty() {
        let (at, gone) = (now(), numbers(&compared.gone)?);
        let removed = [Value::Integer(run), at.clone(), gone.clone()];
        database.execute(&statements.note_removed(), &removed)?;
        let (sql, values) = match policy.deletes {
            Deletes::Delete => (
                "DELETE FROM {live} WHERE \"_row\" IN ({rows $1})",
                vec![gone],
            ),
            Deletes::Mark => (
                "UPDATE {live} SET \"_deleted_at\" = $1 WHERE \"_row\" IN ({rows $2})",
                vec![at, gone],
            ),
        };
        database.execute(&statements.fill(sql), &values)?;
    }
    if staging.before.marked == 0 && compared.gone.is_empty() {
        return Ok(0);
    }
    let marked = "FROM {live} WHERE \"_deleted_at\" IS NOT NULL";
    if policy.deletes == Deletes::Delete {
        let sql = statements.fill(&format!("DELETE {marked}"));
        return database.execute(&sql, &[]).map(|()| 0);
    }
    let sql = statements.fill(&format!("SELECT count(*) {marked}"));
    Ok(count(&query_value(database, &sql, &[])?))
}

/// Appends the changes, inserts and updates. The indexes of an empty table are created after its rows, which is faster.
fn upsert(
    database: &mut dyn Database,
    statements: &Statements,
    policy: &MirrorPolicy,
    run: i64,
    before: &Counts,
) -> Result<(), Failure> {
    if before.is_committed || policy.first_run_changes {
        let noted = [Value::Integer(run), now()];
        database.execute(&statements.note_added(), &noted)?;
        let with_extra = policy.extra_changes;
        database.execute(&statements.note_changed(with_extra), &noted)?;
        if !with_extra {
            database.execute(&statements.note_extra(), &noted)?;
        }
    }
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
