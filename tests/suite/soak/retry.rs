//! How a task handles errors: when it calls again, and when it checks the state first.

use lms_ext::{ErrorKind, Items, prelude::*};

use super::task::Task;

/// Attempts of one action.
pub(super) const MAX_ATTEMPTS: usize = 20;

/// What to do after an error.
pub(super) enum Next {
    /// It was not processed.
    Retry,
    /// It may have been processed.
    Check,
}

/// How a walk continues after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resume {
    /// With the same walk.
    SameWalk,
    /// With another walk from its checkpoint.
    Checkpoint,
}

impl Task {
    /// Counts an error and returns what to do. An error that no fault can cause is a bug.
    pub(super) fn next(&mut self, error: &Error) -> Next {
        self.account.failed += 1;
        match error.kind() {
            ErrorKind::Ambiguous | ErrorKind::Decode | ErrorKind::NotJson => Next::Check,
            // Faults refuse valid tokens, sometimes twice in a row, redirect, and break pagination.
            ErrorKind::Unauthenticated
            | ErrorKind::Token
            | ErrorKind::Redirect
            | ErrorKind::Pagination => Next::Retry,
            _ if error.is_retryable() => Next::Retry,
            // A 409, for example, means a duplicate request.
            _ => panic!("{error:#}"),
        }
    }

    /// Retries an idempotent call until it succeeds; `None` when the object does not exist.
    pub(super) async fn response<T>(
        &mut self,
        call: impl AsyncFn(&Lms) -> Result<T, Error>,
    ) -> Option<T> {
        for _ in 0..MAX_ATTEMPTS {
            self.account.calls += 1;
            match call(&self.lms).await {
                Ok(response) => return Some(response),
                Err(error) if error.is_not_found() => return None,
                Err(error) => {
                    self.next(&error);
                }
            }
        }
        panic!("{MAX_ATTEMPTS} attempts failed");
    }

    /// Applies a write exactly once. After an ambiguous error, `check` returns its result if it was applied.
    pub(super) async fn apply_once<T>(
        &mut self,
        call: impl AsyncFn(&Lms) -> Result<T, Error>,
        check: impl AsyncFn(&mut Self) -> Option<T>,
    ) -> T {
        for _ in 0..MAX_ATTEMPTS {
            self.account.calls += 1;
            let error = match call(&self.lms).await {
                Ok(done) => return done,
                Err(error) => error,
            };
            if let Next::Check = self.next(&error)
                && let Some(done) = check(self).await
            {
                return done;
            }
        }
        panic!("{MAX_ATTEMPTS} attempts failed");
    }

    /// Reads a list to its end, from the start again after a pagination error.
    pub(super) async fn walk<T>(
        &mut self,
        list: impl Fn(&Lms) -> Items<T>,
        resume: Resume,
    ) -> Vec<T>
    where
        T: serde::de::DeserializeOwned + Send + 'static,
    {
        for _ in 0..MAX_ATTEMPTS {
            let mut walk = list(&self.lms);
            let mut items = Vec::new();
            for _ in 0..MAX_ATTEMPTS {
                match self.rest_of(&mut walk, &mut items).await {
                    Ok(()) => return items,
                    Err(error) if error.kind() == ErrorKind::Pagination => break,
                    Err(_) => {}
                }
                if resume == Resume::Checkpoint {
                    let checkpoint = walk.checkpoint();
                    walk = list(&self.lms).resume(&checkpoint).unwrap();
                }
            }
        }
        panic!("{MAX_ATTEMPTS} walks failed");
    }

    async fn rest_of<T>(&mut self, walk: &mut Items<T>, items: &mut Vec<T>) -> Result<(), Error>
    where
        T: serde::de::DeserializeOwned + Send + 'static,
    {
        let before = walk.summary().pages();
        let end = loop {
            match walk.try_next().await {
                Ok(Some(item)) => items.push(item),
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
