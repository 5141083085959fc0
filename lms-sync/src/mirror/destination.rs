//! The destination of a mirror, and the functions that read it.

use std::{fmt, sync::Arc, thread, time::Duration};

use super::{
    begin::require_mirror,
    overview::{self, Overview, Status},
    query::MirrorReader,
    verify_tables,
};
use crate::{
    error::Error,
    sql::database::{Database, Failure, Transaction, failed, in_transaction},
    verify::VerifiedCollection,
};

/// The file or the schema of a mirror. `Display` names it in messages.
pub(crate) trait MirrorDestination: fmt::Debug + fmt::Display + Send + Sync {
    /// Checks the destination, keeps other runs out as long as the connection exists, and connects. Waits this long for a run
    /// that was killed a moment ago, if the destination does not know that it has ended.
    fn open_for_run(&self, wait: Duration) -> Result<Box<dyn Database>, Error>;

    /// Connects without keeping a run out.
    fn open(&self, access: Access) -> Result<Box<dyn Database>, Error>;

    /// Returns `true` if a run has the lock of the destination. `database` is a connection to it.
    fn is_held(&self, database: &mut dyn Database) -> Result<bool, Error>;
}

/// The use of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// A mirror that can be read, also while a run updates it. All calls block.
///
/// ```no_run
/// use lms_sync::mirror::Mirror;
///
/// for verified in Mirror::sqlite("mirror.db").verify()? {
///     assert!(verified.is_intact(), "{:?}", verified.problems);
/// }
/// # Ok::<(), lms_sync::Error>(())
/// ```
///
/// # Errors
///
/// All functions return [`Destination`](crate::ErrorKind::Destination) when the database cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when it is not a mirror.
#[derive(Clone, Debug)]
pub struct Mirror(Arc<dyn MirrorDestination>);

#[expect(
    clippy::missing_errors_doc,
    reason = "the errors of all functions are described at the type"
)]
impl Mirror {
    pub(crate) fn at(destination: impl MirrorDestination + 'static) -> Self {
        Self(Arc::new(destination))
    }

    /// The result of the last run that tried each collection.
    pub fn status(&self) -> Result<Vec<Status>, Error> {
        self.call("read the completeness records", overview::status)
    }

    /// The age and the completeness of each collection, and the unfinished run.
    pub fn overview(&self) -> Result<Overview, Error> {
        let doing = "read the state of the mirror";
        let overview = self.call(doing, |database| {
            let mut overview = overview::overview(database)?;
            overview.is_running =
                overview.unfinished_since.is_some() && self.0.is_held(database)?;
            Ok(overview)
        })?;
        match overview.is_running || overview.unfinished_since.is_none() {
            true => Ok(overview),
            // The run may have ended after it was read.
            false => self.call(doing, overview::overview),
        }
    }

    /// Stores the reason why a run could not begin. [`overview`](Self::overview) has it until a run begins.
    pub fn set_failed_start(&self, because: &str) -> Result<(), Error> {
        on_thread(|| {
            let mut database = self.0.open(Access::Write)?;
            let stored = require_mirror(&mut *database, &*self.0)
                .and_then(|()| overview::set_failed_start(&mut *database, because));
            stored.map_err(failed("store why the run could not begin"))
        })
    }

    /// Compares the rows of each committed collection with its completeness record.
    pub fn verify(&self) -> Result<Vec<VerifiedCollection>, Error> {
        self.call("verify the mirror", verify_tables::verify)
    }

    /// Calls `work` with the mirror as it is at one moment. Also returns the errors of `work`.
    pub fn read<T: Send>(
        &self,
        work: impl FnOnce(&mut MirrorReader<'_>) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        self.call("read the mirror", |database| {
            Ok(work(&mut MirrorReader { database })?)
        })
    }

    /// Connects to read the feed of changes and to store its deliveries.
    pub(crate) fn open_feed(&self) -> Result<Box<dyn Database>, Error> {
        on_thread(|| {
            let mut database = self.0.open(Access::Write)?;
            let required = require_mirror(&mut *database, &*self.0);
            required.map_err(failed("read the changes"))?;
            Ok(database)
        })
    }

    /// Calls `work` with the tables as they are at one moment.
    fn call<T: Send>(
        &self,
        doing: &str,
        work: impl FnOnce(&mut dyn Database) -> Result<T, Failure> + Send,
    ) -> Result<T, Error> {
        with_connection(&*self.0, |database| {
            in_transaction(database, Transaction::Read, doing, |database| {
                require_mirror(database, &*self.0)?;
                work(database)
            })
        })
    }
}

/// Calls `work` with a connection that is not that of a run.
pub(crate) fn with_connection<T: Send>(
    destination: &dyn MirrorDestination,
    work: impl FnOnce(&mut dyn Database) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    on_thread(|| work(&mut *destination.open(Access::Read)?))
}

/// Calls `work` on a thread where it may block, which threads of a runtime may not.
fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| match scope.spawn(work).join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
