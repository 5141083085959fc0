//! The SQL that databases share: tables, views and the difference between a list and a table.
//!
//! The statements are generated from the [collections](crate::collection), so that all databases have the same schema. What
//! differs between databases is in their [`Dialect`], and a [`Database`](database::Database) runs them.

pub(crate) mod database;
mod dialect;
pub(crate) mod difference;
mod internal;
mod schema;
mod views;

pub(crate) use dialect::Dialect;
pub(crate) use difference::{CHANGED, PRESENT, event};
pub(crate) use internal::{FORMAT_VERSION, internal_tables, meta, set_meta};
pub(crate) use schema::{Names, Statements, TENANT, literal, quoted, quoted_columns};
pub(crate) use views::{VIEWS, View};
