//! Mirrors: tables that are brought to the state of the tenant by difference.

mod policy;

pub use policy::{Deletes, FirstRunChanges, MirrorPolicy};
