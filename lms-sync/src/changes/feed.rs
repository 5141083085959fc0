//! The feed in the database of a mirror, and the positions of its endpoints.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::{
    change::{Change, ChangeKind, DeadLetter},
    json::JsonText,
    position::Position,
};
use crate::{
    collection::{Collection, Value, collection},
    error::ErrorKind,
    sql::{
        Statements,
        database::{
            Cells, Database, Failure, count, query_all, query_first, query_value, signed, text,
            text_value,
        },
        event, meta, set_meta,
    },
};

/// The columns of a change, in the order of [`change`].
const COLUMNS: &str =
    "c.sequence, c.token, c.run, c.seen_at, c.event, c.collection, c.key, c.data, c.fields";

/// The name of the position after the changes that were pruned.
const PRUNED: &str = "pruned";

/// The database of a mirror, which several callers share.
pub(super) type SharedDatabase = Arc<Mutex<Box<dyn Database>>>;

pub(super) fn lock(database: &SharedDatabase) -> MutexGuard<'_, Box<dyn Database>> {
    // A panic of another caller leaves no transaction open.
    database.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to deliver to an endpoint, until it is dropped.
pub(super) struct Delivering {
    pub(super) database: SharedDatabase,
    pub(super) endpoint: String,
}

impl Drop for Delivering {
    fn drop(&mut self) {
        let (database, endpoint) = (
            Arc::clone(&self.database),
            std::mem::take(&mut self.endpoint),
        );
        // A thread, because a delivery may be dropped where waiting is not allowed.
        let unlocked = thread::spawn(move || {
            // Otherwise the lock ends with the connection.
            let _ = lock(&database).unlock_deliveries(&endpoint);
        });
        let _ = unlocked.join();
    }
}

/// Takes the right to deliver to an endpoint. Returns the id of the mirror, which no other one has.
///
/// # Errors
///
/// [`Locked`](ErrorKind::Locked) if it is delivered to already; those of [`require_run`].
pub(super) fn begin(database: &mut dyn Database, endpoint: &str) -> Result<String, Failure> {
    require_run(database)?;
    let id = meta(database, "id")?.unwrap_or_default();
    if database.lock_deliveries(endpoint)? {
        return Ok(id);
    }
    let error = ErrorKind::Locked.error(format!(
        "another process delivers to the endpoint {endpoint}; wait for it to end, or use another name"
    ));
    Err(error.into())
}

/// Fails with [`Incomplete`](ErrorKind::Incomplete) if no run has filled a table.
fn require_run(database: &mut dyn Database) -> Result<(), Failure> {
    if collections(database)?.is_empty() {
        let message = "the mirror has no complete run yet, so no changes are known";
        return Err(ErrorKind::Incomplete.error(message).into());
    }
    Ok(())
}

/// The changes after a position, in order.
pub(super) fn since(
    database: &mut dyn Database,
    position: &Position,
    limit: u32,
) -> Result<Vec<Change>, Failure> {
    let pruned = start(database)?;
    let reason = if position.sequence <= pruned.sequence {
        (*position != pruned).then_some("changes after it were pruned")
    } else {
        let sql = "SELECT token FROM _lms_changes WHERE sequence = $1";
        let token = query_value(database, sql, &[signed(position.sequence)])?;
        (text(&token).as_ref() != Some(&position.token))
            .then_some("the mirror is another one, or was restored from a backup")
    };
    if let Some(reason) = reason {
        let end = end(database)?;
        let error = ErrorKind::OtherRun.error(format!(
            "the feed does not have the position {position}: {reason}; compare your state with the tables of the mirror, \
             then continue after the end of the feed, the position {end}"
        ));
        return Err(error.into());
    }
    let found = after(database, position.sequence, limit)?;
    if found.is_empty() {
        require_run(database)?;
    }
    Ok(found)
}

/// The position before the first change that is kept.
pub(super) fn start(database: &mut dyn Database) -> Result<Position, Failure> {
    match meta(database, PRUNED)? {
        Some(pruned) => pruned.parse().map_err(Failure::damaged),
        None => Ok(Position::START),
    }
}

/// The position after the last change.
pub(super) fn end(database: &mut dyn Database) -> Result<Position, Failure> {
    let sql = "SELECT sequence, token FROM _lms_changes ORDER BY sequence DESC LIMIT 1";
    match query_first(database, sql, &[])? {
        Some(mut row) => Ok(position(&mut row)),
        None => start(database),
    }
}

/// Removes the changes before a time that every endpoint has received. Returns their number.
pub(super) fn prune(database: &mut dyn Database, before: jiff::Timestamp) -> Result<u64, Failure> {
    // A change that is found later has a higher number.
    let sql = "SELECT sequence, token FROM _lms_changes WHERE seen_at < $1 \
         AND sequence <= coalesce((SELECT min(sequence) FROM _lms_deliveries), sequence) ORDER BY sequence DESC LIMIT 1";
    let before = Value::Utc(before.as_microsecond());
    let last = query_first(database, sql, &[before])?;
    let Some(last) = last.map(|mut row| position(&mut row)) else {
        return Ok(0);
    };
    let which = "sequence <= $1 AND sequence NOT IN (SELECT sequence FROM _lms_dead_letters)";
    let sequence = [signed(last.sequence)];
    let sql = format!("SELECT count(*) FROM _lms_changes WHERE {which}");
    let pruned = count(&query_value(database, &sql, &sequence)?);
    database.execute(
        &format!("DELETE FROM _lms_changes WHERE {which}"),
        &sequence,
    )?;
    set_meta(database, PRUNED, &last.to_string())?;
    Ok(pruned)
}

/// The changes after a sequence number, in order.
pub(super) fn after(
    database: &mut dyn Database,
    sequence: u64,
    limit: u32,
) -> Result<Vec<Change>, Failure> {
    let sql = format!(
        "SELECT {COLUMNS} FROM _lms_changes c WHERE c.sequence > $1 ORDER BY c.sequence LIMIT $2"
    );
    let values = [signed(sequence), signed(limit.into())];
    query_all(database, &sql, &values, |mut row| change(&mut row))
}

/// The collections that have rows, each with the run that committed them.
pub(super) fn collections(
    database: &mut dyn Database,
) -> Result<Vec<(&'static Collection, u64)>, Failure> {
    let sql = "SELECT name, committed_run FROM _lms_collections WHERE committed_run IS NOT NULL ORDER BY name";
    let found = query_all(database, sql, &[], |mut row| {
        let known = collection(&row.text());
        Ok(known.map(|known| (known, row.count())))
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The rows of a collection after the one with a key, in the order of their keys, each as a change that adds it; and the key of
/// the last one. All have the same position.
pub(super) fn rows(
    database: &mut dyn Database,
    (collection, run): (&'static Collection, u64),
    position: &Position,
    after: &[Value],
    limit: u32,
) -> Result<(Vec<Change>, Vec<Value>), Failure> {
    let statements = Statements::new(database.dialect(), collection);
    let sql = statements.rows(after.len(), limit);
    let (mut last, seen_at) = (Vec::new(), jiff::Timestamp::now().to_string());
    let rows = query_all(database, &sql, after, |mut row| {
        let change = Change {
            sequence: position.sequence,
            position: position.clone(),
            run,
            seen_at: seen_at.clone(),
            event: event(collection, ChangeKind::Added.name()),
            collection: collection.name.to_owned(),
            key: key(&mut row)?,
            row: row.json()?,
            fields: None,
        };
        last = row.rest();
        Ok(change)
    })?;
    Ok((rows, last))
}

/// The sequence number of the last change that an endpoint has received, or that was given up for it; `None` before
/// the first.
pub(super) fn delivered(
    database: &mut dyn Database,
    endpoint: &str,
) -> Result<Option<u64>, Failure> {
    let sql = "SELECT sequence FROM _lms_deliveries WHERE endpoint = $1";
    let found = query_value(database, sql, &[text_value(endpoint)])?;
    Ok((!found.is_null()).then(|| count(&found)))
}

/// Moves the position of an endpoint, and keeps the changes that were given up.
pub(super) fn advance(
    database: &mut dyn Database,
    endpoint: &str,
    sequence: u64,
    given_up: &[DeadLetter],
) -> Result<(), Failure> {
    database.execute(
        "INSERT INTO _lms_deliveries (endpoint, sequence) VALUES ($1, $2) \
         ON CONFLICT (endpoint) DO UPDATE SET sequence = excluded.sequence",
        &[text_value(endpoint), signed(sequence)],
    )?;
    for letter in given_up {
        let values = [
            text_value(endpoint),
            signed(letter.change.sequence),
            text_value(&letter.failed_at),
            signed(letter.attempts.into()),
            text_value(&letter.reason),
        ];
        let sql = "INSERT INTO _lms_dead_letters (endpoint, sequence, failed_at, attempts, reason) \
                   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (endpoint, sequence) DO UPDATE SET \
                   failed_at = excluded.failed_at, attempts = excluded.attempts, reason = excluded.reason";
        database.execute(sql, &values)?;
    }
    Ok(())
}

/// The changes that were given up for an endpoint, in order.
pub(super) fn dead_letters(
    database: &mut dyn Database,
    endpoint: &str,
) -> Result<Vec<DeadLetter>, Failure> {
    let sql = format!(
        "SELECT {COLUMNS}, d.failed_at, d.attempts, d.reason FROM _lms_dead_letters d \
         JOIN _lms_changes c ON c.sequence = d.sequence WHERE d.endpoint = $1 ORDER BY d.sequence"
    );
    query_all(database, &sql, &[text_value(endpoint)], |mut row| {
        Ok(DeadLetter {
            change: change(&mut row)?,
            failed_at: row.text(),
            attempts: u32::try_from(row.count()).unwrap_or(u32::MAX),
            reason: row.text(),
        })
    })
}

/// Removes a change from those that were given up.
pub(super) fn remove_dead_letter(
    database: &mut dyn Database,
    endpoint: &str,
    sequence: u64,
) -> Result<(), Failure> {
    let sql = "DELETE FROM _lms_dead_letters WHERE endpoint = $1 AND sequence = $2";
    database.execute(sql, &[text_value(endpoint), signed(sequence)])
}

fn position(row: &mut Cells) -> Position {
    Position {
        sequence: row.count(),
        token: row.text(),
    }
}

fn change(row: &mut Cells) -> Result<Change, Failure> {
    let position = position(row);
    Ok(Change {
        sequence: position.sequence,
        position,
        run: row.count(),
        seen_at: row.text(),
        event: row.text(),
        collection: row.text(),
        key: key(row)?,
        row: row.json()?,
        fields: row.json()?,
    })
}

fn key(row: &mut Cells) -> Result<JsonText, Failure> {
    row.json()?
        .ok_or_else(|| Failure::damaged("a change or a row has no key"))
}
