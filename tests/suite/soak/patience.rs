//! How a task handles failures: what it calls again, and when it checks the state first.

use lms_ext::{ErrorKind, Items, prelude::*};

use super::task::Task;

/// Attempts of one action.
pub(super) const PATIENCE: usize = 20;

/// What to do after a failed call.
pub(super) enum Next {
    /// It was not processed.
    Again,
    /// It may have been processed.
    Look,
}

/// How a walk goes on after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// With the same walk.
    GoOn,
    /// With another walk from its checkpoint.
    TakeUp,
}

impl Task {
    /// Counts a failure and returns what to do. An error that no fault can cause is a bug.
    pub(super) fn next(&mut self, error: &Error) -> Next {
        self.account.failed += 1;
        match error.kind() {
            ErrorKind::Ambiguous | ErrorKind::Decode => Next::Look,
            // Faults refuse valid tokens, sometimes twice in a row, redirect, and break pagination.
            ErrorKind::Unauthenticated
            | ErrorKind::Token
            | ErrorKind::Redirect
            | ErrorKind::Pagination => Next::Again,
            _ if error.is_retryable() => Next::Again,
            // A 409, for example, means a duplicate request.
            _ => panic!("{error:#}"),
        }
    }

    /// Repeats an idempotent call until it succeeds; `None` when the object does not exist.
    pub(super) async fn answer<T>(
        &mut self,
        call: impl AsyncFn(&Lms) -> Result<T, Error>,
    ) -> Option<T> {
        for _ in 0..PATIENCE {
            self.account.calls += 1;
            match call(&self.lms).await {
                Ok(answer) => return Some(answer),
                Err(error) if error.is_not_found() => return None,
                Err(error) => {
                    self.next(&error);
                }
            }
        }
        panic!("{PATIENCE} attempts failed");
    }

    /// Applies a write exactly once. `look` returns its result after an ambiguous error, if it was applied.
    pub(super) async fn once<T>(
        &mut self,
        call: impl AsyncFn(&Lms) -> Result<T, Error>,
        look: impl AsyncFn(&mut Self) -> Option<T>,
    ) -> T {
        for _ in 0..PATIENCE {
            self.account.calls += 1;
            let error = match call(&self.lms).await {
                Ok(done) => return done,
                Err(error) => error,
            };
            if let Next::Look = self.next(&error)
                && let Some(done) = look(self).await
            {
                return done;
            }
        }
        panic!("{PATIENCE} attempts failed");
    }

    /// Reads a list to its end, from the start again after a pagination error.
    pub(super) async fn walk<T>(
        &mut self,
        list: impl Fn(&Lms) -> Items<T>,
        failed: Failed,
    ) -> Vec<T>
    where
        T: serde::de::DeserializeOwned + Send + 'static,
    {
        for _ in 0..PATIENCE {
            let mut walk = list(&self.lms);
            let mut rows = Vec::new();
            for _ in 0..PATIENCE {
                match self.rest_of(&mut walk, &mut rows).await {
                    Ok(()) => return rows,
                    Err(error) if error.kind() == ErrorKind::Pagination => break,
                    Err(_) => {}
                }
                if failed == Failed::TakeUp {
                    let checkpoint = walk.checkpoint();
                    walk = list(&self.lms).resume(&checkpoint).unwrap();
                }
            }
        }
        panic!("{PATIENCE} walks failed");
    }

    async fn rest_of<T>(&mut self, walk: &mut Items<T>, rows: &mut Vec<T>) -> Result<(), Error>
    where
        T: serde::de::DeserializeOwned + Send + 'static,
    {
        let before = walk.summary().pages();
        let end = loop {
            match walk.try_next().await {
                Ok(Some(row)) => rows.push(row),
                Ok(None) => break Ok(()),
                Err(error) => {
                    self.next(&error);
                    break Err(error);
                }
            }
        };
        let pages = walk.summary().pages() - before + u64::from(end.is_err());
        self.account.calls += usize::try_from(pages).unwrap();
        end
    }
}
