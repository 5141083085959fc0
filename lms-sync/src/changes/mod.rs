//! The feed of changes: the differences that each run of a mirror found.
//!
//! The service documents no webhooks. Each run of a mirror therefore compares the tenant with its tables, and appends a
//! [`Change`] for each row that was added, changed or removed, in the transaction that changes the table. A program can
//! read the changes [since](Changes::since) the last one that it handled, or [deliver](Changes::deliver) them to an HTTPS
//! endpoint.
//!
//! ```no_run
//! # async fn example() -> Result<(), lms_sync::Error> {
//! use lms_sync::{changes::{ChangeKind, Changes, Position}, collections};
//!
//! let changes = Changes::sqlite("mirror.db")?;
//! for change in changes.since(&Position::START, 100).await? {
//!     match (change.collection.as_str(), change.kind()) {
//!         (collections::COURSE_COMPLETIONS, ChangeKind::Added) => println!("completed: {}", change.key),
//!         _ => {}
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A change is the difference between two runs. Several edits of a row between two runs are one change. If the last
//! edit restored the row, there is no change.

mod change;
mod deliver;
mod endpoint;
mod feed;

#[cfg(feature = "sqlite")]
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use change::{Change, ChangeKind, DeadLetter, FieldChange, JsonText, Position};
pub use deliver::Delivered;
pub use endpoint::Endpoint;

use crate::{
    error::Error,
    mirror::Mirror,
    sql::database::{Database, Failure, Transaction, failed, in_transaction},
};

/// Number of changes that are read at once.
const CHUNK: u32 = 500;

/// The database of a mirror, which several callers share.
type SharedDatabase = Arc<Mutex<Box<dyn Database>>>;

fn lock(database: &SharedDatabase) -> MutexGuard<'_, Box<dyn Database>> {
    // A panic of another caller leaves no transaction open.
    database.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The feed of changes of a mirror.
///
/// # Errors
///
/// All functions return [`Destination`](crate::ErrorKind::Destination) when the mirror cannot be read or written.
#[derive(Clone, Debug)]
pub struct Changes {
    database: SharedDatabase,
}

impl Changes {
    /// The feed of an SQLite mirror.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) if there is no such file, and
    /// [`Foreign`](crate::ErrorKind::Foreign) if it is not a mirror.
    #[cfg(feature = "sqlite")]
    pub fn sqlite(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self::new(Mirror::sqlite(path).open_feed()?))
    }

    /// The feed of a PostgreSQL mirror. Connects to the server, and blocks until the connection is open. To read the
    /// feed, the user needs the privileges of a [reader](crate::sink::postgres::PostgresSchema::reader). To deliver it, the
    /// user also needs to write the tables `_lms_deliveries` and `_lms_dead_letters`.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) if there is no connection, and
    /// [`Foreign`](crate::ErrorKind::Foreign) if the schema is not a mirror.
    #[cfg(feature = "postgres")]
    pub fn postgres(mirror: &crate::sink::postgres::PostgresSchema) -> Result<Self, Error> {
        Ok(Self::new(Mirror::postgres(mirror).open_feed()?))
    }

    fn new(database: Box<dyn Database>) -> Self {
        Self {
            database: Arc::new(Mutex::new(database)),
        }
    }

    /// Works on the mirror on a thread where it may block.
    async fn call<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&mut dyn Database) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Error> {
        let database = Arc::clone(&self.database);
        let work = move || work(&mut **lock(&database)).map_err(failed(doing));
        let outcome = tokio::task::spawn_blocking(work).await;
        outcome.unwrap_or_else(|error| {
            Err(Error::destination("reading the changes was stopped", error))
        })
    }

    /// Changes the mirror in one transaction.
    async fn change<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&mut dyn Database) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Error> {
        let work = move |database: &mut dyn Database| {
            Ok(in_transaction(database, Transaction::Write, doing, work)?)
        };
        self.call(doing, work).await
    }
}
