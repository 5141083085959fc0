#![doc = include_str!("../README.md")]

mod collection;
mod error;
mod extract;
mod record;
mod run;
pub mod sink;
pub mod tap;
mod verify;

pub use collection::{
    Collection, CollectionSource, Column, ColumnKind, ForEach, Row, Value, collection, collections,
};
pub use error::{Error, ErrorKind};
pub use extract::{Batch, Checkpoint, Extract};
pub use record::{CompletenessRecord, RowsDigest};
pub use run::{Export, Outcome, RunProgress, RunSummary};
pub use verify::{VerifiedCollection, verify_files};
