//! The feed in the database of a mirror, and the positions of its endpoints.

use std::{sync::Arc, thread, time::Duration};

use super::{
    Changes, SharedDatabase,
    change::{Change, ChangeKind, DeadLetter, JsonText, Position},
    lock,
};
use crate::{
    collection::{Collection, Value, collection},
    error::{Error, ErrorKind},
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

#[expect(
    clippy::missing_errors_doc,
    reason = "the errors of all functions are described at the type"
)]
impl Changes {
    /// The first changes after a position, in order, at most `limit` of them. Empty if there are none.
    ///
    /// # Errors
    ///
    /// [`OtherRun`](ErrorKind::OtherRun) if the feed does not have this position: the mirror was restored from a backup or is
    /// another one, or changes after the position were [pruned](Self::prune). The reader has to compare its state with the tables
    /// of the mirror, and starts again after the last change. [`Incomplete`](ErrorKind::Incomplete) before the first complete run
    /// of the mirror.
    pub async fn since(&self, position: &Position, limit: u32) -> Result<Vec<Change>, Error> {
        let position = position.clone();
        self.call("read the changes", move |database| {
            check(database, &position)?;
            let found = after(database, position.sequence, limit)?;
            if found.is_empty() {
                require_run(database)?;
            }
            Ok(found)
        })
        .await
    }

    /// The position before the first change that is kept: [`Position::START`] if none were [pruned](Self::prune).
    pub async fn start(&self) -> Result<Position, Error> {
        self.call("read the start of the feed", start).await
    }

    /// The position after the last change.
    pub async fn end(&self) -> Result<Position, Error> {
        self.call("read the end of the feed", end).await
    }

    /// Removes the changes that are older than this, and returns their number. Undelivered changes
    /// stay, and so do [dead letters](Self::dead_letters).
    pub async fn prune(&self, older_than: Duration) -> Result<u64, Error> {
        // Nothing is older than the first time there is.
        let Ok(before) = jiff::Timestamp::now().checked_sub(older_than) else {
            return Ok(0);
        };
        self.change("prune the feed", move |database| prune(database, before))
            .await
    }

    /// The changes that were given up for the endpoint with this name, in order.
    pub async fn dead_letters(&self, endpoint: &str) -> Result<Vec<DeadLetter>, Error> {
        let endpoint = text_value(endpoint);
        let sql = format!(
            "SELECT {COLUMNS}, d.failed_at, d.attempts, d.reason FROM _lms_dead_letters d \
             JOIN _lms_changes c ON c.sequence = d.sequence WHERE d.endpoint = $1 ORDER BY d.sequence"
        );
        self.call("read the dead letters", move |database| {
            query_all(database, &sql, &[endpoint], |mut row| {
                Ok(DeadLetter {
                    change: change(&mut row)?,
                    failed_at: row.text(),
                    attempts: u32::try_from(row.count()).unwrap_or(u32::MAX),
                    reason: row.text(),
                })
            })
        })
        .await
    }

    /// Removes a change from those that were given up.
    pub(super) async fn remove_dead_letter(
        &self,
        endpoint: &str,
        sequence: u64,
    ) -> Result<(), Error> {
        let sql = "DELETE FROM _lms_dead_letters WHERE endpoint = $1 AND sequence = $2";
        let values = [text_value(endpoint), signed(sequence)];
        self.call("remove a dead letter", move |database| {
            database.execute(sql, &values)
        })
        .await
    }

    /// Takes the right to deliver to an endpoint. Also returns the id of the mirror, which no other one has.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) if it is delivered to already; those of [`require_run`].
    pub(super) async fn lock_deliveries(
        &self,
        endpoint: &str,
    ) -> Result<(Delivering, String), Error> {
        let (shared, endpoint) = (Arc::clone(&self.database), endpoint.to_owned());
        self.call("lock the deliveries", move |database| {
            require_run(database)?;
            let id = meta(database, "id")?.unwrap_or_default();
            if database.lock_deliveries(&endpoint)? {
                // Also given back if the caller is dropped meanwhile.
                return Ok((Delivering(shared, endpoint), id));
            }
            let error = ErrorKind::Locked.error(format!(
                "another process delivers to the endpoint {endpoint}; wait for it to end, or use another name"
            ));
            Err(error.into())
        })
        .await
    }

    /// The sequence number of the last change that an endpoint has received, or that was given up for it; `None` before
    /// the first.
    pub(super) async fn delivered(&self, endpoint: &str) -> Result<Option<u64>, Error> {
        let sql = "SELECT sequence FROM _lms_deliveries WHERE endpoint = $1";
        let endpoint = text_value(endpoint);
        self.call("read the position of the endpoint", move |database| {
            let found = query_value(database, sql, &[endpoint])?;
            Ok((!found.is_null()).then(|| count(&found)))
        })
        .await
    }

    /// Moves the position of an endpoint, and keeps the changes that were given up.
    pub(super) async fn advance(
        &self,
        endpoint: &str,
        sequence: u64,
        given_up: Vec<DeadLetter>,
    ) -> Result<(), Error> {
        let endpoint = text_value(endpoint);
        self.change("store the position of the endpoint", move |database| {
            let sql = "INSERT INTO _lms_deliveries (endpoint, sequence) VALUES ($1, $2) \
                       ON CONFLICT (endpoint) DO UPDATE SET sequence = excluded.sequence";
            database.execute(sql, &[endpoint.clone(), signed(sequence)])?;
            given_up.into_iter().try_for_each(|letter| {
                let values = [
                    endpoint.clone(),
                    signed(letter.change.sequence),
                    text_value(letter.failed_at),
                    signed(letter.attempts.into()),
                    text_value(letter.reason),
                ];
                let sql = "INSERT INTO _lms_dead_letters (endpoint, sequence, failed_at, attempts, reason) \
                           VALUES ($1, $2, $3, $4, $5) ON CONFLICT (endpoint, sequence) DO UPDATE SET \
                           failed_at = excluded.failed_at, attempts = excluded.attempts, reason = excluded.reason";
                database.execute(sql, &values)
            })
        })
        .await
    }
}

/// The right to deliver to an endpoint, until it is dropped.
pub(super) struct Delivering(SharedDatabase, String);

impl Drop for Delivering {
    fn drop(&mut self) {
        let (database, endpoint) = (Arc::clone(&self.0), std::mem::take(&mut self.1));
        // A thread, because a delivery may be dropped where waiting is not allowed.
        let unlocked = thread::spawn(move || {
            // Otherwise the lock ends with the connection.
            let _ = lock(&database).unlock_deliveries(&endpoint);
        });
        let _ = unlocked.join();
    }
}

/// Fails with [`Incomplete`](ErrorKind::Incomplete) if no run has filled a table.
fn require_run(database: &mut dyn Database) -> Result<(), Failure> {
    if collections(database)?.is_empty() {
        let message = "the mirror has no complete run yet, so no changes are known";
        return Err(ErrorKind::Incomplete.error(message).into());
    }
    Ok(())
}

/// Fails with [`OtherRun`](ErrorKind::OtherRun) if the feed does not have a position.
fn check(database: &mut dyn Database, position: &Position) -> Result<(), Failure> {
    let pruned = start(database)?;
    let reason = if position.sequence <= pruned.sequence {
        (*position != pruned).then_some("changes after it were pruned")
    } else {
        let sql = "SELECT token FROM _lms_changes WHERE sequence = $1";
        let token = query_value(database, sql, &[signed(position.sequence)])?;
        (text(&token).as_ref() != Some(&position.token))
            .then_some("the mirror is another one, or was restored from a backup")
    };
    let Some(reason) = reason else {
        return Ok(());
    };
    let end = end(database)?;
    let error = ErrorKind::OtherRun.error(format!(
        "the feed does not have the position {position}: {reason}; compare your state with the tables of the mirror, \
         then continue after the end of the feed, the position {end}"
    ));
    Err(error.into())
}

/// The position before the first change that is kept.
fn start(database: &mut dyn Database) -> Result<Position, Failure> {
    match meta(database, PRUNED)? {
        Some(pruned) => pruned.parse().map_err(Failure::damaged),
        None => Ok(Position::START),
    }
}

/// The position after the last change.
fn end(database: &mut dyn Database) -> Result<Position, Failure> {
    let sql = "SELECT sequence, token FROM _lms_changes ORDER BY sequence DESC LIMIT 1";
    match query_first(database, sql, &[])? {
        Some(mut row) => Ok(position(&mut row)),
        None => start(database),
    }
}

/// Removes the changes before a time that every endpoint has received.
fn prune(database: &mut dyn Database, before: jiff::Timestamp) -> Result<u64, Failure> {
    // A change that is found later has a higher number, also if the clock was set back meanwhile.
    let sql = "SELECT sequence, token FROM _lms_changes \
         WHERE sequence < coalesce((SELECT min(sequence) FROM _lms_changes WHERE seen_at >= $1), sequence + 1) \
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
