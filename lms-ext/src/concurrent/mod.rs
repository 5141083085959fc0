//! Concurrent walks: several walks or calls at a time, as one stream.
//!
//! Cursor pagination is sequential: the request for a page needs the cursor of the page before it, so each page
//! costs one round trip. If a list can be filtered into disjoint parts, such as the enrolments of each course,
//! the parts can be read at the same time. [`Concurrent`] does that with any walks and calls, and never has more
//! than [`concurrency`](Concurrent::concurrency) requests in flight:
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! let mut enrolments = lms.enrolments_by_course().concurrency(16);
//! while let Some(enrolment) = enrolments.try_next().await? {
//!     println!("{} {:?}", enrolment.part, enrolment.item.user);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`Lms`](crate::Lms) has a method for each way that the service's filters can split a list. For other parts,
//! use [`Concurrent::for_each_item`] or [`Concurrent::new`].
//!
//! Items of one part keep their order; items of different parts interleave. Each part runs in its own task and
//! reads one page ahead. Dropping the stream stops all of them.
//!
//! **Memory:** each running part holds at most two pages. Besides that, the stream keeps the key of every part
//! until it is dropped, so memory grows with the number of parts, but not with the number of items.

mod checkpoint;
mod lists;
mod merge;
mod part;
mod source;

pub use checkpoint::{PartsCheckpoint, Progress};
pub use merge::Concurrent;
pub use part::{Part, PartError, PartItem};
