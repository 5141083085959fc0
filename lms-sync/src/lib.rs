#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub mod changes;
mod collection;
mod error;
mod extract;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub mod mirror;
mod plan;
mod protocol;
mod record;
mod run;
pub mod sink;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod sql;
pub mod tap;
mod verify;

pub use collection::{
    Collection, Column, ColumnKind, ForEach, Row, Value, collection, collections,
};
pub use error::{Error, ErrorKind};
/// Internals for the tests of this crate.
#[cfg(feature = "test-internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::{
        plan::{CollectionPlan, Plan},
        protocol::{CollectionState, Lookup, SinkCalls},
    };
}
pub use extract::{Batch, Extract, ExtractCheckpoint, tenant_id};
pub use record::{Completeness, CompletenessRecord, RowsDigest, age_of};
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub use run::export_mirror;
pub use run::{Export, Outcome, RunProgress, RunSummary};
pub use sink::files::{read::read_files, verify_files::verify_files};
pub use verify::VerifiedCollection;
