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
mod json;
mod position;
mod signature;

#[cfg(feature = "sqlite")]
use std::path::Path;
use std::{sync::Arc, time::Duration};

pub use change::{Change, ChangeKind, DeadLetter, FieldChange};
pub use deliver::Delivered;
pub use endpoint::Endpoint;
pub use json::JsonText;
pub use position::Position;

use crate::{error::Error, mirror::Mirror, sql::database::Database};
use feed::Feed;

/// Number of changes that are read at once.
const CHUNK: u32 = 500;

/// The feed of changes of a mirror.
///
/// # Errors
///
/// All functions return [`Destination`](crate::ErrorKind::Destination) when the mirror cannot be read or written.
#[derive(Clone, Debug)]
pub struct Changes {
    feed: Arc<Feed>,
}

#[expect(
    clippy::missing_errors_doc,
    reason = "the errors of all functions are described at the type"
)]
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
            feed: Arc::new(Feed::new(database)),
        }
    }

    /// The first changes after a position, in order, at most `limit` of them. Empty if there are none.
    ///
    /// # Errors
    ///
    /// [`OtherRun`](crate::ErrorKind::OtherRun) if the feed does not have this position: the mirror was restored from a backup
    /// or is another one, or changes after the position were [pruned](Self::prune). The reader has to compare its state with
    /// the tables of the mirror, and starts again after the last change. [`Incomplete`](crate::ErrorKind::Incomplete) before the
    /// first complete run of the mirror.
    pub async fn since(&self, position: &Position, limit: u32) -> Result<Vec<Change>, Error> {
        let position = position.clone();
        self.blocking(move |feed| feed.since(&position, limit))
            .await
    }

    /// The position before the first change that is kept: [`Position::START`] if none were [pruned](Self::prune).
    pub async fn start(&self) -> Result<Position, Error> {
        self.blocking(|feed| feed.start()).await
    }

    /// The position after the last change.
    pub async fn end(&self) -> Result<Position, Error> {
        self.blocking(|feed| feed.end()).await
    }

    /// Removes the changes that are older than this, and returns their number. Undelivered changes
    /// stay, and so do [dead letters](Self::dead_letters).
    pub async fn prune(&self, older_than: Duration) -> Result<u64, Error> {
        let before = jiff::Timestamp::now().checked_sub(older_than);
        // Nothing is older than the first time there is.
        let Ok(before) = before else { return Ok(0) };
        self.blocking(move |feed| feed.prune(before)).await
    }

    /// The changes that were given up for the endpoint with this name, in order.
    pub async fn dead_letters(&self, endpoint: &str) -> Result<Vec<DeadLetter>, Error> {
        let endpoint = endpoint.to_owned();
        self.blocking(move |feed| feed.dead_letters(&endpoint))
            .await
    }

    /// Calls the feed on a thread where it may block.
    async fn blocking<T: Send + 'static>(
        &self,
        call: impl FnOnce(&Arc<Feed>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let feed = Arc::clone(&self.feed);
        let outcome = tokio::task::spawn_blocking(move || call(&feed)).await;
        outcome.unwrap_or_else(|error| {
            Err(Error::destination("reading the changes was stopped", error))
        })
    }
}
