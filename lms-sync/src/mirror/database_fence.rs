//! Keeps a run from writing after another one has begun.
//!
//! A lock excludes a second run, but not in all cases: a file may have a second name, and a connection may lose its
//! lock. Each run therefore stores a random token, and each of its transactions fails if another run has replaced the
//! token.

use crate::{
    error::{Error, ErrorKind},
    plan::random_token,
    sql::{
        database::{Database, Failure, Transaction, in_transaction, query_value, text},
        set_meta,
    },
};

/// The connection of a run, with its fencing token.
#[derive(Debug)]
pub(super) struct FencedDatabase {
    pub(super) database: Box<dyn Database>,
    pub(super) token: String,
}

/// The token of a run that begins. Runs that began before cannot write from the end of the transaction on.
pub(super) fn take_fence(database: &mut dyn Database) -> Result<String, Failure> {
    let token = random_token();
    set_meta(database, "fence", &token)?;
    Ok(token)
}

impl FencedDatabase {
    /// Runs `work` in a transaction of the run.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) if another run has begun; nothing is written then.
    pub(super) fn transaction<T>(
        &mut self,
        kind: Transaction,
        doing: &str,
        work: impl FnOnce(&mut dyn Database) -> Result<T, Failure>,
    ) -> Result<T, Error> {
        let token = &self.token;
        in_transaction(&mut *self.database, kind, doing, |database| {
            // No other transaction changes it before the end of this one.
            let lock = database.dialect().lock_row;
            let sql = format!("SELECT value FROM _lms_meta WHERE name = 'fence'{lock}");
            let current = query_value(database, &sql, &[])?;
            if text(&current).as_ref() != Some(token) {
                let message = format!(
                    "cannot {doing}: another run has begun to write into the {}; wait for it to end, then start this run \
                     again",
                    database.dialect().place
                );
                return Err(ErrorKind::Locked.error(message).into());
            }
            work(database)
        })
    }
}
