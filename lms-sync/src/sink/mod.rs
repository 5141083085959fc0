//! Sinks: destinations that store rows.
//!
//! A sink stores batches of rows with checkpoints, so that a run that was killed at any moment can continue. Readers see the new
//! rows of a collection only when it is complete.

pub mod files;
mod lock;
#[cfg(feature = "object-store")]
pub mod objects;
#[cfg(feature = "postgres")]
pub mod postgres;
mod regular;
#[cfg(feature = "sqlite")]
pub mod sqlite;

pub use lock::DestinationLock;

pub use crate::protocol::Sink;
