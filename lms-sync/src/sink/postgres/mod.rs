//! A mirror in a schema of a PostgreSQL database.
//!
//! It has the [tables and views](crate::mirror#tables) of all mirrors. Their types are `text`, `bigint`, `double precision`,
//! `boolean`, `timestamptz` for the columns `…_utc`, and `json` for arrays, objects and `_extra`.
//! `json` keeps the text of the service, so that rows can be [verified](Mirror::verify); cast it to `jsonb` to search in it:
//! `tags::jsonb ? 'new'`.
//!
//! A run holds an advisory lock of its session, so a connection pooler must be in session mode.
//!
//! [`union_views`] makes views over the mirrors of several tenants.
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
mod failure;
mod postgres_database;
mod postgres_dialect;
mod tls;
mod union_views;
mod value;

use std::time::Duration;

pub use config::PostgresSchema;
pub use union_views::union_views;

use crate::{
    error::Error,
    mirror::{Access, Mirror, MirrorDestination, MirrorSink},
    sql::database::Database,
};

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

impl Mirror {
    /// The mirror in a schema. The user needs the privileges of a [reader](PostgresSchema::reader).
    #[must_use]
    pub fn postgres(schema: &PostgresSchema) -> Self {
        Self::at(schema.clone())
    }
}

impl MirrorDestination for PostgresSchema {
    fn open_for_run(&self, wait: Duration) -> Result<Box<dyn Database>, Error> {
        Ok(Box::new(connect::open_for_run(self, wait)?))
    }

    fn open(&self, _: Access) -> Result<Box<dyn Database>, Error> {
        Ok(Box::new(connect::open(self)?))
    }

    fn is_held(&self, database: &mut dyn Database) -> Result<bool, Error> {
        connect::is_held(database, self)
    }
}
