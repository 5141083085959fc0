//! The vocabulary of the service's API: operations, schemas, ids, fields, timestamps and errors.
//!
//! These modules describe requests and responses, and do not depend on a database or a connection.

pub(crate) mod example;
pub(crate) mod fields;
pub(crate) mod generated {
    include!("generated.rs");
}
pub(crate) mod id;
pub(crate) mod json;
pub(crate) mod operation;
pub(crate) mod problem;
pub(crate) mod query;
pub(crate) mod schema;
pub(crate) mod timestamp;
