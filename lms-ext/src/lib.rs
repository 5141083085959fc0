//! A resilient client for a learning-management HTTP API.
//!
//! The generated client, `lms-client`, has all operations and types of the service. This crate adds token refresh,
//! retries that never duplicate a write, rate limits, pagination, and edits that keep the fields that they do not
//! change.
//!
//! ```no_run
//! # async fn example() -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let lms = Lms::builder("https://acme.example")
//!     .client_credentials("client id", "client secret")
//!     .build()?;
//!
//! let learner = lms.get_learner_by_email("jo@acme.example").await?;
//! println!("{:?}", learner.surname);
//! # Ok(())
//! # }
//! ```
//!
//! # Calls
//!
//! [`Lms`] dereferences to the generated client, so each operation of the service is a method. The method returns a
//! [builder](requests). Awaiting the builder, or its [`.call()`](Call::call), sends the request and returns the decoded
//! response or an [`Error`].
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let course = lms.add_course("Lifting safely").published(true).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A finished body, such as one that was read from a file, is sent by the builder's `new`:
//!
//! ```
//! # async fn example(lms: lms_ext::Lms, course: lms_ext::types::AddCourse) -> Result<(), lms_ext::Error> {
//! use lms_ext::requests;
//!
//! let course = requests::AddCourse::new(&lms, course).await?;
//! # Ok(())
//! # }
//! ```
//!
//! [`.call_as()`](Call::call_as) decodes the response into your own type, [`.response()`](Call::response) also returns
//! its status and headers, and [`.options()`](Call::options) sets options of one call.
//!
//! # Lists
//!
//! [`.items()`](ListExt::items) is a stream of the items of all pages, and [`.pages()`](ListExt::pages) is a stream of
//! the pages. The position of a stream can be [saved](Items::checkpoint) and [resumed](Items::resume). Inconsistent
//! pages are an error, and never end the list silently. A large list can be read [in concurrent parts](concurrent).
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let mut learners = lms.list_learners().tags("emea").items();
//! while let Some(learner) = learners.try_next().await? {
//!     println!("{:?}", learner.email);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Writes
//!
//! [`update_learner`](Lms::update_learner) and [`update_course`](Lms::update_course) read, change and write.
//! [`unenrol`](Lms::unenrol) requires a learner or a course. [`ensure_learner`](Lms::ensure_learner) and
//! [`ensure_enrolment`](Lms::ensure_enrolment) are idempotent. All of these have a [dry run](WriteMode).
//! [`duplicate_course`](Lms::duplicate_course) starts a task that takes minutes, and returns a handle to wait for it.
//! [`bulk`] runs one operation for many items, and [`LearnerIndex`] and [`EnrolmentIndex`] save the lookups of many.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! lms.update_learner("l1", |l| l.surname = "Jones".into()).await?;
//! lms.unenrol(EnrolmentScope::learner_in_course("u1", "c1")).await?;
//! let copy = lms.duplicate_course("c1", |d| d.name("Copy")).await?;
//! let course = copy.wait().await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Values
//!
//! [`Int64`] is read from a string or a number. [`Timestamp`] keeps its text and is parsed on request. In your own types,
//! [`blank_is_absent`] reads fields without a value.
//!
//! # Errors and policies
//!
//! The [kind](ErrorKind) of an [`Error`] tells its cause. [`Ambiguous`](ErrorKind::Ambiguous), for example, means that
//! a write may have been processed: check before you send it again. The [builder](LmsBuilder) sets the [`RetryPolicy`],
//! [`Timeouts`] and the limits on calls and requests. Tokens can come from your own [`TokenProvider`], and can be kept
//! in a [file](LmsBuilder::token_file). [`cancel_on`](Lms::cancel_on) stops a program between two requests.
//!
//! Secrets are never printed, redirects are never followed, and a request that does not match the path of its operation is
//! never sent.
//!
//! # Features
//!
//! | feature | default | effect |
//! |---|---|---|
//! | `rustls` | yes | TLS by rustls with aws-lc |
//! | `rustls-no-provider` | no | TLS by rustls with the crypto provider that the program installs, for example ring |
//! | `native-tls` | no | TLS by the platform: OpenSSL, Secure Transport or SChannel |
//! | `gzip` | no | requests compressed responses, about a tenth of the size if the server supports it |
//! | `clap` | no | `LmsArgs`: command-line arguments for the base URL and the credentials |
//! | `blocking` | no | `blocking::Lms`, for code that is not async |
//! | `metrics` | no | metrics of calls, for the recorder that the program installs with the crate `metrics` |
//! | `signal` | no | `Lms::cancel_on_ctrl_c`: a client that stops sending after Ctrl-C |
//! | `tower` | no | `http::TowerClient`, which sends requests through any tower service |
//! | `jiff` | no | conversions between timestamps and the types of jiff |
//! | `schemars` | no | a JSON Schema for every type of the service |
//!
//! All TLS features trust the platform's root certificates. With several of them, `native-tls` takes precedence over rustls.
//! With none, only `http://` URLs work, and [`build`](LmsBuilder::build) rejects others.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "blocking")]
pub mod blocking;
pub mod bulk;
mod client;
pub mod concurrent;
mod course_copy;
mod edit;
mod ensure;
mod error;
mod large_lists;
mod paging;
pub mod prelude;
mod raw;
mod request;
mod send;
pub mod testing;
mod unenrol;
mod values;
mod write;

#[cfg(feature = "clap")]
pub use client::LmsArgs;
pub use client::{Lms, LmsBuilder};
pub use course_copy::{CopyProgress, CopyState, CourseCopy};
pub use edit::{Edited, FieldChange};
pub use ensure::{
    DuplicateLearners, EnrolmentIndex, EnsureEnrolment, EnsureLearner, Ensured, LearnerIndex,
    SyncEnrolments, SyncedEnrolments,
};
pub use error::{Error, ErrorKind};
pub use lms_client::{
    id, ids, requests, setter, types,
    wire::{
        CivilDate, CivilDateTime, Int64, Moment, ParseInt64Error, ParseTimestampError, Timestamp,
        UtcInstant,
    },
};
pub use paging::{
    Checkpoint, Identified, Items, LenientItem, ListExt, ListSummary, Page, PageReceived, Pages,
};
pub use raw::RawRequest;
pub use request::{
    Call, CallFuture, CallOptions, HasId, List, OPERATIONS, Operation, Policies, PreparedRequest,
    RequireId, Response, WithOptions,
};
pub use reqwest;
#[cfg(feature = "metrics")]
pub use send::metrics::describe_metrics;
pub use send::{
    Timeouts,
    auth::{Token, TokenFuture, TokenProvider},
    http,
    rate_limit::RateLimitState,
    retry::RetryPolicy,
};
pub use unenrol::{EnrolmentScope, Unenrolled};
pub use values::{OperationInfo, Secret, blank_is_absent, expose_secrets};
pub use write::{Write, WriteMode};
