//! A client of a learning-management service that outlives its tenant's moods.
//!
//! The raw client, `lms-client`, knows every operation and type of the service. This crate adds what a
//! careful integrator would otherwise write again.
//!
//! ```no_run
//! # async fn example() -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let lms = Lms::builder("https://acme.example")
//!     .client_credentials("client id", "client secret")
//!     .build()?;
//!
//! let learner = lms.get_learner_by_email().email("jo@acme.example").call().await?;
//! println!("{:?}", learner.surname);
//! # Ok(())
//! # }
//! ```

mod auth;
mod base_address;
mod body;
mod builder;
mod call;
mod decode;
mod duplicate;
mod edit;
mod engine;
mod ensure;
mod error;
mod exchange;
mod guard;
#[cfg(doctest)]
mod guide;
pub mod http;
pub mod int64;
mod limits;
mod lms;
mod operation;
#[rustfmt::skip]
mod operations;
mod options;
mod pace;
mod pages;
pub mod prelude;
mod retry;
mod scrub;
mod secret;
pub mod side_by_side;
mod telemetry;
mod unenrol;
mod values;

pub use auth::{
    FileTokenCache, Token, TokenCache, TokenCacheFuture, TokenFuture, TokenKey, TokenProvider,
};
pub use builder::LmsBuilder;
pub use call::{Answer, Call, CallFuture, WithOptions};
pub use duplicate::{CopyOptions, CopyProgress, CourseCopy, Polling, Progress};
pub use edit::{Change, Edited, Plan};
pub use ensure::Ensured;
pub use error::{Error, ErrorBody, ErrorKind};
pub use limits::Limits;
pub use lms::Lms;
pub use lms_client::{
    builder as builders, types,
    wire::{
        CivilDate, CivilDateTime, Int64, Moment, Offset, ParseInt64Error, ParseTimestampError,
        Timestamp, UtcInstant,
    },
};
pub use operation::{Captured, List, Operation, OperationInfo};
pub use operations::OPERATIONS;
pub use options::CallOptions;
pub use pace::Pace;
pub use pages::{Checkpoint, Identified, Items, Page, Pages, Walk, WalkSummary};
pub use retry::{RetryBudget, RetryPolicy};
pub use secret::Secret;
pub use unenrol::{Enrolled, Enrolments, Expecting, Unenrolled};
pub use values::{Meaning, Typed};
