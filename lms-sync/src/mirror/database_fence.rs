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

/// The fencing token of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DatabaseFence(String);

impl DatabaseFence {
    /// The token of a run that begins. Runs that began before cannot write from the end of the transaction on.
    pub(super) fn new(database: &mut dyn Database) -> Result<Self, Failure> {
        let token = random_token();
        set_meta(database, "fence", &token)?;
        Ok(Self(token))
    }

    /// Runs `work` in a transaction of the run.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) if another run has begun; nothing is written then.
    pub(super) fn transaction<T>(
        &self,
        database: &mut dyn Database,
        kind: Transaction,
        doing: &str,
        work: impl FnOnce(&mut dyn Database) -> Result<T, Failure>,
    ) -> Result<T, Error> {
        in_transaction(database, kind, doing, |database| {
            // No other transaction changes it before the end of this one.
            let lock = database.dialect().lock_row;
            let sql = format!("SELECT value FROM _lms_meta WHERE name = 'fence'{lock}");
            let current = query_value(database, &sql, &[])?;
            if text(&current).as_ref() != Some(&self.0) {
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
