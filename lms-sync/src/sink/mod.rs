//! Sinks: destinations that store rows.
//!
//! A sink stores batches of rows with checkpoints, so that a run that was killed at any moment can continue. Readers see the new
//! rows of a collection only when it is complete. [`Sink`] has the calls. A run makes them in this order:
//!
//! ```text
//! begin ─▶ for each collection: [reads] ─▶ [restart] ─▶ (write ─▶ checkpoint)* ─▶ [missing ─▶ looked_up] ─▶ [set_reads] ─▶ commit | abort ─▶ end
//! ```
//!
//! Collections may be interleaved: batches of two collections can alternate. The calls for one collection come in order.

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

pub use crate::{
    extract::ItemReads,
    plan::{CollectionPlan, Plan},
    protocol::{CollectionState, Key, Lookup, Missing, Sink},
};
