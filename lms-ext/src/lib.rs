//! A client of a learning-management service that outlives its tenant's moods.
//!
//! The raw client, `lms-client`, knows every operation and type of the service. This crate adds what a
//! careful integrator would otherwise write again: tokens that live five minutes and jobs that take an
//! hour, answers that are lost on the way, lists in pages, a `PUT` that wipes what it is not sent.
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
//!
//! # Any operation
//!
//! [`Lms`] dereferences to the raw client, so every operation of the service is a method of it. The method
//! gives a [builder](builders); [`.call()`](Call::call) sends it and gives the value or the one [`Error`].
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let body = types::AddCourse::builder().name("Lifting safely").published(true);
//! let course = lms.add_course().body(body).call().await?;
//! # Ok(())
//! # }
//! ```
//!
//! [`.call_as()`](Call::call_as) reads the answer into a type of yours, and [`.response()`](Call::response)
//! tells what else is known of it. [`.options()`](Call::options) lets one call differ from the others. The
//! raw `.send()` is there too, and goes through the same policies.
//!
//! # Whole lists
//!
//! [`.items()`](Walk::items) follows the cursor through all pages; [`.pages()`](Walk::pages) gives them
//! one by one. A walk can be [stored](Items::checkpoint) and [resumed](Items::resume), and a list that
//! contradicts itself is an error, not a silent end. Where time goes in round trips, disjoint walks run
//! [side by side](side_by_side).
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let mut learners = lms.list_learners().tags(vec!["emea".into()]).items();
//! while let Some(learner) = learners.try_next().await? {
//!     println!("{:?}", learner.email);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Writes that change what was meant
//!
//! [`update_learner`](Lms::update_learner) and [`update_course`](Lms::update_course) read, change and
//! write; [`unenrol`](Lms::unenrol) cannot be written without a learner or a course;
//! [`ensure_learner`](Lms::ensure_learner) and [`ensure_enrolment`](Lms::ensure_enrolment) can be repeated;
//! [`duplicate_course`](Lms::duplicate_course) gives a handle on a task that takes minutes.
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
//! [`Int64`] is an integer whatever way it travels, [`Timestamp`] a text until somebody asks what time it
//! is. [`int64`] reads and writes integers of your own structs the service's way.
//!
//! # When something goes wrong
//!
//! There is one [`Error`]. Its [kind](ErrorKind) says what to do: [`Ambiguous`](ErrorKind::Ambiguous), for
//! one, says that a write may have been processed and that somebody should look. What is repeated, how
//! long anything may take and how fast a client may go is set on the [builder](LmsBuilder): [`RetryPolicy`],
//! [`Timeouts`], [`RateLimits`]. Tokens come from a [`TokenProvider`] and may be kept in a [`TokenCache`].
//!
//! A § number in these docs is a section of the service description, which `spec/README.md` introduces.
//!
//! Secrets are never printed, redirects are never followed, and a request that would not go where its
//! operation says is never sent.
//!
//! # Features
//!
//! | feature | on by default | what it does |
//! |---|---|---|
//! | `rustls` | yes | TLS by rustls, with aws-lc for the cryptography |
//! | `rustls-no-provider` | no | TLS by rustls, with the cryptography that the program installs, ring for example |
//! | `native-tls` | no | TLS by what the platform brings: OpenSSL, Secure Transport or SChannel |
//! | `gzip` | no | asks for compressed answers, which are a tenth of the size where the tenant compresses |
//! | `jiff`, `chrono`, `time` | no | timestamps as the types of these crates |
//!
//! All three trust the certificates that the platform trusts. With several of them on, `native-tls` comes first, then
//! rustls; with none, only an `http://` address can be called, and [`build`](LmsBuilder::build) refuses others.

mod client;
pub mod concurrent;
mod course_copy;
mod edit;
mod ensure;
mod error;
mod paging;
pub mod prelude;
mod request;
mod send;
mod unenrol;
mod values;

pub use client::{Lms, LmsBuilder};
pub use course_copy::{CopyOptions, CopyProgress, CourseCopy, Polling, Progress};
pub use edit::{Change, Edited, Plan};
pub use ensure::Ensured;
pub use error::{Error, ErrorBody, ErrorKind};
pub use lms_client::{
    builder as builders, types,
    wire::{
        CivilDate, CivilDateTime, Int64, Moment, Offset, ParseInt64Error, ParseTimestampError,
        Timestamp, UtcInstant,
    },
};
pub use paging::{Checkpoint, Identified, Items, Page, Pages, Walk, WalkSummary};
pub use request::{
    Call, CallFuture, CallOptions, HasId, List, OPERATIONS, Operation, PreparedRequest, RequireId,
    Response, WithOptions,
};
pub use send::{
    Timeouts,
    auth::{
        FileTokenCache, Token, TokenCache, TokenCacheFuture, TokenFuture, TokenKey, TokenProvider,
    },
    http,
    rate_limit::RateLimits,
    retry::{RetryBudget, RetryPolicy},
};
pub use unenrol::{EnrolmentScope, ExpectedCount, Unenrolled};
pub use values::{OperationInfo, Secret, Typed, TypedView, int64};
