//! Sinks: where rows go.
//!
//! A sink stores batches of rows with checkpoints, so that a run which is killed at any moment goes on where it stopped,
//! and shows a collection as new only when it is whole. [`Sink`] has the calls; the engine makes them in this order:
//!
//! ```text
//! begin ─▶ for each collection: [restart] ─▶ (write ─▶ checkpoint)* ─▶ commit | abort ─▶ end
//! ```
//!
//! Collections may be interleaved: batches of two collections can alternate. The calls for one collection come in order.

pub mod files;
#[cfg(feature = "sink-kit")]
pub mod kit;
mod lock;
#[cfg(feature = "object-store")]
pub mod objects;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;

pub use lock::DestinationLock;

pub use crate::{
    plan::{CollectionPlan, Plan},
    protocol::{Sink, Standing},
};

use std::fmt::Display;

use crate::{collection::Collection, error::Error};

/// What a sink keeps for a collection of the plan.
fn find_stage<'a, S>(
    stages: &'a mut [S],
    collection: &Collection,
    of: impl Fn(&S) -> &'static Collection,
) -> Result<&'a mut S, Error> {
    stages
        .iter_mut()
        .find(|stage| of(stage).name == collection.name)
        .ok_or_else(|| Error::usage(format!("{} is not in the plan", collection.name)))
}

/// What to do about an unfinished run of other arguments, whose state is at a place.
fn give_up(state: impl Display) -> String {
    format!(
        "finish it with its own arguments, choose another destination, or remove {state} to give it up"
    )
}
