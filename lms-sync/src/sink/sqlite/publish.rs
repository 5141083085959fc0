//! Commits a collection: brings its table to the state of the walk, and stores the record and the changes with it.

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::{dialect::SQLITE, failure::failed, open::now, stage::Stage, status::Written};
use crate::{
    error::{Error, ErrorKind},
    mirror::{Deletes, FirstRunChanges, MirrorPolicy},
    record::CompletenessRecord,
    sql::{Difference, Schema},
};

/// What is known about the table before a commit.
struct Before {
    rows: u64,
    last_row: i64,
    /// Whether an earlier run has committed it.
    committed: bool,
}

/// Brings the table to the state of the walk, in one transaction.
pub(super) fn commit(
    connection: &mut Connection,
    stage: &mut Stage,
    policy: &MirrorPolicy,
    run: i64,
    record: &CompletenessRecord,
) -> Result<(), Error> {
    let collection = stage.collection;
    if !record.complete {
        return Err(Error::new(
            ErrorKind::Incomplete,
            format!(
                "{} was not read completely, so it is not committed",
                collection.name
            ),
        ));
    }
    let doing = format!("commit {}", collection.name);
    let doing = failed(&doing);
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(&doing)?;
    stage.save(&transaction).map_err(&doing)?;
    let before = read_before(&transaction, collection.name).map_err(&doing)?;
    let mut rows = before.rows;
    let mut gone = 0;
    if stage.seen.len() < rows {
        (rows, gone) = find_gone(&transaction, stage).map_err(&doing)?;
        if policy.refuses(gone, rows) {
            drop(transaction);
            // The next run must not compare an old walk again.
            stage.restart(connection).map_err(&doing)?;
            return Err(too_many(collection.name, gone, rows, policy));
        }
    }
    let mut written = apply(&transaction, stage, policy, run, &before, gone).map_err(&doing)?;
    let rows = rows + written.inserted - written.deleted;
    written.unchanged = rows.saturating_sub(written.inserted + written.updated);
    let sql = "UPDATE _lms_collections SET row_count = $1, committed_run = $2, record = $3 WHERE name = $4";
    let json = as_json(record)?;
    transaction
        .execute(sql, params![signed(rows), run, json, collection.name])
        .map_err(&doing)?;
    store_record(&transaction, run, record, Some(written)).map_err(&doing)?;
    stage.remove(&transaction).map_err(&doing)?;
    transaction.commit().map_err(&doing)
}

/// Stores a completeness record, with what was written if the collection was committed.
pub(super) fn store_record(
    connection: &Connection,
    run: i64,
    record: &CompletenessRecord,
    written: Option<Written>,
) -> rusqlite::Result<()> {
    let json = serde_json::to_string(record).unwrap_or_default();
    let count = |of: fn(Written) -> u64| written.map(|written| signed(of(written)));
    connection.execute(
        "INSERT OR REPLACE INTO _lms_records (run, collection, record, inserted, updated, deleted, unchanged) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        params![
            run,
            record.collection,
            json,
            count(|written| written.inserted),
            count(|written| written.updated),
            count(|written| written.deleted),
            count(|written| written.unchanged),
        ],
    )?;
    Ok(())
}

fn as_json(record: &CompletenessRecord) -> Result<String, Error> {
    serde_json::to_string(record)
        .map_err(|error| Error::destination("cannot write the completeness record as JSON", error))
}

fn read_before(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<Before> {
    let sql = "SELECT row_count, last_row, committed_run IS NOT NULL FROM _lms_collections WHERE name = $1";
    transaction.query_row(sql, [name], |row| {
        let rows: i64 = row.get(0)?;
        Ok(Before {
            rows: rows.unsigned_abs(),
            last_row: row.get(1)?,
            committed: row.get(2)?,
        })
    })
}

/// Collects the keys of the rows that the walk did not find. Returns how many rows there were, and how many are gone.
fn find_gone(transaction: &Transaction<'_>, stage: &Stage) -> rusqlite::Result<(u64, u64)> {
    transaction.execute(&Schema::new(&SQLITE, stage.collection).create_gone(), ())?;
    let keys: Vec<String> = stage
        .collection
        .key
        .iter()
        .map(|name| format!("\"{name}\""))
        .collect();
    let keys = keys.join(", ");
    let places = vec!["?"; stage.collection.key.len()].join(", ");
    let mut insert = transaction.prepare(&format!(
        "INSERT INTO {} ({keys}) VALUES ({places})",
        stage.names.gone
    ))?;
    let mut select = transaction.prepare(&format!(
        "SELECT \"_row\", {keys} FROM {} WHERE \"_deleted_at\" IS NULL",
        stage.names.live
    ))?;
    let (mut total, mut gone) = (0, 0);
    let mut rows = select.query(())?;
    while let Some(row) = rows.next()? {
        total += 1;
        if stage.seen.contains(row.get(0)?) {
            continue;
        }
        gone += 1;
        for index in 1..=stage.collection.key.len() {
            let key: String = row.get(index)?;
            insert.raw_bind_parameter(index, key)?;
        }
        insert.raw_execute()?;
    }
    Ok((total, gone))
}

/// Applies the difference and appends the changes.
fn apply(
    transaction: &Transaction<'_>,
    stage: &Stage,
    policy: &MirrorPolicy,
    run: i64,
    before: &Before,
    gone: u64,
) -> rusqlite::Result<Written> {
    let difference = Difference::new(&SQLITE, stage.collection);
    let at = now();
    let staged: i64 = transaction.query_row(
        &format!(
            "SELECT coalesce(max(\"_row\"), 0) FROM {}",
            stage.names.stage
        ),
        (),
        |row| row.get(0),
    )?;
    let mut written = Written {
        deleted: gone,
        ..Written::default()
    };
    transaction.execute(&difference.drop_rows_without_key(), ())?;
    if staged > 0 {
        let count = |sql: String| -> rusqlite::Result<u64> {
            transaction.query_row(&sql, (), |row| row.get::<_, i64>(0).map(i64::unsigned_abs))
        };
        transaction.execute(&difference.keep_rows_without_key(), ())?;
        written.inserted = count(difference.count_inserts())?;
        written.updated = count(difference.count_updates())?;
        if before.committed || policy.first_run_changes == FirstRunChanges::Append {
            transaction.execute(&difference.note_added(), params![run, at])?;
            transaction.execute(&difference.note_changed(), params![run, at])?;
        }
        upsert(transaction, stage, &difference, before)?;
        transaction.execute(
            "UPDATE _lms_collections SET last_row = $1 WHERE name = $2",
            params![before.last_row + staged, stage.collection.name],
        )?;
    }
    if gone > 0 {
        transaction.execute(&difference.note_removed(), params![run, at])?;
        match policy.deletes {
            Deletes::Delete => transaction.execute(&difference.delete(), ())?,
            Deletes::Mark => transaction.execute(&difference.mark_deleted(), [&at])?,
        };
        transaction.execute(&format!("DROP TABLE {}", stage.names.gone), ())?;
    }
    Ok(written)
}

/// Inserts and updates. The indexes of an empty table are created after its rows, which is faster.
fn upsert(
    transaction: &Transaction<'_>,
    stage: &Stage,
    difference: &Difference<'_>,
    before: &Before,
) -> rusqlite::Result<()> {
    let indexes = if before.last_row == 0 {
        Schema::new(&SQLITE, stage.collection).indexes()
    } else {
        Vec::new()
    };
    for (name, _) in &indexes {
        transaction.execute(&format!("DROP INDEX IF EXISTS {name}"), ())?;
    }
    transaction.execute(&difference.upsert(), [before.last_row])?;
    for (_, create) in &indexes {
        transaction.execute(create, ())?;
    }
    Ok(())
}

fn too_many(name: &str, gone: u64, rows: u64, policy: &MirrorPolicy) -> Error {
    #[expect(
        clippy::cast_precision_loss,
        reason = "the share is shown with one decimal"
    )]
    let share = gone as f64 * 100.0 / rows as f64;
    Error::new(
        ErrorKind::TooManyDeletes,
        format!(
            "{gone} of {rows} {name} ({share:.1} %) are gone from the tenant, more than the limit of {:.1} %, so nothing was \
             changed; check the tenant, then run again with a higher limit",
            policy.max_delete_share * 100.0
        ),
    )
}

/// A count as SQLite stores it.
fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
