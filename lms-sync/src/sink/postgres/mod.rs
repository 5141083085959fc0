//! A mirror in a schema of a PostgreSQL database.
//!
//! It has the [tables and views](crate::mirror#tables) of all mirrors. Their types are `text`, `bigint`, `double precision`,
//! `boolean`, `timestamptz` for the columns `…_utc`, and `json` for arrays, objects and `_extra`.
//! `json` keeps the text of the service, so that rows can be [verified](verify); cast it to `jsonb` to search in it:
//! `tags::jsonb ? 'new'`.
//!
//! A run holds an advisory lock of its session, so a connection pooler must be in session mode.
//!
//! Several tenants can have their tables in one schema: see [`prepare_shared`].
//!
//! ```no_run
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_sync::Error> {
//! use lms_sync::{Export, sink::postgres::{PostgresSchema, PostgresSink}};
//!
//! let warehouse: PostgresSchema = "postgres://lms@db.example/warehouse?sslmode=verify-full".parse()?;
//! let warehouse = warehouse.password("s3cret").schema("lms").reader("analyst");
//! let summary = Export::new(&lms)
//!     .collections(["learners", "courses", "enrolments", "course_completions"])?
//!     .run(PostgresSink::new(warehouse))
//!     .await?;
//! assert!(summary.is_complete());
//! # Ok(())
//! # }
//! ```

mod config;
mod connect;
mod connections;
mod database;
mod dialect;
mod failure;
mod server;
mod shared;
mod tls;
mod value;

use std::time::Duration;

pub use config::PostgresSchema;
pub use connections::Connections;
pub use shared::{prepare_shared, share};

use crate::{
    collection::{Collection, Row},
    error::Error,
    mirror::{
        begin::require_mirror,
        overview::{self, Overview},
        query::{self, MirrorReader},
        sink::{MirrorSink, Place},
        status::{self, Status},
        verify,
    },
    sql::database::{Database, failed},
    verify::VerifiedCollection,
};
use database::PostgresDatabase;

/// Writes collections into a schema of a PostgreSQL database.
pub type PostgresSink = MirrorSink<PostgresSchema>;

impl PostgresSink {
    /// A sink for a schema. The user needs the privileges `CREATE` and `USAGE` on it, or `CREATE` on the database if there is
    /// no such schema yet.
    #[must_use]
    pub fn new(schema: PostgresSchema) -> Self {
        Self::at(schema)
    }
}

impl Place for PostgresSchema {
    fn open(&self, wait: Duration) -> Result<Box<dyn Database>, Error> {
        Ok(Box::new(connect::open_for_run(self, wait)?))
    }
}

/// Connects to a mirror for `call`, on a thread where it may block.
fn with_mirror<T: Send>(
    at: &PostgresSchema,
    call: impl FnOnce(&mut PostgresDatabase) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    connect::with_connection(at, |database| {
        require(database, at)?;
        call(database)
    })
}

fn require(database: &mut PostgresDatabase, at: &PostgresSchema) -> Result<(), Error> {
    require_mirror(database, &format!("the {at}"))
}

/// Connects to a mirror, to read and deliver its feed.
pub(crate) fn open_feed(at: &PostgresSchema) -> Result<Box<dyn Database>, Error> {
    connect::on_thread(|| {
        let mut database = connect::open(at)?;
        require(&mut database, at)?;
        Ok(Box::new(database) as Box<dyn Database>)
    })
}

/// The result of the last run that tried each collection. Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the database cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when the schema is not a mirror.
pub fn status(at: &PostgresSchema) -> Result<Vec<Status>, Error> {
    with_mirror(at, |database| status::status(database))
}

/// The age and the completeness of each collection of a mirror, and its unfinished run. Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the database cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when the schema is not a mirror.
pub fn overview(at: &PostgresSchema) -> Result<Overview, Error> {
    with_mirror(at, |database| {
        overview::overview(database, |database| connect::is_held(database, at))
    })
}

/// Compares the rows of each committed collection of a mirror with its completeness record. Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the database cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when the schema is not a mirror.
pub fn verify(at: &PostgresSchema) -> Result<Vec<VerifiedCollection>, Error> {
    with_mirror(at, |database| verify::verify(database))
}

/// Passes the rows of the last list of a collection to `visit`: without those that are marked as deleted, and without those
/// that the list lacks and that [stay](crate::mirror#deletions). Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the database cannot be read or the mirror has no such collection, and
/// [`Foreign`](crate::ErrorKind::Foreign) when the schema is not a mirror.
pub fn visit_rows(
    at: &PostgresSchema,
    collection: &'static Collection,
    visit: &mut (dyn FnMut(Row) + Send),
) -> Result<(), Error> {
    let doing = format!("read {} of the {at}", collection.name);
    with_mirror(at, |database| {
        verify::visit_rows(database, collection, visit).map_err(failed(&doing))
    })
}

/// Calls `work` with the mirror as it is at one moment. Blocks.
///
/// # Errors
///
/// Those of `work`, [`Destination`](crate::ErrorKind::Destination) when the database cannot be read, and
/// [`Foreign`](crate::ErrorKind::Foreign) when the schema is not a mirror.
pub fn read<T: Send>(
    at: &PostgresSchema,
    work: impl FnOnce(&mut MirrorReader<'_>) -> Result<T, Error> + Send,
) -> Result<T, Error> {
    with_mirror(at, |database| query::read(database, work))
}
